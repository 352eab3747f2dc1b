// COND on traffic that others made: what a recording shows of entity tags is judged by the laws of a run.
import { expect, test } from 'vitest';
import { type HarEntry, seenInHar } from '../../src/cli/traffic/har-entry.ts';
import { simulatedClock } from '../../src/clock/simulated.ts';
import { contractOf } from '../../src/config/contract-file.ts';
import { createRedactor } from '../../src/exchange/redaction.ts';
import { withClaims } from '../../src/run/plan/claims.ts';
import { trafficReport } from '../../src/run/traffic/report.ts';
import type { Seen } from '../../src/run/traffic/seen.ts';
import { TrafficJudge } from '../../src/run/traffic/traffic-judge.ts';
import { loadShop } from '../support/probes/world.ts';
import { configWith, optionsWith } from '../support/run/test-config.ts';
import { type Call, chromeEntry, SHOP } from './recorded.ts';

const openapi = contractOf('openapi', '.');
const stated = {
  ...openapi,
  file: 'docs.yaml',
  terms: { ...openapi.terms, conditional: ['GET /docs/*', 'PATCH /docs/*'] },
};
const config = configWith({
  ...{ contract: 'openapi', stated, target: { baseUrl: SHOP, docsUrl: null, environment: 'local' } },
});
const text = { type: 'string' };
const json = { content: { 'application/json': { schema: { type: 'object', properties: { id: text, title: text } } } } };
const shown = { responses: { 200: { description: 'One', ...json } } };
const descriptions = withClaims(config, [
  await loadShop({
    '/docs': { post: { requestBody: json, responses: { 201: { description: 'Made', ...json } } } },
    '/docs/{docId}': {
      parameters: [{ name: 'docId', in: 'path', required: true, schema: text }],
      ...{ get: shown, patch: { requestBody: json, ...shown } },
    },
  }),
]);

type Timed = Call & { readonly at: number; readonly isUnchanged?: true };

/** A 304 as a proxy sees it: that of a browser shows what it had kept. */
function seenOf(call: Timed): Seen {
  const seen = seenInHar(chromeEntry(call, call.at) as unknown as HarEntry, 'a.har#/log/entries/0');
  if (call.isUnchanged !== true || typeof seen.answer === 'string') return seen;
  return { ...seen, answer: { ...seen.answer, status: 304, body: { content: '', isWhole: true } } };
}

function judged(calls: readonly Timed[]) {
  const judge = new TrafficJudge({
    ...{ config, options: optionsWith({}), descriptions, checks: [], redactor: createRedactor() },
    ...{ clock: simulatedClock(), bases: [], seesTokens: false },
  });
  judge.beginFile();
  for (const call of calls) judge.observe(seenOf(call));
  const times = { startedAtMs: 0, endedAtMs: 1, cut: null, notes: [] };
  const { clauses, findings } = trafficReport(judge, { command: 'check', runId: 'run-1', ...times });
  judge.close();
  const statusOf = (clause: string) => clauses.find(({ id }) => id === clause)?.status;
  const codes = findings.flatMap(({ code = '', kind }) => (kind === 'violation' ? [code] : []));
  return [statusOf('COND-02'), statusOf('COND-03'), codes];
}

const asJson = { 'content-type': 'application/json' };
const doc = (title: string) => ({ id: 'doc_1', title });
const make: Timed = {
  ...{
    at: 0,
    method: 'POST',
    path: '/docs',
    status: 201,
    sent: { title: 'A' },
    body: doc('A'),
    requestHeaders: asJson,
  },
};
const change: Timed = {
  ...{ at: 8, method: 'PATCH', path: '/docs/doc_1', sent: { title: 'B' }, body: doc('B'), requestHeaders: asJson },
};
const read = (at: number, title: string, tag: string | null, named?: string): Timed => ({
  ...{ at, path: '/docs/doc_1', body: doc(title), headers: tag === null ? {} : { etag: tag } },
  requestHeaders: named === undefined ? {} : { 'if-none-match': named },
});
const same = (at: number, named: string): Timed => ({ ...read(at, 'A', named, named), isUnchanged: true });
const changedTo = (etag: string, body: unknown = doc('B')): Timed => ({ ...change, body, headers: { etag } });

test('tags that tell states apart, and readings that name a former one, are sound', () => {
  const calls = [
    make,
    read(1, 'A', '"1"'),
    read(2, 'A', '"1"'),
    change,
    read(14, 'B', '"2"'),
    read(15, 'B', '"2"', '"1"'),
  ];
  expect(judged(calls)).toEqual(['pass', 'pass', []]);
});

test.each([
  ['a tag that stays after a change', [read(1, 'A', '"1"'), change, read(14, 'B', '"1"')], 'cond-03.same'],
  ['another tag of the same state', [read(1, 'A', '"1"'), read(2, 'A', '"2"')], 'cond-03.differs'],
  ['a reading without a tag', [read(1, 'A', null)], 'cond-02.no-tag'],
  [
    'a full answer to one that names the present state',
    [read(1, 'A', '"1"'), read(2, 'A', '"1"', 'W/"1"')],
    'cond-02.sent-again',
  ],
  [
    'a 304 that names the state before a write which told another tag',
    [read(1, 'A', '"1"'), changedTo('"2"', { done: true }), same(14, '"1"')],
    'cond-02.stale',
  ],
  [
    'the same where the answer shows the change',
    [read(1, 'A', '"1"'), changedTo('W/"2"'), same(14, '"1"')],
    'cond-02.stale',
  ],
])('%s is a breach', (_what, calls, code) => {
  expect(judged([make, ...calls])[2]).toEqual([code]);
});

test.each([
  ['before the change was copied everywhere', [changedTo('"2"'), same(9, '"1"')]],
  ['where the write tells the present tag', [changedTo('"2"'), same(14, '"2"')]],
  ['where the write changed nothing', [changedTo('"2"', doc('A')), same(14, '"1"')]],
  ['where the write has a weak tag of its own answer', [changedTo('W/"2"', { done: true }), same(14, '"1"')]],
])('a 304 is no breach %s', (_when, calls) => {
  expect(judged([make, read(1, 'A', '"1"'), ...calls])[2]).toEqual([]);
});

test('a weak tag that stays is none, nor is a member that changes by itself', () => {
  expect(judged([make, read(1, 'A', 'W/"1"'), change, read(14, 'B', 'W/"1"')])[2]).toEqual([]);
  expect(judged([make, read(1, 'A', '"1"'), read(2, 'A2', '"2"'), read(3, 'A3', '"2"')])[2]).toEqual([]);
});
