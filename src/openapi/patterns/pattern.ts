// The expression of a `pattern`, which answers in time that grows with the text alone: an engine that backtracks takes for
// ever with some patterns and texts. Most patterns and texts are proven harmless for the engine of the language, which
// is the fastest; all others are swept. Which of the two answers makes no difference to the answer.
import { BacktrackingBound } from './bound.ts';
import { stepsACharacter } from './paths.ts';
import { NoProgram, Program } from './program.ts';
import { Sweep } from './sweep.ts';
import { expressionOf, type PatternSyntax, syntaxOf } from './syntax.ts';
import { TooCostly } from './too-costly.ts';

export interface Pattern {
  /** Whether it matches anywhere in the text. Throws TooCostly where nobody could wait for the answer. */
  test(text: string): boolean;
}

/** Steps that backtracking may take: about what a sweep of the same text takes, or next to nothing. */
const FEW_STEPS = 20_000;
const STEPS_A_CHARACTER = 32;
/** Where nothing else can answer: about a second. */
const BEARABLE_STEPS = 500_000_000;
/** Lengths that are looked at, a power of four each. No answer of a target is longer. */
const LARGEST_POWER = 13;

/** Throws SyntaxError when the source is a pattern neither with the u flag nor without it. */
export function patternOf(source: string): Pattern {
  const known = patterns.get(source) ?? made(source);
  patterns.set(source, known);
  return known;
}

/** The same few patterns stand in hundreds of schemas, and an expression that is shared is made ready once. */
const patterns = new Map<string, Pattern>();

export function isPattern(source: string): boolean {
  try {
    expressionOf(source);
    return true;
  } catch {
    return false;
  }
}

function made(source: string): Pattern {
  return guarded(syntaxOf(source));
}

/** The expression itself where it is proven harmless for every text, else what sweeps all texts but those that are short enough. */
export function guarded(syntax: PatternSyntax): Pattern {
  const { expression, tree } = syntax;
  if (tree === null) return unbounded(expression);
  const bound = new BacktrackingBound(tree, expression.flags);
  const few = (length: number): number => FEW_STEPS + STEPS_A_CHARACTER * length * (expression.source.length + 8);
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
    const bearable = longest((length) => bound.steps(length) <= BEARABLE_STEPS);
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

/** What could not be taken apart has no bound: it is asked about nothing. */
function unbounded(expression: RegExp): Pattern {
  return new Guarded(expression, () => {
    throw new TooCostly(`the pattern ${expression.source.slice(0, 80)}… is too long or too deep to be followed`);
  });
}

/** The longest text of which it holds, as a power of four; 0 for none, Infinity for all that there can be. */
function longest(holds: (length: number) => boolean): number {
  for (let power = 0; power <= LARGEST_POWER; power += 1) if (!holds(4 ** power)) return Math.floor(4 ** (power - 1));
  return Number.POSITIVE_INFINITY;
}
