// What the configuration fixes for an operation stands in every valid request of it, is never varied, and accuses nobody.
import { beforeAll, describe, expect, test } from 'vitest';
import type { OperationConfig } from '../src/config/config.ts';
import type { Report, ReportedExchange } from '../src/contract/report.ts';
import { readModel } from '../src/platform/schema/model.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';

const NOTHING = { body: {}, parameters: {}, key: null };
const FIXED: readonly OperationConfig[] = [
  { ...NOTHING, operations: '/api/v1/stores*', body: { currency: 'USD' }, key: 'std-1' },
  { ...NOTHING, operations: 'POST /api/v1/stores', body: { name: 'The only store', currency: 'EUR' } },
  { ...NOTHING, operations: 'GET /api/v1/ai/search', parameters: { q: 'chairs' } },
];

async function judged(operations: readonly OperationConfig[], budget: number | null): Promise<Report> {
  const documents = await readModel({}, null);
  const options = { budget, operations: ['/api/v1/stores', 'GET /api/v1/ai/search'] };
  return simulate({ documents, deviations: [], seed: 1, world: WORLDS.calm, settings: { operations }, options });
}

describe('fixed members and keys', () => {
  let report: Report;
  beforeAll(async () => {
    report = await judged(FIXED, null);
  });

  const isServed = ({ request, response }: ReportedExchange): boolean =>
    request.method === 'POST' && /\/api\/v1\/stores$/.test(request.url) && (response?.status ?? 599) < 300;

  test('stand in every request that is served; a later entry wins', () => {
    const bodies = report.exchanges.filter(isServed).map(({ request }) => JSON.parse(request.body ?? '{}'));
    expect(bodies.length).toBeGreaterThan(0);
    expect(new Set(bodies.map(({ name }) => name))).toEqual(new Set(['The only store']));
    expect(new Set(bodies.map(({ currency }) => currency))).toEqual(new Set(['EUR']));
  });

  test('leave their targets open, with the reason', () => {
    const row = report.operations.find(({ operation }) => operation === 'POST /api/v1/stores');
    const open = row?.inputs?.open.filter(({ at }) => at === '/body/name') ?? [];
    expect(open.map(({ kind }) => kind)).toContain('maximum length');
    expect(new Set(open.map(({ note }) => note))).toContain('the configuration fixes its value');
  });

  test('accuse nobody, and hide nothing that is judged otherwise', async () => {
    const plain = await judged([], null);
    const tested = ({ clauses }: Report) => clauses.filter(({ status }) => status !== 'not-tested').map(({ id }) => id);
    expect({ verdict: report.verdict, errors: report.harnessErrors ?? [] }).toEqual({ verdict: 'pass', errors: [] });
    expect(tested(report)).toEqual(tested(plain));
  });
});

test.each([
  [{ operations: 'POST /api/v1/storez' }, 'operations[0] (/operations/0): "POST /api/v1/storez"'],
  [{ operations: 'POST /api/v1/stores', key: 'std-9' }, 'key "std-9" is not configured'],
  [{ operations: 'POST /api/v1/stores', parameters: { page: 1 } }, 'parameter "page" is described for none'],
  [{ operations: 'GET /api/v1/stores', body: { name: 'x' } }, 'none of the operations that match takes a body'],
])('an entry that cannot hold is refused: %j', async (entry, told) => {
  await expect(judged([{ ...NOTHING, ...entry }], 10)).rejects.toThrow(told);
});
