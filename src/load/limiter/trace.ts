// All that a course saw of a limiter, in order, and what is left of its bounds: what it sends goes through here.
import type { Drain, Moment } from './candidates.ts';
import type { Costs, Observed } from './observed.ts';

export interface Ask {
  /** What to send, in order; `afterMs` from the begin of the step. Those due together go at once. */
  readonly calls: readonly { readonly operation: string; readonly afterMs: number }[];
  /** The rest is not sent once so many were refused; null: all are. */
  readonly refusals: number | null;
}

export interface Bounds {
  readonly mostCalls: number;
  /** Longest time in all. ms. */
  readonly mostMs: number;
}

export interface Subject {
  /** The operation that is called; cheap and harmless. */
  readonly operation: string;
  readonly costs: Costs;
  readonly bounds: Bounds;
  readonly now: () => number;
  /** A number in [0, 1) for phases that windows cannot be in step with. */
  readonly random: () => number;
}

/** A stretch of a course: says what to send, is handed what came back, and comes to something. */
export type Part<T> = Generator<Ask, T, readonly Observed[]>;

/** All that was seen, and what is left of the bounds. */
export class Trace {
  readonly observed: Observed[] = [];
  readonly #beganMs: number;
  readonly #subject: Subject;
  #settledFrom = 0;
  #restMs = 0;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#beganMs = subject.now();
  }

  /** Sends single calls of the subject's operation at once, as many as bounds allow. */
  *take({ operation }: Subject, count: number, refusals: number | null): Part<readonly Observed[]> {
    return yield* this.send({ calls: Array.from({ length: count }, () => ({ operation, afterMs: 0 })), refusals });
  }

  *send({ calls, refusals }: Ask): Part<readonly Observed[]> {
    const { mostCalls, mostMs } = this.#subject.bounds;
    const restMs = this.#restMs;
    this.#restMs = 0;
    const leftMs = mostMs - (this.#subject.now() - this.#beganMs);
    const allowed = calls
      .slice(0, Math.max(0, mostCalls - this.observed.length))
      .map(({ operation, afterMs }) => ({ operation, afterMs: afterMs + restMs }))
      .filter(({ afterMs }) => afterMs <= leftMs);
    if (allowed.length === 0) return [];
    const answers = yield { calls: allowed, refusals };
    this.observed.push(...answers);
    return answers;
  }

  /** The next calls wait this long. */
  rest(ms: number): void {
    this.#restMs += Math.max(0, ms);
    if (this.#settledFrom === 0 && this.observed.length > 0) this.#settledFrom = this.observed.length;
  }

  stated(): number | null {
    return this.observed.findLast(({ limit }) => limit !== null)?.limit ?? null;
  }

  /** How long until the reset that was stated last; 0 without one. */
  untilReset(): number {
    const reset = this.observed.at(-1)?.reset ?? null;
    return reset === null ? 0 : Math.max(0, reset.latestMs - this.#subject.now() + 50);
  }

  /** The window as the headers of the drain's first answer tell: from there to the reset. Null without them. */
  statedWindowMs({ startMs }: Drain): number | null {
    const first = this.observed.find(({ sentMs }) => sentMs >= startMs);
    const reset = first?.reset ?? null;
    if (reset === null || first === undefined) return null;
    const ms = (reset.earliestMs + reset.latestMs) / 2 - first.sentMs;
    return ms > 200 ? ms : null;
  }

  /** Where more was left than at the call before, or calls were admitted again. */
  boundaries(): readonly Moment[] {
    const settled = this.settled();
    return settled.slice(1).flatMap((one, at) => {
      const before = settled[at]!;
      const rose = one.remaining !== null && before.remaining !== null && one.remaining > before.remaining + 1;
      const again = before.outcome === 'refused' && one.outcome === 'admitted';
      return one.sentMs >= before.answeredMs && (rose || again)
        ? [{ earliestMs: before.sentMs, latestMs: one.answeredMs }]
        : [];
    });
  }

  /** The stated resets, each once, in order. What overlaps is one. */
  resets(): readonly Moment[] {
    const merged: { earliestMs: number; latestMs: number }[] = [];
    for (const { reset } of this.observed) {
      if (reset === null) continue;
      const same = merged.find((one) => one.earliestMs <= reset.latestMs && reset.earliestMs <= one.latestMs);
      if (same === undefined) merged.push({ ...reset });
      else if (reset.earliestMs > same.earliestMs || reset.latestMs < same.latestMs) {
        same.earliestMs = Math.max(same.earliestMs, reset.earliestMs);
        same.latestMs = Math.min(same.latestMs, reset.latestMs);
      }
    }
    return merged.sort((left, right) => left.earliestMs - right.earliestMs);
  }

  /** What was seen since the limiter was first let rest: before, nobody knows what others had spent. */
  settled(): readonly Observed[] {
    return this.observed.slice(this.#settledFrom);
  }
}
