// A run by a contract file against somebody else's API, a function in virtual time: all that the run knows are its description and the file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BroughtCheck } from '../../src/checks/own-check.ts';
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import type { Clock } from '../../src/clock/clock.ts';
import { simulatedClock } from '../../src/clock/simulated.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { ClauseRow, Report } from '../../src/contract/report.ts';
import { conform } from '../../src/run/perform/conform.ts';
import { chanceOf } from '../../src/simulation/chance.ts';
import { SimulatedSocket } from '../../src/simulation/conform-in-memory.ts';
import { Outages } from '../../src/simulation/outages.ts';
import { WORLDS } from '../../src/simulation/worlds.ts';
import { optionsWith } from '../support/run/test-config.ts';

export interface Asked {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; absent: none. */
  readonly body?: unknown;
  /** It takes so long. ms. */
  readonly afterMs?: number;
}

export interface ForeignApi {
  /** Its OpenAPI description. */
  readonly description: unknown;
  /** Its contract file, line by line. */
  readonly contract: readonly string[];
  /** A server that nobody has called yet. */
  start(clock: Clock): (asked: Asked) => Answer;
}

const HOST = 'foreign.simulated';

/** Options of a run; `isUntilBreach`: it ends once a violation is found. */
export type Asking = NonNullable<Parameters<typeof optionsWith>[0]> & { readonly isUntilBreach?: boolean };

/** The report of a run with the smallest configuration. `lines`: of the configuration, beside contract, target and services. `checks`: that it brings. */
export async function judgedByContract(
  api: ForeignApi,
  { isUntilBreach = false, ...given }: Asking = {},
  lines: readonly string[] = [],
  checks: readonly BroughtCheck[] = [],
): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-contract-'));
  const clock = simulatedClock();
  const ending = new AbortController();
  try {
    await writeFile(join(folder, 'api.json'), JSON.stringify(api.description));
    await writeFile(join(folder, 'api.contract.yaml'), api.contract.join('\n'));
    const file = join(folder, 'assay.config.yaml');
    await writeFile(file, configuration(lines));
    const config = await loadConfig({ file, baseUrl: null, env: {}, cwd: folder });
    if (config === null) throw new Error('the API has a configuration');
    const route = routeTo(api.start(clock), clock);
    const run = conform({
      ...{ config, descriptions: await loadDescriptions(config), clock, checks },
      options: optionsWith({ runId: '20260131-120000-9f3a2b', ...given }),
      ...{ stop: ending.signal, random: chanceOf(1, 'jitter').next },
      listen(events) {
        if (isUntilBreach) events.on('progress', ({ progress }) => progress.violations > 0 && ending.abort());
      },
      open: () => new SimulatedSocket(route),
    });
    return await clock.drive(run);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The rows of these clauses, as "IDEM-08 pass". */
export function rowsOf({ clauses }: Report, ...ids: readonly string[]): readonly string[] {
  return ids.map((id) => `${id} ${clauses.find((row: ClauseRow) => row.id === id)?.status}`);
}

/** Ids of the clauses that the run failed by. */
export function failedIn({ clauses }: Report): readonly string[] {
  return clauses.filter(({ status }) => status === 'fail').map(({ id }) => id);
}

/** Clauses that are violated, with what is wrong. */
export function violationsIn({ findings }: Report): readonly string[] {
  return findings.flatMap(({ kind, clause, message }) => (kind === 'violation' ? [`${clause} ${message}`] : []));
}

function configuration(lines: readonly string[]): string {
  return [
    `target: { baseUrl: "http://${HOST}", environment: local }`,
    'contract: ./api.contract.yaml',
    'services: { api: { spec: api.json } }',
    ...lines,
    '',
  ].join('\n');
}

function routeTo(answerTo: (asked: Asked) => Answer, clock: Clock): ConstructorParameters<typeof SimulatedSocket>[0] {
  const latency = { least: 0.5, most: 0.5, slowShare: 0, slowMs: 0 };
  return {
    ...{ clock, host: HOST, world: { ...WORLDS.calm, latency } },
    ...{ chance: chanceOf(1, 'network'), outages: new Outages(chanceOf(1, 'outages'), null) },
    platform: {
      receive({ method, url, headers, body }, onAnswer) {
        const { pathname: path, searchParams: query } = new URL(url, `http://${HOST}`);
        const pairs = headers.flatMap((name, at) =>
          at % 2 === 0 ? [[name.toLowerCase(), headers[at + 1] ?? '']] : [],
        );
        const answer = answerTo({
          method,
          path,
          query,
          headers: new Map(pairs as [string, string][]),
          body: body ?? '',
        });
        clock.after(answer.afterMs ?? 0, () => onAnswer(onTheWire(answer, method)));
      },
    },
  };
}

function onTheWire({ status, headers = {}, body }: Answer, method: string) {
  const text = body === undefined || method === 'HEAD' ? '' : JSON.stringify(body);
  const type = text === '' || headers['content-type'] !== undefined ? {} : { 'content-type': 'application/json' };
  const told = Object.entries({ ...type, ...headers, 'content-length': `${Buffer.byteLength(text)}` }).flat();
  return { status, headers: told, body: Buffer.from(text) };
}
