// What suites/load/arrivals.ts is told: which requests arrive, in which shares, under which keys, and how often. Written
// by Node into a file without secrets. Imports nothing that k6 could not.
import type { ScriptedKey, ScriptedRequest } from './requests-plan.ts';

export interface ArrivalsPlan {
  /** Name of a run whose instances share the plan; absent: one instance makes all of it, and is watched. */
  readonly run?: string;
  readonly step: string;
  /** Arrivals in ten seconds: rates below one a second are whole numbers, too. */
  readonly perTenSeconds: number;
  readonly seconds: number;
  /** What arrives before is sent, counted, and left out of the measure. */
  readonly rampSeconds: number;
  /** All there from the begin on; an arrival that finds none free is dropped. */
  readonly vus: number;
  readonly requests: readonly ScriptedRequest[];
  /** Index in `requests` of the n-th arrival, over and over: its mix. */
  readonly order: readonly number[];
  /** Used in turn. */
  readonly keys: readonly ScriptedKey[];
  /** Every so many arrivals one answer is kept whole, for the checks that Node has. */
  readonly bodyEvery: number;
  readonly answerLimitSeconds: number;
}

/** The step's name for arrivals of its ramp. */
export function rampOf(step: string): string {
  return `${step}/ramp`;
}
