import { beforeAll, describe, expect, it } from 'vitest';
import { errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import { type Bench, benchWith, factsOf, getting, SOUND_LIST } from '../../../test/support/run/test-session.ts';
import type { RunOptions } from '../../config/config.ts';
import { breached, holds, resting } from '../../contract/judgement.ts';
import type { Report } from '../../contract/report.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { reportProblems } from '../../reporters/formats/json.ts';
import { newReaching } from '../reach/reaching.ts';
import { buildReport } from './report.ts';
import type { RunFacts } from './run-facts.ts';

const LIST = 'GET /api/v1/products';
const SPOT = { service: 'admin', operation: LIST };
const BREACH = {
  weight: 'breach',
  code: 'err-04.differs',
  cause: 'c',
  message: 'm',
  expected: 'e',
  actual: 'a',
  pointer: '/error/status',
} as const;

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

function reported(
  fill: (bench: Bench) => void,
  changes: Partial<RunFacts> = {},
  options: Partial<RunOptions> = {},
): Report {
  const bench = benchWith(shop, () => ({}));
  fill(bench);
  const config = configWith({
    services: [
      { name: 'admin', spec: 'a.yaml', basePath: null },
      { name: 'store', spec: null, basePath: null },
    ],
  });
  const startedAtMs = Date.UTC(2026, 10, 21);
  const run = { config, options: optionsWith(options), startedAtMs, endedAtMs: startedAtMs + 1234.6 };
  return buildReport(factsOf(bench, { ...run, ...changes }));
}
const nothing = (): void => {};
const cutting = ({ events }: Bench): void => events.tell({ kind: 'cut', reasonCode: 'budget', experiments: 3 });
const row = (report: Report, id: string) => report.clauses.find((candidate) => candidate.id === id);

describe('a report', () => {
  it.each([
    ['nothing', nothing, {}],
    ['a clause that holds', ({ ledger }: Bench) => void ledger.book('ERR-04', SPOT, holds(), [exchangeWith()]), {}],
    [
      'a violation with evidence',
      ({ ledger }: Bench) => void ledger.book('ERR-04', SPOT, breached([BREACH]), [exchangeWith()]),
      {},
    ],
    [
      'a violation on no operation',
      ({ ledger }: Bench) => void ledger.book('INT-01', { service: null, operation: null }, breached([BREACH]), []),
      {},
    ],
    ['a lost target', nothing, { ended: { reasonCode: 'target-lost', reason: 'gone' } }],
    ['a cut', cutting, {}],
    [
      'leftovers',
      ({ events }: Bench) => {
        const plan = { method: 'POST', operation: 'POST /api/v1/products' } as const;
        events.tell({ kind: 'exchange', exchange: exchangeWith({ plan, status: 201, body: { id: 'a' } }) });
      },
      {},
    ],
  ] as [string, (bench: Bench) => void, Partial<RunFacts>][])(
    'of %s is sound by its schema',
    (_name, fill, changes) => {
      expect(reportProblems(reported(fill, changes))).toEqual([]);
    },
  );

  it('never passes a clause without a check', () => {
    for (const { checks, status } of reported(nothing).clauses) {
      expect([checks, status === 'pass' || status === 'observed']).toEqual([0, false]);
    }
    expect(reported(nothing).verdict).toBe('none');
  });

  it('has the verdict and the counts of what was found', () => {
    const report = reported(({ ledger }) => {
      ledger.book('ERR-04', SPOT, breached([BREACH], 2), [exchangeWith({ id: 'ex-5' })]);
      ledger.book('VER-02', SPOT, holds(), [exchangeWith()]);
    });
    expect(report).toMatchObject({
      verdict: 'fail',
      counts: { checks: 3, violations: 1 },
      findings: [{ exchanges: ['ex-5'] }],
    });
    expect(report.exchanges.map(({ id }) => id)).toEqual(['ex-5']);
    expect(row(report, 'ERR-04')).toMatchObject({ status: 'fail', violations: 1, operationsInScope: 1 });
    expect(row(report, 'VER-02')).toMatchObject({ status: 'pass', checks: 1 });
    expect(report.run).toMatchObject({ durationMs: 1235, partial: false });
  });

  it('is partial, and says why, when something was cut or the run ended early', () => {
    const cut = reported(cutting);
    expect(cut.run).toMatchObject({ partial: true, note: expect.stringContaining('budget') });
    const lost = reported(({ ledger }) => void ledger.book('ERR-04', SPOT, holds(), [exchangeWith()]), {
      ended: { reasonCode: 'target-lost', reason: 'it is gone' },
    });
    expect(lost).toMatchObject({ verdict: 'none', run: { partial: true, note: 'it is gone' } });
    expect(row(lost, 'ERR-05')).toMatchObject({ status: 'not-tested', reasonCode: 'target-lost' });
  });

  it('ended by budget or time limit passes by what was judged', () => {
    const judged = ({ ledger, books }: Bench): void => {
      books.traffic.count(SPOT, exchangeWith());
      ledger.book('ERR-04', SPOT, holds(), [exchangeWith()]);
    };
    for (const reasonCode of ['budget', 'time-limit'] as const) {
      const ended = { reasonCode, reason: 'over' };
      expect(reported(judged, { ended }).verdict).toBe('pass');
    }
  });

  it('has no verdict where no answer was judged, or none was a success', () => {
    const onDescription = ({ ledger, books }: Bench): void => {
      books.traffic.count(SPOT, exchangeWith());
      ledger.book('SPEC-01', { service: 'admin', operation: null }, resting(holds(), { descriptions: 1 }), []);
    };
    const onRefusal = ({ ledger, books }: Bench): void => {
      const refused = exchangeWith({ status: 400 });
      books.traffic.count(SPOT, refused);
      ledger.book('ERR-04', SPOT, holds(), [refused]);
    };
    const onCut = ({ ledger, books }: Bench): void => {
      const cut = exchangeWith({ response: { truncated: true } });
      books.traffic.count(SPOT, cut);
      ledger.book('VER-02', SPOT, holds(), [cut]);
    };
    expect([onDescription, onRefusal, onCut].map((fill) => reported(fill).verdict)).toEqual(['none', 'none', 'none']);
  });

  it('has no verdict where the run ended before the target was known to be the right one', () => {
    const ended = { reasonCode: 'time-limit', reason: 'over' } as const;
    const report = reported(
      ({ ledger, books }) => {
        books.traffic.count(SPOT, exchangeWith());
        ledger.book('ERR-04', SPOT, holds(), [exchangeWith()]);
        books.answers.hold();
      },
      { ended },
    );
    expect([report.verdict, report.run.broken]).toEqual(['none', true]);
  });

  it('tells errors of the harness itself, and has no verdict but for a violation', () => {
    const fails = ({ books }: Bench): void => {
      const exchange = exchangeWith({ id: 'ex-9' });
      const work = { clauses: ['ERR-04'], where: 'a check' };
      for (let times = 0; times < 2; times += 1)
        books.errors.attempt(work, exchange, null, () => {
          throw new RangeError('Ann <ann@example.com>');
        });
    };
    const held = reported((bench) => {
      bench.books.traffic.count(SPOT, exchangeWith());
      for (const clause of ['ERR-04', 'VER-02']) bench.ledger.book(clause, SPOT, holds(), [exchangeWith()]);
      fails(bench);
      bench.books.errors.voidJudged(bench.ledger);
    });
    expect(reportProblems(held)).toEqual([]);
    expect(held.harnessErrors).toMatchObject([
      { clauses: ['ERR-04'], where: 'a check', error: 'RangeError', exchange: 'ex-9', times: 2 },
    ]);
    expect(held.harnessErrors?.[0]?.at).toMatch(/^src\/run\/books\/report\.test\.ts(\?vitest=\d+)?:\d+$/);
    expect(held.exchanges.map(({ id }) => id)).toEqual(['ex-9']);
    expect(JSON.stringify(held)).not.toContain('Ann');
    expect(row(held, 'ERR-04')).toMatchObject({ status: 'not-tested', reasonCode: 'harness-error', checks: 0 });
    expect(row(held, 'VER-02')).toMatchObject({ status: 'pass' });
    expect(held).toMatchObject({ verdict: 'none', run: { broken: true, note: expect.stringContaining('ERR-04') } });
    const broken = reported((bench) => {
      bench.ledger.book('ERR-04', SPOT, breached([BREACH]), [exchangeWith()]);
      fails(bench);
      bench.books.errors.voidJudged(bench.ledger);
    });
    expect([broken.verdict, row(broken, 'ERR-04')?.status]).toEqual(['fail', 'fail']);
  });

  it('has a row for each operation: tested where it was reached and called', async () => {
    const bench = benchWith(shop, () => SOUND_LIST);
    await bench.session.send(getting('/api/v1/products'));
    const reaching = newReaching();
    reaching.reached.set(`admin ${LIST}`, reachedWith(worldWith(), shop, LIST));
    reaching.unreached.set('admin GET /api/v1/products/{productId}', { reasonCode: 'no-fixture', reason: 'set it' });
    const report = reported(nothing, { session: bench.session, books: factsOf(bench).books, reaching });
    const operation = (key: string) => report.operations.find((candidate) => candidate.operation === key);
    expect(operation(LIST)).toMatchObject({ tested: true, requests: 1, statuses: { 200: 1 }, resource: 'products' });
    expect(operation(LIST)).not.toHaveProperty('reasonCode');
    expect(operation('GET /api/v1/products/{productId}')).toMatchObject({ tested: false, reasonCode: 'no-fixture' });
    expect(operation('DELETE /api/v1/products/{productId}')).toMatchObject({ tested: false, reasonCode: 'budget' });
    expect(report.counts.operationsTested).toBe(1);
    expect(reportProblems(report)).toEqual([]);
  });

  it('counts an operation that refused every call as not tested', async () => {
    const bench = benchWith(shop, () => ({ status: 404, headers: [], body: '{}' }));
    await bench.session.send(getting('/api/v1/products'));
    const reaching = newReaching();
    reaching.reached.set(`admin ${LIST}`, { ...reachedWith(worldWith(), shop, LIST), proof: null });
    const report = reported(nothing, { session: bench.session, books: factsOf(bench).books, reaching });
    const reason = 'none of its calls succeeded: they were answered 404';
    const row = report.operations.find(({ operation }) => operation === LIST);
    expect(row).toMatchObject({ tested: false, reasonCode: 'precondition', reason });
    expect(report.counts.operationsTested).toBe(0);
  });

  it('tells of such an operation what refused the sound calls, not what was wrong on purpose', async () => {
    const bench = benchWith(shop, () => ({
      status: 428,
      headers: [],
      body: JSON.stringify({ error: errorObject({ status: 428, code: 'if_match_required' }) }),
    }));
    await bench.session.send(getting('/api/v1/products'));
    bench.books.traffic.count(SPOT, exchangeWith({ status: 415, plan: { intent: 'invalid' } }));
    const reaching = newReaching();
    reaching.reached.set(`admin ${LIST}`, { ...reachedWith(worldWith(), shop, LIST), proof: null });
    const report = reported(nothing, { session: bench.session, books: factsOf(bench).books, reaching });
    const row = report.operations.find(({ operation }) => operation === LIST);
    expect(row?.reason).toBe('none of its calls succeeded: they were answered 428 if_match_required');
  });

  it('tells apart from its own operations what it saw on those of other shards', () => {
    const [own, other] = [1, 2].map((index) => {
      const report = reported(
        ({ ledger }) => void ledger.book('ERR-04', SPOT, holds(), [exchangeWith()]),
        {},
        { shard: { index, count: 2 } },
      );
      expect(reportProblems(report)).toEqual([]);
      return report;
    });
    const isOwner = own?.operations.some(({ operation }) => operation === LIST) === true;
    const [owner, seer] = isOwner ? [own, other] : [other, own];
    expect(owner).not.toHaveProperty('elsewhere');
    expect(seer?.elsewhere).toMatchObject([
      { operation: LIST, tested: false, reasonCode: 'sharded', clauses: { 'ERR-04': { status: 'pass', checks: 1 } } },
    ]);
    expect(seer?.counts.operations).toBe(seer?.operations.length);
  });

  it('names a service without a description, which is not testable', () => {
    expect(reported(nothing).services).toMatchObject([
      { name: 'admin', testable: true, operations: shop.operations.length },
      { name: 'store', testable: false, reason: 'its description is pending', operations: 0 },
    ]);
  });
});

it.each([
  ['target-lost', 'the target was lost before it was deleted'],
  ['time-limit', 'it was not deleted in time'],
] as const)('what is left after the end by %s is told with that', (reasonCode, reason) => {
  const made = exchangeWith({
    plan: { method: 'POST', path: '/api/v1/products', operation: 'POST /api/v1/products' },
    ...{ status: 201, body: { id: 'prd_1' } },
  });
  const { created } = reported(({ events }) => events.tell({ kind: 'exchange', exchange: made }), {
    ended: { reasonCode, reason: 'gone' },
  });
  expect(created?.operations[0]?.reasons).toEqual([reason]);
});
