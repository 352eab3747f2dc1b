// Tests that an error of the harness while load is measured or judged is told in the report, and costs no finding.
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import type { Clock } from '../../clock/clock.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { breached, holds } from '../../contract/judgement.ts';
import type { Report } from '../../contract/report.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { StageState } from '../perform/state.ts';
import { judgeKept } from './callers.ts';
import { runLoad } from './run-load.ts';
import { LOAD_SUITES } from './suites.ts';

const OPERATION = 'GET /api/v1/products';
const BREACH = { weight: 'breach', cause: 'c', message: 'm', expected: 'e', actual: 'a' } as const;
const OWN = {
  check: { clause: 'X-01', level: 'must', text: 'A clause.', judge: () => breached([BREACH]) },
  file: 'own.ts',
} as const;

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});
afterEach(() => vi.restoreAllMocks());

/** An answer that k6 kept whole. */
const kept = () => exchangeWith({ plan: { operation: OPERATION, service: shop.service } });
function defect(): never {
  throw new TypeError('a defect');
}

/** A capacity run that measures by this alone. */
async function measuredBy(
  measure: (state: StageState) => void | Promise<void>,
  more: Partial<Clock> = {},
): Promise<Report> {
  vi.spyOn(LOAD_SUITES.capacity, 'measure').mockImplementation(async (state) => measure(state));
  const clock = simulatedClock();
  const work = runLoad({
    ...{
      clock: { ...clock, ...more },
      suite: 'capacity',
      config: configWith(),
      options: optionsWith({ runId: 'r' }),
      descriptions: [shop],
    },
    ...{ k6: '/nonexistent/k6', folder: '/nonexistent', outputs: [], checks: [OWN] },
    stop: new AbortController().signal,
  });
  return clock.drive(work);
}

const statusOf = ({ clauses }: Report, id: string) => clauses.find((row) => row.id === id);

describe('an error of the harness under load', () => {
  it('of a check costs its clause alone: the other checks and the answers after it are judged', async () => {
    const check = EXCHANGE_CHECKS.find(({ clause }) => clause === 'SCH-01');
    if (check === undefined) throw new Error('no check is on SCH-01');
    vi.spyOn(check, 'applies').mockReturnValue(true);
    vi.spyOn(check, 'judge').mockImplementation(defect);
    const violated: string[] = [];
    const report = await measuredBy((state) => {
      for (let turn = 0; turn < 2; turn += 1) violated.push(...judgeKept(state, kept()));
    });
    expect(violated.filter((id) => id === 'X-01')).toHaveLength(2);
    expect(report.harnessErrors).toEqual([
      expect.objectContaining({ clauses: ['SCH-01'], where: 'a check', error: 'TypeError', times: 2 }),
    ]);
    expect(statusOf(report, 'SCH-01')).toMatchObject({ status: 'not-tested', reasonCode: 'harness-error' });
    expect(statusOf(report, 'X-01')).toMatchObject({ status: 'fail', checks: 2 });
    expect(report.verdict).toBe('fail');
  });

  it('that ends the measurement leaves what was found before', async () => {
    const report = await measuredBy((state) => {
      judgeKept(state, kept());
      defect();
    });
    expect(report.harnessErrors).toEqual([expect.objectContaining({ where: 'the run', error: 'TypeError' })]);
    expect(report.findings.map(({ clause }) => clause)).toContain('X-01');
    expect(report.verdict).toBe('fail');
  });

  it('of the verdict on the load leaves the report, with no verdict unless something was found', async () => {
    vi.spyOn(LOAD_SUITES.capacity, 'judged').mockImplementation(defect);
    const nothing = await measuredBy(({ books: { ledger } }) => {
      ledger.book('REQ-09', { service: shop.service, operation: OPERATION }, holds(), [kept()]);
    });
    expect(nothing.harnessErrors).toEqual([expect.objectContaining({ where: 'the verdict on the load' })]);
    expect(nothing.verdict).toBe('none');
    const found = await measuredBy((state) => {
      judgeKept(state, kept());
    });
    expect(found.verdict).toBe('fail');
    expect(found.findings.map(({ clause }) => clause)).toContain('X-01');
  });
});

it('a measurement that comes to a standstill ends, and leaves what was found before', async () => {
  const report = await measuredBy(
    (state) => {
      judgeKept(state, kept());
      return new Promise(() => {});
    },
    { busyMs: () => 0 },
  );
  expect(report.run).toMatchObject({
    partial: true,
    broken: true,
    note: expect.stringContaining('nothing more could'),
  });
  expect(report.findings.map(({ clause }) => clause)).toContain('X-01');
});
