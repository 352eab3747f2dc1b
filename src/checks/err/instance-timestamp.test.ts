// ERR-07 and ERR-08: where and when.
import { describe, expect, it } from 'vitest';
import { errorExchange, errorObject, subjectOf } from '../../../test/support/checks/exchanges.ts';
import { brief } from '../../../test/support/checks/judging.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { epochOfIso8601 } from '../../exchange/iso-8601.ts';
import { err07 } from './err-07.ts';
import { err08 } from './err-08.ts';

describe('ERR-07', () => {
  const judged = (instance: string, plan: Partial<RequestPlan>) =>
    brief(err07, subjectOf(errorExchange(errorObject({ instance }), { plan })));

  it.each<[string, Partial<RequestPlan>]>([
    ['/api/v1/stores', {}],
    ['/api/v1/stores', { query: 'limit=5' }],
    ['/api/v1/stores?limit=5', { query: 'limit=5' }],
    ['/api/v1/stores?', {}],
    ['/api/v1/stores/a b', { path: '/api/v1/stores/a%20b' }],
    ['/api/v1/stores/a%20b', { path: '/api/v1/stores/a b' }],
    ['/api/v1/stores/%c3%a9', { path: '/api/v1/stores/%C3%A9' }],
    ['/api/v1/stores/é', { path: '/api/v1/stores/%C3%A9' }],
    ['/api/v1/stores/%zz', { path: '/api/v1/stores/%zz' }],
    ['/api/v1/stores/\u0000', { path: '/api/v1/stores/%00' }],
    ['/api/v1/stores/a?b', { path: '/api/v1/stores/a%3Fb' }],
    ['/api/v1/stores/%FF', { path: '/api/v1/stores/%ff' }],
  ])('holds for %j of %j', (instance, plan) => {
    expect(judged(instance, plan)).toBe('holds');
  });

  it.each<[string, Partial<RequestPlan>]>([
    ['/api/v1/store', {}],
    ['/api/v1/stores/{storeId}', { path: '/api/v1/stores/s1' }],
    ['http://127.0.0.1:8080/api/v1/stores', {}],
    ['/API/v1/stores', {}],
    ['/stores', {}],
    ['/api/v1/stores?limit=5', {}],
    ['GET /api/v1/stores', {}],
    ['/api/v1/stores/a%2520b', { path: '/api/v1/stores/a%20b' }],
    ['/api/v1/themes?limit=5', { query: 'limit=5' }],
  ])('is breached by %j of %j', (instance, plan) => {
    expect(judged(instance, plan)).toEqual(['error.instance is not the request path (/error/instance)']);
  });

  it('allows the path with and without the base path of the target', () => {
    const exchange = errorExchange(errorObject({ instance: '/shop/api/v1/stores' }));
    const request = { ...exchange.request, url: 'http://127.0.0.1:8080/shop/api/v1/stores' };
    expect(brief(err07, subjectOf({ ...exchange, request }))).toBe('holds');
    expect(brief(err07, subjectOf({ ...errorExchange(), request }))).toBe('holds');
  });
});

describe('ERR-08', () => {
  const judged = (timestamp: string, date?: string) =>
    brief(
      err08,
      subjectOf(errorExchange(errorObject({ timestamp }), date === undefined ? {} : { headers: [['date', date]] })),
    );

  it.each([
    '2026-11-21T10:11:12Z',
    '2026-11-21T10:11:12.1Z',
    '2026-11-21T10:11:12,123456789+01:00',
    '2026-11-21T10:11:12-0530',
    '2026-11-21T10:11:12+14',
    '2026-11-21T10:11Z',
    '20261121T101112Z',
    '20261121T101112.5+0100',
    '2026-11-21t10:11:12z',
    '2028-02-29T24:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-W47-6T10:11:12Z',
    '2026-325T10:11:12Z',
  ])('allows %s', (timestamp) => {
    expect(judged(timestamp)).toBe('holds');
  });

  it.each([
    '2026-11-21',
    '2026-11-21T10:11:12',
    '2026-11-21 10:11:12Z',
    '2026-02-30T10:11:12Z',
    '2027-02-29T10:11:12Z',
    '2026-13-01T10:11:12Z',
    '2026-00-01T10:11:12Z',
    '2026-11-21T25:00:00Z',
    '2026-11-21T24:00:01Z',
    '2026-11-21T10:60:00Z',
    '2026-11-21T10:11:61Z',
    '2026-11-21T10:11:12+24:00',
    '2026-11-21T10:11:12.Z',
    '2026-1121T10:11:12Z',
    '21/11/2026 10:11',
    'Sat, 21 Nov 2026 10:11:12 GMT',
    '1795255872',
    '2026-W54-1T10:00Z',
    '2026-366T10:00Z',
    'now',
  ])('is breached by %s', (timestamp) => {
    expect(judged(timestamp)).toEqual(['error.timestamp is not ISO 8601 (/error/timestamp)']);
  });

  it('is an advisory when the Date header is more than five minutes away', () => {
    const far = ['advisory: error.timestamp is far from the Date header (/error/timestamp)'];
    expect(judged('2026-11-21T10:11:12Z', 'Sat, 21 Nov 2026 10:16:12 GMT')).toBe('holds');
    expect(judged('2026-11-21T10:11:12Z', 'Sat, 21 Nov 2026 10:16:13 GMT')).toEqual(far);
    expect(judged('2026-11-21T10:11:12+01:00', 'Sat, 21 Nov 2026 10:11:12 GMT')).toEqual(far);
    expect(judged('2026-11-21T10:11:12Z', 'no date')).toBe('holds');
  });

  it('reads the instant of every form', () => {
    const epoch = Date.UTC(2026, 10, 21, 10, 11, 30);
    for (const text of [
      '2026-11-21T10:11:30Z',
      '2026-11-21T11:11:30+01:00',
      '20261121T044130-0530',
      '2026-11-21T10:11.5Z',
      '2026-W47-6T10:11:30Z',
      '2026-325T10:11:30Z',
    ]) {
      expect(epochOfIso8601(text)).toBe(epoch);
    }
  });
});
