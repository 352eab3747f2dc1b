// A base rate, a peak of a few seconds, the base rate again, in one run of k6: what became of requests during the peak,
// and how long after it until the objectives hold again.
import type { SpikePart } from '../../contract/load-part.ts';
import { type ArrivalsBench, legOf, lost, sendArrivals } from '../arrivals/arrivals.ts';
import { figuresOf, resultOf } from '../arrivals/figures.ts';
import { type Decision, decide } from '../capacity/objectives.ts';
import { StepSums } from '../capacity/sums.ts';
import { rampOf } from '../k6/arrivals-plan.ts';
import type { BodySample, Sample } from '../samples/line.ts';
import { ClassCounts } from './counts.ts';
import { recoveryOf } from './recovery.ts';
import type { SpikeWish } from './settings.ts';

export interface SpikeBench extends ArrivalsBench {
  readonly wish: SpikeWish & { readonly heldBy: string | null };
  /** Judges an answer that was kept whole. */
  readonly onKept: (sample: BodySample) => void;
  /** Told what each step does. */
  readonly label: (step: string, words: string, ratePerSecond: number) => void;
}

/** Left out of the measure: connections are made, caches warm. */
const RAMP_SECONDS = 1;
/** As many times as long as the peak: what came to a halt takes its time. */
const AFTER = 3;
const WINDOW_SECONDS = 1;
const BODIES = { before: 20, peak: 100, after: 60 };
const [BEFORE, PEAK] = ['spike.before', 'spike.peak'];

/** Seconds of load in all. */
export function secondsOf({ seconds }: SpikeWish): number {
  return RAMP_SECONDS + (2 + AFTER) * seconds;
}

/** Sends and judges. Throws StepLost where what was sent proves nothing. */
export async function measureSpike(bench: SpikeBench): Promise<SpikePart> {
  const { wish, objectives, label, onKept } = bench;
  const { base, peak, seconds } = wish;
  const windows = windowsOf(AFTER * seconds);
  label(BEFORE, `${base} requests/s`, base);
  label(PEAK, `${peak} requests/s`, peak);
  for (const { step, untilSeconds } of windows)
    label(step, `${base} requests/s, until ${untilSeconds} s after the peak`, base);
  const sums = { before: new StepSums(BEFORE, () => {}), peak: new StepSums(PEAK, () => {}) };
  const atPeak = new ClassCounts(PEAK, objectives.p99Ms);
  const after = new Map(windows.map(({ step }) => [step, new ClassCounts(step, objectives.p99Ms)]));
  const sumsAfter = new Map(windows.map(({ step }) => [step, new StepSums(step, () => {})]));
  const onSample = (sample: Sample): void => {
    if (sample.kind === 'body') onKept(sample);
    for (const one of [sums.before, sums.peak, atPeak]) one.add(sample);
    after.get(sample.step)?.add(sample);
    sumsAfter.get(sample.step)?.add(sample);
  };
  const { done, generatorCpu } = await sendArrivals(bench, {
    step: 'spike',
    legs: legsOf(bench, windows),
    onSample,
    // A peak may break the target for a while: that is what is looked at.
    endures: (step) => step !== BEFORE && step !== rampOf(BEFORE),
  });
  if (done.incomplete !== null) throw lost(done, done.incomplete);
  const judged = (one: StepSums, ratePerSecond: number, lastsSeconds = seconds) => {
    const result = resultOf(one, { ratePerSecond, seconds: lastsSeconds, generatorCpu });
    return { result, decision: decide(result, objectives) };
  };
  const [before, inPeak] = [judged(sums.before, base), judged(sums.peak, peak)];
  const afterSeconds = windows.length * WINDOW_SECONDS;
  const recovery = recoveryOf(
    [...after.values()].map((one) => one.window(base * WINDOW_SECONDS)),
    WINDOW_SECONDS,
    objectives,
  );
  const whole = new StepSums('spike.after', () => {});
  for (const one of sumsAfter.values()) whole.merge(one);
  // A generator that was late after the peak cannot tell that the platform did not recover.
  const lateAfter = recovery === null ? whyLimited(judged(whole, base, afterSeconds).decision) : null;
  return {
    heldBy: wish.heldBy,
    objectives: { p99Ms: objectives.p99Ms, errorRate: objectives.errorRate },
    generator: whyLimited(before.decision) ?? whyLimited(inPeak.decision) ?? lateAfter,
    before: { ...figuresOf(before.result, seconds, before.decision), step: BEFORE },
    peak: { ...figuresOf(inPeak.result, seconds, inPeak.decision), step: PEAK },
    shares: atPeak.shares(Math.round(peak * seconds)),
    ...{ afterSeconds, recovery },
    requests: done.started,
  };
}

/** Why the generator was the limit; null where it was not. */
function whyLimited(decision: Decision): string | null {
  return decision.kind === 'void' && decision.by === 'generator' ? decision.why : null;
}

interface AfterWindow {
  readonly step: string;
  readonly untilSeconds: number;
}

function windowsOf(seconds: number): readonly AfterWindow[] {
  return Array.from({ length: Math.max(1, Math.floor(seconds / WINDOW_SECONDS)) }, (_, at) => ({
    step: `spike.after.${at + 1}`,
    untilSeconds: (at + 1) * WINDOW_SECONDS,
  }));
}

function legsOf({ wish: { base, peak, seconds }, objectives }: SpikeBench, windows: readonly AfterWindow[]) {
  const whole = RAMP_SECONDS + seconds;
  const before = [
    { step: rampOf(BEFORE), untilMs: RAMP_SECONDS * 1000 },
    { step: BEFORE, untilMs: whole * 1000 },
  ];
  const after = windows.map(({ step, untilSeconds }) => ({ step, untilMs: untilSeconds * 1000 }));
  const atPeak = [{ step: PEAK, untilMs: seconds * 1000 }];
  return [
    legOf({ ratePerSecond: base, seconds: whole, bodies: BODIES.before, parts: before }, objectives),
    legOf({ ratePerSecond: peak, seconds, bodies: BODIES.peak, parts: atPeak }, objectives),
    legOf(
      { ratePerSecond: base, seconds: windows.length * WINDOW_SECONDS, bodies: BODIES.after, parts: after },
      objectives,
    ),
  ];
}
