// Guarantees under pressure, with a real k6 and the reference platform: what holds is told to hold, and what breaks only once
// a key is limited is caught.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { systemClock } from '../src/clock/system.ts';
import { loadConfig } from '../src/config/load.ts';
import type { LoadPart, PressurePart } from '../src/contract/load-part.ts';
import type { Report } from '../src/contract/report.ts';
import { k6Path, WITH_K6 } from '../src/load/k6/testing/k6.ts';
import { startPlatform } from '../src/platform/start.ts';
import { assertValid } from '../src/reporters/formats/json.ts';
import { runLoad } from '../src/run/load/run-load.ts';
import { blamed } from './mutant.ts';

const LIMIT_MS = 120_000;
const OPTIONS = {
  ...{ out: null, services: [], clauses: [], seed: 1, runId: '20260131-120000-9f3a2b' },
  ...{ budget: null, timeLimitSeconds: null },
};
const WINDOW = { calls: 200, seconds: 2 };
const LIMITS = { standard: WINDOW, growth: WINDOW, enterprise: WINDOW };
const LISTS = ['GET /api/v1/stores*', 'GET /api/v1/auth/activity/logs', 'GET /api/v1/themes*'];

interface Pressing {
  readonly mode: 'saturated' | 'limited';
  /** What is begun until then is ended. */
  readonly seconds: number;
  readonly faults?: readonly string[];
}

async function pressed({ mode, seconds, faults = [] }: Pressing, operations: readonly string[]): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-pressure-'));
  const platform = await startPlatform({ faults, ...(mode === 'limited' ? { limits: LIMITS } : {}) });
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    return await runLoad({
      clock: systemClock,
      suite: 'pressure',
      config: { ...config, load: { pressure: { mode, seconds } } },
      options: { ...OPTIONS, operations },
      descriptions: await loadDescriptions(config),
      ...{ k6: k6Path, folder, outputs: [] },
      onProgress: () => {},
      stop: new AbortController().signal,
    });
  } finally {
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const pressureIn = ({ load }: Report): PressurePart | undefined => (load as LoadPart | undefined)?.pressure;
const statuses = (report: Report, family: string): ReadonlyMap<string, string> =>
  new Map(
    report.clauses.filter(({ id, checks }) => id.startsWith(family) && checks > 0).map((row) => [row.id, row.status]),
  );

describe.skipIf(k6Path === null)(`${WITH_K6}, guarantees under pressure`, { timeout: LIMIT_MS }, () => {
  it.each(['saturated', 'limited'] as const)('hold while the reference platform is %s', async (mode) => {
    const report = await pressed({ mode, seconds: 6 }, ['POST /api/v1/stores*', ...LISTS]);
    expect(report.findings.filter(({ kind }) => kind === 'violation')).toEqual([]);
    expect(report.verdict).toBe('pass');
    expect([...statuses(report, 'IDEM').keys()]).toEqual(
      expect.arrayContaining(['IDEM-01', 'IDEM-02', 'IDEM-03', 'IDEM-04']),
    );
    expect([...statuses(report, 'PAG').keys()]).toEqual(expect.arrayContaining(['PAG-01', 'PAG-12']));
    expect(pressureIn(report)?.probes).toBeGreaterThan(100);
    if (mode === 'limited') {
      expect(pressureIn(report)?.figures.limitedRate).toBeGreaterThan(0.1);
      expect(pressureIn(report)?.keyedRefused).toBeGreaterThan(0);
    }
    expect(() => assertValid(report)).not.toThrow();
  });

  it.each([
    ['IDEM-01', 'idem-01-forgets-when-limited', ['POST /api/v1/stores*', 'GET /api/v1/stores*'], 1],
    ['IDEM-02', 'idem-02-refused-executed', ['POST /api/v1/stores*', 'GET /api/v1/stores*'], 1],
    ['IDEM-02', 'idem-02-refusal-kept', ['POST /api/v1/stores*', 'GET /api/v1/stores*'], 1],
    ['PAG-06', 'pag-06-lost-when-scarce', ['GET /api/v1/products', 'GET /api/v1/stores'], 6],
  ])('that break %s only while a key is limited are caught', async (clause, fault, operations, seconds) => {
    const report = await pressed({ mode: 'limited', seconds, faults: [fault] }, operations);
    expect(report.verdict).toBe('fail');
    expect(blamed(report)).toContain(clause);
  });
});
