// The names and figures by which the reference platform answers: they stand in the platform's contract, too, by which it is judged.

/** Response headers of normal API calls. Source: Limits. */
export const RATE_HEADERS = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

export const PAYMENT_OPERATION = 'POST /api/v1/stores/process-payment';
export const REGISTER_OPERATION = 'POST /api/v1/auth/register';
export const EXPORT_OPERATION = 'POST /api/v1/auth/activity/export';
export const ACTIVITY_LOG_OPERATION = 'GET /api/v1/auth/activity/logs';
/** Items a page of the activity log. Source: Limits, PAG-02, PAG-03. */
export const ACTIVITY_LOG_PAGES = { default: 20, maximum: 100 } as const;
export const HEALTH_PATH = '/api/health/live';
export const PATH_PREFIX = '/api/v1';
export const INTERNAL_PREFIX = '/api/internal/';
