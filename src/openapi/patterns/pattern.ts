// The expression of a `pattern`, which answers in time that grows with the text alone: an engine that backtracks takes for
// ever with some patterns and texts. Most patterns and texts are proven harmless for the engine of the language, which
// is the fastest; all others are swept. Which of the two answers makes no difference to the answer.
import { oncePerValue } from '../../exchange/once-per.ts';
import { BacktrackingBound } from './bound.ts';
import { type First, FirstSets, NOTHING } from './first.ts';
import { type Instruction, NoProgram, Program } from './program.ts';
import { Sweep } from './sweep.ts';
import { expressionOf, type PatternSyntax, syntaxOf } from './syntax.ts';
import { TooCostly } from './too-costly.ts';

export interface Pattern {
  /** Tells whether it matches anywhere in the text. Throws TooCostly where nobody could wait for the answer. */
  test(text: string): boolean;
}

/** Steps that backtracking may take: about what a sweep of the same text takes, or next to nothing. */
const MAX_FREE_STEPS = 20_000;
const STEPS_A_CHARACTER = 32;
/** Where nothing else can answer: about a second. */
const MAX_BEARABLE_STEPS = 500_000_000;
/** Lengths that are looked at, a power of four each. No answer of a target is longer. */
const MAX_POWER = 13;

/**
 * Throws SyntaxError when the source is a pattern neither with the u flag nor without it. The same few patterns stand in hundreds
 * of schemas, and an expression that is shared is made ready once.
 */
export const patternOf = oncePerValue((source: string): Pattern => guarded(syntaxOf(source)));

export function isPattern(source: string): boolean {
  try {
    expressionOf(source);
    return true;
  } catch {
    // The engine's error is the answer.
    return false;
  }
}

/** Null where the source is no pattern: rules on descriptions tell of that. */
export function patternOrNull(source: string): Pattern | null {
  return isPattern(source) ? patternOf(source) : null;
}

/** The expression itself where it is proven harmless for every text, else what sweeps all texts but those that are short enough. */
export function guarded(syntax: PatternSyntax): Pattern {
  const { expression, tree } = syntax;
  if (tree === null) return unbounded(expression);
  const bound = new BacktrackingBound(tree, expression.flags);
  const few = (length: number): number => MAX_FREE_STEPS + STEPS_A_CHARACTER * length * (expression.source.length + 8);
  const harmless = longest((length) => bound.steps(length) <= few(length));
  if (harmless === Number.POSITIVE_INFINITY) return expression;
  try {
    const program = new Program(Number.POSITIVE_INFINITY);
    const first = program.add(syntax);
    const perCharacter = stepsACharacter(program, first, expression.flags);
    const inWays = (length: number): number => bound.starts(length) * length * perCharacter * bound.around(length);
    if (longest((length) => inWays(length) <= few(length)) === Number.POSITIVE_INFINITY) return expression;
    const sweep = new Sweep(program, first, expression.unicode);
    return new Guarded(expression, (text) => (text.length <= harmless ? expression : sweep).test(text));
  } catch (error) {
    if (!(error instanceof NoProgram)) throw error;
    const bearable = longest((length) => bound.steps(length) <= MAX_BEARABLE_STEPS);
    return new Guarded(expression, (text) => {
      if (text.length <= bearable) return expression.test(text);
      throw new TooCostly(`${error.message}, and to try all its ways could take for ever`);
    });
  }
}

/** Has its expression's name: ajv tells patterns apart by that. */
class Guarded implements Pattern {
  readonly test: (text: string) => boolean;
  private readonly expression: RegExp;

  constructor(expression: RegExp, test: (text: string) => boolean) {
    this.expression = expression;
    this.test = test;
  }

  toString(): string {
    return String(this.expression);
  }
}

/** A pattern that could not be taken apart has no bound: it is asked about nothing. */
function unbounded(expression: RegExp): Pattern {
  return new Guarded(expression, () => {
    throw new TooCostly(`the pattern ${expression.source.slice(0, 80)}… is too long or too deep to be followed`);
  });
}

/** The longest text of which it holds, as a power of four; 0 for none, Infinity for all that there can be. */
function longest(holds: (length: number) => boolean): number {
  for (let power = 0; power <= MAX_POWER; power += 1) if (!holds(4 ** power)) return Math.floor(4 ** (power - 1));
  return Number.POSITIVE_INFINITY;
}

/** Larger expressions, counts that go on for longer, and more ways than these are left open: it is known within milliseconds. */
const [MAX_INSTRUCTIONS, MAX_STEPS, MAX_STEPS_IN_ALL] = [2_000, 1_000, 30_000];

/** How many ways stand at each `read`, by number of the instruction, and the steps that led there. */
interface Ways {
  readonly counts: ReadonlyMap<number, number>;
  readonly steps: number;
}

/**
 * Steps of backtracking for one character, at most, over all ways that any text leaves open, as if all that is around were
 * as the expression wants it. The ways are counted state by state over every text that makes a difference. Infinity where
 * that is not known: the expression is too large, or the count does not end, since texts leave more and more ways open.
 */
export function stepsACharacter(program: Program, first: number, flags: string, mostInAll = MAX_STEPS_IN_ALL): number {
  const { instructions } = program;
  if (instructions.length > MAX_INSTRUCTIONS) return Number.POSITIVE_INFINITY;
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
    if (open.has(at) || steps > MAX_STEPS) return false;
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
