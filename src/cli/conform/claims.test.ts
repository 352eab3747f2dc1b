// Claims that no run can judge are refused before anything is sent, by the key that makes them.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { checkIsolation, checkLaws } from './descriptions.ts';
import { extensionsOf } from './extensions.ts';

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
  (pagination: readonly string[], idempotency: readonly string[] = [], contract: 'openapi' | 'commerce' = 'openapi') =>
  () =>
    checkLaws({ contract, laws: { pagination, idempotency } }, [shop]);

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

describe('beside contract: commerce', () => {
  it('laws are refused, for that contract names its own', () => {
    expect(check(['GET /orders'], [], 'commerce')).toThrow(/laws\.pagination.*contract: openapi/);
    expect(check([], ['POST /orders'], 'commerce')).toThrow(/laws\.idempotency.*contract: openapi/);
    expect(check([], [], 'commerce')).not.toThrow();
  });
});

it('that accounts are apart is refused where no key is of another account than the first, and AUTH-08 is in the run', () => {
  const key = { name: 'a', plan: 'any', token: 'token-of-a-test-0001', tokenCommand: null, scheme: null };
  const checking =
    (accounts: readonly (string | null)[], isolation: boolean, clauses: readonly string[] = []) =>
    () =>
      checkIsolation(
        { expect: { plans: {}, isolation }, keys: accounts.map((account) => ({ ...key, account })) },
        { clauses },
      );
  for (const accounts of [[], ['one'], ['one', 'one'], [null, 'one'], ['one', null]]) {
    expect(checking(accounts, true)).toThrow(/expect\.isolation can never be judged/);
    expect(checking(accounts, true, ['AUTH-08'])).toThrow();
    expect(checking(accounts, true, ['AUTH-01'])).not.toThrow();
    expect(checking(accounts, false)).not.toThrow();
  }
  expect(checking(['one', null, 'two'], true)).not.toThrow();
});

describe('a promoted clause', () => {
  const promoting = (contract: 'openapi' | 'commerce', ...promote: readonly string[]) =>
    extensionsOf(configWith({ contract, promote }));

  it('is refused where nothing judges it under the contract, or nothing has it', async () => {
    await expect(promoting('openapi', 'LIFE-04', 'ERR-08', 'SPEC-08')).rejects.toThrow(
      /promote: ERR-08, SPEC-08 can never/,
    );
    await expect(promoting('openapi', 'LIFE-44')).rejects.toThrow(/promote: .*LIFE-44/);
  });

  it('is accepted where it is in the contract, or another command judges it', async () => {
    await expect(promoting('openapi', 'LIFE-04', 'REQ-08', 'HOOK-02', 'CLIENT-03')).resolves.toBeDefined();
    await expect(promoting('commerce', 'ERR-08', 'SPEC-08')).resolves.toBeDefined();
  });
});
