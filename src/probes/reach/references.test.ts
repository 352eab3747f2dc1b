import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { World } from '../world.ts';
import { Knowledge } from './knowledge.ts';
import { nounsReferred, referencesOf } from './references.ts';

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

describe('references in a body', () => {
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
