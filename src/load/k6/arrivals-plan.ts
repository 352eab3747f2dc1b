// The plan that suites/load/arrivals.ts reads: which requests arrive, in which shares, under which keys, and how often.
// Written by Node into a file without secrets. Imports nothing that k6 could not.
import type { ScriptedHeader, ScriptedKey, ScriptedRequest } from './requests-plan.ts';

/** A part of a leg: what is due before `untilMs`, from the leg's begin, counts to the step of this name. */
export interface LegPart {
  readonly step: string;
  readonly untilMs: number;
}

/** Arrivals at one rate. */
export interface Leg {
  /** Arrivals in ten seconds: rates below one a second are whole numbers, too. */
  readonly perTenSeconds: number;
  readonly seconds: number;
  /** All there from the begin on; an arrival that finds none free is dropped. */
  readonly vus: number;
  /** Every so many arrivals one answer is kept whole, for the checks that Node has. */
  readonly bodyEvery: number;
  /** In their order; what is due after the last counts to the last. */
  readonly parts: readonly LegPart[];
}

export interface ArrivalsPlan {
  /** Name of a run whose instances share the plan; absent: one instance makes all of it, and is watched. */
  readonly run?: string;
  /** Stands at the counts of requests begun. */
  readonly step: string;
  /** One after another. */
  readonly legs: readonly Leg[];
  readonly requests: readonly ScriptedRequest[];
  /** Index in `requests` of the n-th arrival, over and over: its mix. Every VU has a copy. */
  readonly order: readonly number[];
  /**
   * Number of requests from there on that take turns, by an index of `order`, since the same may not be sent twice.
   * Absent: one.
   */
  readonly variants?: Readonly<Record<number, number>>;
  /** Used in turn. */
  readonly keys: readonly ScriptedKey[];
  /** That all requests share; absent: none. */
  readonly headers?: readonly ScriptedHeader[];
  /** none: requests name no trace. Absent: each names one. */
  readonly trace?: 'none';
  readonly answerLimitSeconds: number;
  /** The status of a limiter's refusal, which is counted as 429; absent: that. */
  readonly refusedStatus?: number;
  /** Senders that only sleep, one for each instance, and tell how late they wake; absent: one. */
  readonly sleepers?: number;
  /** False: none of k6's own outputs is wanted, which tell requests apart by tags. */
  readonly tagged?: boolean;
}

/** The step's name for arrivals of its ramp. */
export function rampOf(step: string): string {
  return `${step}/ramp`;
}

/** Name of the k6 scenario of those that only sleep. */
export const SLEEPERS = 'sleepers';

/** Name of the k6 scenario that runs the n-th leg. */
export function scenarioOf(leg: number): string {
  return leg === 0 ? 'arrivals' : `arrivals-${leg + 1}`;
}
