import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop, SHOP_PATHS } from '../../../test/support/probes/world.ts';
import { benchWith, getting, sending } from '../../../test/support/run/test-session.ts';
import { checkConfig } from '../../config/load.ts';
import { type Catalogue, createCatalogue } from '../../openapi/model/catalogue.ts';
import { NotSent } from '../../probes/probe.ts';
import { Consent, looksLikePayment } from './consent.ts';

const ok = { responses: { 200: { description: 'Yes' } } };
const [PRODUCT, PAYMENT, TOP_UP] = ['POST /api/v1/products', 'POST /api/v1/payments', 'POST /api/v1/wallets/top-up'];

let catalogue: Catalogue;
beforeAll(async () => {
  const paths = { ...SHOP_PATHS, '/api/v1/payments': { get: ok, post: ok }, '/api/v1/wallets/top-up': { post: ok } };
  catalogue = createCatalogue([await loadShop(paths)]);
});

/** The operations, out of a product, a payment and a top-up, that may be sent under such a configuration. */
function sent(environment: string, mutations: unknown): readonly string[] {
  const document = {
    target: { baseUrl: 'http://127.0.0.1:1', environment },
    ...(mutations === undefined ? {} : { mutations }),
  };
  const consent = new Consent(checkConfig(document, 'assay.config.yaml', { baseUrl: null, env: {} }), catalogue);
  return [PRODUCT, PAYMENT, TOP_UP].filter(
    (key) => consent.refusal({ service: 'admin', key: key as string, method: 'POST' }) === null,
  ) as string[];
}

describe('what may be sent', () => {
  it.each([
    ['local', undefined, [PRODUCT, PAYMENT, TOP_UP]],
    ['local', 'deny', []],
    ['local', { payments: 'deny' }, [PRODUCT, TOP_UP]],
    ['staging', undefined, []],
    ['staging', 'allow', [PRODUCT, TOP_UP]],
    ['production', undefined, []],
    ['production', 'allow', [PRODUCT, TOP_UP]],
    ['production', { default: 'allow', payments: 'allow' }, [PRODUCT, PAYMENT, TOP_UP]],
    ['production', { payments: 'allow' }, [PAYMENT]],
    [
      'staging',
      { default: 'allow', operations: { [TOP_UP]: 'payment', '/api/v1/pay*': 'ordinary' } },
      [PRODUCT, PAYMENT],
    ],
  ] as const)('in %s with mutations %j: %j', (environment, mutations, expected) => {
    expect(sent(environment, mutations)).toEqual(expected);
  });

  it('is reading, always', () => {
    const consent = new Consent({ mutations: 'deny', payments: { consent: 'deny', operations: [] } }, catalogue);
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(consent.forbidding(getting('/api/v1/payments', { method }))).toBeNull();
  });

  it('is no method that nothing describes where mutations are denied', () => {
    const plan = getting('/api/v1/payments', { method: 'PROPFIND', operation: null });
    const [denied, allowed] = (['deny', 'allow'] as const).map(
      (mutations) => new Consent({ mutations, payments: { consent: 'deny', operations: [] } }, catalogue),
    );
    expect([denied?.forbidding(plan)?.message, allowed?.forbidding(plan)]).toEqual([
      expect.stringContaining('mutations'),
      null,
    ]);
  });
});

it('what must not be sent ends its experiment, and its clauses are told as untested with the reason', async () => {
  const [description] = catalogue.descriptions;
  const consent = {
    isPayment: () => false,
    forbidding: ({ method }: { method: string }) =>
      method === 'GET' ? null : new NotSent('mutations-denied', 'mutations are denied'),
  };
  const { session, ledger, plans } = benchWith(description!, () => ({}), {
    consent,
    inRun: (clause) => clause === 'REQ-06',
  });
  await session.perform(sending([getting('/api/v1/products', { method: 'PROPFIND' })], { clauses: ['REQ-06'] }));
  expect(plans).toEqual([]);
  expect([...ledger.tallies('REQ-06').values()]).toMatchObject([
    { reasonCode: 'mutations-denied', reason: 'mutations are denied' },
  ]);
});

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
    ['/payment-methods/{methodId}/charge', 'post', {}],
    ['/payments/{paymentId}/methods', 'post', {}],
    ['/payments/{paymentId}/payment-methods', 'post', {}],
    ['/payment-methods', 'post', { summary: 'Charges a new payment method once' }],
    ['/methods', 'post', { summary: 'Pays by a payment method' }],
    ['/payment-links', 'post', {}],
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
    [
      '/payment-methods',
      'post',
      { tags: ['Payments'], summary: 'Adds a payment method', operationId: 'addPaymentMethod' },
    ],
    ['/customers/{customerId}/payment_methods/{methodId}', 'patch', {}],
    ['/checkout-settings', 'put', {}],
    ['/stores/{storeId}/refundPolicies', 'post', {}],
  ])(
    'is not what only reads, deletes, keeps a means of payment, or has such letters within a word: %s %s %j',
    async (path, method, more) => {
      expect(await paying(path, method, more)).toBe(false);
    },
  );
});
