// How many ways through an expression a text can leave open at once, whatever the text: the ways are counted state by state
// over every text that makes a difference. Few ways are few steps of backtracking for each character. An expression of
// which the count does not come to an end has texts that leave more and more of them open.
import { type First, FirstSets, NOTHING } from './first.ts';
import type { Instruction, Program } from './program.ts';

/** Larger expressions, counts that go on for longer, and more ways than these are left open: it is known within milliseconds. */
const [MOST_INSTRUCTIONS, MOST_STEPS, MOST_STEPS_IN_ALL] = [2_000, 1_000, 30_000];

/** How many ways stand at each `read`, by number of the instruction, and the steps that led there. */
interface Ways {
  readonly counts: ReadonlyMap<number, number>;
  readonly steps: number;
}

/**
 * Steps of backtracking for one character, at most, over all ways that any text leaves open, as if all that is around were
 * as the expression wants it. Infinity where that is not known.
 */
export function stepsACharacter(program: Program, first: number, flags: string, mostInAll = MOST_STEPS_IN_ALL): number {
  const { instructions } = program;
  if (instructions.length > MOST_INSTRUCTIONS) return Number.POSITIVE_INFINITY;
  const sets = new FirstSets(flags);
  const firsts = program.sets.map((set) => sets.ofSource(set.source.slice(1, -1)));
  const letters = lettersOf(firsts);
  const seen = new Map<string, Ways>();
  let [most, all] = [0, 0];
  const arrive = (ways: Ways | null): boolean => {
    if (ways === null || all > mostInAll) return false;
    all += ways.steps + 1;
    most = Math.max(most, ways.steps);
    seen.set(keyOf(ways), ways);
    return true;
  };
  if (!arrive(follow([[first, 1]], instructions))) return Number.POSITIVE_INFINITY;
  // A Map yields what is added while it is walked.
  for (const { counts } of seen.values()) {
    for (const letter of letters) {
      if (!arrive(follow(readBy(counts, letter, firsts, instructions), instructions))) return Number.POSITIVE_INFINITY;
    }
  }
  return most;
}

/** One bit for each kind of character that the sets tell apart. */
function lettersOf(firsts: readonly First[]): First[] {
  const kinds = new Map<string, First>();
  const all = firsts.reduce((union, set) => union | set, NOTHING);
  for (let bit = 1n; bit <= all; bit <<= 1n) {
    const kind = firsts.map((set) => ((set & bit) === NOTHING ? '0' : '1')).join('');
    if (kind.includes('1') && !kinds.has(kind)) kinds.set(kind, bit);
  }
  return [...kinds.values()];
}

/** A place and how many ways lead there. */
type Arrival = readonly [at: number, count: number];

function readBy(
  counts: Ways['counts'],
  letter: First,
  firsts: readonly First[],
  instructions: readonly Instruction[],
): Arrival[] {
  return [...counts].flatMap(([at, count]): Arrival[] => {
    const instruction = instructions[at];
    const reads = instruction?.op === 'read' && ((firsts[instruction.set] as First) & letter) !== NOTHING;
    return reads ? [[instruction.next, count]] : [];
  });
}

/** The ways from these places to the next characters; null where a loop reads nothing, or there are too many. */
function follow(from: readonly Arrival[], instructions: readonly Instruction[]): Ways | null {
  const counts = new Map<number, number>();
  const open = new Set<number>();
  let steps = 0;
  const visit = (at: number, count: number): boolean => {
    const instruction = instructions[at] as Instruction;
    steps += count;
    if (open.has(at) || steps > MOST_STEPS) return false;
    if (instruction.op === 'match') return true;
    if (instruction.op === 'read') {
      counts.set(at, (counts.get(at) ?? 0) + count);
      return true;
    }
    open.add(at);
    const nexts = instruction.op === 'fork' ? instruction.nexts : [instruction.next];
    const ends = nexts.every((next) => visit(next, count));
    open.delete(at);
    return ends;
  };
  return from.every(([at, count]) => visit(at, count)) ? { counts, steps } : null;
}

function keyOf({ counts }: Ways): string {
  return [...counts].sort(([left], [right]) => left - right).join(' ');
}
