// Customs of the field, under any contract: names that APIs use where nobody states another one.

/** The header that carries a request's idempotency key. Source: draft-ietf-httpapi-idempotency-key-header. */
export const USUAL_KEY_HEADER = 'Idempotency-Key';

/** The three headers that tell a limit; in which form the third tells its time is found out. */
export const X_RATELIMIT = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
  resetForm: null,
} as const;

/** Where pages count: all items, all pages, their own number and their size. */
export const USUAL_COUNTS = { total: '/total', pages: '/total_pages', page: '/page', size: '/limit' } as const;
