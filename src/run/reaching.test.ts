import { beforeAll, describe, expect, it } from 'vitest';
import { errorObject } from '../checks/test-exchanges.ts';
import type { Description } from '../openapi/operation.ts';
import { loadShop, worldWith } from '../probes/test-world.ts';
import type { World } from '../probes/world.ts';
import { isFinal, newReaching, reachAll } from './reaching.ts';
import { benchWith, type Script } from './test-session.ts';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

async function reached(script: Script, world: World = worldWith()) {
  const { session, catalogue, plans } = benchWith(shop, script, { inRun: () => false });
  const into = newReaching();
  const ordinary = catalogue.operations.filter((described) => !isFinal(described, catalogue.operations, 'commerce'));
  await reachAll(session, world, ordinary, catalogue.operations, into);
  return { into, sent: plans.map(({ method, path }) => `${method} ${path}`) };
}

/** Lists one product, creates another, knows no other. */
const serving: Script = ({ method, path }, index) => {
  if (method === 'POST') return { status: 201, body: { id: `prd_${index}` } };
  if (method === 'DELETE') return { status: 204 };
  return { body: path.endsWith('/products') ? [{ id: 'prd_a' }] : { id: 'prd_a' } };
};

describe('the reach stage', () => {
  it('calls every operation, and deletes nothing but what it made for the purpose', async () => {
    const { into, sent } = await reached(serving);
    expect([...into.reached.values()].filter(({ proof }) => proof === null)).toEqual([]);
    expect([...into.reached.keys()].toSorted()).toEqual(
      shop.operations
        .map(({ key }) => `admin ${key}`)
        .filter((key) => !key.includes('sign-out'))
        .toSorted(),
    );
    expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect(sent).not.toContain('DELETE /api/v1/products/prd_a');
    expect(sent.at(-1)).toMatch(/^DELETE /);
  });

  it('takes few requests', async () => {
    expect((await reached(serving)).sent.length).toBeLessThanOrEqual(shop.operations.length + 2);
  });

  it('asks again, once all is known, for what failed', async () => {
    const { sent } = await reached((plan, index) =>
      plan.path.endsWith('/register')
        ? { status: 409, body: { error: errorObject({ status: 409 }) } }
        : serving(plan, index),
    );
    expect(sent.filter((line) => line.endsWith('/register'))).toHaveLength(2);
  });

  it('assumes unknown ids where none is known, and says which is missing', async () => {
    const { into } = await reached((plan, index) =>
      plan.method === 'POST' ? { status: 500 } : { ...serving(plan, index), body: [] },
    );
    const key = 'admin GET /api/v1/products/{productId}';
    expect(into.unreached.get(key)).toMatchObject({
      reasonCode: 'no-fixture',
      reason: expect.stringContaining('fixtures.productId'),
    });
    expect(into.reached.get(key)).toMatchObject({
      proof: null,
      recipe: { pathValues: { productId: expect.any(String) } },
    });
  });

  it('sends nothing that changes something where mutations are denied', async () => {
    const { into, sent } = await reached(serving, worldWith({ mutations: false }));
    expect(sent.every((line) => line.startsWith('GET '))).toBe(true);
    expect(into.unreached.get('admin POST /api/v1/products')).toMatchObject({ reasonCode: 'mutations-denied' });
    expect(into.reached.has('admin POST /api/v1/products')).toBe(false);
  });
});

it('what ends the session, and a DELETE of what nothing creates, is final', async () => {
  const paths = {
    '/api/v1/products': { post: {} },
    '/api/v1/products/{id}': { delete: {} },
    '/api/v1/sessions/{id}': { delete: {} },
    '/api/v1/auth/sign-out': { post: {} },
    '/api/v1/auth/login': { post: {} },
  };
  const operations = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.keys(item).map((method) => [method, { responses: { 200: { description: 'Done' } } }])),
  ]);
  const { catalogue } = benchWith(await loadShop(Object.fromEntries(operations)), () => ({}));
  const final = catalogue.operations.filter((described) => isFinal(described, catalogue.operations, 'commerce'));
  expect(final.map(({ operation }) => operation.key)).toEqual([
    'DELETE /api/v1/sessions/{id}',
    'POST /api/v1/auth/sign-out',
  ]);
});
