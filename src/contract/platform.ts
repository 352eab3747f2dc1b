// What the platform states of itself: headers, statuses, limits. Source: the interface document;
// what it does not show is not here.

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

/** Error statuses that need no declaration, or are always declarable. Source: SCH-08. */
export const COMMON_ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 415, 422, 429, 503] as const;
/** Statuses the platform never uses. Source: SCH-07. */
export const UNUSED_STATUSES = [402, 423, 430] as const;

/** No request goes unanswered longer. Source: REQ-09. ms. */
export const ANSWER_LIMIT_MS = 30_000;
