// Fits a run to a time that people accept, by what it measures: while what is still planned goes into the time that is left nothing
// is left out; where it does not, each stage ends when its share of the time is over, so that every stage has its turn.
import type { Clock } from '../../clock/clock.ts';

/** Stages that may be cut, in their order. */
export type Fitted = 'reach' | 'breadth' | 'laws' | 'depth' | 'last' | 'limits';

/** Share of the whole time at which a stage ends at the latest where not all goes into it. */
const SHARE: Readonly<Record<Fitted, number>> = {
  reach: 0.35,
  breadth: 0.55,
  laws: 0.68,
  depth: 0.82,
  last: 0.86,
  limits: 0.9,
};
/** Limits may have to wait for a window of a minute: where there are any, depth ends sooner. */
const DEPTH_SHARE_BEFORE_LIMITS = 0.65;
/** Maximum share of the whole time that is kept for undoing what the run did. */
const MAX_UNDOING_SHARE = 0.5;
/** Maximum share of the time left that may be planned: requests of later stages take longer than those before, or wait. */
const MAX_PLANNED_SHARE = 0.8;

/** Why something is left out. */
export const FITTED = 'the run fits itself to its time; --full judges all';

export class Fit {
  readonly seconds: number;
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  readonly #sent: () => number;
  readonly #undoingMs: () => number;
  /** Requests that come after each stage, as far as they are known. */
  #after: Partial<Record<Fitted, number>> = {};
  #hasLimits = false;

  /** Counts from now. `sent`: the requests of the run so far; `undoingMs`: how long it would take now to undo what it did. */
  constructor(seconds: number, clock: Clock, sent: () => number, undoingMs: () => number = () => 0) {
    this.seconds = seconds;
    this.#clock = clock;
    this.#startedAtMs = clock.monotonic();
    this.#sent = sent;
    this.#undoingMs = undoingMs;
  }

  /** Takes note of the requests that follow each stage, and whether there are limits, whose windows are waited for. */
  expect(after: Partial<Record<Fitted, number>>, hasLimits: boolean): void {
    this.#after = after;
    this.#hasLimits = hasLimits;
  }

  /** Tells whether nothing more of the stage is to begin; `planned`: requests that are left of it. */
  isOver(stage: Fitted, planned: number): boolean {
    const { leftMs, goesIn } = this.#look(stage, planned);
    return leftMs <= 0 && !goesIn;
  }

  /** How many of the requests that are left of the stage are sent, as it looks now. */
  keeps(stage: Fitted, planned: number): number {
    const { leftMs, perRequestMs, goesIn } = this.#look(stage, planned);
    return goesIn || perRequestMs === 0 ? planned : Math.min(planned, Math.floor(Math.max(0, leftMs) / perRequestMs));
  }

  /** `leftMs`: until the share of the stage is over; `goesIn`: all that is planned goes into the time that is left. */
  #look(stage: Fitted, planned: number) {
    const wholeMs = this.seconds * 1000;
    const totalMs = wholeMs - Math.min(this.#undoingMs(), MAX_UNDOING_SHARE * wholeMs);
    const elapsedMs = this.#clock.monotonic() - this.#startedAtMs;
    const share = stage === 'depth' && this.#hasLimits ? DEPTH_SHARE_BEFORE_LIMITS : SHARE[stage];
    const perRequestMs = elapsedMs / Math.max(1, this.#sent());
    const needsMs = (planned + (this.#after[stage] ?? 0)) * perRequestMs;
    const goesIn = needsMs <= MAX_PLANNED_SHARE * (totalMs - elapsedMs);
    return { leftMs: share * totalMs - elapsedMs, perRequestMs, goesIn };
  }
}
