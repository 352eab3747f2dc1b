// The search for capacity against a server of a known limit (8 slots, 10 ms exponential each): its bracket beside the rate at
// which the same objectives flip in a long reference sweep of the same server. `node bench/capacity.ts [seconds of a reference
// step]`; goals: they overlap within 5 %, the bracket is at most 5 % wide, in at most 120 s with its repeats.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ArrivalsBench, legOf, sendArrivals } from '../src/load/arrivals/arrivals.ts';
import { resultOf } from '../src/load/arrivals/figures.ts';
import { type MachineBench, measureCapacity, oneMachine } from '../src/load/capacity/capacity.ts';
import { type Decision, decide } from '../src/load/capacity/objectives.ts';
import { StepSums } from '../src/load/capacity/sums.ts';
import { rampOf } from '../src/load/k6/arrivals-plan.ts';
import { Generator } from '../src/load/k6/measure.ts';
import { provideK6 } from '../src/load/k6/provide.ts';
import { startTarget } from './target.ts';

const OBJECTIVES = { p99Ms: 100, errorRate: 0.01, limitedRate: 0.01 };
const SEARCH = {
  startRate: 100,
  mostRate: 5000,
  width: 0.05,
  repeats: 3,
  stepSeconds: 4,
  leastRequests: 320,
  mostSeconds: 90,
};
const [GOAL, GOAL_SECONDS] = [0.05, 120];
const REACH = 0.16;
const STEP = 0.02;
const [seconds = 15] = process.argv.slice(2).map(Number);

function benchOf(k6: string, folder: string, baseUrl: string): MachineBench {
  const stop = new AbortController().signal;
  const source = {
    k6,
    folder,
    lane: 'capacity',
    stop,
    outputs: [],
    environment: {},
    conceal: (line: string) => line,
    watch: () => {},
  };
  const request = { operation: 'GET /a', method: 'GET', url: `${baseUrl}/a`, headers: {}, body: null };
  return {
    generator: new Generator(source),
    objectives: OBJECTIVES,
    load: { requests: [request], order: [0], keys: [], tagged: false },
    ...{ onKept: () => {}, charge: () => {}, refund: () => {} },
  };
}

/** One long step at this rate, judged as the search judges its own. */
async function looked(bench: ArrivalsBench, ratePerSecond: number): Promise<Decision> {
  const name = `reference.${Math.round(ratePerSecond)}`;
  const parts = [
    { step: rampOf(name), untilMs: 1000 },
    { step: name, untilMs: (seconds + 1) * 1000 },
  ];
  const sums = new StepSums(name, () => {});
  const leg = legOf({ ratePerSecond, seconds: seconds + 1, bodies: 1, parts }, OBJECTIVES);
  const { generatorCpu } = await sendArrivals(bench, {
    step: name,
    legs: [leg],
    onSample: (sample) => sums.add(sample),
  });
  await sleep(500);
  return decide(resultOf(sums, { ratePerSecond, seconds, generatorCpu }), OBJECTIVES);
}

/** Where the objectives flip: the rate that parts met from missed best, every rate measured on the way up and on the way down. */
async function flipOf(bench: ArrivalsBench, centre: number): Promise<number> {
  const rates: number[] = [];
  for (let rate = centre * (1 - REACH); rate <= centre * (1 + REACH); rate += centre * STEP) rates.push(rate);
  const looks: { readonly rate: number; readonly met: boolean }[] = [];
  for (const rate of [...rates, ...rates.toReversed()]) {
    const decision = await looked(bench, rate);
    console.log(`reference ${rate.toFixed(0)}/s: ${decision.kind}${'why' in decision ? `, ${decision.why}` : ''}`);
    if (decision.kind === 'met' || decision.kind === 'missed') looks.push({ rate, met: decision.kind === 'met' });
  }
  const wrongAt = (flip: number): number => looks.filter(({ rate, met }) => met !== rate < flip).length;
  const between = rates.map((rate) => rate + (centre * STEP) / 2);
  return between.reduce((best, flip) => (wrongAt(flip) < wrongAt(best) ? flip : best));
}

const { path } = await provideK6(process.env, () => {});
const folder = await mkdtemp(join(tmpdir(), 'assay-bench-capacity-'));
const target = await startTarget('capacity-target.ts', '8', '10', '1');
try {
  const bench = benchOf(path, folder, target.baseUrl);
  const begunAt = performance.now();
  const { part, ended } = await measureCapacity({
    engine: oneMachine(bench),
    objectives: OBJECTIVES,
    search: SEARCH,
    sleep: (delayMs) => sleep(delayMs),
    ...{ enter: () => {}, label: () => {} },
  });
  if (part === null) throw new Error(`no step was measured: ${ended?.message}`);
  const { met, missed, open, steps } = part;
  const took = (performance.now() - begunAt) / 1000;
  for (const { rps, p99Ms, why } of steps) console.log(`step ${rps.toFixed(0)}/s: p99 ${p99Ms.toFixed(0)} ms, ${why}`);
  if (met === null || missed === null) throw new Error(`no bracket: ${open}`);
  const width = (missed - met) / met;
  console.log(
    `bracket ${met.toFixed(0)}–${missed.toFixed(0)}/s, ${(100 * width).toFixed(1)} % wide, in ${took.toFixed(0)} s; ${open ?? 'settled'}`,
  );
  const flip = await flipOf(bench, (met + missed) / 2);
  const overlaps = met <= flip * (1 + GOAL) && missed >= flip * (1 - GOAL);
  console.log(
    `the objectives flip at ${flip.toFixed(0)}/s ± ${100 * GOAL} %: ${overlaps ? 'the bracket overlaps' : 'the bracket lies beside'}`,
  );
  if (!overlaps || width > GOAL || took > GOAL_SECONDS || open !== null) process.exitCode = 1;
} finally {
  target.stop();
  await rm(folder, { recursive: true });
}
