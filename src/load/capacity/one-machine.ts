// The steps of a search, each sent by one k6 on this machine.
import { type ArrivalsBench, isShortOfSenders, legOf, lost, sendArrivals } from '../arrivals/arrivals.ts';
import { resultOf } from '../arrivals/figures.ts';
import { rampOf } from '../k6/arrivals-plan.ts';
import type { BodySample } from '../samples/line.ts';
import type { StepEngine, StepOutcome } from './capacity.ts';
import type { StepWish } from './search.ts';
import { StepSums } from './sums.ts';

export interface MachineBench extends ArrivalsBench {
  /** Judges an answer that was kept whole, of the step of this rate. */
  readonly onKept: (sample: BodySample, ratePerSecond: number) => void;
}

/** Connections are made, caches warm. */
const RAMP_SECONDS = 1;
const BODIES_PER_STEP = 20;

/** Sends steps from this machine. Rejects besides StepLost only where k6 cannot be started. */
export function oneMachine(bench: MachineBench): StepEngine {
  return { rampSeconds: RAMP_SECONDS, instances: 1, send: (wish, name) => sent(bench, wish, name) };
}

async function sent(bench: MachineBench, { ratePerSecond, seconds }: StepWish, name: string): Promise<StepOutcome> {
  const { objectives } = bench;
  const whole = RAMP_SECONDS + seconds;
  const parts = [
    { step: rampOf(name), untilMs: RAMP_SECONDS * 1000 },
    { step: name, untilMs: whole * 1000 },
  ];
  const sums = new StepSums(name, (sample) => bench.onKept(sample, ratePerSecond));
  const { done, generatorCpu } = await sendArrivals(bench, {
    step: name,
    legs: [legOf({ ratePerSecond, seconds: whole, bodies: BODIES_PER_STEP, parts }, objectives)],
    onSample: (sample) => sums.add(sample),
  });
  if (done.incomplete !== null && !done.broken) throw lost(done, done.incomplete);
  const shortOfSenders = isShortOfSenders(ratePerSecond, objectives);
  const result = { ...resultOf(sums, { ratePerSecond, seconds, generatorCpu }), shortOfSenders };
  return { sums, result, isBroken: done.broken, sent: done.started };
}
