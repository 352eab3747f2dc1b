// The platform's operations in parts, for whoever serves few of them.

/** Paths by service. */
export type Paths = Readonly<Record<string, readonly string[]>>;

/**
 * Paths that are listed page by page, made under keys, read, changed, deleted, and asked for liveness. In this order: a
 * fault takes the last operation that fits, and on a list it would break the laws of lists, too.
 */
export const SMALL: Paths = {
  admin: ['/api/v1/auth/activity/logs', '/api/v1/stores', '/api/v1/stores/{storeId}', '/api/health/live'],
};
/** Beside those, each for what is of its own kind: payments, throttled exports, ids of others in paths, other paging. */
export const FURTHER: readonly Paths[] = [
  { store: ['/customers', '/customers/{customerId}'] },
  { store: ['/products', '/products/{productId}'] },
  { store: ['/inventory', '/inventory/{sku}'] },
  { ai: ['/api/v1/ai/agents', '/api/v1/ai/agents/{agentId}'] },
  { admin: ['/api/v1/auth/activity/export'] },
  { admin: ['/api/v1/auth/register'] },
  { admin: ['/api/v1/stores/process-payment'] },
  { admin: ['/api/v1/stores/{storeId}/domains/connect', '/api/v1/stores/{storeId}/domains/notifications'] },
  { admin: ['/api/v1/themes'] },
  { admin: ['/api/v1/taxes/hs-codes', '/api/v1/taxes/currencies'] },
];
/** Paths of a thing that is made below another one and never deleted: few faults need it, and a run takes long with it. */
export const SELDOM: Paths = {
  store: [
    '/products',
    '/products/{productId}',
    '/products/{productId}/variants',
    '/products/{productId}/variants/{variantId}',
  ],
};
