import { describe, expect, it } from 'vitest';
import { type Changes, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { isServed, isUnserved, otherBases, placesBelow, placesBeside } from './other-places.ts';

const PATH = '/api/v1/stores';
const content = { 'application/json': {} };
const shop = await loadFiles({
  'shop.json': {
    openapi: '3.0.0',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: 'https://shop.example/v1' }, { url: '/v2' }],
    paths: { '/pets': { get: { responses: { 200: { description: 'All', content } } } } },
  },
});
const [pets] = shop.operations as readonly [Operation];

it('an operation may be served below each path of its servers, below none, and at other base addresses', () => {
  expect(placesBelow(pets, shop)).toEqual([
    { path: '/v2/pets', setting: 'services.admin.basePath to /v2' },
    { path: '/pets', setting: 'services.admin.basePath to /' },
  ]);
  expect(placesBeside('http://h:1/shop', pets, shop)[0]).toEqual({
    baseUrl: 'http://h:1',
    path: '/v1/pets',
    setting: 'target.baseUrl to http://h:1 and services.admin.basePath to /v1',
  });
});

describe('an answer', () => {
  const page = { headers: [['content-type', 'text/html; charset=utf-8']], body: '<html>' } as const;
  it.each<[string, Changes, boolean, boolean]>([
    ['is none of the operation where it is 404', { status: 404 }, true, false],
    ['is none where it is a page that no response describes', { ...page, status: 200 }, true, false],
    ['is one where it is JSON, whatever its media type', { ...page, status: 200, body: [] }, false, true],
    ['is one where the key is refused', { ...page, status: 401 }, false, true],
    ['decides nothing where it is a page of an error', { ...page, status: 500 }, false, false],
    ['decides nothing where there is none', { response: null }, false, false],
  ])('%s', (_name, changes, unserved, served) => {
    const exchange = exchangeWith(changes);
    expect([isUnserved(exchange, pets), isServed(exchange, pets)]).toEqual([unserved, served]);
  });

  it('is one of the operation where pages are described, or nothing is', () => {
    const html = { ...pets, responses: pets.responses.map((one) => ({ ...one, content: [] })) };
    expect(isUnserved(exchangeWith({ ...page, status: 200 }), html)).toBe(false);
  });
});

describe('other base addresses', () => {
  it('take away the beginning of the path that stands there already, or add it', () => {
    expect(otherBases('http://h:1/api/v1', PATH)).toEqual([
      'http://h:1',
      'http://h:1/api/v1/api',
      'http://h:1/api/v1/api/v1',
    ]);
    expect(otherBases('http://h:1', PATH)).toEqual(['http://h:1/api', 'http://h:1/api/v1']);
  });
});
