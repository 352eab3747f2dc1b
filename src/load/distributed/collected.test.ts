import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUNDLE, samplesOf, type Told, textOf } from '../../../test/support/load/distributed/bundle.ts';
import type { CapacityPart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import type { Objectives } from '../capacity/objectives.ts';
import { collectedStep, judgedStep } from './collected.ts';
import { wholeRun } from './whole.ts';

const OBJECTIVES: Objectives = { p99Ms: 500, errorRate: 0.01, limitedRate: 0.01 };
/** Requests enough to tell a 99th percentile. */
const WIDE = {
  ...BUNDLE,
  facts: { ...BUNDLE.facts, ratePerSecond: 100 },
  plan: { ...BUNDLE.plan, legs: BUNDLE.plan.legs.map((leg) => ({ ...leg, perTenSeconds: 1000 })) },
};
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-collected-'));
  await mkdir(join(folder, 'results'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function part(told: readonly Told[], objectives = OBJECTIVES): Promise<CapacityPart> {
  for (const [at, one] of told.entries())
    await writeFile(join(folder, 'results', `${at}.tsv`), textOf(samplesOf(at + 1, one)));
  const readers = { onSample: () => {}, onKept: () => {} };
  return collectedStep(WIDE, await wholeRun(WIDE, folder), objectives, readers);
}

const times = (count: number, durationMs: number): readonly number[] => Array.from({ length: count }, () => durationMs);
/** One instance of three is slow: half of all requests take at most 10 ms, and the mean of the three medians is 140 ms. */
const UNEVEN = [times(230, 10), times(230, 10), times(240, 400)].map((durationsMs) => ({ durationsMs }));

it('percentiles are those of all requests, not the mean of what instances came to', async () => {
  const { p50Ms, p99Ms, requests } = await part(UNEVEN);
  expect(requests).toBe(700);
  expect(p50Ms / 10).toBeCloseTo(1, 1);
  expect(p99Ms / 400).toBeCloseTo(1, 1);
});

it('what was planned and not sent is dropped', async () => {
  const { steps } = await part(
    [times(230, 10), times(230, 10), times(100, 10)].map((durationsMs) => ({ durationsMs })),
  );
  expect(steps).toMatchObject([{ dropped: 140, decision: 'missed' }]);
});

it('an instance that broke off misses the objectives', async () => {
  const [one, two] = UNEVEN;
  const broken = { durationsMs: times(50, 1), event: 'broken' as const };
  expect(await part([one ?? {}, two ?? {}, broken])).toMatchObject({
    ...{ met: null, missed: 100 },
    confidence: expect.stringContaining('3 ended early'),
  });
});

describe('the verdict', () => {
  const report = { verdict: 'pass', run: {} } as Report;
  const strict = { ...OBJECTIVES, p99Ms: 100 };

  it('is that of the clauses where the objectives are met', async () => {
    expect(judgedStep(report, await part(UNEVEN), { stated: true })).toEqual(report);
  });

  it('is fail where stated objectives are missed', async () => {
    expect(judgedStep(report, await part(UNEVEN, strict), { stated: true })).toMatchObject({
      verdict: 'fail',
      run: { note: 'capacity: 100 requests/s: objectives missed by latency' },
    });
  });

  it('informs where nobody stated any', async () => {
    expect(judgedStep(report, await part(UNEVEN, strict), { stated: false })).toMatchObject({
      verdict: 'pass',
      run: { note: expect.stringContaining('missed') },
    });
  });

  it('is none where the samples are too few to tell', async () => {
    expect(judgedStep(report, await part([{}, {}, {}]), { stated: true })).toMatchObject({
      verdict: 'none',
      run: { note: 'capacity: 100 requests/s: 9 samples are too few' },
    });
  });
});
