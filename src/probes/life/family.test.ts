// What courses promise where a budget bounds the run.
import { beforeAll, expect, it } from 'vitest';
import type { Description } from '../../openapi/model/operation.ts';
import { loadShop, reachedWith, SHOP_PATHS, worldWith } from '../testing/world.ts';
import { lifeExperiments } from './family.ts';

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
  return (name: string) => byName.get(name) ?? { shows: undefined, cost: Number.NaN };
};

it('a course shows more on a resource with more operations, and takes more requests there', () => {
  const of = courses(true);
  expect(of('products').shows).toBeGreaterThan(of('tags').shows ?? Number.POSITIVE_INFINITY);
  expect(of('products').cost).toBeGreaterThan(of('tags').cost);
  expect(of('tags').shows).toBeGreaterThan(0);
});

it('what can be neither read nor listed shows nothing', () => {
  expect(courses(true)('notes').shows).toBe(0);
});

it('no resource counts for more than another where no budget bounds the run', () => {
  const of = courses(false);
  expect(of('products')).toMatchObject({ cost: of('notes').cost });
  expect(of('products').shows).toBeUndefined();
});
