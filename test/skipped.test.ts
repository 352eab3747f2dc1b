// What the user leaves out is never called, whatever a run could learn from it, and is told with its reason.
import { beforeAll, expect, test } from 'vitest';
import type { Report } from '../src/contract/report.ts';
import { readModel } from '../src/platform/schema/model.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';

const SKIPPED = [
  { operations: 'GET /api/v1/stores', reason: 'slow on staging' },
  { operations: 'DELETE /api/v1/stores/*', reason: 'shared stores' },
  { operations: '/api/v1/reports/*', reason: 'billed' },
];

let report: Report;

beforeAll(async () => {
  report = await simulate({
    documents: await readModel({}, null),
    deviations: [],
    seed: 1,
    world: WORLDS.calm,
    options: { budget: 500, skipped: SKIPPED },
  });
});

test('a skipped operation is called by nothing, neither to look for the target nor to clean up', () => {
  const rows = report.operations.filter(({ reasonCode }) => reasonCode === 'filtered');
  expect(rows.map(({ operation }) => operation)).toContain('GET /api/v1/stores');
  expect(rows.map(({ operation }) => operation)).toContain('DELETE /api/v1/stores/{storeId}');
  expect(rows.map(({ requests, tested }) => ({ requests, tested }))).toEqual(
    rows.map(() => ({ requests: 0, tested: false })),
  );
  expect(
    report.exchanges.map(({ request }) => request.method === 'DELETE' && new URL(request.url).pathname),
  ).not.toContainEqual(expect.stringMatching(/^\/api\/v1\/stores\/[^/]+$/));
});

test('it is named with its reason and counts as not tested, and the rest is judged', () => {
  const row = report.operations.find(({ operation }) => operation === 'GET /api/v1/stores');
  expect(row).toMatchObject({ tested: false, reasonCode: 'filtered', reason: 'slow on staging' });
  expect(report.run.filters?.excluded).toContain('DELETE /api/v1/stores/*: shared stores');
  expect(report.counts.operationsTested).toBeLessThan(report.counts.operations);
  expect(report.counts.operationsTested).toBeGreaterThan(30);
  expect({ verdict: report.verdict, errors: report.harnessErrors ?? [] }).toEqual({ verdict: 'pass', errors: [] });
});

test('what is left on the target because its DELETE is skipped is listed', () => {
  const stores = report.created?.operations.find(({ operation }) => operation === 'POST /api/v1/stores');
  expect(stores?.left).toBeGreaterThan(0);
  expect(stores?.left).toBe(stores?.made);
});
