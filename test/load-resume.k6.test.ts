// A ceiling that an earlier run measured is judged from that run's samples, with a real k6: only the rest is sent.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadPart } from '../src/contract/load-part.ts';
import type { Report } from '../src/contract/report.ts';
import { type Loaded, loaded } from './loaded.ts';
import { k6Path, untilMeasured, WITH_K6 } from './support/load/k6/k6.ts';

/** What came too late tells windows by their resets, which are known better the more was seen of the target's clock. */
const isInTime = ({ load }: Report): boolean =>
  (load as LoadPart).plans.every(({ evidence = [] }) => !evidence.some((one) => one.includes('too late')));

describe.skipIf(k6Path === null)(`${WITH_K6}, a ceiling that was measured before`, () => {
  let target: Loaded;
  let base: string;
  let folder: string;
  let earlier: Report;
  let later: Report;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'assay-resumed-'));
    [earlier, later] = await untilMeasured(measured, (both) => both.every(isInTime));
  });
  afterAll(async () => {
    await target.end();
    await rm(base, { recursive: true, force: true });
  });

  async function measured(): Promise<readonly [earlier: Report, later: Report]> {
    await target?.end();
    folder = await mkdtemp(join(base, 'later-'));
    target = await loaded({ limits: { standard: { calls: 40, seconds: 2 } } });
    const keys = keysOf(target);
    const first = await target.run('ceiling', k6Path, { keys });
    const resumes = { folder: target.folder, keys: new Set(keys.map(({ name }) => name)) };
    return [first, await target.run('ceiling', k6Path, { keys }, { folder, resumes })];
  }

  const keysOf = ({ config }: Loaded) => config.keys.filter(({ plan }) => plan === 'standard');
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
