// The export throttle from configuration to report, with a real k6: held by the reference platform, and broken by its faults.
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../src/config/config.ts';
import type { LoadPart } from '../src/contract/load-part.ts';
import type { StartOptions } from '../src/platform/start.ts';
import { assertValid } from '../src/reporters/formats/json.ts';
import { exportLines } from '../src/reporters/load/suite-lines.ts';
import { type Loaded, loaded } from './loaded.ts';
import { k6Path, WITH_K6 } from './support/load/k6/k6.ts';

describe.skipIf(k6Path === null)(`${WITH_K6}, exports of one user at once`, () => {
  let target: Loaded | null = null;

  async function flooded(options: StartOptions, changes: Partial<Config> = {}) {
    target = await loaded(options);
    return target.run('exports', k6Path, changes);
  }

  afterEach(() => target?.end());

  it('are throttled, and another user is left alone (RATE-09)', async () => {
    const report = await flooded({ limits: { export: { calls: 5, seconds: 2 } } });
    expect(report.clauses.find(({ id }) => id === 'RATE-09')).toMatchObject({ status: 'pass', checks: 2 });
    const part = (report.load as LoadPart).exports;
    expect(part?.refused).toBeGreaterThan(0);
    expect(exportLines(report.load)[1]).toContain(`${part?.refused} refused`);
    expect(() => assertValid(report)).not.toThrow();
  });

  it('that are never throttled breach RATE-09', async () => {
    const report = await flooded({ faults: ['rate-09-never'] });
    expect(report.verdict).toBe('fail');
    expect(report.clauses.filter(({ status }) => status === 'fail').map(({ id }) => id)).toEqual(['RATE-09']);
  });

  it('are not asked for where nothing may be changed, and there is no verdict', async () => {
    const report = await flooded({}, { mutations: 'deny' });
    expect(report).toMatchObject({ verdict: 'none', counts: { requests: 0 } });
    expect(report.clauses.find(({ id }) => id === 'RATE-09')?.reasonCode).toBe('mutations-denied');
  });
});
