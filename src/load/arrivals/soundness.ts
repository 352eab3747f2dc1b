// Decides whether a step of load measured the target: the traces that a weak generator or a busy machine leaves in a
// step say nothing of the target. The one rule for every suite whose requests arrive by the clock. Pure.

import type { Histogram } from 'hdr-histogram-js';
import { plural } from '../../contract/numbers.ts';

/** Facts of one step, and of the generator and the machine meanwhile. */
export interface Measurement {
  readonly ratePerSecond: number;
  /** Requests that the schedule held. */
  readonly planned: number;
  /** Planned requests that were never sent for want of a free sender. */
  readonly dropped: number;
  /** Dropped until the end of the step since the generator counts; absent: those of the step. */
  readonly droppedBefore?: number;
  /** Durations of the answers, µs. */
  readonly durations: Histogram;
  /** How late the generator sent, ms, at its 99th percentile. */
  readonly lateP99Ms: number;
  /** How late the generator woke from short sleeps, ms, at the 99th percentile; null or absent where it did not tell. */
  readonly wakeP99Ms?: number | null;
  /** Share of all cores that the generator used; null where nobody watched it. */
  readonly generatorCpu: number | null;
  /** Share of all cores that other processes used just before, or that was stolen meanwhile; null or absent where the target is elsewhere or nobody watched. */
  readonly othersCpu?: number | null;
  /** Senders that there were; null or absent where it is not known. */
  readonly senders?: number | null;
  /** True where the step was ended for the target's errors. */
  readonly isBroken?: boolean;
}

/** Highest 99th percentile. */
interface Aim {
  readonly p99Ms: number;
}

/** Why a step says nothing of the target. */
export interface Unsound {
  readonly why: string;
  /** True where it spoils only a miss: a target that met its objectives beside other processes meets them without. */
  readonly spoilsMissesOnly: boolean;
}

/** Fewest answers that a 99th percentile can be told from. */
export const MIN_SAMPLES = 300;
/** A generator that takes more of all cores than this measures itself. */
const MAX_GENERATOR_SHARE = 0.9;
/** Maximum share of the objective by which a generator may be late at the 99th percentile: beyond it, it measures itself. */
const MAX_LATE_SHARE_OF_OBJECTIVE = 0.2;
/** Senders that waited for answers account for at least this share of the time for which none was free. */
const MIN_WAITED_SHARE = 0.5;
/** Other processes that take more of all cores than this may be why a target on the same machine is slow. */
const MAX_OTHERS_SHARE = 0.2;

/** Null where the step's measurement is sound. */
export function whyUnsound(step: Measurement, objectives: Aim): Unsound | null {
  const own = whyGeneratorWeak(step, objectives);
  if (own !== null) return { why: own, spoilsMissesOnly: false };
  const { othersCpu = null } = step;
  if (othersCpu === null || othersCpu <= MAX_OTHERS_SHARE) return null;
  return {
    why: `other processes used ${percent(othersCpu)} of the machine: run it where nothing else does`,
    spoilsMissesOnly: true,
  };
}

function whyGeneratorWeak(step: Measurement, { p99Ms }: Aim): string | null {
  const { generatorCpu, lateP99Ms, wakeP99Ms = null } = step;
  if (generatorCpu !== null && generatorCpu > MAX_GENERATOR_SHARE)
    return `the generator used ${percent(generatorCpu)} of the machine: use a larger one, or several`;
  const mostLateMs = p99Ms * MAX_LATE_SHARE_OF_OBJECTIVE;
  if (wakeP99Ms !== null && wakeP99Ms > mostLateMs)
    return `the generator woke ${wakeP99Ms.toFixed(0)} ms late: this machine is too busy`;
  // k6 numbers what it sends: each request that was dropped makes all later ones look late by one interval.
  const lateMs = lateP99Ms - (1000 * (step.droppedBefore ?? step.dropped)) / step.ratePerSecond;
  if (lateMs > mostLateMs) return `requests were sent ${lateMs.toFixed(0)} ms late: this machine is too busy`;
  return step.isBroken === true ? null : whyDropped(step);
}

/**
 * Why drops are the generator's doing; null where answers that were slow explain them, for so long every sender waited for one. A
 * generator that is starved drops as well, and its senders have not waited.
 */
function whyDropped({ planned, dropped, ratePerSecond, durations, senders = null }: Measurement): string | null {
  // Few answers tell nothing of a target, and nothing of how long they were waited for.
  if (dropped === 0 || senders === null || planned - dropped < MIN_SAMPLES) return null;
  const waitedSeconds = (durations.mean * durations.totalCount) / 1e6;
  const withoutSenderSeconds = (dropped / ratePerSecond) * senders;
  if (waitedSeconds >= MIN_WAITED_SHARE * withoutSenderSeconds) return null;
  return `${plural(dropped, 'request was', 'requests were')} dropped while senders did not wait for answers`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
