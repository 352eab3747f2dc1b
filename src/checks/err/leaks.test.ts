// ERR-12 and ERR-13: what an error must not show, and what a success must not be.
import { describe, expect, it } from 'vitest';
import {
  declaring,
  descriptionWith,
  errorExchange,
  errorObject,
  exchangeWith,
  operationWith,
  subjectOf,
} from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import { type ContractDocument, termsOf } from '../../contract/terms-of.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { err12 } from './err-12.ts';
import { err13 } from './err-13.ts';

const TRACED = 'an error shows a stack trace or source path';
const saying = (message: string, plan: Partial<RequestPlan> = {}) =>
  brief(err12, subjectOf(errorExchange(errorObject({ message }), { plan })));

describe('ERR-12, source and stack', () => {
  it.each([
    'Error: boom\n    at foo (file.js:12:3)',
    'boom at async StoresService.find (/usr/src/app/dist/stores.service.js:114:23)',
    'boom at file:///app/src/main.mjs:1:2',
    '    at Module._compile (node:internal/modules/cjs/loader:1105:14)',
    'at Array.map (<anonymous>)',
    'Traceback (most recent call last):',
    'File "app/views.py", line 3, in get',
    '\tat com.shop.stores.StoreService.find(StoreService.java:12)',
    'at java.base/java.lang.Thread.run(Thread.java:840)',
    'Caused by: java.lang.NullPointerException',
    'goroutine 1 [running]:',
    'panic at /app/main.go:12',
    'Undefined index in /var/www/x.php on line 12',
    '#0 /var/www/shop/index.php(12): main()',
    '   at Shop.Stores.Find(String id) in C:\\src\\Stores.cs:line 12',
    '   at Shop.Stores.Find(String id)',
    "thread 'main' panicked at src/main.rs:12:3",
    'failed in src/controllers/store.ts',
    '/usr/src/app/config',
    'ENOENT /home/deploy/shop/x.ts',
    'open C:\\inetpub\\shop\\x.cs',
    'see node_modules/express/lib/router',
    "/app/models/store.rb:12:in `find'",
    'file:///srv/shop/index.js',
  ])('is breached by %j', (message) => {
    expect(saying(message)).toEqual([`${TRACED} (/error/message)`]);
  });

  it.each([
    'at least one field is required',
    'Look at https://docs.example.com/src/main.js:12:3',
    'Meet at noon (10:30:15)',
    'at 2026-11-21T10:11:12Z',
    'The file report.py is not an image',
    'Caused by: a missing field',
    'Rust (2021) is not a supported language',
    'go to /app/settings',
    'the value must be in {a, b}, at position 12:3',
    'Unexpected token } in JSON at position 12',
    'body/email must match format "email"',
    'limit must be <= 100 (line 3, column 14)',
    'Upstream example.rs:8080 is not ready',
    'ratio 16:9:1',
    'no such domain: shop.js.org',
  ])('allows %j', (message) => {
    expect(saying(message)).toBe('holds');
  });

  it('allows what the request itself sent', () => {
    expect(saying('no file /app/main.go:12', { path: '/api/v1/files/app/main.go:12' })).toBe('holds');
    const instance = errorObject({ instance: '/api/v1/files/src/main.go:12' });
    expect(brief(err12, subjectOf(errorExchange(instance, { plan: { path: '/api/v1/files/src%2Fmain.go:12' } })))).toBe(
      'holds',
    );
    const frame = 'at foo (file.js:12:3)';
    expect(
      saying(`"${frame}" is no name`, { method: 'POST', body: { kind: 'json', value: { name: `x ${frame}` } } }),
    ).toBe('holds');
    expect(saying(`"${frame}" is no name`, { query: `name=${encodeURIComponent(frame).replaceAll('%20', '+')}` })).toBe(
      'holds',
    );
    expect(saying(`"${frame}" is no name`)).toEqual([`${TRACED} (/error/message)`]);
  });

  it('looks at every string of the body and at text that is no JSON, and repeats nothing of it', () => {
    const nested = errorObject({ details: [{ stack: ['Error', '    at foo (/app/file.js:12:3)'] }] });
    expect(brief(err12, subjectOf(errorExchange(nested)))).toEqual([`${TRACED} (/error/details/0/stack/1)`]);
    const page = subjectOf(exchangeWith({ status: 500, body: '<pre>Error: Jane<br> at /app/file.js:12:3</pre>' }));
    expect(brief(err12, page)).toEqual([TRACED]);
    expect(JSON.stringify(outcome(err12, page))).not.toContain('Jane');
  });

  it('looks behind a long text that comes back, and into an answer that was cut', () => {
    expect(saying(`"${'x'.repeat(100_000)}" is no name\n    at foo (/app/file.js:12:3)`)).toEqual([
      `${TRACED} (/error/message)`,
    ]);
    const cut = { status: 500, body: '{"error":{"stack":"at foo (/app/file.js:12:3)', response: { truncated: true } };
    expect(brief(err12, subjectOf(exchangeWith(cut)))).toEqual([TRACED]);
  });

  it('allows such text in a success', () => {
    expect(outcome(err12, subjectOf(exchangeWith({ body: { log: 'at foo (file.js:12:3)' } })))).toBe('holds');
  });

  it('judges long hostile text quickly', () => {
    const before = process.threadCpuUsage();
    for (const text of [
      'a'.repeat(200_000),
      'at '.repeat(60_000),
      '/app'.repeat(50_000),
      'a.js:'.repeat(40_000),
      ' '.repeat(200_000),
      'C:\\'.repeat(60_000),
    ]) {
      expect(saying(text)).toBe('holds');
    }
    // Computing time: a busy machine adds nothing to it.
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});

describe('ERR-12, tokens', () => {
  it('is breached by an echo in any answer', () => {
    const echoed = [
      { secret: 'key std-1', where: 'body' },
      { secret: 'key std-1', where: 'x-debug' },
    ];
    expect(brief(err12, subjectOf(exchangeWith({ echoed })))).toEqual([
      'the body echoes a bearer token',
      'the header x-debug echoes a bearer token',
    ]);
  });

  it('does not apply to a failure', () => {
    expect(outcome(err12, subjectOf(exchangeWith({ response: null })))).toBe('does not apply');
  });

  it('allows the instance to repeat the query string that we put a token in, there alone', () => {
    const marker = '[redacted key std-1]';
    const plan = { query: `access_token=${marker}` };
    const echoed = [{ secret: 'key std-1', where: 'body' }];
    const instance = `/api/v1/stores?access_token=${marker}`;
    expect(outcome(err12, subjectOf(errorExchange(errorObject({ instance }), { plan, echoed })))).toBe('holds');
    const elsewhere = errorObject({ instance, message: `no such token: ${marker}` });
    expect(outcome(err12, subjectOf(errorExchange(elsewhere, { plan, echoed })))).toHaveLength(1);
    expect(outcome(err12, subjectOf(errorExchange(errorObject({ instance }), { echoed })))).toHaveLength(1);
  });
});

describe('ERR-13', () => {
  it.each([
    [{ error: errorObject() }],
    [{ error: { type: 'a', code: 'b', message: 'c' } }],
    [{ data: null, error: errorObject() }],
    [{ error: { message: 'timeout', code: 'x' } }],
    [{ success: false, data: [], error: { message: 'timeout', code: 'x' } }],
    [{ id: 1, error: { type: 'a', code: 'b', message: 'c', status: 200 } }],
  ])('is breached by the envelope on a 2xx: %j', (body) => {
    expect(brief(err13, subjectOf(exchangeWith({ body })))).toEqual(['a success carries the error envelope (/error)']);
  });

  it.each([
    [{ id: 1, error: null }],
    [{ id: 1, error: { message: 'timeout' } }],
    [{ id: 1, status: 'failed', error: { type: 'a', code: 'b', message: 'c' } }],
    [{ error: 'none' }],
    [{ id: 1, error: { message: 'timeout', code: 'x' } }],
    [[{ error: errorObject() }]],
    [{ data: { error: errorObject() } }],
  ])('holds for %j', (body) => {
    expect(outcome(err13, subjectOf(exchangeWith({ body })))).toBe('holds');
  });

  it('is breached by a whole error without an envelope, and not by a resource with members of the same names', () => {
    const errors = {
      members: { code: { at: '/code', form: 'snake_case' }, title: { at: '/title' }, message: '/detail' },
      success: 'never',
    };
    const terms = termsOf({ ...{ contract: 1, name: 'Plain' }, errors } as ContractDocument);
    const told = (body: object) => outcome(err13, subjectOf(exchangeWith({ body }), { terms }));
    expect(told({ code: 'not_found', title: 'Gone', detail: 'It is not there', links: null })).not.toBe('holds');
    expect(told({ code: 'not_found', title: 'Gone', detail: 'It is not there', id: 7 })).toBe('holds');
    expect(told({ code: 'not_found', title: 'Gone' })).toBe('holds');
    expect(told({ code: 'Not found', title: 'Gone', detail: 'It is not there' })).toBe('holds');
  });

  it('holds for an error of a few members where the success is described with one', () => {
    const schema = { properties: { error: {} } };
    const operation = operationWith({ responses: [declaring('200', schema)] });
    const exchange = exchangeWith({ body: { error: { message: 'timeout', code: 'x' } } });
    expect(outcome(err13, subjectOf(exchange, { operation, description: descriptionWith() }))).toBe('holds');
    const failed = exchangeWith({ body: { id: 1, error: { type: 'a', code: 'b', message: 'c', status: 200 } } });
    expect(outcome(err13, subjectOf(failed, { operation, description: descriptionWith() }))).toBe('holds');
  });

  it('does not apply to errors, redirects and answers that are no JSON', () => {
    expect(outcome(err13, subjectOf(errorExchange()))).toBe('does not apply');
    expect(outcome(err13, subjectOf(exchangeWith({ status: 302, body: { error: errorObject() } })))).toBe(
      'does not apply',
    );
    expect(outcome(err13, subjectOf(exchangeWith({ body: 'pong' })))).toBe('does not apply');
  });
});
