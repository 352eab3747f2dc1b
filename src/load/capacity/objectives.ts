// Decides whether one step of load met its objectives, as far as its samples can tell. A percentile of n samples is known
// to an interval of ranks only: a step is decided when the whole interval lies on one side (after RFC 9971's ideas).

import type { Histogram } from 'hdr-histogram-js';
import { plural } from '../../contract/numbers.ts';
import { type Measurement, MIN_SAMPLES, percent, whyUnsound } from '../arrivals/soundness.ts';

export interface Objectives {
  /** Highest 99th percentile, ms. */
  readonly p99Ms: number;
  /** Highest share of requests without a success; 429 is not an error here. */
  readonly errorRate: number;
  /** Highest share of 429: above it the limiter was measured, not the platform. */
  readonly limitedRate: number;
}

/** The measurement of k6 at one rate, ramp left out. */
export interface StepResult extends Measurement {
  readonly errors: number;
  readonly limited: number;
  /** True where the objectives allow more requests under way than there were senders. */
  readonly shortOfSenders?: boolean;
  /** Share of the time by which answers took longer and longer; absent: not looked at. */
  readonly queueGrowth?: number;
}

export type Decision =
  | { readonly kind: 'met' }
  | { readonly kind: 'missed'; readonly by: 'latency' | 'errors' | 'a growing queue' }
  | { readonly kind: 'undecided'; readonly why: string }
  /** Not the platform was measured. */
  | { readonly kind: 'void'; readonly by: 'generator' | 'limiter'; readonly why: string };

/** Two-sided 95 %. */
const Z = 1.96;
/** A larger share of requests that were not sent, for all senders waited, is a queue. */
const MAX_DROPPED_SHARE = 0.01;
/** A queue that grows by more of the time is no chance: the target answers so much less than comes, however short the step is. */
const MAX_QUEUE_GROWTH = 0.02;

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

/** Judges a step. Void comes first: what the generator, the machine or the limiter caused says nothing of the platform. */
export function decide(step: StepResult, objectives: Objectives): Decision {
  const unsound = whyUnsound(step, objectives);
  if (unsound?.spoilsMissesOnly === false) return aVoid('generator', unsound.why);
  const decision = step.isBroken === true ? ({ kind: 'missed', by: 'errors' } as const) : decideSound(step, objectives);
  return unsound !== null && decision.kind === 'missed' ? aVoid('generator', unsound.why) : decision;
}

function decideSound(step: StepResult, objectives: Objectives): Decision {
  const sent = step.planned - step.dropped;
  if (sent > 0 && step.limited / sent > objectives.limitedRate)
    return aVoid(
      'limiter',
      `${percent(step.limited / sent)} of the requests were answered 429: use keys with higher limits`,
    );
  if (sent < MIN_SAMPLES) return { kind: 'undecided', why: `${plural(sent, 'sample is', 'samples are')} too few` };
  const errors = rateInterval(step.errors, sent);
  if (errors.least > objectives.errorRate) return { kind: 'missed', by: 'errors' };
  const { leastMs, mostMs } = percentileInterval(step.durations, 0.99);
  // Requests that were not sent for want of a sender would have waited: every sender was busy.
  const isBacklogged = step.dropped > step.planned * MAX_DROPPED_SHARE;
  if (leastMs > objectives.p99Ms) return { kind: 'missed', by: 'latency' };
  if (isBacklogged && step.shortOfSenders === true)
    return aVoid('generator', 'more requests were under way than k6 can have here');
  if (isBacklogged) return { kind: 'missed', by: 'latency' };
  if ((step.queueGrowth ?? 0) > MAX_QUEUE_GROWTH) return { kind: 'missed', by: 'a growing queue' };
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
