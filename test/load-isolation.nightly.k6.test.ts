// Isolation from configuration to report, with a real k6: keys of the reference platform do not feel each other, and the
// record says the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadPart } from '../src/contract/load-part.ts';
import type { Report } from '../src/contract/report.ts';
import { assertValid } from '../src/reporters/formats/json.ts';
import { isolationLines } from '../src/reporters/load/suite-lines.ts';
import { type Loaded, loaded } from './loaded.ts';
import { k6Path, WITH_K6 } from './support/load/k6/k6.ts';

describe.skipIf(k6Path === null)(`${WITH_K6}, a key at its ceiling`, () => {
  let target: Loaded;
  let live: Report;

  const run = (k6: string | null): Promise<Report> =>
    target.run('isolation', k6, {
      // Two keys of one plan: one of them is kept at its ceiling.
      keys: target.config.keys.filter(({ plan }) => plan !== 'enterprise').map((key) => ({ ...key, plan: 'standard' })),
      load: { ...target.config.load, isolation: { seconds: 1 } },
    });

  beforeAll(async () => {
    target = await loaded({ limits: { standard: { calls: 60, seconds: 2 }, growth: { calls: 60, seconds: 2 } } });
    live = await run(k6Path);
  });
  afterAll(() => target.end());

  it('is refused again and again, and limits no other', () => {
    expect(live.clauses.find(({ id }) => id === 'RATE-07')).toMatchObject({ status: 'pass' });
    const [row] = (live.load as LoadPart).isolation?.keys ?? [];
    expect(row?.refused).toBeGreaterThan(0);
    expect(row?.others[0]).toMatchObject({ refusedUnderPressure: 0 });
    expect(row?.others[0]?.callsUnderPressure).toBeGreaterThan(0);
    expect(() => assertValid(live)).not.toThrow();
    expect(isolationLines(live.load).length).toBe(3);
  });

  it('is seen alike from the record', async () => {
    await target.stop();
    const again = await run(null);
    expect((again.load as LoadPart).isolation).toEqual((live.load as LoadPart).isolation);
    expect(again).toMatchObject({ verdict: live.verdict, counts: { requests: 0 } });
  });
});
