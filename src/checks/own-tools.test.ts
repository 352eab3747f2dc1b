import { expect, test } from 'vitest';
import { breached, holds } from '../contract/judgement.ts';
import type { OwnExchangeCheck } from './own-check.ts';
import { breach, header, jsonBody, sampleExchange, sampleSubject } from './own-tools.ts';

const cacheControl: OwnExchangeCheck = {
  ...{ clause: 'X-CACHE-01', level: 'must', text: 'A successful answer is not kept by shared caches.' },
  applies: ({ exchange }) => exchange.plan.credential.kind === 'key' && exchange.response !== null,
  judge({ exchange }) {
    const stated = header(exchange, 'cache-control') ?? 'absent';
    if (/private|no-store/.test(stated)) return holds();
    return breached([
      breach('shared-cache', { subject: 'Cache-Control', actual: stated, expected: 'private or no-store' }),
    ]);
  },
};

test('a check is tested with a made-up answer', () => {
  expect(cacheControl.judge(sampleSubject({ headers: { 'Cache-Control': 'private' } }))).toEqual(holds());
  expect(cacheControl.judge(sampleSubject({ headers: { 'Cache-Control': 'public' } }))).toMatchObject({
    kind: 'breached',
    breaches: [{ code: 'shared-cache', message: 'Cache-Control is public, expected private or no-store' }],
  });
  expect(cacheControl.applies?.(sampleSubject({ key: null }))).toBe(false);
  expect(cacheControl.applies?.(sampleSubject({ status: null }))).toBe(false);
});

test('headers are read whatever their case, and a body only where it is JSON', () => {
  expect(header(sampleExchange({ headers: { ETag: '"1"' } }), 'etag')).toBe('"1"');
  expect(header(sampleExchange({ status: null }), 'etag')).toBeNull();
  expect(jsonBody(sampleExchange({ body: { id: 7 } }))).toEqual({ id: 7 });
  expect(jsonBody(sampleExchange({ body: '<html>' }))).toBeUndefined();
  expect(jsonBody(sampleExchange({ status: null }))).toBeUndefined();
});

test('the sentences of a breach are made of its values', () => {
  expect(
    breach('total', { subject: 'total', actual: undefined, expected: 'a number', weight: 'advisory' }, '/total'),
  ).toEqual({
    ...{
      weight: 'advisory',
      code: 'total',
      cause: 'total is not a number',
      message: 'total is absent, expected a number',
    },
    ...{ expected: 'a number', actual: 'absent', pointer: '/total' },
  });
});

test('a made-up exchange holds what was sent', () => {
  const { plan, request } = sampleExchange({ method: 'POST', path: '/a', query: 'b=1', sent: { c: 2 } });
  expect(request).toMatchObject({ method: 'POST', url: 'http://127.0.0.1/a?b=1', body: '{"c":2}' });
  expect(plan).toMatchObject({ body: { kind: 'json', value: { c: 2 } }, credential: { kind: 'key', name: 'test' } });
});
