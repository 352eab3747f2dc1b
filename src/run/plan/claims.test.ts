// Tests what the contract and the configuration claim of operations.
import { describe, expect, it } from 'vitest';
import { operationWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import type { Config } from '../../config/config.ts';
import { keysBoundBy, lawfulBy, withClaims } from './claims.ts';

const STORES = 'POST /api/v1/stores';
const ORDERS = operationWith({ method: 'POST', path: '/orders' });
const laws = { pagination: ['GET /orders'], idempotency: ['POST /orders*'] };

describe('under commerce', () => {
  it('experiments on laws are for every operation, and the two that the contract names are bound to keys', () => {
    const commerce = configWith({ laws });
    expect([lawfulBy(commerce)(ORDERS, 'idempotency'), lawfulBy(commerce)(ORDERS, 'pagination')]).toEqual([true, true]);
    const bound = keysBoundBy(commerce);
    expect([bound(STORES), bound('POST /api/v1/stores/process-payment'), bound(ORDERS.key)]).toEqual([
      ...[true, true, false],
    ]);
  });
});

describe('under openapi', () => {
  const openapi = configWith({ contract: 'openapi', laws });

  it('both are what the configuration claims', () => {
    expect([lawfulBy(openapi)(ORDERS, 'idempotency'), lawfulBy(openapi)(ORDERS, 'pagination')]).toEqual([true, false]);
    const bound = keysBoundBy(openapi);
    expect([bound(ORDERS.key), bound('POST /orders/{id}/items'), bound(STORES)]).toEqual([true, true, false]);
  });

  it('nothing is bound where nothing is claimed', () => {
    const silent = configWith({ contract: 'openapi' });
    expect([keysBoundBy(silent)(STORES), lawfulBy(silent)(ORDERS, 'pagination')]).toEqual([false, false]);
  });

  it('an operation that is claimed is marked as one that takes keys, and no other is', async () => {
    const shop = await loadShop();
    const claimed = configWith({
      contract: 'openapi',
      laws: { pagination: [], idempotency: ['POST /api/v1/products'] },
    });
    const marked = withClaims(claimed, [shop]).flatMap(({ operations }) => operations.filter(({ keyed }) => keyed));
    expect(marked.map(({ key }) => key)).toEqual(['POST /api/v1/products']);
    expect(withClaims(configWith({ contract: 'openapi' }), [shop])).toEqual([shop]);
  });

  it.each([
    [['X-Idempotency-Key'], 'X-Idempotency-Key'],
    [['acme-idempotency-key'], 'acme-idempotency-key'],
    [['X-Idempotency-Key', 'idempotency-key'], undefined],
    [['X-Request-Key'], undefined],
    [['Idempotence-Key'], 'Idempotence-Key'],
    [['idempotencyKey'], 'idempotencyKey'],
  ])('of declared headers %j keys travel in %s', async (names, keyHeader) => {
    const parameters = names.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } }));
    const shop = await loadShop({ '/orders': { post: { parameters, responses: { 201: { description: 'Made' } } } } });
    const headerOf = (claims: Config) => withClaims(claims, [shop])[0]?.operations[0]?.keyHeader;
    expect(headerOf(openapi)).toBe(keyHeader);
    expect(headerOf(configWith())).toBeUndefined();
  });

  it('an id of the request is the key where the operation is claimed, and declares no other', async () => {
    const keyHeaderIn = async (names: readonly string[], idempotency = ['POST /orders']) => {
      const parameters = names.map((name) => ({ name, in: 'header', schema: { type: 'string' } }));
      const post = { parameters, responses: { 201: { description: 'Made' } } };
      const claims = configWith({ contract: 'openapi', laws: { pagination: [], idempotency } });
      return withClaims(claims, [await loadShop({ '/orders': { post } })])[0]?.operations[0]?.keyHeader;
    };
    expect(await keyHeaderIn(['PayPal-Request-Id'])).toBe('PayPal-Request-Id');
    expect(await keyHeaderIn(['PayPal-Request-Id'], [])).toBeUndefined();
    expect(await keyHeaderIn(['Accept-Language', 'Repeatability-Request-ID'])).toBe('Repeatability-Request-ID');
    expect(await keyHeaderIn(['X-Request-Id', 'X-Idempotency-Key'])).toBe('X-Idempotency-Key');
    expect(await keyHeaderIn(['X-Request-Id', 'Idempotency-Key'])).toBeUndefined();
  });
});
