import { beforeAll, expect, test } from 'vitest';
import type { Description } from '../../openapi/model/operation.ts';
import { loadShop, worldWith } from '../../probes/testing/world.ts';
import { benchWith, type Script } from '../testing/test-session.ts';
import { reachBeyond } from './outside-shard.ts';
import { isFinal, keyOf, newReaching, reachAll } from './reaching.ts';

const ITEM = 'admin GET /api/v1/products/{productId}';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

/** What a shard sends that owns the item's operation and `called` nothing else at first. */
async function sentBy(script: Script) {
  const world = worldWith();
  const isOwn = (spot: { readonly service: string | null; readonly operation: string | null }): boolean =>
    `${spot.service} ${spot.operation}` === ITEM;
  const { session, catalogue, plans } = benchWith(shop, script, { inRun: () => false, answersFor: isOwn });
  const selected = catalogue.operations.filter((one) => !isFinal(one, catalogue.operations, 'commerce'));
  const own = selected.filter((described) => keyOf(described) === ITEM);
  const share = { own, called: own, books: () => true, notes: () => true, performs: isOwn };
  const reaching = newReaching();
  await reachAll(session, world, own, selected, reaching);
  await reachBeyond({ session, world, selected, share, reaching });
  return { reached: reaching.reached.get(ITEM), plans };
}

const listed: Script = ({ method, path }) => {
  if (method === 'POST') return { status: 201, body: { id: 'p2' } };
  return path.endsWith('/products') ? { body: [{ id: 'p1' }] } : { body: {} };
};

test('a shard whose operation lacks an id calls what may yield one, which others answer for', async () => {
  let isMade = false;
  const { reached, plans } = await sentBy((plan, index) => {
    isMade ||= plan.method === 'POST';
    return isMade ? listed(plan, index) : { body: [] };
  });
  expect(reached?.proof).not.toBeNull();
  const creates = plans.filter(({ operation }) => operation === 'POST /api/v1/products');
  expect(creates.map(({ elsewhere }) => elsewhere)).toEqual([true]);
  expect(plans.at(-1)).toMatchObject({ operation: 'GET /api/v1/products/{productId}' });
  expect(plans.at(-1)).not.toHaveProperty('elsewhere');
});

test.each([200, 500])('a shard whose operation answers %i calls nothing more', async (status) => {
  const { plans } = await sentBy((plan, index) =>
    plan.path.endsWith('/products') ? listed(plan, index) : { status, body: {} },
  );
  expect(plans.filter(({ elsewhere }) => elsewhere !== undefined)).toEqual([]);
});
