// Claims that no run can judge are refused before anything is sent, by the key that makes them.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { checkLaws } from './descriptions.ts';

let shop: Description;
beforeAll(async () => {
  const responses = { 200: { description: 'As told' } };
  const query = (...names: string[]) => names.map((name) => ({ name, in: 'query', schema: { type: 'integer' } }));
  shop = await loadShop({
    '/orders': { get: { parameters: query('page', 'size'), responses }, post: { responses } },
    '/reports': { get: { parameters: query('year'), responses } },
    '/reports/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      ...{ get: { responses }, delete: { responses } },
    },
  });
});

const check =
  (pagination: readonly string[], idempotency: readonly string[] = []) =>
  () =>
    checkLaws({ contract: 'openapi', laws: { pagination, idempotency } }, [shop]);

describe('a claim is accepted', () => {
  it.each([[['GET /orders']], [['GET *']], [[]]])('for %j, where something can judge it', (globs) => {
    expect(check(globs)).not.toThrow();
  });

  it('for an operation that makes something, whether it declares the header or not', () => {
    expect(check([], ['POST /orders'])).not.toThrow();
  });
});

describe('a claim is refused', () => {
  it.each([
    ['laws.pagination', ['GET /reports'], [], 'GET /reports takes year'],
    ['laws.pagination', ['GET /reports/{id}'], [], 'GET /reports/{id} takes no query parameter'],
    ['laws.pagination', ['POST /orders'], [], 'POST /orders is no list'],
    ['laws.pagination', ['GET /orders', 'GET /nothing'], [], 'matches none of the'],
    ['laws.idempotency', [], ['GET /orders'], 'GET /orders makes and changes nothing'],
    ['laws.idempotency', [], ['DELETE /reports/{id}'], 'DELETE /reports/{id} makes and changes nothing'],
  ])('by %s for %j%j: %s', (key, pagination, idempotency, why) => {
    expect(check(pagination, idempotency)).toThrow(new RegExp(`${key}.*${why.replaceAll(/[{}*/]/g, '\\$&')}`));
  });
});
