// LIFE on traffic that others made: what was made in a recording is judged by the laws of a run, and no request is sent for it.
import { describe, expect, test } from 'vitest';
import { type HarEntry, seenInHar } from '../../src/cli/traffic/har-entry.ts';
import { simulatedClock } from '../../src/clock/simulated.ts';
import { builtinConfig } from '../../src/config/load.ts';
import type { Report } from '../../src/contract/report.ts';
import { createRedactor } from '../../src/exchange/redaction.ts';
import { trafficReport } from '../../src/run/traffic/report.ts';
import { TrafficJudge } from '../../src/run/traffic/traffic-judge.ts';
import { loadShop } from '../support/probes/world.ts';
import { optionsWith } from '../support/run/test-config.ts';
import { type Call, chromeEntry, notFound, SHOP } from './recorded.ts';

const CONFIG = { ...builtinConfig(SHOP, {}), promote: ['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-04', 'LIFE-07'] };
const text = { type: 'string' };
const own = { name: text, domain: text, description: text };
const schema = { type: 'object', properties: { id: { type: 'string', readOnly: true }, ...own } };
const json = { content: { 'application/json': { schema } } };
const answered = { responses: { 200: { description: 'One', ...json } } };
const descriptions = [
  await loadShop({
    '/api/v1/stores': { post: { requestBody: json, responses: { 201: { description: 'Made', ...json } } } },
    '/api/v1/stores/{storeId}': {
      parameters: [{ name: 'storeId', in: 'path', required: true, schema: text }],
      get: answered,
      patch: { requestBody: json, ...answered },
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  }),
];

/** A call, and the second of the recording in which it was sent. */
type Timed = Call & { readonly at: number };

function judged(calls: readonly Timed[]): Report {
  const judge = new TrafficJudge({
    ...{ config: CONFIG, options: optionsWith({}), descriptions, checks: [], redactor: createRedactor() },
    ...{ clock: simulatedClock(), bases: [], seesTokens: false },
  });
  judge.beginFile();
  for (const [index, call] of calls.entries())
    judge.observe(seenInHar(chromeEntry(call, call.at) as unknown as HarEntry, `a.har#/log/entries/${index}`));
  const times = { startedAtMs: 0, endedAtMs: 1, cut: null, notes: [] };
  const report = trafficReport(judge, { command: 'check', runId: 'run-1', ...times });
  judge.close();
  return report;
}

const lifeCodes = (calls: readonly Timed[]): readonly string[] =>
  judged(calls).findings.flatMap(({ code = '', kind }) =>
    code.startsWith('life-') && kind === 'violation' ? [code] : [],
  );

const COLLECTION = '/api/v1/stores';
const ITEM = `${COLLECTION}/str_1`;
const sent = { name: 'A shop', domain: 'a-shop.test', description: 'Sells things' };
const store = (more: object = {}) => ({ id: 'str_1', ...sent, ...more });
const asJson = { requestHeaders: { 'content-type': 'application/json' } };
const make: Timed = { ...asJson, at: 0, method: 'POST', path: COLLECTION, status: 201, sent, body: store() };
const read = (at: number, more: object = {}): Timed => ({ at, path: ITEM, body: store(more) });
const missing = (at: number): Timed => ({ ...notFound(ITEM), at });
const change = (at: number, members: object): Timed => ({
  ...{ ...asJson, at, method: 'PATCH', path: ITEM, sent: members, body: store(members) },
});
const remove = (at: number): Timed => ({ at, method: 'DELETE', path: ITEM, status: 204 });
/** Shows that ids of answers are what paths take. */
const readBefore: readonly Timed[] = [
  { ...make, body: { ...store(), id: 'str_0' }, sent: { ...sent, name: 'Another' } },
  { at: 1, path: `${COLLECTION}/str_0`, body: { ...store(), id: 'str_0', name: 'Another' } },
];

describe('what a recording shows of an item', () => {
  test('is no breach where the target keeps what it is sent', () => {
    const calls = [make, read(6), change(7, { name: 'B' }), read(13, { name: 'B' }), remove(14), missing(20)];
    const report = judged(calls);
    expect(report.findings.filter(({ clause }) => clause.startsWith('LIFE-'))).toEqual([]);
    const rows = report.clauses.filter(({ id }) => ['LIFE-01', 'LIFE-02', 'LIFE-04'].includes(id));
    expect(rows.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass']);
  });

  test('is told to be out of order where calls stand before what was sent before them', () => {
    const calls = [make, read(6), change(7, { name: 'B' }), read(13, { name: 'B' })];
    expect(judged(calls).run.note).toBeUndefined();
    expect(judged(calls.toReversed()).run.note).toMatch(/^3 stand behind what was sent after them: .* sorted by time$/);
    // Recorders that write an answer once it is whole put a slow one behind those that came meanwhile.
    const slow = { ...make, entry: { time: 7000 } };
    expect(judged([read(6), slow, change(7, { name: 'B' })]).run.note).toBeUndefined();
  });

  test('fails LIFE-01 where what was made is not read back', () => {
    expect(lifeCodes([...readBefore, { ...make, at: 2 }, missing(9)])).toEqual(['life-01.unreadable']);
  });

  /** What was there before the recording, read by the last part of its path. */
  const known = (segment: string): Timed => ({ at: 0, path: `${COLLECTION}/${segment}`, body: store({ id: 'str_7' }) });
  const keyed = { requestHeaders: { ...asJson.requestHeaders, 'idempotency-key': 'key-1' } };

  test('fails LIFE-01 where another was read by such an id, and the create was sent again under its key', () => {
    const again = [1, 2].map((at): Timed => ({ ...make, ...keyed, at }));
    expect(lifeCodes([known('str_7'), ...again, missing(9)])).toEqual(['life-01.unreadable']);
    expect(lifeCodes([known('a-shop'), ...again, missing(9)])).toEqual([]);
  });

  test('is no breach where a create is answered as before once what it made was deleted', () => {
    const calls = [{ ...make, ...keyed }, read(6), remove(7), missing(13), { ...make, ...keyed, at: 14 }, missing(20)];
    expect(lifeCodes(calls)).toEqual([]);
    expect(lifeCodes([...calls.slice(0, 4), { ...make, at: 14 }, missing(20)])).toEqual(['life-01.unreadable']);
  });

  test('fails LIFE-02 where another value is read than was sent', () => {
    expect(lifeCodes([make, read(6), change(7, { name: 'B' }), read(13)])).toEqual(['life-02.other.name']);
  });

  test.each([
    ['each time', 'Z'],
    ['once the update shows', 'A shop'],
  ])('fails LIFE-02 where another value stands %s', (_when, first) => {
    const readings = [read(8, { name: first }), read(13, { name: 'Z' })];
    expect(lifeCodes([make, read(6), change(7, { name: 'B' }), ...readings])).toEqual(['life-02.other.name']);
  });

  test('fails LIFE-03 where an update changes late what it did not send', () => {
    const late = [read(8, { name: 'B' }), read(13, { name: 'B', description: 'Nothing at all' })];
    expect(lifeCodes([make, read(6), change(7, { name: 'B' }), ...late])).toEqual([]);
    const other = read(20, { name: 'C', description: 'Nothing at all' });
    const again = [change(14, { name: 'C' }), other, change(21, { name: 'D' }), read(27, { name: 'D' })];
    const calls = [make, read(6), change(7, { name: 'B' }), ...late, ...again];
    expect(lifeCodes(calls)).toEqual(['life-03.changed.description']);
  });

  test('fails LIFE-03 where an update changes what it did not send', () => {
    const calls = [make, read(6), change(7, { name: 'B' }), read(13, { name: 'B', description: 'Nothing at all' })];
    expect(lifeCodes(calls)).toEqual(['life-03.changed.description']);
  });

  test('fails LIFE-04 where what was deleted can be read', () => {
    expect(lifeCodes([make, read(6), remove(7), read(13)])).toEqual(['life-04.still-served']);
  });
});

describe('nothing is told', () => {
  test('of what is looked at before the target had its time', () => {
    expect(lifeCodes([...readBefore, { ...make, at: 2 }, missing(4)])).toEqual([]);
    expect(lifeCodes([make, read(6), change(7, { name: 'B' }), read(8)])).toEqual([]);
  });

  test('of what others may have changed meanwhile, or made', () => {
    expect(lifeCodes([make, read(6), change(7, { name: 'B' }), read(100)])).toEqual([]);
    expect(lifeCodes([read(0), change(1, { name: 'B' }), read(7)])).toEqual([]);
  });

  test('of what changes with time: it shows one value after another without a write', () => {
    const running = [change(7, { name: 'BBB' }), read(8, { name: 'BB' }), read(13, { name: 'A shop' })];
    expect(lifeCodes([make, read(6), ...running])).toEqual([]);
    const beside = [change(14, { description: 'C' }), read(20, { name: 'B', description: 'C' })];
    expect(lifeCodes([make, read(6), ...running, ...beside])).toEqual([]);
  });

  test('of what is asked for with other credentials', () => {
    const other = { requestHeaders: { authorization: 'Bearer somebody-else' } };
    expect(lifeCodes([...readBefore, { ...make, at: 2 }, { ...missing(9), ...other }])).toEqual([]);
  });

  test('of what somebody else changed or deleted meanwhile', () => {
    const other = { requestHeaders: { ...asJson.requestHeaders, authorization: 'Bearer somebody-else' } };
    expect(lifeCodes([make, { ...change(3, { name: 'B' }), ...other }, read(9, { name: 'B' })])).toEqual([]);
    expect(lifeCodes([make, { ...change(3, { name: 'B' }), ...other, status: 403 }, read(9, { name: 'B' })])).toEqual([
      'life-02.other.name',
    ]);
    expect(lifeCodes([...readBefore, { ...make, at: 2 }, { ...remove(3), ...other }, missing(9)])).toEqual([]);
  });
});

test('a recording in which nothing is made says so', () => {
  const row = judged([read(0)]).clauses.find(({ id }) => id === 'LIFE-01');
  expect(row?.reason).toBe('no item was made, and looked at once the target had had the time to show what was done');
});
