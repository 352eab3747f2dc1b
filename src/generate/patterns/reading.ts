// Where a program stands after some text: all threads of all expressions at once, with what they have yet to see, and how
// many characters each of them has before it until it matches.
import type { Instruction, Program } from '../../openapi/patterns/program.ts';

/** State after the characters read so far. */
interface Before {
  readonly nothing: boolean;
  /** True where the last character is a word's. */
  readonly word: boolean;
  /** Threads of each lookbehind, begun at every place so far. */
  readonly behind: readonly (readonly Thread[])[];
}

/** A thread that awaits more than this many lookaheads at one place goes round in a loop. */
const MAX_NEEDS = 12;

export interface Reading {
  readonly needs: readonly Need[];
  readonly before: Before;
  /** Equal for readings that the same characters can follow. */
  readonly key: string;
}

/** One character out of those that no expression tells apart: the classes that hold it, by number, and whether it is a word's. */
export interface Kind {
  readonly sets: ReadonlySet<number>;
  readonly word: boolean;
}

export class Reader {
  private readonly program: Program;
  /** Characters that each instruction has before it until it matches, at least and at most; lookarounds aside. */
  private readonly distances: Float64Array;
  private readonly reaches: Float64Array;
  /** Instructions followed so far. */
  followed = 0;

  constructor(program: Program) {
    this.program = program;
    this.distances = distancesOf(program.instructions);
    this.reaches = reachesOf(program.instructions);
  }

  /** Before the first character. `wanted` and `unwanted` are first instructions of expressions. */
  begin(wanted: readonly number[], unwanted: readonly number[]): Reading | null {
    const before = this.before({ nothing: true, word: false }, () => []);
    const need = (start: number, negate: boolean): Need => ({ start, negate, threads: this.closure(start, before) });
    return this.settled(
      [...wanted.map((start) => need(start, false)), ...unwanted.map((start) => need(start, true))],
      before,
    );
  }

  /** After one more character; null when no continuation can match. */
  after(reading: Reading, kind: Kind): Reading | null {
    const { behind } = reading.before;
    const before = this.before({ nothing: false, word: kind.word }, (number, so) =>
      (behind[number] ?? []).flatMap((thread) => (thread.at === 0 ? [] : this.step(thread, kind, so))),
    );
    return this.settled(
      reading.needs.map((need) => this.advanced(need, kind, before)),
      before,
    );
  }

  /** Tells whether the text may end here. */
  accepts({ needs }: Reading): boolean {
    return needs.every((need) => endsWell(need));
  }

  /** At least so many characters must follow; Infinity: none can. */
  distance({ needs }: Reading): number {
    return Math.max(0, ...needs.map((need) => (need.negate ? 0 : this.distanceOf(need))));
  }

  /** At most so many characters may follow; Infinity: any number. */
  reach({ needs }: Reading): number {
    return Math.min(...needs.map((need) => (need.negate ? Number.POSITIVE_INFINITY : this.reachOf(need))));
  }

  /** Inner lookbehinds come first in the program: theirs are known when the outer ones are followed. */
  private before(last: Omit<Before, 'behind'>, continued: (number: number, so: Before) => Thread[]): Before {
    const behind: Thread[][] = [];
    const before = { ...last, behind };
    for (const [number, start] of this.program.behind.entries()) {
      behind.push(distinct([...continued(number, before), ...this.closure(start, before)]));
    }
    return before;
  }

  private distanceOf({ threads, start }: Need): number {
    const open = threads.map(({ at, ended }) => {
      const distance = this.distances[at] as number;
      return ended && distance > 0 ? Number.POSITIVE_INFINITY : distance;
    });
    return Math.min(...open, start === null ? Number.POSITIVE_INFINITY : (this.distances[start] as number));
  }

  private reachOf({ threads, start }: Need): number {
    const open = threads.map(({ at, ended }) => (ended ? 0 : (this.reaches[at] as number)));
    // A pattern that begins anew at every place lets any number of characters come before it.
    const beginsAnew = start !== null && (this.reaches[start] as number) >= 0;
    return beginsAnew ? Number.POSITIVE_INFINITY : Math.max(...open);
  }

  private settled(needs: readonly Need[], before: Before): Reading | null {
    // An unwanted match that nothing can undo.
    if (needs.some(({ negate, threads }) => negate && threads.some(isCertain))) return null;
    const passed = before.behind.map((threads) => keyOf({ start: null, negate: false, threads })).join('<');
    const key = `${before.nothing ? '^' : before.word ? 'w' : '-'}${passed}|${needs.map(keyOf).join('|')}`;
    return { needs, before, key };
  }

  private advanced(need: Need, kind: Kind, before: Before): Need {
    const threads = need.threads.flatMap((thread) => this.step(thread, kind, before));
    // Once matched for good there is nothing more to look for.
    const certain = threads.find(isCertain);
    if (certain !== undefined) return { ...need, threads: [certain] };
    if (need.start !== null) threads.push(...this.closure(need.start, before));
    return { ...need, threads: distinct(threads) };
  }

  private step(thread: Thread, kind: Kind, before: Before): Thread[] {
    if (thread.ended) return [];
    const instruction = this.program.instructions[thread.at] as Instruction;
    if (instruction.op === 'read' && !kind.sets.has(instruction.set)) return [];
    const needs: Need[] = [];
    for (const need of thread.needs) {
      const next = this.advanced(need, kind, before);
      const met = next.threads.some(isCertain);
      if (met === next.negate && (met || next.threads.length === 0)) return [];
      if (!met && next.threads.length > 0) needs.push(next);
    }
    if (instruction.op !== 'read') return [{ ...thread, needs }];
    return this.closure(instruction.next, before, needs);
  }

  /** All threads that stand at a `read` or at `match` without reading anything. */
  private closure(first: number, before: Before, needs: readonly Need[] = []): Thread[] {
    const threads: Thread[] = [];
    const passed = new Set<string>();
    const follow = (at: number, wanted: readonly Need[], end: boolean): void => {
      const instruction = this.program.instructions[at] as Instruction;
      this.followed += 1;
      switch (instruction.op) {
        case 'match':
        case 'read':
          threads.push({ at, needs: wanted, ended: end });
          return;
        case 'fork':
          if (this.isNew(passed, at, wanted, end)) for (const next of instruction.nexts) follow(next, wanted, end);
          return;
        case 'start':
          if (before.nothing) follow(instruction.next, wanted, end);
          return;
        case 'end':
          follow(instruction.next, wanted, true);
          return;
        case 'behind':
          if (isBehind(before, instruction)) follow(instruction.next, wanted, end);
          return;
        case 'boundary': {
          const word = before.word === instruction.negate;
          this.lookAhead(this.program.word, !word, before, wanted, (more) => follow(instruction.next, more, end));
          return;
        }
        case 'ahead':
          this.lookAhead(instruction.inner, instruction.negate, before, wanted, (more) =>
            follow(instruction.next, more, end),
          );
      }
    };
    follow(first, needs, false);
    return distinct(threads);
  }

  /** Tells whether a fork is come upon for the first time on such terms: loops that read nothing end here. */
  private isNew(passed: Set<string>, at: number, wanted: readonly Need[], end: boolean): boolean {
    const key = `${at}${end ? '$' : ''}${wanted.map(keyOf).join('&')}`;
    if (passed.has(key) || wanted.length > MAX_NEEDS) return false;
    passed.add(key);
    return true;
  }

  private lookAhead(
    inner: number,
    negate: boolean,
    before: Before,
    wanted: readonly Need[],
    go: (needs: readonly Need[]) => void,
  ): void {
    const threads = this.closure(inner, before);
    const met = threads.some(isCertain);
    if (met || threads.length === 0) {
      if (met !== negate) go(wanted);
      return;
    }
    go([...wanted, { start: null, negate, threads }]);
  }
}

/** One way through an expression. It stands at a `read` or at `match`. */
interface Thread {
  readonly at: number;
  /** Demands and bans that lookaheads before this place still make. */
  readonly needs: readonly Need[];
  /** `$` was passed: nothing may follow. */
  readonly ended: boolean;
}

/** An expression that must, or must not, match: anywhere in the text (`start` is where to begin anew) or from one place on. */
interface Need {
  readonly start: number | null;
  readonly negate: boolean;
  readonly threads: readonly Thread[];
}

/** Matched, whatever follows. */
/**
 * Tells whether the text that was read stands as the instruction wants it to. A text that must end in what is yet to
 * come cannot be told here: as if it did not.
 */
function isBehind({ behind }: Before, { number, negate }: Extract<Instruction, { op: 'behind' }>): boolean {
  return (behind[number] ?? []).some(isCertain) !== negate;
}

function isCertain({ at, needs, ended }: Thread): boolean {
  return at === 0 && needs.length === 0 && !ended;
}

function endsWell({ negate, threads }: Need): boolean {
  return threads.some(({ at, needs }) => at === 0 && needs.every(endsWell)) !== negate;
}

function keyOf({ negate, threads }: Need): string {
  const parts = threads.map(
    ({ at, needs, ended }) => `${at}${ended ? '$' : ''}${needs.map((one) => `(${keyOf(one)})`).join('')}`,
  );
  return `${negate ? '!' : ''}${parts.join(',')}`;
}

function distinct(threads: readonly Thread[]): Thread[] {
  if (threads.length < 2) return [...threads];
  const byKey = new Map(threads.map((one) => [keyOf({ start: null, negate: false, threads: [one] }), one]));
  return [...byKey.values()];
}

/**
 * How many characters each instruction has before it until it matches, at least; Infinity: it never does. Lookarounds aside:
 * they only make that more, or fewer.
 */
function distancesOf(instructions: readonly Instruction[]): Float64Array {
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

/** The same at most, once the first character was read; Infinity: any number, -Infinity: it never matches. */
function reachesOf(instructions: readonly Instruction[]): Float64Array {
  const reaches = new Float64Array(instructions.length);
  for (const [at, instruction] of instructions.entries()) reaches[at] = reachVia(at, instruction, reaches);
  return reaches;
}

/** An instruction that leads to a later one is a loop: it may go on for ever. */
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
