// Records every observation of one limiter and enforces the bounds of calls and time: all calls go through here.
import { type Costs, costOf, type Observed } from './observed.ts';

export interface Ask {
  /** Calls to send, in order; `afterMs` from the begin of the step. Those due together go at once. */
  readonly calls: readonly { readonly operation: string; readonly afterMs: number }[];
  /** The rest is not sent once so many were refused; null: all are. */
  readonly refusals: number | null;
}

export interface Bounds {
  readonly mostCalls: number;
  /** Longest time in all. ms. */
  readonly mostMs: number;
}

export interface LimiterUnderTest {
  /** The operation that is called; cheap and harmless. */
  readonly operation: string;
  readonly costs: Costs;
  readonly bounds: Bounds;
  readonly now: () => number;
  /** A number in [0, 1) for phases that windows cannot be in step with. */
  readonly random: () => number;
}

/** Yields the calls to send, is handed their answers, and returns its result. */
export type Procedure<T> = Generator<Ask, T, readonly Observed[]>;

/** Result of calls that were sent at once. */
export interface BurstResult {
  /** When its first call was sent, and its first refusal answered; without one its last answer. ms. */
  readonly startMs: number;
  readonly endMs: number;
  /** Units admitted before its end. */
  readonly units: number;
  readonly refused: boolean;
}

const CALLS_BEYOND_UNITS = 20;

/** Calls enough to see some refused where the limit is no larger than this share of the units. */
export function callsBeyond(units: number, share = 1): number {
  return Math.ceil(units * share) + CALLS_BEYOND_UNITS;
}

/** After so many refusals a flood ends. */
const MAX_REFUSALS_OF_FLOOD = 4;

export class Trace {
  readonly observed: Observed[] = [];
  readonly #beganMs: number;
  readonly subject: LimiterUnderTest;
  #dueMs: number | null = null;
  #settledFrom = 0;

  constructor(subject: LimiterUnderTest) {
    this.subject = subject;
    this.#beganMs = subject.now();
  }

  /** Sends one call. Null where the bounds allow none. */
  *one(): Procedure<Observed | null> {
    const [only] = yield* this.send([0], null);
    return only ?? null;
  }

  /** Sends calls at these times after the begin of the step, as many as bounds allow. ms. */
  *send(afterMs: readonly number[], refusals: number | null): Procedure<readonly Observed[]> {
    const { bounds, now, operation } = this.subject;
    const restMs = Math.max(0, (this.#dueMs ?? 0) - now());
    this.#dueMs = null;
    const leftMs = bounds.mostMs - (now() - this.#beganMs);
    const calls = afterMs
      .slice(0, Math.max(0, bounds.mostCalls - this.observed.length))
      .map((ms) => ({ operation, afterMs: ms + restMs }))
      .filter((call) => call.afterMs <= leftMs);
    if (calls.length === 0) return [];
    const answers = yield { calls, refusals };
    this.observed.push(...answers);
    return answers;
  }

  /** Sends at once, most `calls` of them, until some are refused. Null where bounds allow nothing. */
  *flood(calls: number): Procedure<BurstResult | null> {
    const answers = yield* this.send(new Array<number>(calls).fill(0), MAX_REFUSALS_OF_FLOOD);
    const [first] = answers;
    if (first === undefined) return null;
    const refused = answers.filter(({ outcome }) => outcome === 'refused');
    const endMs =
      refused.length > 0
        ? Math.min(...refused.map(({ answeredMs }) => answeredMs))
        : Math.max(...answers.map(({ answeredMs }) => answeredMs));
    return { startMs: first.sentMs, endMs, units: this.unitsOf(answers), refused: refused.length > 0 };
  }

  /** The next calls wait this long. ms. */
  rest(ms: number): void {
    this.#dueMs = this.subject.now() + Math.max(0, ms);
  }

  /** The same, so long that whatever was spent before has come back. */
  settle(ms: number): void {
    this.rest(ms);
    this.#settledFrom = this.observed.length;
  }

  /** Observations since the limiter was last let come back: before, nobody knows how much others had spent. */
  settled(): readonly Observed[] {
    return this.observed.slice(this.#settledFrom);
  }

  /** Units that those among these took that were admitted, or as told. */
  unitsOf(answers: readonly Observed[], as: Observed['outcome'] = 'admitted'): number {
    return answers
      .filter(({ outcome }) => outcome === as)
      .reduce((total, { operation }) => total + costOf(this.subject.costs, operation), 0);
  }

  /** Units of the calls sent from then until then that were not answered: nobody knows whether they were counted. Epoch ms. */
  lostBetween(fromMs: number, untilMs: number): number {
    const sent = this.observed.filter(({ sentMs }) => sentMs >= fromMs && sentMs <= untilMs);
    return this.unitsOf(sent, 'lost');
  }

  /** The limit that was stated last; null where none was. */
  stated(): number | null {
    return this.observed.findLast(({ limit }) => limit !== null)?.limit ?? null;
  }
}
