// An answer of a cache, a service worker or the client itself is none of the target, however its recorder says so.
import { describe, expect, it } from 'vitest';
import { type Call, chromeEntry } from '../../../test/traffic/recorded.ts';
import { type HarOrigin, notFromTarget } from './har-origin.ts';

const BODY: Call = { body: { a: 1 } };

function originOf({ recorder = '', ...call }: Call & { readonly recorder?: string }): string | null {
  const entry = chromeEntry({ ...BODY, ...call }) as unknown as HarOrigin;
  const headers = (entry.response.headers ?? []).filter(({ value }) => value !== '');
  return notFromTarget({ ...entry, response: { ...entry.response, headers } }, recorder);
}

describe('an answer from a cache', () => {
  it.each<[string, Call & { readonly recorder?: string }]>([
    ['Chrome', { entry: { _fromCache: 'disk' } }],
    ['Chrome, from memory', { entry: { _fromCache: 'memory' } }],
    ['Chrome before it named the cache', { response: { _transferSize: 0, bodySize: 0 } }],
    ['WebKit, from memory', { entry: { _fetchType: 'Memory Cache' } }],
    ['WebKit, from disk', { entry: { _fetchType: 'Disk Cache' } }],
    ['Firefox', { entry: { cache: { afterRequest: { eTag: '' } } }, recorder: 'Firefox' }],
    ['Firefox, which cannot describe what it had', { entry: { cache: { afterRequest: null } }, recorder: 'Firefox' }],
    [
      'Firefox, with all bytes counted',
      { entry: { cache: { afterRequest: null } }, response: { bodySize: 7 }, recorder: 'Firefox' },
    ],
    ['a file that does not tell its recorder', { entry: { cache: { afterRequest: null } }, response: { bodySize: 0 } }],
    ['chrome-har', { entry: { __servedFromCache: true, cache: { beforeRequest: { hitCount: 0 } } } }],
    ['chrome-har, later', { response: { fromDiskCache: true } }],
    ['a prefetch', { response: { fromPrefetchCache: true } }],
    ['Resource Timing', { entry: { _deliveryType: 'cache' } }],
    ['a 304', { status: 304 }],
    ['Chromium, of a 304 that it fills up', { headers: { 'content-type': '' }, response: { bodySize: 0 } }],
    ['puppeteer-har, which takes headers off', { headers: { 'content-type': '' }, response: { bodySize: -20 } }],
  ])('is known in the words of %s', (_recorder, call) => {
    expect(originOf(call)).toBe('was answered from a cache');
  });
});

it.each<[string, Call]>([
  ['Chrome', { entry: { _fetchedViaServiceWorker: true } }],
  ['WebKit', { entry: { _fetchType: 'Service Worker' } }],
  ['chrome-har', { response: { fromServiceWorker: true } }],
])('an answer of a service worker is known in the words of %s', (_recorder, call) => {
  expect(originOf(call)).toBe('was answered by a service worker');
});

it.each<[string, Call]>([
  ['Playwright, where a test answers', { entry: { _wasFulfilled: true } }],
  ['Chrome, which redirects by itself', { status: 307, headers: { 'Non-Authoritative-Reason': 'HSTS' } }],
  ['mitmproxy, which reached no server', { status: 502, headers: { server: 'mitmproxy 10.1.1' } }],
  ['Fiddler, which reached no server', { status: 502, response: { statusText: 'Fiddler - Connection Failed' } }],
  ['the proxy of Assay', { status: 502, headers: { 'x-assay-proxy': 'own answer' } }],
  ['WebKit, where its inspector answers', { entry: { _fetchType: 'Inspector Override' } }],
])('an answer of the client itself is known in the words of %s', (_recorder, call) => {
  expect(originOf(call)).toBe('was answered by the client itself');
});

describe('an answer of the target', () => {
  it.each<[string, Call & { readonly recorder?: string }]>([
    ['without a mark', {}],
    ['that redirects', { status: 307, headers: { location: '/b' } }],
    [
      'that could not be reached',
      { status: 502, headers: { server: 'nginx' }, response: { statusText: 'Bad Gateway' } },
    ],
    ['through mitmproxy', { status: 200, headers: { server: 'mitmproxy 10.1.1' } }],
    ['from a network load', { entry: { _fetchType: 'Network Load' } }],
    ['that a cache of the server answered', { headers: { 'x-cache': 'HIT', age: '30', 'cf-cache-status': 'HIT' } }],
    ['whose marks are unset', { entry: { _fromCache: '', _fetchedViaServiceWorker: false, _wasFulfilled: false } }],
    [
      'whose marks say no',
      { response: { fromDiskCache: false, fromServiceWorker: null }, entry: { _fromCache: 'none' } },
    ],
    ['that was in no cache, before or after', { entry: { cache: { beforeRequest: null, afterRequest: null } } }],
    ['that was kept only afterwards', { entry: { cache: { beforeRequest: null, afterRequest: { hitCount: 0 } } } }],
    [
      'that replaced what was kept',
      { entry: { cache: { beforeRequest: {}, afterRequest: {} } }, response: { bodySize: 7 } },
    ],
    ['whose bytes are not known, without a type', { headers: { 'content-type': '' } }],
    ['whose headers were packed, so that sizes disagree', { response: { bodySize: -20 } }],
    ['that was not kept', { entry: { cache: { afterRequest: null } }, recorder: 'Charles Proxy' }],
    ['without a body, of which no byte is counted', { body: '', status: 204, response: { _transferSize: 0 } }],
    ['whose size is not known', { response: { _transferSize: -1, bodySize: -1 } }],
    ['whose size is not counted', { response: { _transferSize: undefined, bodySize: 0 } }],
    ['that a test let pass', { entry: { _wasContinued: true, _apiRequest: true } }],
    ['with a cache of another kind', { entry: { cache: { comment: '' }, _cache: 'HIT' } }],
  ])('%s is judged', (_what, call) => {
    expect(originOf(call)).toBeNull();
  });
});
