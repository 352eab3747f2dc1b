import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop, SHOP_PATHS } from '../../../test/support/probes/world.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import type { Config } from '../../config/config.ts';
import { type Catalogue, createCatalogue } from '../../openapi/model/catalogue.ts';
import { forecastInWords, forecastOf } from './forecast.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  const search = { post: { responses: { 200: { description: 'Found' } } } };
  catalogue = createCatalogue([await loadShop({ ...SHOP_PATHS, '/api/v1/search': search })]);
});

const words = (changes: Partial<Config> = {}): string =>
  forecastInWords(forecastOf(configWith(changes), catalogue, catalogue.operations));

describe('what a run may create', () => {
  it('is told by operation, and what of it stays by name', () => {
    expect(words()).toBe(
      'at most 5 objects at once by each of 2 operations, 200 in all; up to 5 stay, for no DELETE is described: POST /api/v1/auth/register',
    );
  });

  it('counts what takes a key, though its answer and its items are not described', () => {
    const operations = catalogue.operations.map((one) =>
      one.operation.key === 'POST /api/v1/search'
        ? { ...one, operation: { ...one.operation, keyed: true as const } }
        : one,
    );
    expect(forecastOf(configWith(), catalogue, operations).staying).toEqual(
      expect.arrayContaining(['POST /api/v1/search', 'POST /api/v1/auth/register']),
    );
  });

  it('is no more than limits.created', () => {
    expect(words({ limits: { created: { perOperation: 50, total: 20 } } })).toContain('20 in all; up to 20 stay');
  });

  it('tells what others made and the run takes away, which it does by a description alone, on this machine and where that is allowed', async () => {
    const all = { delete: { responses: { 204: { description: 'Gone' } } } };
    const one = createCatalogue([
      await loadShop({ ...SHOP_PATHS, '/api/v1/products': { ...SHOP_PATHS['/api/v1/products'], ...all } }),
    ]);
    const told = (changes: Partial<Config>): string =>
      forecastInWords(forecastOf(configWith(changes), one, one.operations));
    const target = configWith().target;
    const named = [{ operations: 'DELETE /api/v1/products', isPayment: false }];
    const payments = { consent: 'allow' as const, operations: named };
    const local = { target: { ...target, environment: 'local' as const }, contract: 'openapi' as const, payments };
    expect(told(local)).toMatch(/; takes away or changes what others made there: DELETE \/api\/v1\/products$/);
    const kept = [
      { ...local, payments: { ...payments, operations: [{ operations: 'DELETE *', isPayment: false }] } },
      { ...local, mutations: 'deny' as const },
      { ...local, target: { ...target, environment: 'staging' as const } },
      { ...local, contract: 'commerce' as const },
    ];
    for (const changes of kept) expect(told(changes)).not.toContain('others');
  });

  it('is nothing where mutations are denied', () => {
    expect(words({ mutations: 'deny', payments: { consent: 'deny', operations: [] } })).toBe(
      'nothing, as far as the description tells',
    );
  });
});
