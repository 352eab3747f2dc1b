import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { drawFor, type World } from '../world.ts';
import { Knowledge } from './knowledge.ts';
import { recipeBody } from './recipe.ts';
import { nounsReferred, queryReferencesOf, referencesOf } from './references.ts';

const text = { type: 'string', minLength: 1 };
const list = (items: unknown) => ({ type: 'array', minItems: 1, items });
const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const MEMBERS = {
  customer_id: text,
  billingCustomerId: text,
  product_sku: text,
  productSkus: list(text),
  order_number: { type: 'integer' },
  items: list(object({ product: text, quantity: { type: 'integer' } })),
  customer: object({ id: text }),
  category: text,
  coupon_code: { type: 'string', maxLength: 3 },
  invoice_number: text,
  invoiceId: text,
  paid: text,
  title: text,
};

let shop: Description;
beforeAll(async () => {
  const content = { 'application/json': { schema: object(MEMBERS) } };
  const responses = { 201: { description: 'Made' } };
  shop = await loadShop({ '/invoices': { post: { requestBody: { required: true, content }, responses } } });
});

function world(contract: World['contract']): World {
  const knowledge = new Knowledge();
  knowledge.noteListed('/customers', [{ id: 'cus_1', name: 'A' }]);
  knowledge.noteListed('/products', [{ sku: 'SKU-1', title: 'A' }]);
  knowledge.noteListed('/orders', [{ number: 1007 }]);
  knowledge.noteListed('/categories', [{ slug: 'cat-1' }]);
  knowledge.noteListed('/coupons', [{ code: 'SUMMER' }]);
  knowledge.noteListed('/invoices', [{ number: 'INV-1' }]);
  knowledge.share();
  return worldWith({ contract, knowledge });
}

const found = (contract: World['contract']): Readonly<Record<string, unknown>> => {
  const around = world(contract);
  return referencesOf(around, reachedWith(around, shop, 'POST /invoices').recipe);
};

describe('references in a query', () => {
  const parameters = (...schemas: readonly unknown[]) =>
    schemas.map((schema, index) => ({
      name: ['order', 'category', 'sort'][index],
      in: 'query',
      required: true,
      schema,
    }));
  const queryOf = async (contract: World['contract'], ...schemas: readonly unknown[]) => {
    const around = world(contract);
    const described = await loadShop({ '/lines': { get: { parameters: parameters(...schemas), responses: {} } } });
    return new Map(queryReferencesOf(around, reachedWith(around, described, 'GET /lines').recipe));
  };

  it('name what the target has shown, where the parameter admits it', async () => {
    const query = await queryOf('openapi', { type: 'integer' }, { type: 'integer' }, text);
    expect(query.get('order')).toBe('1007');
    expect(query.get('category')).not.toBe('cat-1');
  });

  it('name what this run made where something is changed', async () => {
    const around = world('openapi');
    const order = { name: 'order', in: 'query', required: true, schema: { type: 'integer' } };
    const described = await loadShop({ '/lines': { post: { parameters: [order], responses: {} } } });
    const sent = () =>
      new Map(queryReferencesOf(around, reachedWith(around, described, 'POST /lines').recipe)).get('order');
    expect(sent()).not.toBe('1007');
    around.knowledge.noteCreated('/orders', { number: 1008 });
    expect(sent()).toBe('1008');
  });

  it('leave what the description tells, and what a contract states', async () => {
    const told = await queryOf('openapi', { type: 'integer', example: 5 }, { type: 'string', enum: ['a', 'b'] });
    expect([told.get('order'), told.get('category')]).toEqual(['5', 'a']);
    expect((await queryOf('commerce', { type: 'integer' })).get('order')).not.toBe('1007');
  });
});

describe('references in a body', () => {
  it.each([
    ['/users/get_user', { username: 'ann' }],
    ['/users/delete', { username: 'mine' }],
    ['/users/update', { username: 'mine' }],
    ['/users/create', {}],
    ['/teams/{team}/users/delete', {}],
  ])('by the word at its end, %s names %j of what is there', async (path, expected) => {
    const content = { 'application/json': { schema: object({ username: text, names: list(text) }) } };
    const described = await loadShop({ [path]: { post: { requestBody: { required: true, content }, responses: {} } } });
    const around = worldWith({ contract: 'openapi' });
    around.knowledge.noteListed('/users/list', [{ id: 'u-1', username: 'ann', name: 'Ann' }], { nouns: ['user'] });
    around.knowledge.share();
    const named = () => referencesOf(around, reachedWith(around, described, `POST ${path}`).recipe);
    if (/^.users.(delete|update)$/.test(path)) {
      expect(named()).toEqual({});
      around.knowledge.noteCreated('/users/create', { id: 'u-2', username: 'mine' }, ['user']);
    }
    expect(named()).toMatchObject(expected);
    if (Object.keys(expected).length === 0) expect(named()).toEqual({});
  });

  it('name it in every object of a list that is the body', async () => {
    const content = { 'application/json': { schema: list(object({ customer_id: text })) } };
    const described = await loadShop({
      '/batches': { post: { requestBody: { required: true, content }, responses: {} } },
    });
    const around = world('openapi');
    const { recipe } = reachedWith(around, described, 'POST /batches');
    const sent = recipeBody({ ...recipe, additions: referencesOf(around, recipe) }, drawFor(around, 'x'));
    expect(sent).toMatchObject([{ customer_id: 'cus_1' }]);
  });

  it('name what the target has shown: by id, by another member, in lists and inside objects', () => {
    expect(found('openapi')).toMatchObject({
      customer_id: 'cus_1',
      billingCustomerId: 'cus_1',
      product_sku: 'SKU-1',
      productSkus: ['SKU-1'],
      order_number: 1007,
      items: [{ product: 'SKU-1' }],
      customer: { id: 'cus_1' },
      category: 'cat-1',
    });
  });

  it('are not what the object is called by itself, what the schema does not admit, or what only sounds like one', () => {
    expect(Object.keys(found('openapi'))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/invoice_number|invoiceId|coupon_code|paid|title/)]),
    );
  });

  it('are not told by the noun alone where the platform has its own contract', () => {
    expect(found('commerce')).toMatchObject({ customer_id: 'cus_1', product_sku: 'SKU-1' });
    expect(Object.keys(found('commerce'))).not.toContain('category');
  });

  it('are none while resources are reached side by side', () => {
    const around = worldWith({ contract: 'openapi' });
    around.knowledge.noteListed('/customers', [{ id: 'cus_1' }]);
    expect(referencesOf(around, reachedWith(around, shop, 'POST /invoices').recipe)).not.toHaveProperty('customer_id');
  });
});

it('the nouns that a body refers to are those of its ids, codes and inner objects', () => {
  const body = { lead_customer_id: 'a', items: [{ productSku: 'b' }], store: { id: 1 }, tag_ids: ['c'] };
  expect(nounsReferred(worldWith(), body)).toEqual(['leadcustomer', 'customer', 'product', 'store', 'tag']);
});

it('an id that a number would round refers to another object: it is not sent', () => {
  const referred = (number: string): unknown => {
    const around = worldWith({ contract: 'openapi' });
    around.knowledge.noteListed('/orders', [{ number }]);
    around.knowledge.share();
    return referencesOf(around, reachedWith(around, shop, 'POST /invoices').recipe).order_number;
  };
  expect(referred('9007199254740991')).toBe(9007199254740991);
  expect(referred('1189274612837461231')).toBeUndefined();
});
