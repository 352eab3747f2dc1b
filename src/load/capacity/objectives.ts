// Whether one step of load met its objectives, as far as its samples can tell. A percentile of n samples is known to an
// interval of ranks only: a step is decided when the whole interval lies on one side (after RFC 9971's ideas).
import type { Histogram } from 'hdr-histogram-js';

export interface Objectives {
  /** Highest 99th percentile, ms. */
  readonly p99Ms: number;
  /** Highest share of requests without a success; 429 is not an error here. */
  readonly errorRate: number;
  /** Highest share of 429: above it the limiter was measured, not the platform. */
  readonly limitedRate: number;
}

/** What k6 measured at one rate, ramp left out. */
export interface StepResult {
  readonly ratePerSecond: number;
  /** Requests that the schedule held. */
  readonly planned: number;
  /** Of them, never sent for want of a free sender. */
  readonly dropped: number;
  readonly errors: number;
  readonly limited: number;
  /** Durations of the answers, µs. */
  readonly durations: Histogram;
  /** How late the generator sent, ms, at its 99th percentile. */
  readonly lateP99Ms: number;
  /** Share of all cores that the generator used; null where nobody watched it. */
  readonly generatorCpu: number | null;
  /** Whether the objectives allow more requests under way than there were senders. */
  readonly shortOfSenders?: boolean;
}

export type Decision =
  | { readonly kind: 'met' }
  | { readonly kind: 'missed'; readonly by: 'latency' | 'errors' }
  | { readonly kind: 'undecided'; readonly why: string }
  /** Not the platform was measured. */
  | { readonly kind: 'void'; readonly by: 'generator' | 'limiter'; readonly why: string };

/** Fewest samples that a 99th percentile can be told from. */
const LEAST_SAMPLES = 300;
/** Two-sided 95 %. */
const Z = 1.96;
/** A generator this busy, or this late beside the objective, measures itself. */
const BUSY = 0.9;
const LATE_SHARE = 0.2;

/** The lowest and highest value, ms, that the percentile can have, 95 % sure. Ranks by the normal approximation to the binomial. */
export function percentileInterval(
  durations: Histogram,
  share: number,
): { readonly leastMs: number; readonly mostMs: number } {
  const count = durations.totalCount;
  const spread = Z * Math.sqrt(count * share * (1 - share));
  const at = (rank: number): number =>
    durations.getValueAtPercentile((Math.min(count, Math.max(1, rank)) / count) * 100) / 1000;
  return { leastMs: at(count * share - spread), mostMs: at(count * share + spread) };
}

/** Judges a step. Void comes first: what the generator or the limiter caused says nothing of the platform. */
export function decide(step: StepResult, objectives: Objectives): Decision {
  const sent = step.planned - step.dropped;
  if (step.generatorCpu !== null && step.generatorCpu > BUSY)
    return aVoid('generator', `the generator used ${percent(step.generatorCpu)} of the machine`);
  if (step.lateP99Ms > objectives.p99Ms * LATE_SHARE && step.dropped === 0)
    return aVoid('generator', `requests were sent ${step.lateP99Ms.toFixed(0)} ms late`);
  if (sent > 0 && step.limited / sent > objectives.limitedRate)
    return aVoid('limiter', `${percent(step.limited / sent)} of the requests were answered 429`);
  if (sent < LEAST_SAMPLES) return { kind: 'undecided', why: `${sent} samples are too few` };
  const errors = rateInterval(step.errors, sent);
  if (errors.least > objectives.errorRate) return { kind: 'missed', by: 'errors' };
  const { leastMs, mostMs } = percentileInterval(step.durations, 0.99);
  // What was not sent for want of a sender would have waited: every sender was busy.
  const isBacklogged = step.dropped > step.planned * 0.01;
  if (leastMs > objectives.p99Ms) return { kind: 'missed', by: 'latency' };
  if (isBacklogged && step.shortOfSenders === true)
    return aVoid('generator', 'more requests were under way than k6 can have here');
  if (isBacklogged) return { kind: 'missed', by: 'latency' };
  if (mostMs > objectives.p99Ms)
    return { kind: 'undecided', why: `p99 is between ${leastMs.toFixed(1)} and ${mostMs.toFixed(1)} ms` };
  return errors.most > objectives.errorRate && step.errors > 0
    ? { kind: 'undecided', why: `the error rate is between ${percent(errors.least)} and ${percent(errors.most)}` }
    : { kind: 'met' };
}

/** Wilson's interval of a share, 95 % sure. */
export function rateInterval(hits: number, count: number): { readonly least: number; readonly most: number } {
  const share = hits / count;
  const scale = 1 + Z ** 2 / count;
  const centre = (share + Z ** 2 / (2 * count)) / scale;
  const reach = (Z / scale) * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  return { least: Math.max(0, centre - reach), most: centre + reach };
}

function aVoid(by: 'generator' | 'limiter', why: string): Decision {
  return { kind: 'void', by, why };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
