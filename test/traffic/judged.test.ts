// The verdict on traffic that others made: what breaks the contract is found, and what only a browser or a recording does is not.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { type HarEntry, seenInHar } from '../../src/cli/traffic/har-entry.ts';
import { simulatedClock } from '../../src/clock/simulated.ts';
import type { Config, SkipConfig } from '../../src/config/config.ts';
import { builtinConfig } from '../../src/config/load.ts';
import type { Report } from '../../src/contract/report.ts';
import { createRedactor } from '../../src/exchange/redaction.ts';
import type { Description } from '../../src/openapi/model/operation.ts';
import { assertValid } from '../../src/reporters/formats/json.ts';
import { trafficReport } from '../../src/run/traffic/report.ts';
import type { Seen } from '../../src/run/traffic/seen.ts';
import { TrafficJudge } from '../../src/run/traffic/traffic-judge.ts';
import { blamed } from '../mutant.ts';
import { loadShop } from '../support/probes/world.ts';
import { optionsWith } from '../support/run/test-config.ts';
import { type Call, chromeEntry, LIMITS, LOG_PAGE, notFound, SHOP, TOKEN } from './recorded.ts';

const CONFIG = builtinConfig(SHOP, {});
const descriptions = await loadDescriptions(CONFIG);

interface Given {
  readonly config?: Partial<Config>;
  readonly clauses?: readonly string[];
  readonly services?: readonly string[];
  readonly skipped?: readonly SkipConfig[];
  readonly seesTokens?: boolean;
  readonly files?: readonly (readonly Call[])[];
  readonly described?: readonly Description[];
}

/** The report on the calls, each as Chrome records it a second after the one before. */
function judged(calls: readonly Call[], given: Given = {}): Report {
  const { files = [calls] } = given;
  const seenIn = (call: Call, index: number): Seen =>
    seenInHar(chromeEntry(call, index) as unknown as HarEntry, `a.har#/log/entries/${index}`);
  return judgedSeen([], { ...given, seen: files.map((file) => file.map(seenIn)) });
}

function judgedSeen(
  all: readonly Seen[],
  given: Given & { readonly seen?: readonly (readonly Seen[])[] } = {},
): Report {
  const { config = {}, clauses = [], services = [], skipped = [], seesTokens = false, seen = [all] } = given;
  const { described = descriptions } = given;
  const judge = new TrafficJudge({
    ...{
      config: { ...CONFIG, ...config },
      options: optionsWith({ clauses, services, skipped }),
      descriptions: described,
      checks: [],
    },
    ...{ redactor: createRedactor(), clock: simulatedClock(), bases: [], seesTokens },
  });
  for (const file of seen) {
    judge.beginFile();
    for (const one of file) judge.observe(one);
  }
  const report = trafficReport(judge, {
    ...{ command: 'check', runId: 'run-1', startedAtMs: 0, endedAtMs: 1, cut: null, notes: [] },
  });
  judge.close();
  assertValid(report);
  return report;
}

const row = (report: Report, clause: string) => report.clauses.find(({ id }) => id === clause);
const anonymous = { authorization: '' };
const withoutToken = (call: Call): Call => {
  const entry = chromeEntry(call) as { request: { headers: { name: string }[] } };
  const headers = entry.request.headers.filter(({ name }) => name !== 'authorization');
  return { ...call, entry: { request: { ...entry.request, headers } } };
};

describe('traffic that keeps the contract', () => {
  const report = judged([LOG_PAGE, notFound('/api/v1/nowhere'), { ...LOG_PAGE, path: '/api/v1/auth/activity/logs' }]);

  test('passes, and says what it rests on', () => {
    expect(report.verdict).toBe('pass');
    expect(judged([LOG_PAGE]).verdict).toBe('pass');
    expect(row(judged([LOG_PAGE]), 'PAG-01')).toMatchObject({ status: 'pass', checks: 6, operationsTested: 1 });
    expect(judged([LOG_PAGE]).counts).toMatchObject({ requests: 1, operationsTested: 1, operationsSucceeded: 1 });
  });

  test('leaves clauses that need requests to conform, and has a row for each', () => {
    const why = 'needs requests of its own, which assay conform sends';
    expect(row(report, 'IDEM-07')).toMatchObject({ reasonCode: 'other-command', reason: why });
    expect(row(report, 'HOOK-01')?.reason).toBe('judged by assay webhooks');
    expect(new Set(report.clauses.map(({ id }) => id)).size).toBe(report.clauses.length);
  });
});

describe('an operation that skip leaves out', () => {
  const skipped = [{ operations: 'GET /api/v1/auth/activity/logs', reason: 'a report that is being rebuilt' }];
  const broken: Call = { ...LOG_PAGE, status: 500, content: { size: 9, text: undefined } };

  test('is not judged, and named with its reason and what was seen of it', () => {
    const report = judged([broken, notFound('/api/v1/nowhere')], { skipped });
    expect(report.counts).toMatchObject({ requests: 1, violations: 0 });
    const told = report.operations.find(({ operation }) => operation === skipped[0]?.operations);
    expect(told).toMatchObject({ tested: false, requests: 0, reasonCode: 'filtered', reason: skipped[0]?.reason });
    expect(report.run.filters?.excluded).toEqual(['GET /api/v1/auth/activity/logs: a report that is being rebuilt']);
    expect(report.run.note).toContain('1 not judged, for each belongs to an operation that `skip` leaves out');
    expect(judged([broken]).verdict).toBe('fail');
  });

  test('counts as nothing tested', () => {
    expect(judged([broken], { skipped })).toMatchObject({ verdict: 'none', counts: { operationsTested: 0 } });
  });
});

describe('a breach that one exchange shows', () => {
  const CASES: readonly (readonly [string, string, Call])[] = [
    ['an error with another status', 'ERR-04', notFound('/api/v1/x', { status: 400 })],
    ['an error without its envelope', 'ERR-01', { path: '/api/v1/x', status: 404, body: '<h1>no</h1>' }],
    ['a 500', 'SCH-06', { path: '/api/v1/stores', status: 500, content: { size: 9, text: undefined } }],
    ['a page that counts wrongly', 'PAG-04', { ...LOG_PAGE, body: { ...(LOG_PAGE.body as object), total_pages: 9 } }],
    ['a member of the wrong type', 'PAG-01', { ...LOG_PAGE, body: { ...(LOG_PAGE.body as object), total: '2' } }],
    ['an announced end', 'VER-02', { ...LOG_PAGE, headers: { Sunset: 'Sat, 31 Dec 2033 23:59:59 GMT' } }],
    ['a limit below what remains', 'RATE-02', { ...LOG_PAGE, headers: { 'X-RateLimit-Remaining': '101' } }],
    ['its own token', 'ERR-12', notFound('/api/v1/x', { hint: `you sent ${TOKEN}` })],
    ['an answer that begins after 30 s', 'REQ-09', { ...LOG_PAGE, entry: { time: 31_000, timings: { wait: 30_500 } } }],
  ];

  test.each(CASES)('%s is found', (_what, clause, call) => {
    const report = judged([LOG_PAGE, call]);
    expect(report.verdict).toBe('fail');
    expect(blamed(report)).toContain(clause);
    const violations = report.findings.filter(({ kind }) => kind === 'violation');
    expect(violations.every(({ exchanges }) => exchanges.length > 0)).toBe(true);
  });

  test('names the entry that shows it', () => {
    const report = judged([LOG_PAGE, notFound('/api/v1/x', { status: 400 })]);
    expect(report.exchanges.map(({ probe }) => probe)).toContain('a.har#/log/entries/1');
  });
});

describe('laws over several exchanges', () => {
  test('two requests never share an id', () => {
    const errors = ['/api/v1/x', '/api/v1/y'].map((path) => notFound(path, { request_id: 'req_1' }));
    expect(blamed(judged([LOG_PAGE, ...errors]))).toEqual(['ERR-06']);
  });

  test('one request in two files is one', () => {
    const file = [LOG_PAGE, notFound('/api/v1/x')];
    const report = judged([], { files: [file, file] });
    expect(report).toMatchObject({ verdict: 'pass', counts: { requests: 2 } });
    expect(report.run.note).toContain('2 not judged, for each is recorded a second time');
  });

  test('an entry that stands twice in a file is one, and two answers in one moment are two', () => {
    const at = { startedDateTime: new Date(Date.UTC(2026, 10, 22, 10)).toISOString() };
    const error = (id: string) => ({ ...notFound('/api/v1/x', { request_id: id }), entry: at });
    expect(judged([error('req_1'), error('req_1')])).toMatchObject({ counts: { requests: 1, violations: 0 } });
    expect(judged([error('req_1'), error('req_2')]).counts.requests).toBe(2);
  });

  const remaining = (left: number, second: number, more: Partial<Call> = {}): Call => ({
    ...LOG_PAGE,
    headers: {
      ...LIMITS,
      'X-RateLimit-Remaining': String(left),
      'X-RateLimit-Reset': String(Date.UTC(2026, 10, 22, 11) / 1000),
      Date: new Date(Date.UTC(2026, 10, 22, 10, 0, second)).toUTCString(),
    },
    ...more,
    entry: { startedDateTime: new Date(Date.UTC(2026, 10, 22, 10, 0, second)).toISOString(), ...more.entry },
  });
  const rising = [remaining(50, 0), remaining(49, 1), remaining(90, 2), remaining(89, 3), remaining(88, 4)];

  test('what remains does not rise before its reset', () => {
    expect(blamed(judged(rising))).toEqual(['RATE-03']);
  });

  test('is not judged where times are missing, or where answers are not in order', () => {
    const untimed = rising.map((call, index) => (index === 1 ? { ...call, entry: { ...call.entry, time: 0 } } : call));
    expect(judged(untimed)).toMatchObject({
      verdict: 'pass',
      run: { note: expect.stringContaining('does not tell when') },
    });
  });
});

describe('what a browser does', () => {
  const html = { body: '<html>', headers: { 'content-type': 'text/html', Link: '</a>; rel=preload', Sunset: 'x' } };
  const ODD: readonly (readonly [string, Call])[] = [
    [
      'a preflight that is refused',
      {
        ...html,
        method: 'OPTIONS',
        path: '/api/v1/stores',
        status: 403,
        requestHeaders: { 'access-control-request-method': 'POST' },
      },
    ],
    ['a page of the site', { ...html, path: '/' }],
    ['a picture that is not there', { ...html, path: '/favicon.ico', status: 404 }],
    ['an answer from a cache', { ...html, path: '/api/v1/stores', entry: { _fromCache: 'memory' } }],
    ['an answer that has not changed', { path: '/api/v1/stores', status: 304, headers: { 'X-RateLimit-Limit': '' } }],
    ['a blocked request', { path: '/api/v1/stores', status: 0, response: { headers: [] } }],
    ['another host', { ...html, url: 'https://cdn.test/api/v1/stores', status: 500 }],
    ['a WebSocket', { url: 'ws://shop.test/api/v1/live', status: 101 }],
    ['data in a URL', { url: 'data:text/plain,a', status: 200 }],
    ['an error whose body was not recorded', { path: '/api/v1/x', status: 404, content: { size: 0, text: undefined } }],
    ['a body that was cut', { ...LOG_PAGE, body: '{"data":[', content: { size: 4000 } }],
    [
      'a body in base64',
      {
        ...LOG_PAGE,
        content: { text: Buffer.from(JSON.stringify(LOG_PAGE.body)).toString('base64'), encoding: 'base64' },
      },
    ],
    ['a decoded body that is called compressed', { ...LOG_PAGE, headers: { 'content-encoding': 'br' } }],
    [
      'a decoded body in base64 that is called compressed',
      {
        ...{ path: LOG_PAGE.path, headers: { 'content-encoding': 'br' } },
        content: { text: Buffer.from(JSON.stringify(LOG_PAGE.body)).toString('base64'), encoding: 'base64' },
      },
    ],
    ['headers that were not recorded', { ...LOG_PAGE, response: { headers: [] } }],
    ['a token that was taken out', { ...LOG_PAGE, requestHeaders: anonymous }],
    ['a token that was masked', { ...LOG_PAGE, requestHeaders: { authorization: 'Bearer [REDACTED]' } }],
  ];

  test.each(ODD)('%s is no breach', (_what, call) => {
    const report = judged([call, LOG_PAGE]);
    expect({ verdict: report.verdict, blamed: blamed(report) }).toEqual({ verdict: 'pass', blamed: [] });
  });

  test('is counted and told', () => {
    expect(judged([...ODD.map(([, call]) => call), LOG_PAGE]).run.note).toMatch(
      /https:\/\/cdn\.test \(1\).*preflight.*page or a file of a site.*without their bodies/s,
    );
  });
});

test('a body that is too large to be judged is told, and one that is nearly so is judged', () => {
  const wrong = (values: number) => {
    const body = { ...(LOG_PAGE.body as object), note: Array.from({ length: values }, () => 0), total: '2' };
    return judged([LOG_PAGE, { ...LOG_PAGE, body }]);
  };
  expect(blamed(wrong(299_000))).toContain('PAG-01');
  expect(wrong(300_001)).toMatchObject({
    verdict: 'pass',
    run: {
      note: expect.stringContaining('1 judged without their bodies, which were not recorded whole or are too large'),
    },
  });
});

describe('AUTH-01', () => {
  const served: Call = { ...LOG_PAGE, requestHeaders: anonymous };

  test('is broken by a success without a token, where tokens show', () => {
    expect(blamed(judged([LOG_PAGE, withoutToken(served)]))).toEqual(['AUTH-01']);
    expect(blamed(judged([withoutToken(served)], { seesTokens: true }))).toEqual(['AUTH-01']);
  });

  test('is not judged where no request shows one, or where something else may entitle', () => {
    const without = withoutToken(served);
    const cookie = {
      ...without,
      entry: {
        request: {
          ...(without.entry?.request as object),
          headers: [
            { name: ':authority', value: 'shop.test' },
            { name: 'cookie', value: 'session=abcdefgh12345678' },
          ],
        },
      },
    };
    const request = {
      ...(without.entry?.request as object),
      cookies: [{ name: 'session', value: 'abcdefgh12345678' }],
    };
    expect(blamed(judged([without]))).toEqual([]);
    expect(blamed(judged([LOG_PAGE, cookie]))).toEqual([]);
    expect(blamed(judged([LOG_PAGE, { ...without, entry: { request } }]))).toEqual([]);
    const named = { ...(without.entry?.request as object), url: `http://ann:hidden-0123@shop.test${LOG_PAGE.path}` };
    const told = judged([LOG_PAGE, { ...without, entry: { request: named } }]);
    expect([blamed(told), JSON.stringify(told).includes('hidden-0123')]).toEqual([[], false]);
  });
});

describe('secrets of the traffic', () => {
  const SECRETS = [
    'cookie-0123456789',
    'refresh-9876543210',
    'hunter2-and-more',
    'query-0123456789',
    TOKEN,
    TOKEN.split('.')[1] ?? '',
  ];
  const login: Call = {
    ...{ method: 'POST', path: '/api/v1/session?api_key=query-0123456789', status: 500 },
    sent: { email: 'a@b.test', password: 'hunter2-and-more' },
    body: { error: { detail: 'refresh-9876543210', refresh_token: 'refresh-9876543210', seen: TOKEN } },
    requestHeaders: { cookie: 'sid=cookie-0123456789' },
    headers: { 'set-cookie': 'sid=cookie-0123456789; HttpOnly', 'x-trace': 'for cookie-0123456789' },
  };

  test('reach no report', () => {
    const text = JSON.stringify(judged([login, LOG_PAGE]));
    expect(text).toContain('/api/v1/session');
    for (const secret of SECRETS) expect(text).not.toContain(secret);
  });

  test('reach none either where the answer came compressed', () => {
    const body = { error: { detail: 'refresh-9876543210', refresh_token: 'refresh-9876543210' } };
    const call = { ...login, headers: { 'content-encoding': 'gzip' } };
    const seen = seenInHar(chromeEntry(call) as unknown as HarEntry, 'request 1');
    if (typeof seen.answer === 'string') throw new Error(seen.answer);
    const content = gzipSync(JSON.stringify(body));
    const text = JSON.stringify(
      judgedSeen([{ ...seen, answer: { ...seen.answer, body: { content, isWhole: true } } }]),
    );
    expect(text).toContain('/api/v1/session');
    for (const secret of SECRETS) expect(text).not.toContain(secret);
  });

  const SENT: readonly (readonly [string, string, unknown])[] = [
    [
      'a part of a form',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhidden-0123\r\n--b--\r\n',
    ],
    ['a list', 'application/json', { recovery_tokens: ['other-4567', 'hidden-0123'] }],
    ['a number', 'application/json', { otp: 73519246 }],
    ['an object', 'application/json', { password: { current: 'hidden-0123' } }],
    ['JSON within JSON', 'application/json', { payload: JSON.stringify({ password: 'hidden-0123' }) }],
    ['GraphQL', 'application/json', { query: 'mutation { login(password: "hidden-0123") }' }],
    ['XML', 'application/xml', '<login><ns:password kind="a">hidden-0123</ns:password></login>'],
  ];

  test.each(SENT)('reach none from %s', (_where, type, sent) => {
    const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
    const entry = chromeEntry({ ...login, requestHeaders: { 'content-type': type } }) as { request: object };
    const call = { ...login, entry: { request: { ...entry.request, postData: { text }, bodySize: text.length } } };
    const told = JSON.stringify(judged([call, LOG_PAGE]));
    expect(told).toContain('redacted');
    expect(told).not.toMatch(/hidden-0123|other-4567|73519246/);
  });

  test('leave ordinary members as they are', () => {
    const sent = {
      max_tokens: 73519246,
      sessions: [{ id: 'plain-0123' }],
      author: 'plain-4567',
      note: '<b>plain-89ab</b>',
    };
    const told = JSON.stringify(judged([{ ...login, path: '/api/v1/session', sent }, LOG_PAGE]));
    for (const value of ['73519246', 'plain-0123', 'plain-4567', 'plain-89ab']) expect(told).toContain(value);
  });

  test('of a configured key are known by their digest', () => {
    const key = { name: 'std-1', plan: 'standard', token: TOKEN, tokenCommand: null, account: null, scheme: null };
    const report = judged([LOG_PAGE, notFound('/api/v1/x', { status: 1 })], { config: { keys: [key] } });
    expect(report.exchanges.map(({ credential }) => credential)).toContain('key std-1');
    expect(JSON.stringify(report)).not.toContain(TOKEN);
  });
});

describe('without a call of the target', () => {
  test('there is no verdict, and the hosts are named', () => {
    const report = judged([{ ...LOG_PAGE, url: 'https://other.test/api/v1/stores?token=abcdef' }]);
    expect(report.verdict).toBe('none');
    expect(report.run.note).toBe(
      'no exchange belongs to http://shop.test; the traffic goes to https://other.test (1): --base-url names the address of the target there',
    );
    expect(row(report, 'SPEC-01')?.checks).toBe(0);
  });

  test('there is none either where a filter leaves nothing', () => {
    expect(judged([LOG_PAGE], { services: ['ai'] }).verdict).toBe('none');
    expect(judged([]).run.note).toBe('no exchange was seen');
  });
});

test('a call that succeeds and that no description shows is observed, once for all ids', () => {
  const report = judged([LOG_PAGE, ...['1', '2'].map((id) => ({ path: `/api/v1/rates/${id}`, body: {} }))]);
  expect(report.verdict).toBe('pass');
  expect(report.findings.filter(({ code }) => code?.startsWith('spec-09.undescribed-call'))).toHaveLength(1);
});

describe('a call that is made again under its Idempotency-Key', () => {
  const STORES = '/api/v1/stores';
  const PAYMENT = '/api/v1/stores/process-payment';
  const create = (id: string, more: Partial<Call> = {}): Call => ({
    ...{ method: 'POST', path: STORES, status: 201, sent: { name: 'Shop' }, body: { id } },
    ...more,
    requestHeaders: { 'idempotency-key': 'key-1', ...more.requestHeaders },
  });
  const clauses = ['IDEM-01', 'IDEM-02', 'IDEM-05', 'IDEM-06'];
  const found = (...calls: readonly Call[]) => blamed(judged(calls, { clauses }));
  const checks = (clause: string, ...calls: readonly Call[]) => row(judged(calls, { clauses }), clause)?.checks;
  const at = (seconds: number, ms = 12.5) => ({
    startedDateTime: new Date(Date.UTC(2026, 10, 22, 10, 0, seconds)).toISOString(),
    time: ms,
  });

  test('is answered as before', () => {
    expect(found(create('st_1'), LOG_PAGE, create('st_1'))).toEqual([]);
    expect(checks('IDEM-01', create('st_1'), LOG_PAGE, create('st_1'))).toBe(2);
    expect(found(create('st_1'), LOG_PAGE, create('st_2'))).toEqual(['IDEM-01', 'IDEM-02']);
    expect(found(create('st_1'), create('st_1', { status: 200 }))).toEqual(['IDEM-01']);
    expect(found(create('st_1'), create('', { status: 409, body: { error: {} } }))).toEqual(['IDEM-01']);
  });

  test('pays once', () => {
    const pay = (id: string) => create(id, { path: PAYMENT, status: 200 });
    expect(found(pay('pay_1'), pay('pay_2'))).toEqual(['IDEM-01', 'IDEM-05']);
    expect(found(pay('pay_1'), pay('pay_1'))).toEqual([]);
  });

  const OTHER: readonly (readonly [string, readonly [Call, Call]])[] = [
    ['another key', [create('st_1'), create('st_2', { requestHeaders: { 'idempotency-key': 'key-2' } })]],
    ['another body', [create('st_1'), create('st_2', { sent: { name: 'Other' } })]],
    ['another query', [create('st_1'), create('st_2', { path: `${STORES}?draft=1` })]],
    [
      'another user',
      [create('st_1'), create('st_2', { requestHeaders: { authorization: 'Bearer another-token-0123' } })],
    ],
    [
      'no known user',
      [anonymous, anonymous].map((requestHeaders, index) => create(`st_${index}`, { requestHeaders })) as never,
    ],
    [
      'a key that was taken out',
      ['st_1', 'st_2'].map((id) => create(id, { requestHeaders: { 'idempotency-key': '[REDACTED]' } })) as never,
    ],
    ['a language of its own', [create('st_1'), create('st_2', { requestHeaders: { 'accept-language': 'de' } })]],
    ['a body that was not recorded', [create('st_1', { content: { text: undefined } }), create('st_2')]],
    ['calls under way together', [create('st_1', { entry: at(1, 5000) }), create('st_2', { entry: at(2) })]],
    ['calls in another order', [create('st_1', { entry: at(9) }), create('st_2', { entry: at(2) })]],
    ['calls without times', [create('st_1', { entry: { time: 0 } }), create('st_2', { entry: { time: 0 } })]],
    ['a key that may have run out', [create('st_1', { entry: at(0) }), create('st_2', { entry: at(700) })]],
    ['a first answer that was no success', [create('', { status: 500 }), create('st_2')]],
    ['a token that ran out', [create('st_1'), create('', { status: 401 })]],
    ['another address of the target', [create('st_1'), create('st_2', { url: `http://127.0.0.1:1${STORES}` })]],
    [
      'an operation without keys',
      [create('st_1', { path: '/api/v1/products' }), create('st_2', { path: '/api/v1/products' })],
    ],
  ];

  test.each(OTHER)('is not seen in %s', (_what, calls) => {
    expect(found(...calls)).toEqual([]);
    expect(checks('IDEM-01', ...calls)).toBe(0);
  });

  const AT_ONCE = { clauses: ['IDEM-01', 'IDEM-02', 'IDEM-03'] };
  const both = (id: string, more: Partial<Call> = {}) => [
    create('st_1', { entry: at(1, 5000) }),
    create(id, { entry: at(2), ...more }),
  ];

  test('and was sent at once has one effect', () => {
    const report = judged(both('st_2'), AT_ONCE);
    expect(blamed(report)).toEqual(['IDEM-03']);
    expect(report.findings[0]?.cause).toBe('sends at once have more than one effect');
    expect(blamed(judged(both('', { status: 500, body: {} }), AT_ONCE))).toEqual(['IDEM-03']);
    expect(blamed(judged(both('', { status: 409, body: {} }), AT_ONCE))).toEqual(['IDEM-03']);
    const refusal = notFound('/api/v1/stores', { status: 409 });
    expect(blamed(judged(both('', { status: 409, body: refusal.body }), AT_ONCE))).toEqual([]);
    // That it is one, only a list shows.
    expect(row(judged(both('st_1'), AT_ONCE), 'IDEM-03')).toMatchObject({ status: 'not-tested' });
  });

  const under = (key: string, id: string, more: Partial<Call> = {}) =>
    create(id, { ...more, requestHeaders: { 'content-type': 'application/json', 'idempotency-key': key } });
  const separate = (...calls: readonly Call[]) => judged(calls, { clauses: ['IDEM-04'] });
  const codes = ({ findings }: Report) => findings.map(({ code }) => code);
  const gone: Call = { method: 'DELETE', path: '/api/v1/products/p1', status: 204 };

  test('has an effect of its own under another key', () => {
    const report = separate(under('key-1', 'st_1'), under('key-2', 'st_1'));
    expect(codes(report)).toEqual(['idem-04.first-resource.key-character']);
    expect(row(separate(under('key-1', 'st_1'), under('key-2', 'st_2')), 'IDEM-04')).toMatchObject({ status: 'pass' });
    expect(row(separate(under('key-1', 'st_1')), 'IDEM-04')).toMatchObject({ status: 'not-tested' });
  });

  test.each<readonly [string, Call[]]>([
    ['of what may be gone meanwhile', [under('key-1', 'st_1'), gone, under('key-2', 'st_1')]],
    ['that the client names', ['key-1', 'key-2'].map((key) => under(key, 'shop', { sent: { name: 'Shop' } }))],
    ['of an answer that tells of nothing made', [under('key-1', 'st_1'), under('key-2', 'st_1', { status: 200 })]],
    ['of two calls under one key', [under('key-1', 'st_1'), under('key-1', 'st_1')]],
    ['of another body under one key', [under('key-1', 'st_1'), under('key-1', 'st_1', { sent: { name: 'Inn' } })]],
  ])('is not blamed for the id %s', (_what, calls) => {
    expect(blamed(separate(...calls))).toEqual([]);
  });

  test('is not blamed for the id of what it is made below', async () => {
    const path = '/api/v1/stores/{storeId}/notes';
    const schema = { type: 'string' };
    const parameters = [
      { name: 'storeId', in: 'path', required: true, schema },
      { name: 'Idempotency-Key', in: 'header', schema },
    ];
    const post = { parameters, security: [{ bearer: [] }], responses: { 201: { description: 'Made' } } };
    const described = [await loadShop({ [path]: { post } })];
    const twice = (id: string) =>
      judged(
        ['key-1', 'key-2'].map((key) => under(key, id, { path: '/api/v1/stores/st_1/notes' })),
        {
          ...{ clauses: ['IDEM-04'], described },
        },
      );
    // The contract does not bind its keys: it is observed.
    expect(codes(twice('note_1'))).toEqual(['idem-04.first-resource.key-character']);
    expect(codes(twice('st_1'))).toEqual([]);
  });

  describe('with another body', () => {
    const { stated } = CONFIG;
    const otherBody = { statuses: [422], code: null };
    const idempotency = { ...stated.terms.idempotency, otherBody } as NonNullable<typeof stated.terms.idempotency>;
    const bound = { config: { stated: { ...stated, terms: { ...stated.terms, idempotency } } } };
    const anew = (id: string, more: Partial<Call> = {}) => under('key-1', id, { sent: { name: 'Another' }, ...more });
    const found = (...calls: readonly Call[]) =>
      codes(judged(calls, { ...bound, clauses: ['IDEM-01', 'IDEM-04', 'IDEM-08'] }));

    test('is to be refused', () => {
      expect(found(under('key-1', 'st_1'), anew('st_1'))).toEqual(['idem-08.accepted.first-response']);
      expect(found(under('key-1', 'st_1'), anew('st_2'))).toEqual(['idem-08.accepted.own-effect']);
      expect(found(under('key-1', 'st_1'), anew('', { status: 422, body: { error: {} } }))).toEqual([]);
    });

    test('is no key and request again, and no other key', () => {
      const calls = [under('key-1', 'st_1'), anew('st_1'), under('key-1', 'st_1')];
      expect(blamed(judged(calls, { clauses: ['IDEM-01', 'IDEM-04'] }))).toEqual([]);
    });

    test('may be the first that is accepted, or be written otherwise', () => {
      const refused = under('key-1', '', { status: 400, body: { error: {} } });
      expect(found(refused, anew('st_1'), anew('st_1'))).toEqual([]);
      const ordered = (sent: unknown) => under('key-1', 'st_1', { sent });
      expect(found(ordered({ name: 'Shop', city: 'Bern' }), ordered({ city: 'Bern', name: 'Shop' }))).toEqual([]);
    });
  });

  test('says what was missing', () => {
    expect(row(judged([create('st_1')]), 'IDEM-01')).toMatchObject({
      ...{ status: 'not-tested', reasonCode: 'precondition' },
      reason: 'no call was made twice under one Idempotency-Key, with all that would show it to be the same',
    });
  });
});

const WRITE: Call = {
  method: 'POST',
  path: '/api/v1/stores',
  status: 201,
  sent: { name: 'Shop' },
  body: { id: 'st_9' },
};

describe('a list that is walked from its first page on', () => {
  const LOGS = '/api/v1/auth/activity/logs';
  const clauses = ['PAG-06'];
  /** A page of a log of five entries, by twos; `ids` that it shows. */
  const page = (number: number, ids: readonly number[], more: { total?: number; call?: Partial<Call> } = {}): Call => ({
    path: `${LOGS}?limit=2&page=${number}`,
    body: {
      data: ids.map((id) => ({ id: `log_${id}` })),
      ...{ total: more.total ?? 5, page: number, limit: 2, total_pages: 3 },
    },
    ...more.call,
  });
  const found = (...calls: readonly Call[]) => blamed(judged(calls, { clauses }));
  const tested = (...calls: readonly Call[]) => row(judged(calls, { clauses }), 'PAG-06')?.status;
  const late = { entry: { startedDateTime: new Date(Date.UTC(2026, 10, 22, 10, 1)).toISOString() } };
  const TUNNEL: Call = { method: 'CONNECT', path: '/' };

  test('shows each item once', () => {
    const whole = [page(1, [1, 2]), page(2, [3, 4]), page(3, [5])];
    expect(found(...whole)).toEqual([]);
    expect(tested(...whole)).toBe('pass');
    expect(found(page(1, [1, 2]), page(3, [5]), page(2, [3, 4]))).toEqual([]);
  });

  test.each([
    ['an item on two pages', [page(1, [1, 2]), page(2, [2, 3])]],
    ['an item twice on one page', [page(1, [1, 2]), page(2, [3, 3])]],
    ['another page than before', [page(1, [1, 2]), page(2, [3, 4]), page(2, [4, 3])]],
    ['an item on two pages, with a tunnel asked for in between', [page(1, [1, 2]), TUNNEL, page(2, [2, 3])]],
    ['fewer items than the total', [page(1, [1, 2]), page(2, [3]), page(3, [4, 5])]],
  ])('is blamed for %s', (_what, calls) => {
    expect(found(...calls)).toEqual(['PAG-06']);
  });

  test.each<[string, readonly Call[]]>([
    ['a list that grew', [page(1, [1, 2]), page(2, [2, 3], { total: 6 })]],
    ['pages that are far apart', [page(1, [1, 2]), page(2, [2, 3], { call: late })]],
    ['pages between which something was written', [page(1, [1, 2]), WRITE, page(2, [2, 3])]],
    ['pages between which a write had no answer', [page(1, [1, 2]), { ...WRITE, status: 0 }, page(2, [2, 3])]],
    ['pages between which something unknown was written', [page(1, [1, 2]), { ...WRITE, path: '/a' }, page(2, [2, 3])]],
    [
      'pages that another filter chose',
      [page(1, [1, 2]), page(2, [2, 3], { call: { path: `${LOGS}?limit=2&page=2&q=a` } })],
    ],
    ['pages that another size has', [page(1, [1, 2]), page(2, [2, 3], { call: { path: `${LOGS}?limit=3&page=2` } })]],
    ['a walk that does not begin at the first page', [page(2, [3, 4]), page(3, [4])]],
    ['a refused page', [page(1, [1, 2]), { ...page(2, []), status: 429 }]],
    ['one page', [page(1, [1, 2])]],
    ['a list that is too short to decide', [page(1, [1], { total: 2 }), page(2, [2], { total: 2 })]],
    ['a list of one page', [page(1, [1, 2, 3], { total: 3 })]],
  ])('is not told of %s', (_what, calls) => {
    expect(found(...calls)).toEqual([]);
    expect(tested(...calls)).toBe('not-tested');
  });
});

describe('a request that its sender got wrong', () => {
  const REGISTER = '/api/v1/auth/register';
  const clauses = ['REQ-03', 'REQ-04', 'REQ-05'];
  const send = (body: unknown, more: Partial<Call> = {}): Call => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { postData: { mimeType: 'application/json', text } };
    const base: Call = { method: 'POST', path: REGISTER, status: 201, body: { id: 'acc_1' }, ...more };
    const length = String(Buffer.byteLength(text));
    const headers = { 'content-type': 'application/json', 'content-length': length, ...more.requestHeaders };
    const { request } = chromeEntry({ ...base, requestHeaders: headers }) as { request: object };
    return { ...base, entry: { request: { ...request, ...sent } } };
  };
  const sound = { email: 'a@b.test', password: 'long-enough-1' };
  const found = (...calls: readonly Call[]) => blamed(judged(calls, { clauses }));
  const checks = (clause: string, ...calls: readonly Call[]) => row(judged(calls, { clauses }), clause)?.checks;
  const refused = (field: string, code = 'validation_failed'): Partial<Call> => ({
    status: 400,
    body: {
      error: { code, type: 'validation_error', param: field, errors: [{ field, code: 'required', message: 'm' }] },
    },
  });

  test('is not accepted', () => {
    expect(found(send({ email: 'a@b.test' }))).toEqual(['REQ-03']);
    expect(found(send({ ...sound, password: {} }))).toEqual(['REQ-04']);
    expect(found(send('{"email":'))).toEqual(['REQ-05']);
    expect(found(send(sound))).toEqual([]);
  });

  test('is not accepted either where the contract leaves open how it is refused', () => {
    const { stated } = builtinConfig(SHOP, {});
    const requests = { ...stated.terms.requests, invalid: null };
    const config = { contract: 'openapi', stated: { ...stated, terms: { ...stated.terms, requests } } } as const;
    const codes = (call: Call) => judged([call], { clauses, config }).findings.map(({ code }) => code);
    expect(codes(send({ email: 'a@b.test' }))).toEqual(['req-03.accepted.missing']);
    expect(codes(send({ ...sound, password: {} }))).toEqual(['req-04.accepted.wrong-type']);
    expect(codes(send('{"email":'))).toEqual(['req-05.accepted.malformed-json']);
    expect([send(sound), send({ email: 'a@b.test' }, { status: 400 })].flatMap(codes)).toEqual([]);
  });

  test('is refused by the field', () => {
    expect(checks('REQ-03', send(sound), send({ email: 'a@b.test' }, refused('password')))).toBe(1);
    expect(checks('REQ-04', send(sound), send({ ...sound, email: [] }, refused('email')))).toBe(1);
    expect(checks('REQ-05', send(sound), send('{', refused('', 'malformed')))).toBe(1);
  });

  const UNTOLD: readonly (readonly [string, Call])[] = [
    ['a body that a recorder shortened', send({ email: 'a@b.test' }, { requestHeaders: { 'content-length': '70' } })],
    ['a refusal for another field', send({ email: 'a@b.test' }, refused('email'))],
    ['a refusal with another code', send({ email: 'a@b.test' }, refused('password', 'account_limit'))],
    ['a refusal for another reason', send({ email: 'a@b.test' }, { status: 409 })],
    ['several flaws', send({ email: 7 })],
    ['a value that was taken out', send({ ...sound, password: '[REDACTED]' })],
    ['a request under a key', send({ email: 'a@b.test' }, { requestHeaders: { 'idempotency-key': 'k' } })],
    ['a body that was compressed', send('\u001f', { requestHeaders: { 'content-encoding': 'gzip' } })],
    [
      'a body in another form',
      send('a=1', { requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
  ];

  test.each(UNTOLD)('is not judged by %s', (_what, call) => {
    expect(found(call)).toEqual([]);
    expect(clauses.map((clause) => checks(clause, call))).toEqual([0, 0, 0]);
  });
});

describe('places of the platform', () => {
  const clauses = ['HEALTH-01', 'INT-01'];
  const key = { name: 'std-1', plan: 'standard', token: TOKEN, tokenCommand: null, account: null, scheme: null };
  const found = (...calls: readonly Call[]) =>
    blamed(judged([LOG_PAGE, ...calls], { clauses, config: { keys: [key] } }));
  const live: Call = { path: '/api/health/live', body: { status: 'ok' } };
  const refused: Call = { ...notFound('/api/health/live', { status: 401 }), status: 401 };
  const internal: Call = { path: '/api/internal/v1/ai/usage', body: [] };

  test('liveness asks for no token', () => {
    expect(found(withoutToken(live))).toEqual([]);
    expect(row(judged([LOG_PAGE, withoutToken(live)], { clauses }), 'HEALTH-01')?.checks).toBe(1);
    expect(found(withoutToken(refused))).toEqual(['HEALTH-01']);
    expect(found(refused)).toEqual([]);
    expect(found(withoutToken({ ...live, status: 503 }))).toEqual([]);
  });

  test('what is internal answers no configured key', () => {
    expect(found(internal)).toEqual(['INT-01']);
    expect(found({ ...notFound(internal.path ?? ''), status: 404 })).toEqual([]);
    expect(blamed(judged([LOG_PAGE, internal], { clauses }))).toEqual([]);
  });
});

test('a success in place of a declared redirect is judged where redirects are recorded, and not what they led to', async () => {
  const moved = { get: { responses: { 302: { description: 'Elsewhere' } } } };
  const described = [await loadShop({ '/api/v1/moved': moved, '/api/v1/moved-too': moved })];
  const led: Call = { path: '/api/v1/moved', body: { id: 'st_1' } };
  const redirect: Call = { path: '/api/v1/moved-too', status: 302, headers: { Location: '/api/v1/stores/st_1' } };
  const found = (calls: readonly Call[], seesTokens = false) => {
    const report = judged(calls, { described, clauses: ['SCH-05'], seesTokens });
    return [blamed(report), report.run.note];
  };
  expect(found([led])).toEqual([[], '1 not judged, for each may be the answer that a redirect led to']);
  expect(found([redirect, led])).toEqual([['SCH-05'], undefined]);
  expect(found([led], true)).toEqual([['SCH-05'], undefined]);
});
