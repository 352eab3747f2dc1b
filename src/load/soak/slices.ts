// The slices of a soak: equal shares of its time, each counted by itself. Their size does not grow with time.

import { StepSums } from '../capacity/sums.ts';
import { type LegPart, rampOf } from '../k6/arrivals-plan.ts';
import type { Sample } from '../samples/line.ts';

const [MIN_SLICES, MAX_SLICES] = [30, 60];
/** Requests that tell a 99th percentile well. */
const MIN_TELLING_REQUESTS = 400;
/** Left out of the measure where nothing else is said: connections are made, caches warm. */
const RAMP_SECONDS = 1;

export interface Slice {
  readonly step: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly sums: StepSums;
}

/** The slices of so many seconds at this rate, after a ramp. */
export function slicesOf(
  { ratePerSecond, seconds }: { ratePerSecond: number; seconds: number },
  rampSeconds = RAMP_SECONDS,
): readonly Slice[] {
  const telling = Math.floor((ratePerSecond * seconds) / MIN_TELLING_REQUESTS);
  const count = Math.min(MAX_SLICES, Math.max(MIN_SLICES, telling));
  const each = (seconds - rampSeconds) / count;
  return Array.from({ length: count }, (_, at) => {
    const step = `soak.${at + 1}`;
    const fromSeconds = rampSeconds + at * each;
    return { step, fromSeconds, toSeconds: fromSeconds + each, sums: new StepSums(step) };
  });
}

/** The parts of the leg that makes the slices, its ramp among them. */
export function partsOf(slices: readonly Slice[]): readonly LegPart[] {
  const { step: first = '', fromSeconds = 0 } = slices[0] ?? {};
  const ramp = { step: rampOf(first), untilMs: fromSeconds * 1000 };
  return [ramp, ...slices.map(({ step, toSeconds }) => ({ step, untilMs: toSeconds * 1000 }))];
}

/** Counts a sample to its slice. */
export function sorter(slices: readonly Slice[]): (sample: Sample) => void {
  const byStep = new Map(slices.map(({ step, sums }) => [step, sums]));
  return (sample) => byStep.get(sample.step)?.add(sample);
}
