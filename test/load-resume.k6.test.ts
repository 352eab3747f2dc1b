// A ceiling that an earlier run measured is judged from that run's samples, with a real k6: only the rest is sent.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadPart } from '../src/contract/load-part.ts';
import type { Report } from '../src/contract/report.ts';
import { k6Path, WITH_K6 } from '../src/load/k6/testing/k6.ts';
import { type Loaded, loaded } from './loaded.ts';

const LIMIT_MS = 120_000;

describe.skipIf(k6Path === null)(`${WITH_K6}, a ceiling that was measured before`, () => {
  let target: Loaded;
  let folder: string;
  let earlier: Report;
  let later: Report;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-resumed-'));
    target = await loaded({ limits: { standard: { calls: 40, seconds: 2 } } });
    const keys = target.config.keys.filter(({ plan }) => plan === 'standard');
    earlier = await target.run('ceiling', k6Path, { keys });
    const resumes = { folder: target.folder, keys: new Set(keys.map(({ name }) => name)) };
    later = await target.run('ceiling', k6Path, { keys }, { folder, resumes });
  }, LIMIT_MS);
  afterAll(async () => {
    await target.end();
    await rm(folder, { recursive: true, force: true });
  });

  const plansOf = ({ load }: Report) => (load as LoadPart).plans;

  it('has the row that it had', () => {
    expect(plansOf(later)).toEqual(plansOf(earlier));
    expect(plansOf(later)[0]?.evidence?.length).toBeGreaterThan(0);
  });

  it('sends no more than what reaches operations', () => {
    expect(later.counts.requests).toBeLessThan(earlier.counts.requests / 2);
  });

  it('has its samples in the record of both', async () => {
    const names = async (path: string) => (await readdir(path)).filter((name) => name.endsWith('.tsv')).sort();
    expect(await names(folder)).toEqual(await names(target.folder));
  });
});
