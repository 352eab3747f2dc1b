// How many characters each instruction of a program has before it until it matches. Lookarounds aside: they only make
// that more, or fewer.
import type { Instruction } from '../../openapi/patterns/program.ts';

/** At least so many; Infinity: it never matches. */
export function distancesOf(instructions: readonly Instruction[]): Float64Array {
  const distances = new Float64Array(instructions.length).fill(Number.POSITIVE_INFINITY);
  distances[0] = 0;
  // Later instructions mostly lead to earlier ones: a few rounds settle it.
  for (let changed = true; changed; ) {
    changed = false;
    for (const [at, instruction] of instructions.entries()) {
      const distance = distanceVia(instruction, distances);
      if (distance >= (distances[at] as number)) continue;
      distances[at] = distance;
      changed = true;
    }
  }
  return distances;
}

/** At most so many, once the first character was read; Infinity: any number, -Infinity: it never matches. */
export function reachesOf(instructions: readonly Instruction[]): Float64Array {
  const reaches = new Float64Array(instructions.length);
  for (const [at, instruction] of instructions.entries()) reaches[at] = reachVia(at, instruction, reaches);
  return reaches;
}

/** What leads to a later instruction is a loop: it may go on for ever. */
function reachVia(at: number, instruction: Instruction, reaches: Float64Array): number {
  // Matched without `$`: anything may follow.
  if (instruction.op === 'match') return Number.POSITIVE_INFINITY;
  if (instruction.op === 'fork')
    return Math.max(
      ...instruction.nexts.map((next) => (next >= at ? Number.POSITIVE_INFINITY : (reaches[next] as number))),
    );
  if (instruction.op === 'end') return 0;
  // Asked of a place that begins anew after the first character: nothing matches there any more.
  if (instruction.op === 'start') return Number.NEGATIVE_INFINITY;
  return (reaches[instruction.next] as number) + (instruction.op === 'read' ? 1 : 0);
}

function distanceVia(instruction: Instruction, distances: Float64Array): number {
  if (instruction.op === 'match') return 0;
  if (instruction.op === 'fork') return Math.min(...instruction.nexts.map((next) => distances[next] as number));
  return (distances[instruction.next] as number) + (instruction.op === 'read' ? 1 : 0);
}
