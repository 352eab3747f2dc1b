// Load from configuration to report, with a real k6 and the reference platform; and the same once more from its record alone.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDescriptions } from '../src/cli/descriptions.ts';
import type { Config } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import type { LoadPart, Report } from '../src/contract/report.ts';
import { k6Path, WITH_K6 } from '../src/load/k6/test-k6.ts';
import { type StartedPlatform, startPlatform } from '../src/platform/start.ts';
import { assertValid } from '../src/reporters/json.ts';
import { runLoad } from '../src/run/load.ts';

const LIMIT_MS = 120_000;
const OPTIONS = {
  ...{ out: null, services: [], operations: [], clauses: [], seed: 1, runId: '20260131-120000-9f3a2b' },
  ...{ budget: null, timeLimitSeconds: null },
};

describe.skipIf(k6Path === null)(`${WITH_K6}, the laws of limits`, () => {
  let folder: string;
  let platform: StartedPlatform;
  let live: Report;
  let descriptions: Awaited<ReturnType<typeof loadDescriptions>>;

  let config: Config;

  async function run(k6: string | null): Promise<Report> {
    const keys = config.keys.filter(({ plan }) => plan !== 'enterprise');
    return runLoad({
      suite: 'ratelimit',
      config: { ...config, keys },
      options: OPTIONS,
      descriptions,
      ...{ k6, folder, outputs: [] },
      onProgress: () => {},
      stop: new AbortController().signal,
    });
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-load-'));
    const limits = { standard: { calls: 60, seconds: 3 }, growth: { calls: 150, seconds: 3 } };
    platform = await startPlatform({ limits });
    const loaded = await loadConfig({ file: platform.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (loaded === null) throw new Error('the platform offers no configuration');
    config = loaded;
    descriptions = await loadDescriptions(config);
    live = await run(k6Path);
  }, LIMIT_MS);
  afterAll(async () => {
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const judged = (report: Report): readonly (readonly [string, string])[] =>
    report.clauses
      .filter(({ id, checks }) => id.startsWith('RATE') && checks > 0)
      .map(({ id, status }) => [id, status]);

  it('are judged and hold on a platform that keeps them', () => {
    expect(live.verdict).toBe('pass');
    expect(new Map(judged(live))).toEqual(
      new Map([
        ...['RATE-01', 'RATE-02', 'RATE-03', 'RATE-04', 'RATE-05', 'RATE-06', 'RATE-07', 'RATE-08', 'RATE-10'].map(
          (id) => [id, 'pass'] as const,
        ),
        ['RATE-11', 'observed'],
      ]),
    );
    expect(live.clauses.find(({ id }) => id === 'PAG-01')?.reasonCode).toBe('other-command');
    expect(() => assertValid(live)).not.toThrow();
  });

  it('tell the limits of each plan', () => {
    const rows = (live.load as LoadPart).plans.map(({ plan, limit, windowSeconds }) => [plan, limit, windowSeconds]);
    expect(rows.sort()).toEqual([
      ['growth', 150, 3],
      ['standard', 60, 3],
    ]);
  });

  it('leave no token in the record', async () => {
    const tokens = config.keys.flatMap(({ token }) => token ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    for (const file of await readdir(folder)) {
      const text = await readFile(join(folder, file), 'utf8');
      expect(tokens.filter((token) => text.includes(token))).toEqual([]);
    }
  });

  it('are judged alike from the record, and nothing is sent', async () => {
    await platform.stop();
    const again = await run(null);
    expect(judged(again)).toEqual(judged(live));
    expect(again).toMatchObject({ verdict: 'pass', counts: { requests: 0, violations: 0 } });
  });
});
