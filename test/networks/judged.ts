// Runs of the coordinator against a platform that is reached by another way than its own address.
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { systemClock } from '../../src/clock/system.ts';
import type { Config } from '../../src/config/config.ts';
import { checkConfig } from '../../src/config/load.ts';
import { readConfig } from '../../src/config/read.ts';
import { CLAUSES } from '../../src/contract/clauses.ts';
import type { Report } from '../../src/contract/report.ts';
import { servePlatform } from '../../src/platform/http/serve.ts';
import type { StartedPlatform } from '../../src/platform/start.ts';
import { conform } from '../../src/run/perform/conform.ts';
import { OPTIONS } from '../loaded.ts';
import { reducedDocuments } from '../reduced-documents.ts';

/** Few enough to be judged in seconds. */
export const OPERATIONS = ['GET /api/v1/stores', 'POST /api/v1/stores', 'GET /customers'];

type Members = Readonly<Record<string, unknown>>;

/** The configuration of the platform with other members of `target`, and others beside it. */
export async function configOf(
  { config }: Pick<StartedPlatform, 'config'>,
  target: Members,
  env: Readonly<Record<string, string>> = {},
  more: Members = {},
): Promise<Config> {
  const document = (await readConfig(config)) as { readonly target: Members };
  const changed = { ...document, ...more, target: { ...document.target, ...target } };
  return checkConfig(changed, config, { baseUrl: null, env });
}

export async function openPlatform(): Promise<StartedPlatform> {
  const limits = Object.fromEntries(
    ['standard', 'growth', 'enterprise'].map((plan) => [plan, { calls: 100_000, seconds: 60 }]),
  );
  return servePlatform({ documents: await reducedDocuments(), deviations: [], limits, seed: 1, port: 0 });
}

export async function judge(config: Config, operations: readonly string[] = OPERATIONS): Promise<Report> {
  return conform({
    clock: systemClock,
    config,
    options: { ...OPTIONS, operations, clauses: CLAUSES_HERE },
    descriptions: await loadDescriptions(config),
    stop: new AbortController().signal,
  });
}

/** What does not wait for windows of limits or lifetimes to pass. */
const CLAUSES_HERE = CLAUSES.map(({ id }) => id).filter((id) => /^(SCH|ERR|AUTH|VER)-/.test(id));

/** What was judged, and how: the same for two runs that reached the same platform. */
export function verdictsOf({ verdict, clauses }: Report): readonly string[] {
  return [verdict, ...clauses.map(({ id, status }) => `${id} ${status}`)];
}
