// The steps of a search, each shared by several instances of k6 in a cluster: planned and packed as a bundle is, run as a
// TestRun, and believed only where every instance told all that it sent.
import { join } from 'node:path';
import { ANSWER_LIMIT_SECONDS, type ArrivalsBench, isShortOfSenders, planned } from '../arrivals/arrivals.ts';
import { StepLost } from '../caller/caller.ts';
import type { StepEngine, StepOutcome } from '../capacity/capacity.ts';
import type { StepWish } from '../capacity/search.ts';
import { archiveOf } from '../distributed/archive.ts';
import { type Bundle, sharedLeg, stepParts } from '../distributed/bundle.ts';
import { type Readers, summed } from '../distributed/collected.ts';
import { instanceFiles, NotWhole, readSamples, wholeRun } from '../distributed/whole.ts';
import { slugOf, tooLarge } from './objects.ts';
import { runTestRun, type TestRunGround } from './testrun.ts';

export interface ClusterBench extends Pick<ArrivalsBench, 'objectives' | 'load' | 'charge' | 'refund'>, TestRunGround {
  /** Path of the k6 that packs the archive. */
  readonly k6: string;
  /** Where the samples of each step go, in a folder of its own. */
  readonly folder: string;
  /** The run's name, part of its objects' names. */
  readonly run: string;
  readonly instances: number;
  readonly baseUrl: string;
  readonly outputs: readonly string[];
  /** PEM; null: those of the image. */
  readonly authorities: string | null;
  /** The secrets of the moment, by the plan's variables. */
  readonly secrets: () => Promise<Readonly<Record<string, string>>>;
  /** Takes in the samples of a step of this rate. */
  readonly readers: (ratePerSecond: number) => Readers;
}

/** Instances are started one after another. s */
const [MIN_RAMP, RAMP_PER_INSTANCE] = [3, 0.1];
/** Share of the measured time by which one may begin later than another: so long the rate is not the planned one. */
const LATE_SHARE = 0.1;

/** Sends steps from a cluster. Rejects with StepLost, and where files cannot be written. */
export function clusterEngine(bench: ClusterBench): StepEngine {
  const { instances } = bench;
  const rampSeconds = Math.max(MIN_RAMP, Math.ceil(RAMP_PER_INSTANCE * instances));
  return { rampSeconds, instances, send: (wish, name) => sent(bench, { ...wish, rampSeconds }, name) };
}

async function sent(
  bench: ClusterBench,
  wish: StepWish & { readonly rampSeconds: number },
  step: string,
): Promise<StepOutcome> {
  const { objectives, instances, charge, refund, readers } = bench;
  const bundle = bundleOf(bench, wish, step);
  const most = bundle.plan.legs.reduce((sum, leg) => sum + planned(leg), 0);
  charge(most);
  const folder = join(bench.folder, step);
  const lost = await run(bench, bundle, step, folder);
  const files = lost ?? (await wholeRun(bundle, folder).catch(asLost));
  const read = readers(wish.ratePerSecond);
  if (files instanceof StepLost) {
    // Requests that were sent are counted, whatever they are worth.
    for (const path of await instanceFiles(folder)) await readSamples(path, read.onSample);
    throw files;
  }
  const outcome = await summed(bundle, files, read);
  refund(most - outcome.sent);
  const shortOfSenders = isShortOfSenders(wish.ratePerSecond / instances, objectives);
  return { ...outcome, result: { ...outcome.result, shortOfSenders } };
}

function asLost(error: unknown): StepLost {
  if (error instanceof NotWhole) return new StepLost('incomplete', error.message);
  throw error;
}

function bundleOf(
  { run, load, instances, baseUrl, objectives, authorities }: ClusterBench,
  wish: StepWish & { readonly rampSeconds: number },
  step: string,
): Bundle {
  const own = {
    suite: 'capacity',
    instances,
    togetherSeconds: wish.seconds * LATE_SHARE,
    baseUrl,
    services: {},
  } as const;
  const facts = { ...wish, ...own, ...(authorities === null ? {} : { hasAuthorities: true as const }) };
  const { answerLimitSeconds = ANSWER_LIMIT_SECONDS } = load;
  const legs = [sharedLeg(facts, stepParts(step, facts), objectives)];
  // Each step is a run of its own: the samples of another must not be taken for its.
  return { facts, plan: { ...load, run: `${run}.${step}`, step, legs, answerLimitSeconds, sleepers: instances } };
}

async function run(bench: ClusterBench, bundle: Bundle, step: string, folder: string): Promise<StepLost | null> {
  const { k6, authorities, outputs } = bench;
  const archive = await archiveOf(k6, bundle.plan);
  const large = tooLarge(archive, authorities);
  if (large !== null) throw new StepLost('incomplete', large);
  const objects = { run: bench.run, bundle, outputs, archive, authorities, secrets: await bench.secrets() };
  return runTestRun(`assay-${slugOf(bench.run)}-${step.replace(/[^a-z0-9]+/g, '-')}`, objects, folder, bench);
}
