// Strings that match some expressions, do not match others, and have a length within bounds: one character after the
// other, only such as can still lead to a match, and back again where one led nowhere.
import { oncePerValue } from '../../exchange/once-per.ts';
import { NoProgram, Program } from '../../openapi/patterns/program.ts';
import { type PatternSyntax, syntaxOf } from '../../openapi/patterns/syntax.ts';
import { BeyondMeans, CannotGenerate } from '../cannot-generate.ts';
import type { Chance } from '../chance.ts';
import { alphabetOf, type Letters } from './alphabet.ts';
import { Reader, type Reading } from './reading.ts';

export interface Wanted {
  /** Sources, as in `pattern`. */
  readonly patterns: readonly string[];
  readonly antipatterns: readonly string[];
  /** In characters (code points). */
  readonly minLength: number;
  readonly maxLength: number;
}

/** Lengths that are tried beyond the shortest one, and characters tried for one length. */
const MAX_LENGTHS = 40;
const MAX_STEPS = 6_000;
const MAX_TEXT_LENGTH = 4_000;
/** Instructions that may be followed for one draw: beyond it the expressions are too entangled to be drawn from. */
const MAX_FOLLOWED = 1_000_000;
/** A string that may be longer is likely to be at least so long: ids of one letter are taken. */
const COMFORTABLE_LENGTH = 6;

interface State {
  readonly reading: Reading;
  /** Characters that must, and that may follow until a match. */
  readonly distance: number;
  readonly reach: number;
  readonly accepts: boolean;
  /** Where letters lead from here; null: not yet known. */
  leads: readonly Lead[] | null;
  /** Instructions that were followed to find where letters lead. */
  cost: number;
}

interface Lead {
  readonly letters: Letters;
  readonly next: State;
}

/** Draws matching strings. Throws CannotGenerate when an expression is not understood. */
export class Matching {
  private readonly wanted: Wanted;
  private readonly reader: Reader;
  private readonly program: Program;
  private readonly letters: readonly Letters[];
  private readonly stateOfKey = oncePerValue((_: string, reading: Reading): State => {
    const { reader } = this;
    return {
      reading,
      distance: reader.distance(reading),
      reach: reader.reach(reading),
      accepts: reader.accepts(reading),
      leads: null,
      cost: 0,
    };
  });
  private readonly first: State;
  private steps = 0;
  /** Cost of the draw had no state been known: a draw does not depend on those before it. */
  private cost = 0;
  /** Remaining lengths that were tried in vain: of one draw, lest a draw depend on those before it. */
  private hopeless = new Map<State, Set<number>>();

  constructor(wanted: Wanted) {
    this.wanted = wanted;
    this.program = new Program(Math.min(wanted.minLength, MAX_TEXT_LENGTH) + MAX_LENGTHS);
    const starts = (sources: readonly string[]): number[] => sources.map((one) => this.added(one));
    const [must, mustNot] = [starts(wanted.patterns), starts(wanted.antipatterns)];
    this.letters = alphabetOf(this.program);
    this.reader = new Reader(this.program);
    const first = this.reader.begin(must, mustNot);
    if (first === null) throw new CannotGenerate(inWords(wanted));
    this.first = this.stateOf(first);
  }

  private added(source: string): number {
    try {
      return this.program.add(readPattern(source));
    } catch (error) {
      throw error instanceof NoProgram ? new CannotGenerate(error.message) : error;
    }
  }

  /** Throws CannotGenerate when none was found. */
  draw(chance: Chance): string {
    this.hopeless = new Map();
    this.cost = 0;
    const shortest = Math.max(this.wanted.minLength, this.first.distance);
    const longest = Math.min(this.wanted.maxLength, this.first.reach, shortest + MAX_LENGTHS, MAX_TEXT_LENGTH);
    if (shortest <= longest) {
      const comfortable = Math.min(Math.max(shortest, COMFORTABLE_LENGTH), longest);
      const from = chance.between(comfortable, Math.min(longest, comfortable + COMFORTABLE_LENGTH));
      for (const length of [...range(from, longest), ...range(shortest, from - 1).reverse()]) {
        this.steps = 0;
        const found = this.search(this.first, length, chance);
        if (found !== null) return found;
      }
    }
    throw new CannotGenerate(inWords(this.wanted));
  }

  /** The rest of a text, so many characters long; null when none is found. */
  private search(state: State, remaining: number, chance: Chance): string | null {
    if (remaining === 0) return state.accepts ? '' : null;
    if (state.distance > remaining || state.reach < remaining || this.hopeless.get(state)?.has(remaining)) return null;
    const leads = [...this.leadsFrom(state)];
    while (leads.length > 0) {
      this.steps += 1;
      if (this.steps > MAX_STEPS + remaining) return null;
      const [{ letters, next }] = leads.splice(weighted(leads, chance), 1) as [Lead];
      const rest = this.search(next, remaining - 1, chance);
      if (rest !== null) return chance.pick(letters.characters) + rest;
    }
    this.hopeless.set(state, (this.hopeless.get(state) ?? new Set()).add(remaining));
    return null;
  }

  private leadsFrom(state: State): readonly Lead[] {
    if (state.leads === null) {
      const before = this.reader.followed;
      state.leads = this.letters.flatMap((letters) => {
        const reading = this.reader.after(state.reading, letters);
        return reading === null ? [] : [{ letters, next: this.stateOf(reading) }];
      });
      state.cost = this.reader.followed - before;
    }
    this.cost += state.cost;
    if (this.cost > MAX_FOLLOWED) throw new BeyondMeans(`${inWords(this.wanted)}: that takes too long`);
    return state.leads;
  }

  private stateOf(reading: Reading): State {
    return this.stateOfKey(reading.key, reading);
  }
}

/** The number of one of the leads; readable letters are likelier. */
function weighted(leads: readonly Lead[], chance: Chance): number {
  let left = chance.between(
    1,
    leads.reduce((sum, { letters }) => sum + letters.weight, 0),
  );
  return leads.findIndex(({ letters }) => {
    left -= letters.weight;
    return left <= 0;
  });
}

function range(low: number, high: number): number[] {
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index);
}

function readPattern(source: string): PatternSyntax {
  try {
    return syntaxOf(source);
  } catch (error) {
    throw new CannotGenerate(`the pattern ${source} is no regular expression: ${(error as Error).message}`);
  }
}

function inWords({ patterns, antipatterns, minLength, maxLength }: Wanted): string {
  const not = antipatterns.length === 0 ? '' : ` and not ${antipatterns.join(' or ')}`;
  const length = lengthInWords(minLength, maxLength);
  return `no text${length} was found that matches ${patterns.join(' and ') || 'anything'}${not}`;
}

/** " of 2 to 5 characters"; empty where any length will do. */
export function lengthInWords(minLength: number, maxLength: number): string {
  if (Number.isFinite(maxLength)) return ` of ${minLength} to ${maxLength} characters`;
  return minLength > 0 ? ` of at least ${minLength} characters` : '';
}
