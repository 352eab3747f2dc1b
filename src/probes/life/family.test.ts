// Tests the costs and the creates that courses promise, where a budget bounds the run and elsewhere.
import { beforeAll, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { loadShop, reachedWith, SHOP_PATHS, shopDocument, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { lifeExperiments, lifeUndeclared, lifeUntested } from './family.ts';

const PRODUCTS = ['GET', 'POST'].map((method) => `${method} /api/v1/products`);
const PRODUCT = ['GET', 'PUT', 'DELETE'].map((method) => `${method} /api/v1/products/{productId}`);
const NOTES = ['POST /api/v1/notes', 'DELETE /api/v1/notes/{noteId}'];
const TAGS = ['POST /api/v1/tags', 'GET /api/v1/tags/{tagId}'];

let shop: Description;
beforeAll(async () => {
  const made = { post: { responses: { 201: { description: 'Made' } } } };
  const at = (name: string) => ({ parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] });
  shop = await loadShop({
    ...SHOP_PATHS,
    '/api/v1/notes': made,
    '/api/v1/notes/{noteId}': { ...at('noteId'), delete: { responses: { 204: { description: 'Gone' } } } },
    '/api/v1/tags': made,
    '/api/v1/tags/{tagId}': { ...at('tagId'), get: { responses: { 200: { description: 'Read' } } } },
  });
});

const courses = (isBrief: boolean) => {
  const world = worldWith({ isBrief });
  const values = { productId: 'prd_1', noteId: 'n_1', tagId: 't_1' };
  const reached = [...PRODUCTS, ...PRODUCT, ...NOTES, ...TAGS].map((key) => reachedWith(world, shop, key, values));
  const byName = new Map(lifeExperiments(world, reached).map((one) => [one.operation?.split('/').at(-1), one]));
  return (name: string) => byName.get(name)?.cost ?? Number.NaN;
};

it('a course takes more requests on a resource with more operations where a budget bounds the run, and is reckoned alike elsewhere', () => {
  expect(courses(true)('products')).toBeGreaterThan(courses(true)('tags'));
  expect(courses(false)('products')).toBe(courses(false)('notes'));
});

it('a clause on an operation that a resource lacks is not tested there, and is not declared where no resource has it', () => {
  const world = worldWith({ isBrief: false });
  const values = { productId: 'prd_1', noteId: 'n_1', tagId: 't_1' };
  const reached = [...PRODUCTS, ...PRODUCT, ...TAGS].map((key) => reachedWith(world, shop, key, values));
  const lacking = lifeUntested(world, reached).map(({ clause, operation }) => `${clause} ${operation}`);
  expect(lacking.filter((one) => /^LIFE-0[1-4] /.test(one)).toSorted()).toEqual([
    'LIFE-03 POST /api/v1/products',
    'LIFE-03 POST /api/v1/tags',
    'LIFE-04 POST /api/v1/tags',
  ]);
  const [products, tags] = lifeExperiments(world, reached).map(({ clauses }) => clauses);
  expect(products).toEqual(expect.arrayContaining(['LIFE-02', 'LIFE-04']));
  expect([products, tags].flat()).not.toContain('LIFE-03');
  const among = reached.map(({ operation }) => operation);
  const undeclared = ['LIFE-02', 'LIFE-03', 'LIFE-04', 'PAG-01'].map((clause) => lifeUndeclared(clause, among));
  expect(undeclared).toEqual([null, 'no operation changes an item in part (PATCH)', null, null]);
});

it('deletes the one item that may be made only where nothing is made below it', async () => {
  const below = '/api/v1/products/{productId}/notes';
  const param = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const made = { responses: { 201: { description: 'Made' } } };
  const item = {
    parameters: [param('productId'), param('noteId')],
    get: { responses: { 200: { description: 'Read' } } },
  };
  const nested = await loadShop({
    ...SHOP_PATHS,
    [below]: { parameters: [param('productId')], post: made },
    [`${below}/{noteId}`]: item,
  });
  let nowMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const world = worldWith({ lasts: () => true, timing: { now: () => nowMs, sleep } });
  const deletesOf = async (...others: readonly string[]): Promise<number> => {
    const proof = exchangeWith({
      status: 201,
      plan: { service: 'admin', operation: 'POST /api/v1/products', method: 'POST', path: '/api/v1/products' },
      body: { id: 'prd_1' },
    });
    const reached = [...PRODUCTS, ...PRODUCT, ...others].map((key) =>
      reachedWith(world, nested, key, { productId: 'prd_1', noteId: 'n_1' }, { proof }),
    );
    const sent: RequestPlan[] = [];
    const [course] = lifeExperiments(world, reached);
    await course?.converse(async (plan) => {
      sent.push(plan);
      const last = exchangeWith({ plan, body: { id: 'prd_1', name: 'a' } });
      return { last, attempts: [last] };
    });
    return sent.filter(({ method }) => method === 'DELETE').length;
  };
  expect(await deletesOf()).toBeGreaterThan(0);
  expect(await deletesOf(`POST ${below}`, `GET ${below}/{noteId}`)).toBe(0);
});

it('looks for what has its own place elsewhere in the list where it is made', async () => {
  const answered = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Dish' } } } };
  const param = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const described = await loadFiles({
    'shop.json': {
      ...shopDocument({
        '/api/v1/menus/{menuId}/dishes': {
          parameters: [param('menuId')],
          post: { responses: { 201: { description: 'Made', ...answered } } },
          get: { responses: { 200: { description: 'All' } } },
        },
        '/api/v1/dishes/{dishId}': {
          parameters: [param('dishId')],
          get: { responses: { 200: { description: 'Read', ...answered } } },
        },
      }),
      components: { schemas: { Dish: { type: 'object', required: ['id'] } } },
    },
  });
  const world = worldWith();
  const reached = [
    reachedWith(world, described, 'POST /api/v1/menus/{menuId}/dishes', { menuId: 'm_1' }),
    reachedWith(world, described, 'GET /api/v1/menus/{menuId}/dishes', { menuId: 'm_2' }),
    reachedWith(world, described, 'GET /api/v1/dishes/{dishId}', { dishId: 'd_0' }),
  ];
  const paths = new Set<string>();
  const [course] = lifeExperiments(world, reached);
  await course?.converse(async (plan) => {
    paths.add(`${plan.method} ${plan.path}`);
    const isList = plan.method === 'GET' && plan.path.endsWith('/dishes');
    const body = isList ? [{ id: 'd_1' }] : { id: 'd_1', name: 'a' };
    const last = exchangeWith({ plan, status: plan.method === 'POST' ? 201 : 200, body });
    return { last, attempts: [last] };
  });
  expect([...paths].toSorted()).toEqual([
    'GET /api/v1/dishes/d_1',
    'GET /api/v1/menus/m_1/dishes',
    'POST /api/v1/menus/m_1/dishes',
  ]);
});
