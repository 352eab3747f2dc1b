// Where a run looks beside its operations.
import { describe, expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { worldWith } from '../../../test/support/probes/world.ts';
import { NO_TERMS, type Terms } from '../../contract/terms.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { placesOf } from './places.ts';

const catalogueOf = (...paths: readonly string[]) =>
  createCatalogue([descriptionWith({ operations: paths.map((path) => operationWith({ path })) })]);
const STORES = catalogueOf('/api/v1/stores', '/api/v1/stores/{storeId}');
const under = (terms: Partial<Terms>) => worldWith({ contract: 'openapi', terms: { ...NO_TERMS, ...terms } });

it('asks for the internal endpoints of the platform, with and without v1, and for a nonsense path', () => {
  const { internal, placements } = placesOf(worldWith({ fixtures: { storeId: 'a/b' } }), STORES);
  const named = [
    ...['ai/usage', 'ai/usage/logs', 'stores/a%2Fb/ai/usage', 'policy/hs-codes', 'hs-codes'],
    ...['tax/rates/sync-history', 'taxes/rates/sync-history', 'taxes/hs-codes'],
  ];
  for (const path of named)
    expect(internal).toEqual(expect.arrayContaining([`/api/internal/${path}`, `/api/internal/v1/${path}`]));
  expect(internal).toContain('/api/internal/assay-run-7');
  expect([internal.length, placements]).toEqual([2 * named.length + 1, undefined]);
});

describe('under another contract', () => {
  it.each([
    ['/api/v2', ['/api/v2/orders', '/api/v2/orders/{id}', '/api/v2/users']],
    ['/shop', ['/shop/orders/{id}', '/shop/orders']],
    ['', ['/orders', '/users/{id}']],
    ['', ['/orders', '/orders/{id}/lines']],
  ])('unknown paths stand below what all paths share: %s', (prefix, paths) => {
    const { unknown } = placesOf(under({}), catalogueOf(...paths));
    expect(unknown[0]).toBe(`${prefix}/assay-run-7`);
    expect(unknown).toContain(`${prefix}/orders/assay/unknown/run-7/path`);
  });

  it('asks for no path that a description has', () => {
    expect(placesOf(under({}), catalogueOf('/{anything}', '/orders')).unknown).toEqual([
      '/orders/assay/unknown/run-7/path',
    ]);
  });

  it('looks for resources, and for what is customary, below what is internal', () => {
    const catalogue = catalogueOf('/orders', '/internal/flags');
    const { internal } = placesOf(under({ internal: ['/internal/*', '/debug'] }), catalogue);
    expect(internal.slice(0, 3)).toEqual(['/internal/flags', '/internal/orders', '/internal/internal']);
    expect(internal).toEqual(expect.arrayContaining(['/internal/metrics', '/debug', '/internal/assay-run-7']));
    expect(placesOf(under({}), catalogue).internal).toEqual([]);
  });
});
