import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop, SHOP_PATHS } from '../../../test/support/probes/world.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import type { Config } from '../../config/config.ts';
import { type Catalogue, createCatalogue } from '../../openapi/model/catalogue.ts';
import { EXPORT_OPERATION } from '../../platform/facts.ts';
import { loadForecast } from './forecast.ts';
import type { LoadSuite } from './suites.ts';

const REGISTER = 'POST /api/v1/auth/register';
const PRODUCTS = 'POST /api/v1/products';
const READS = 'GET /api/v1/products';
const SOAK = { rate: 10, seconds: 100 };

let catalogue: Catalogue;
beforeAll(async () => {
  const [, exported] = EXPORT_OPERATION.split(' ') as [string, string];
  const made = { post: { responses: { 202: { description: 'Accepted' } } } };
  catalogue = createCatalogue([await loadShop({ ...SHOP_PATHS, [exported]: made })]);
});

function words(suite: LoadSuite, changes: Partial<Config> = {}, budget: number | null = null): string {
  return loadForecast(suite, configWith(changes), catalogue, catalogue.operations, budget);
}

describe('what load may create', () => {
  it.each<LoadSuite>(['ratelimit', 'isolation', 'capacity', 'soak', 'spike'])(
    'is nothing where %s only reads',
    (suite) => {
      expect(words(suite)).toMatch(/^nothing: (it only reads|all that it may send only reads)$/);
    },
  );

  it('is the share that a mix gives to what creates, and what of it stays', () => {
    const mix = { [READS]: 2, [PRODUCTS]: 1, [REGISTER]: 1 };
    expect(words('soak', { load: { mix, soak: SOAK } })).toBe(
      'about 500 objects at most, as load.mix says (limits.created is not stated): ' +
        `${PRODUCTS}, ${REGISTER}; about 250 at most stay, for no DELETE is described: ${REGISTER}`,
    );
    expect(words('soak', { load: { mix, soak: SOAK } }, 100)).toContain('about 50 objects');
  });

  it('takes the weight of the first glob that matches', () => {
    const mix = { [PRODUCTS]: 1, '* /api/v1/products': 3 };
    expect(words('soak', { load: { mix, soak: SOAK } })).toContain('about 250 objects');
  });

  it('is within limits.created where the configuration states it', () => {
    const limits = { created: { perOperation: 7, total: 20 }, isStated: true as const };
    expect(words('capacity', { load: { mix: { [PRODUCTS]: 1, [READS]: 1 } }, limits })).toBe(
      'at most 7 objects at once by one operation, 20 in all; a DELETE is described for all of it',
    );
    expect(words('spike', { load: { mix: { [REGISTER]: 1 } }, limits })).toContain('up to 7 stay');
  });

  it('is a peak and its base for a spike', () => {
    const load = { mix: { [PRODUCTS]: 1 }, spike: { base: 1, peak: 11, seconds: 10 } };
    expect(words('spike', { load })).toMatch(/^about 15\d objects at most/);
  });

  it('is what is priced for a ceiling, without what registers', () => {
    expect(words('ceiling')).toBe(
      'at most 5 objects at once by one operation, 200 in all; a DELETE is described for all of it',
    );
  });

  it('is that of conformance under pressure', () => {
    expect(words('pressure')).toContain(REGISTER);
  });

  it('is every export that is accepted', () => {
    expect(words('exports')).toContain(`by each request of a flood that ${EXPORT_OPERATION} accepts; they stay`);
    expect(words('exports', { mutations: 'deny', payments: { consent: 'deny', operations: [] } })).toMatch(/^nothing/);
  });

  it('is nothing where mutations are denied', () => {
    const denied = { mutations: 'deny', payments: { consent: 'deny', operations: [] } } as const;
    for (const suite of ['ceiling', 'pressure', 'capacity'] as const)
      expect(words(suite, { ...denied, load: { mix: { [PRODUCTS]: 1 } } })).toMatch(/^nothing/);
  });
});
