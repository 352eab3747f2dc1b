// A load of several instances: its bundle written once everything that it needs was reached, and judged when its samples
// were brought together.

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadPart } from '../../contract/load-part.ts';
import { plural } from '../../contract/numbers.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { ANSWER_LIMIT_SECONDS } from '../../load/arrivals/arrivals.ts';
import { capacitySettings } from '../../load/capacity/settings.ts';
import { archiveOf } from '../../load/distributed/archive.ts';
import {
  BUNDLE_FILES,
  type Bundle,
  type BundleFacts,
  RESULTS_FOLDER,
  SPREAD_SUITES,
  type SpreadFacts,
  sharedLeg,
  stepParts,
} from '../../load/distributed/bundle.ts';
import { collectedSoak, collectedStep, spreadSlices } from '../../load/distributed/collected.ts';
import { readmeOf, secretYaml, testRunYaml, volumeYaml } from '../../load/distributed/manifests.ts';
import { wholeRun } from '../../load/distributed/whole.ts';
import { exchangeOfBody } from '../../load/samples/exchange.ts';
import type { BodySample, Sample } from '../../load/samples/line.ts';
import { LoadLog, stepOf } from '../../load/samples/load-log.ts';
import { partsOf } from '../../load/soak/slices.ts';
import { labelOf } from '../../load/soak/soak.ts';
import type { RunInput } from '../perform/input.ts';
import { connect, newState, StopSwitch } from '../perform/opening.ts';
import type { StageState } from '../perform/state.ts';
import { arrivalsOf } from './arrivals.ts';
import { judgeKept, type LoadGround, trustOf } from './callers.ts';

const LANE = 'distributed';

export interface BundleInput extends RunInput {
  /** Path of k6. */
  readonly k6: string;
  /** Where the bundle goes; made where it is not there. */
  readonly folder: string;
  readonly run: string;
  readonly facts: SpreadFacts;
  /** k6's own outputs, as `--out` values. */
  readonly outputs: readonly string[];
}

/** Calls the operations of the mix, and writes the bundle. Throws RunEnded where none of them succeeds. */
export async function writeBundle(input: BundleInput): Promise<void> {
  const { config, folder, k6, run } = input;
  const stop = new StopSwitch(input.stop, input.options.timeLimitSeconds, input.clock);
  const state = newState({ ...input, stop: stop.signal }, run, () => false);
  const client = connect(state, stop.signal);
  try {
    const ground = {
      config,
      k6,
      folder,
      outputs: [],
      stop: stop.signal,
      enter: () => {},
      log: new LoadLog(LANE),
      endsAtMs: null,
    };
    const { bench } = await arrivalsOf(state, ground, LANE);
    const services = Object.fromEntries(
      [...state.reaching.reached.values()].map(({ operation }) => [operation.key, operation.service]),
    );
    const trust = trustOf(config);
    const hosts = config.services.flatMap(({ name, baseUrl }) => (baseUrl == null ? [] : [[name, baseUrl]]));
    const facts = {
      ...input.facts,
      services,
      baseUrl: config.target.baseUrl,
      baseUrls: Object.fromEntries(hosts),
      ...(trust === null ? {} : { hasAuthorities: true as const }),
    };
    const { suite } = facts;
    const parts = suite === 'soak' ? partsOf(spreadSlices(facts)) : stepParts(suite, facts);
    const plan = {
      run,
      step: suite,
      legs: [sharedLeg(facts, parts, bench.objectives)],
      sleepers: facts.instances,
      ...bench.load,
    };
    const { answerLimitSeconds = ANSWER_LIMIT_SECONDS } = bench.load;
    const bundle = { facts, plan: { ...plan, answerLimitSeconds } };
    await write(bundle, input, state.books.creations.lines(), trust);
  } finally {
    stop.dispose();
    await client.close();
    state.books.firstUses.close();
  }
}

async function write(
  bundle: Bundle,
  { k6, folder, outputs }: BundleInput,
  leftovers: readonly string[],
  trust: string | null,
): Promise<void> {
  const texts = {
    [BUNDLE_FILES.plan]: JSON.stringify(bundle.plan),
    [BUNDLE_FILES.testRun]: testRunYaml(bundle, outputs),
    [BUNDLE_FILES.secret]: secretYaml(bundle.plan),
    [BUNDLE_FILES.volume]: volumeYaml(),
    ...(trust === null ? {} : { [BUNDLE_FILES.authorities]: trust }),
    [BUNDLE_FILES.readme]: readmeOf(bundle, leftovers),
    [BUNDLE_FILES.archive]: await archiveOf(k6, bundle.plan),
    // A folder with this file holds a bundle: it comes when all others are there.
    [BUNDLE_FILES.facts]: JSON.stringify(bundle.facts, null, 2),
  };
  await mkdir(join(folder, RESULTS_FOLDER), { recursive: true });
  for (const [name, text] of Object.entries(texts)) await writeWhole(join(folder, name), text);
}

/** The bundle in the folder. Rejects where it holds none. */
export async function readBundle(folder: string): Promise<Bundle> {
  const read = async (name: string) => Object(JSON.parse(await readFile(join(folder, name), 'utf8')));
  const bundle: Bundle = { facts: await read(BUNDLE_FILES.facts), plan: await read(BUNDLE_FILES.plan) };
  const { facts, plan } = bundle;
  if (!areFacts(facts)) throw new Error(`${BUNDLE_FILES.facts} does not say how many instances call what`);
  if (!isPlan(plan)) throw new Error(`${BUNDLE_FILES.plan} is no plan for instances`);
  return bundle;
}

const MOST_INSTANCES = 100_000;

function areFacts({
  suite,
  instances,
  baseUrl,
  baseUrls = {},
  services,
  ratePerSecond,
  rampSeconds,
  seconds,
}: BundleFacts): boolean {
  return (
    SPREAD_SUITES.includes(suite) &&
    Number.isInteger(instances) &&
    instances > 0 &&
    instances <= MOST_INSTANCES &&
    typeof baseUrl === 'string' &&
    [services, baseUrls].every((named) => Object.values(Object(named)).every((one) => typeof one === 'string')) &&
    [ratePerSecond, rampSeconds, seconds].every((number) => Number.isFinite(number) && number >= 0)
  );
}

function isPlan({ run, step, legs }: Bundle['plan']): boolean {
  const isLeg = (leg: unknown): boolean => [Object(leg).seconds, Object(leg).perTenSeconds].every(Number.isFinite);
  return typeof run === 'string' && typeof step === 'string' && Array.isArray(legs) && legs.every(isLeg);
}

/** The results of the instances of the bundle in `ground.folder`; their kept answers are judged as everywhere. Throws NotWhole. */
export async function collectedOf(
  state: StageState,
  { folder, config, log }: LoadGround,
): Promise<Pick<LoadPart, 'capacity' | 'soak'>> {
  const bundle = await readBundle(folder);
  const { facts, plan } = bundle;
  const files = await wholeRun(bundle, folder);
  let kept = 0;
  const readers = {
    onSample: (sample: Sample) => log.add(LANE, sample),
    onKept: (sample: BodySample) => {
      kept += 1;
      log.judged(stepOf(sample.step), judgeKept(state, exchangeIn(facts, sample, `k6-${LANE}-${kept}`)));
    },
  };
  const { objectives } = capacitySettings(config);
  if (facts.suite === 'soak') {
    for (const slice of spreadSlices(facts)) log.label(slice.step, labelOf(slice), facts.ratePerSecond);
    return { soak: await collectedSoak(bundle, files, objectives, readers) };
  }
  log.label(plan.step, `${facts.ratePerSecond} requests/s by ${plural(files.length, 'instance')}`, facts.ratePerSecond);
  return { capacity: await collectedStep(bundle, files, objectives, readers) };
}

/** As it was sent: nothing needs to be reached again. */
function exchangeIn({ baseUrl, baseUrls, services }: BundleFacts, sample: BodySample, id: string): Exchange {
  const { answer, key, operation } = sample;
  const base = baseUrls?.[services[operation] ?? ''] ?? baseUrl;
  const [path = '', query = ''] = answer.path.slice(base.length).split('?', 2);
  const plan: RequestPlan = {
    ...{ service: services[operation] ?? null, operation, probe: `load/${LANE}`, method: answer.method, path, query },
    ...{ headers: [], body: { kind: 'none' }, credential: { kind: 'key', name: key }, retry: 'once' },
  };
  return exchangeOfBody(sample, plan, answer.path, id);
}
