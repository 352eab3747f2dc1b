import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, loadShop, operationOf, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { createdId } from '../../facts/created.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Reached, World } from '../world.ts';
import { reachDelete } from './destroy.ts';

const DELETE = 'DELETE /api/v1/products/{productId}';
const PRODUCTS = '/api/v1/products';
const gone = { status: 204 };

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

function deleting(world: World, creator: Reached | null, answering: (plan: RequestPlan) => Changes) {
  const arrivals: Reached[] = [];
  const missing: string[] = [];
  const course = reachDelete(
    world,
    shop,
    operationOf(shop, DELETE),
    creator,
    'd0',
    (reached) => arrivals.push(reached),
    (parameter) => missing.push(parameter),
  );
  return { ...drive(course, answering), arrivals, missing };
}
const creatorIn = (world: World): Reached => reachedWith(world, shop, 'POST /api/v1/products');
const shopkeeper = ({ method }: RequestPlan): Changes =>
  method === 'POST' ? { status: 201, body: { id: 'prd_v' } } : gone;

describe('reaching a DELETE', () => {
  it('makes its own victim, and nothing else is deleted', () => {
    const world = worldWith();
    world.knowledge.noteListed(PRODUCTS, [{ id: 'prd_old' }]);
    const { plans, arrivals } = deleting(world, creatorIn(world), shopkeeper);
    expect(plans.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v1/products',
      'DELETE /api/v1/products/prd_v',
    ]);
    expect(arrivals).toMatchObject([{ proof: { id: 'ex-2' }, recipe: { pathValues: { productId: 'prd_v' } } }]);
    expect(world.knowledge.idsAt(PRODUCTS, 'productId')).toEqual([{ value: 'prd_old', created: false, own: false }]);
  });

  it('takes what this run created where no victim can be made', () => {
    const world = worldWith({ environment: 'staging' });
    world.knowledge.noteListed(PRODUCTS, [{ id: 'prd_old' }]);
    world.knowledge.noteCreated(PRODUCTS, { id: 'prd_own' });
    expect(deleting(world, null, () => gone).plans.map(({ path }) => path)).toEqual(['/api/v1/products/prd_own']);
    expect(world.knowledge.isCreated('prd_own')).toBe(false);
  });

  it('takes the name that was sent for the id where the answer shows none', () => {
    const world = worldWith();
    world.knowledge.noteCreated(PRODUCTS, { id: 'prd_parent' });
    const { plans } = deleting(world, creatorIn(world), ({ method }) => (method === 'POST' ? { body: {} } : gone));
    const [create] = plans;
    const { name } = create?.body.kind === 'json' ? (create.body.value as { name: string }) : { name: '' };
    expect(plans.map(({ path }) => path)).toEqual([PRODUCTS, `${PRODUCTS}/${encodeURIComponent(name)}`]);
  });

  it('names its victim as the operation takes it, and does so from then on', () => {
    const world = worldWith({ contract: 'openapi' });
    const name = 'assay-20261126-000001-aaaaaa';
    const answering = ({ method, path }: RequestPlan): Changes => {
      if (method === 'POST') return { status: 201, body: { id: 'c0ffee', name, number: 7 } };
      return path === `${PRODUCTS}/${name}` ? gone : { status: 404 };
    };
    const deleted = (): readonly string[] =>
      deleting(world, creatorIn(world), answering).plans.flatMap(({ method, path }) =>
        method === 'DELETE' ? [path] : [],
      );
    expect(deleted()).toEqual([`${PRODUCTS}/c0ffee`, `${PRODUCTS}/${name}`]);
    expect(deleted()).toEqual([`${PRODUCTS}/${name}`]);
  });

  it('deletes nothing by a text that other things may be called by', () => {
    const body = { id: 'c0ffee', code: 'EUR', number: 7 };
    const answering = ({ method }: RequestPlan): Changes =>
      method === 'POST' ? { status: 201, body } : { status: 404 };
    const deletedIn = (environment: World['environment'], listed: readonly unknown[]): readonly string[] => {
      const world = worldWith({ contract: 'openapi', environment });
      world.knowledge.noteListed(PRODUCTS, listed);
      const { plans } = deleting(world, creatorIn(world), answering);
      return plans.flatMap(({ method, path }) => (method === 'DELETE' ? [path.slice(PRODUCTS.length + 1)] : []));
    };
    const ofThis = (names: readonly string[]): readonly string[] => names.filter((name) => !name.includes('assay'));
    expect(ofThis(deletedIn('local', []))).toEqual(['c0ffee', 'EUR']);
    expect(ofThis(deletedIn('local', [{ id: 'EUR' }]))).toEqual(['c0ffee']);
    expect(ofThis(deletedIn('staging', []))).toEqual(['c0ffee']);
  });

  it('makes its victim by name where the operation at the same path does', () => {
    const world = worldWith();
    const maker = reachedWith(world, shop, 'PUT /api/v1/products/{productId}', { productId: 'prd_old' });
    const { plans } = deleting(world, maker, ({ method }) => (method === 'PUT' ? { status: 201, body: {} } : gone));
    expect(plans.map(({ method, makes }) => [method, makes])).toEqual([
      ['PUT', 'named'],
      ['DELETE', undefined],
    ]);
    expect(plans[0]?.path).not.toBe(`${PRODUCTS}/prd_old`);
    expect(plans[1]?.path).toBe(plans[0]?.path);
  });

  it('deletes nothing that others live by', () => {
    const world = worldWith();
    world.knowledge.noteCreated(PRODUCTS, { id: 'prd_free' });
    world.knowledge.noteCreated(PRODUCTS, { id: 'prd_own' });
    const needed = ['prd_own'];
    const kept = (): readonly [readonly string[], number] => {
      let postponed = 0;
      const isNeeded = (path: string): boolean => needed.some((id) => path.endsWith(id));
      const course = reachDelete(
        world,
        shop,
        operationOf(shop, DELETE),
        null,
        'd0',
        () => {},
        () => {},
        { isNeeded, postponed: () => (postponed += 1) },
      );
      return [drive(course, () => gone).plans.map(({ path }) => path), postponed];
    };
    expect(kept()).toEqual([[`${PRODUCTS}/prd_free`], 0]);
    expect(kept()).toEqual([[], 1]);
  });

  it('leaves alone what others made, and says what is missing', () => {
    const world = worldWith({ environment: 'staging' });
    world.knowledge.noteListed(PRODUCTS, [{ id: 'prd_old' }]);
    expect(deleting(world, null, () => gone)).toMatchObject({ plans: [], arrivals: [], missing: ['productId'] });
  });

  it('leaves alone what a fixture names, wherever', () => {
    for (const environment of ['staging', 'local'] as const) {
      const world = worldWith({ environment, fixtures: { productId: 'prd_fixed' } });
      expect(deleting(world, null, () => gone)).toMatchObject({ plans: [], missing: ['productId'] });
    }
  });

  it('takes what an earlier run left where none can be made, and nothing else, wherever', () => {
    for (const environment of ['staging', 'local'] as const) {
      const world = worldWith({ environment });
      world.knowledge.noteListed(PRODUCTS, [{ id: 'prd_old' }, { id: 'prd_left', name: 'assay-run-6-abcdef' }]);
      const failing = ({ method }: RequestPlan): Changes => (method === 'POST' ? { status: 500 } : gone);
      const { plans } = deleting(world, creatorIn(world), failing);
      expect(plans.filter(({ method }) => method === 'DELETE')).toMatchObject([{ path: `${PRODUCTS}/prd_left` }]);
    }
  });

  it('takes no object for its victim that a list showed before', () => {
    const world = worldWith();
    world.knowledge.noteListed(PRODUCTS, [{ id: 'prd_v' }]);
    const { plans, missing } = deleting(world, creatorIn(world), shopkeeper);
    expect(plans.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(missing).toEqual(['productId']);
  });

  it('is not proven by a refusal', () => {
    const world = worldWith();
    const refusing = (plan: RequestPlan): Changes =>
      plan.method === 'POST' ? shopkeeper(plan) : { status: 409, body: { error: errorObject({ status: 409 }) } };
    expect(deleting(world, creatorIn(world), refusing).arrivals).toMatchObject([{ proof: null }]);
  });
});

it.each([
  [{ id: 'a' }, 'a'],
  [{ data: { id: 'a' } }, 'a'],
  [{ product: { product_id: 7 } }, '7'],
  [{ ok: true }, null],
  [[{ id: 'a' }], null],
  ['text', null],
])('the id that %j shows is %j', (body, id) => {
  expect(createdId(exchangeWith({ status: 201, body }), 'productId', PRODUCTS)).toBe(id);
});
