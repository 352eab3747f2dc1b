import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { loadShop } from '../testing/world.ts';
import { looksLikePayment } from './payments.ts';

const ok = { responses: { 200: { description: 'Yes' } } };

async function paying(path: string, method: string, more: object = {}): Promise<boolean> {
  const [described] = createCatalogue([await loadShop({ [path]: { [method]: { ...ok, ...more } } })]).operations;
  return described !== undefined && looksLikePayment(described);
}

describe('a payment', () => {
  it.each([
    ['/api/v1/stores/process-payment', 'post', {}],
    ['/charges', 'post', {}],
    ['/orders/{orderId}/capture', 'post', {}],
    ['/orders/{orderId}/refunds', 'post', {}],
    ['/carts/{cartId}/checkout', 'put', {}],
    ['/orders/{orderId}/finish', 'post', { operationId: 'payOrder' }],
    ['/orders/{orderId}/finish', 'post', { tags: ['Payouts'] }],
    ['/orders/{orderId}/finish', 'post', { summary: 'Makes the payment for an order' }],
  ])('is told by its words: %s %s %j', async (path, method, more) => {
    expect(await paying(path, method, more)).toBe(true);
  });

  it.each([
    ['/charges', 'get', {}],
    ['/charges/{chargeId}', 'delete', {}],
    ['/orders', 'post', { summary: 'Creates an order', tags: ['Orders'] }],
    ['/repayments-report', 'post', {}],
    ['/stores/{paymentId}/names', 'post', {}],
    ['/recaptures', 'post', {}],
  ])('is not what only reads, deletes, or has such letters within a word: %s %s %j', async (path, method, more) => {
    expect(await paying(path, method, more)).toBe(false);
  });
});
