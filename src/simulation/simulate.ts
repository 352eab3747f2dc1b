// One conformance run against the platform in memory, in virtual time: everything but the sockets is as in a real run. The same
// seed and world give the same report, byte for byte.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { simulatedClock, skewed } from '../clock/simulated.ts';
import type { Config, RunOptions } from '../config/config.ts';
import { contractOf } from '../config/contract-file.ts';
import { checkConfig } from '../config/load.ts';
import { withLaws } from '../contract/contract.ts';
import type { Report } from '../contract/report.ts';
import type { Description } from '../openapi/model/operation.ts';
import { loadDescription } from '../openapi/read/load.ts';
import type { Deviation } from '../platform/deviation.ts';
import { DOCS_URL, offered } from '../platform/http/publish.ts';
import { type InMemoryPlatform, openInMemory } from '../platform/in-memory.ts';
import type { Limit } from '../platform/limits/limiter.ts';
import { DEFAULT_LIMITS } from '../platform/platform.ts';
import type { ServedDocument } from '../platform/schema/served.ts';
import { withClaims } from '../run/plan/claims.ts';
import { withFixedInput } from '../run/reach/fixed-input.ts';
import { chanceOf } from './chance.ts';
import { conformInMemory } from './conform-in-memory.ts';
import { Outages } from './outages.ts';
import { OtherUsers, type SimulatedWorld, writers } from './worlds.ts';

export interface Simulation {
  readonly documents: readonly ServedDocument[];
  readonly deviations: readonly Deviation[];
  /** Limits by plan name, or "export", in place of the platform's own. */
  readonly limits?: Readonly<Record<string, Limit>>;
  readonly world: SimulatedWorld;
  /** Clauses whose advisories count as violations; absent: none. */
  readonly promote?: readonly string[];
  /** Settings in place of those that the platform offers. */
  readonly settings?: Partial<Pick<Config, 'contract' | 'laws' | 'operations' | 'evidence' | 'expect'>>;
  /** Set: requests name no trace. */
  readonly trace?: 'none';
  /** Seed of everything: of the platform's data, of the run's requests, and of the events on the way. */
  readonly seed: number;
  readonly options?: Partial<RunOptions>;
  readonly stop?: AbortSignal;
  /** The run ends once a violation is found. */
  readonly isUntilBreach?: boolean;
}

/** Names a place that does not exist: nothing is read or written there. */
const FOLDER = '/simulated';
const BASE_URL = 'http://platform.simulated';
const START_MS = Date.UTC(2026, 0, 31, 12);
/** Runs begin at any time of an hour: windows end when they will. */
const HOUR_MS = 3_600_000;
/** A run that takes longer is stopped. */
const LONGEST_RUN_MS = 4 * HOUR_MS;

/** The report of the run. Rejects for defects of the harness, as `conform` does. */
export async function simulate(simulation: Simulation): Promise<Report> {
  const { seed, world, options = {}, stop, isUntilBreach = false } = simulation;
  const clock = simulatedClock(Math.round(START_MS + chanceOf(seed, 'start').between(0, HOUR_MS)));
  const skewMs = Math.round(chanceOf(seed, 'skew').between(-world.skewMs, world.skewMs));
  const platformClock = skewed(clock, skewMs);
  const limits = { ...limitsIn(world), ...limitsOf(simulation.deviations), ...simulation.limits };
  const deviations = [
    ...simulation.deviations,
    ...(world.writesPerMinute > 0 ? [writers(chanceOf(seed, 'writers'), world)] : []),
  ];
  const { platform, config, descriptions } = await opened({ ...simulation, deviations, limits }, platformClock);
  const problemsBefore = new Map(descriptions.map((one) => [one, one.problems.length]));
  const others = new OtherUsers(platform.platform, platformClock, chanceOf(seed, 'others'), world.othersShare);
  const route = {
    ...{ clock, world, host: new URL(BASE_URL).host },
    chance: chanceOf(seed, 'network'),
    outages: new Outages(chanceOf(seed, 'outages'), world.restarts),
    platform: {
      receive(...call: Parameters<InMemoryPlatform['receive']>) {
        others.catchUp();
        platform.receive(...call);
      },
    },
  };
  const report = await conformInMemory({
    ...{ config, descriptions, route, stop, isUntilBreach, longestMs: LONGEST_RUN_MS },
    options: { ...optionsOf(seed), ...options },
  });
  forgetProblematic(problemsBefore);
  return report;
}

/** Where others use the keys limits are a tenth of the platform's own: their calls are to be counted, not to take the time. */
function limitsIn({ othersShare }: SimulatedWorld): Readonly<Record<string, Limit>> {
  if (othersShare === 0) return {};
  const { export: _export, ...plans } = DEFAULT_LIMITS;
  const smaller = ([plan, { calls, seconds }]: [string, Limit]) => [plan, { calls: calls / 10, seconds }] as const;
  return Object.fromEntries(Object.entries(plans).map(smaller));
}

function limitsOf(deviations: readonly Deviation[]): Readonly<Record<string, Limit>> {
  return Object.assign({}, ...deviations.map((one) => one.limits ?? {}));
}

interface Opened {
  readonly platform: InMemoryPlatform;
  readonly config: Config;
  readonly descriptions: readonly Description[];
}

async function opened(
  { documents, deviations, limits = {}, seed, promote = [], settings = {}, trace }: Simulation,
  clock: Parameters<typeof openInMemory>[0]['clock'],
): Promise<Opened> {
  const docsUrl = deviations.find((one) => one.docsUrl !== undefined)?.docsUrl ?? DOCS_URL;
  const platform = await openInMemory({
    documents,
    deviations,
    docsUrl,
    seed,
    limits,
    clock,
    instance: `simulated ${seed}`,
  });
  const publication = { baseUrl: BASE_URL, platform: platform.platform, documents, deviations, seed };
  const { descriptions, configuration } = offered(publication);
  const config = checkConfig(configuration, join(FOLDER, 'assay.config.yaml'), { baseUrl: null, env: {} });
  const read = config.services.flatMap(({ name, spec }) => {
    const text = [...descriptions].find(([file]) => spec === join(FOLDER, file))?.[1];
    return spec === null || text === undefined ? [] : [readOnce(name, spec, text)];
  });
  const target = { ...config.target, ...(trace === undefined ? {} : { trace }) };
  const { contract = config.contract, laws = config.laws } = settings;
  const stated = withLaws(contract === config.contract ? config.stated : contractOf(contract, FOLDER), laws);
  const set = { ...config, target, promote, stated, ...settings };
  return { platform, config: set, descriptions: withClaims(set, withFixedInput(set, await Promise.all(read))) };
}

function optionsOf(seed: number): RunOptions {
  const all = { services: [], operations: [], clauses: [], out: null, budget: null, timeLimitSeconds: null };
  return { ...all, seed, runId: `20260131-120000-${seed.toString(16).padStart(6, '0')}` };
}

const known = new Map<string, Description>();
const MAX_KNOWN = 100;

/** A description at hand, under the name of its file: read and compiled once a process, for most faults leave it as it is. */
async function readOnce(service: string, file: string, text: string): Promise<Description> {
  const key = hash('sha256', `${service} ${file} ${text}`);
  const before = known.get(key);
  if (before !== undefined) return before;
  const description = await loadDescription({ service, file, text, remoteRefs: [] });
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, description);
  return description;
}

/** Lets go of those that came to have further problems in a run: the next run is to find them anew. */
function forgetProblematic(problemsBefore: ReadonlyMap<Description, number>): void {
  for (const [key, description] of known) {
    const before = problemsBefore.get(description);
    if (before !== undefined && before !== description.problems.length) known.delete(key);
  }
}
