// Soak and spike from configuration to report, with a real k6 and the reference platform.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { systemClock } from '../src/clock/system.ts';
import type { Config } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import type { LoadPart } from '../src/contract/load-part.ts';
import type { Report } from '../src/contract/report.ts';
import { loadChanges } from '../src/load/changes.ts';
import { type StartOptions, startPlatform } from '../src/platform/start.ts';
import { assertValid } from '../src/reporters/formats/json.ts';
import { summarise } from '../src/reporters/terminal/terminal.ts';
import { verdictSentence } from '../src/reporters/verdict-sentence.ts';
import { runLoad } from '../src/run/load/run-load.ts';
import { blamed } from './mutant.ts';
import { k6Path, untilMeasured, WITH_K6 } from './support/load/k6/k6.ts';

const UNMEASURED = /^(soak|spike): (no verdict on the platform: |\d+ samples are too few)/;
const OPTIONS = {
  ...{ out: null, services: [], operations: [], clauses: [], seed: 1, runId: '20260131-120000-9f3a2b' },
  ...{ budget: null, timeLimitSeconds: null },
};
const AMPLE = { calls: 100_000, seconds: 1 };
const FEW = { calls: 40, seconds: 1 };
const alike = (limit: typeof FEW) => ({ standard: limit, growth: limit, enterprise: limit });

async function loaded(suite: 'soak' | 'spike', load: Config['load'], start: StartOptions): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-rates-'));
  const platform = await startPlatform(start);
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    const report = await runLoad({
      clock: systemClock,
      suite,
      config: { ...config, load },
      options: OPTIONS,
      descriptions: await loadDescriptions(config),
      ...{ k6: k6Path, folder, outputs: [] },
      stop: new AbortController().signal,
    });
    expect(() => assertValid(report)).not.toThrow();
    return report;
  } finally {
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether the generator could tell anything of the platform. */
const isMeasured = ({ verdict, run }: Report): boolean => verdict !== 'none' || !UNMEASURED.test(run.note ?? '');
const partOf = ({ load }: Report): LoadPart => load as LoadPart;
const told = (report: Report): string => summarise(report, { html: 'index.html' }, { color: false, width: 200 });

describe.skipIf(k6Path === null)(`${WITH_K6}, the reference platform`, () => {
  const soak = { rate: 150, seconds: 6 };
  it('bears a soak: every slice conforms, nothing drifts, every request is counted', async () => {
    const load = { soak, objectives: { p99Ms: 400 } };
    const report = await untilMeasured(() => loaded('soak', load, { limits: alike(AMPLE) }), isMeasured);
    const part = partOf(report).soak;
    expect(report.verdict).toBe('pass');
    expect(part).toMatchObject({
      decision: 'met',
      errorRate: 0,
      limitedRate: 0,
      heldBy: null,
      errorsFromSeconds: null,
    });
    expect(part?.slices).toHaveLength(30);
    expect(report.counts.requests).toBeGreaterThanOrEqual(part?.requests ?? Number.POSITIVE_INFINITY);
    expect(partOf(report).conformance).toMatchObject({ brokenAt: null });
    expect(partOf(report).conformance?.steps.length).toBeGreaterThanOrEqual(30);
    expect(told(report)).toMatch(/150 requests\/s for 5 s: p50 .* objectives met/s);
    expect(verdictSentence(report)).toMatch(
      /^Soak at 150 requests\/s for 5 s: objectives met, p99 [\d.]+ ms, no errors/,
    );
    // Every request of k6 is some operation's; the same run beside itself has nothing but noise.
    const rows = partOf(report).operations?.find(({ during }) => during === 'the whole run')?.rows ?? [];
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(part?.requests);
    expect(rows.every(({ p50Ms }) => p50Ms !== null)).toBe(true);
    const { figures } = loadChanges(report, report, '');
    expect(figures.map(({ figure }) => figure)).toEqual(['p50', 'p95', 'p99', 'errors', 'rate']);
    expect(figures.every(({ noise }) => noise)).toBe(true);
  });

  it('is not judged by what no generator could measure', async () => {
    const report = await loaded('soak', { soak, objectives: { p99Ms: 0.05 } }, { limits: alike(AMPLE) });
    expect(report.verdict).toBe('none');
    expect(report.run.note).toMatch(UNMEASURED);
  });

  const spike = { base: 60, peak: 300, seconds: 2 };
  it('limits a spike, keeps its envelope meanwhile, and is itself again in a second', async () => {
    const load = { spike, objectives: { p99Ms: 400 } };
    const report = await untilMeasured(() => loaded('spike', load, { limits: alike(FEW) }), isMeasured);
    const part = partOf(report).spike;
    expect(report.findings.filter(({ kind }) => kind === 'violation')).toEqual([]);
    expect(report.verdict).toBe('pass');
    expect(part?.shares.limited).toBeGreaterThan(0.3);
    expect(part?.recovery?.best ?? 99).toBeLessThanOrEqual(2);
    expect(told(report)).toMatch(/in the peak: succeeded .*429 \d+ %/);
    expect(verdictSentence(report)).toMatch(
      /^Spike 60 → 300 requests\/s: \d+ % succeeded, \d+ % answered 429, .*recovered/,
    );
    const [peak] = partOf(report).operations ?? [];
    expect(peak?.during).toBe('the peak, 300 requests/s');
    expect(peak?.rows.reduce((sum, { limited }) => sum + limited, 0)).toBeGreaterThan(0);
  });

  it('that breaks its envelope only where it refuses is caught in the peak', async () => {
    const report = await loaded('spike', { spike }, { limits: alike(FEW), faults: ['err-01-bare'] });
    expect(report.verdict).toBe('fail');
    expect(blamed(report)).not.toEqual([]);
    expect(partOf(report).conformance?.brokenAt).toBe('spike.peak');
  });
});
