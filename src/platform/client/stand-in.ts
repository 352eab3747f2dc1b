// Answers a client in the platform's place: bodies as the contract shows them, and errors in their envelope. Pure.

import type { Circumstance, ClientCall, StandIn, Stock, Told, Trouble } from '../../contract/client.ts';
import { ACTIVITY_LOG_PAGES, HEALTH_PATH, IDEMPOTENCY_HEADER, RATE_HEADERS } from '../facts.ts';

interface Success {
  readonly status: number;
  readonly body: unknown;
}

/** The contract's operations that a client may call here; null: it is none of them. */
function operationOf({ method, path }: Pick<ClientCall, 'method' | 'path'>): string | null {
  const known = OPERATIONS.find(([verb, pattern]) => verb === method && pattern.test(path));
  return known?.[2] ?? null;
}

const OPERATIONS: readonly (readonly [method: string, pattern: RegExp, key: string])[] = [
  ['GET', /^\/api\/v1\/stores\/?$/, 'GET /api/v1/stores'],
  ['POST', /^\/api\/v1\/stores\/?$/, 'POST /api/v1/stores'],
  ['POST', /^\/api\/v1\/stores\/process-payment\/?$/, 'POST /api/v1/stores/process-payment'],
  ['GET', /^\/api\/v1\/stores\/[^/]+\/?$/, 'GET /api/v1/stores/{storeId}'],
  [
    'GET',
    /^\/api\/v1\/stores\/[^/]+\/domains\/notifications\/?$/,
    'GET /api/v1/stores/{storeId}/domains/notifications',
  ],
  ['GET', /^\/api\/v1\/auth\/activity\/logs\/?$/, 'GET /api/v1/auth/activity/logs'],
];

/** Where a 302 leads: a page of the dashboard, on the same host. */
const REDIRECTED_TO = '/dashboard/stores/settings/domains';
const CREATED_AT = '2026-01-31T12:00:00.000Z';

/** The answer of a success; null: nothing stands at this path or under this id. */
function success(call: ClientCall, stock: Stock): Success | null {
  const store = { id: stock.storeId, name: 'Example store', created_at: CREATED_AT };
  switch (operationOf(call)) {
    case 'GET /api/v1/stores':
      return { status: 200, body: [store] };
    case 'GET /api/v1/stores/{storeId}':
      return isOfStore(call, stock) ? { status: 200, body: store } : null;
    case 'POST /api/v1/stores':
      return { status: 201, body: { ...store, id: `${stock.storeId}_${keyed(call)}` } };
    case 'POST /api/v1/stores/process-payment':
      return { status: 200, body: { id: `pay_${keyed(call)}`, status: 'succeeded', created_at: CREATED_AT } };
    case 'GET /api/v1/auth/activity/logs':
      return { status: 200, body: logPage(call, stock.logs) };
    case 'GET /api/v1/stores/{storeId}/domains/notifications':
      return isOfStore(call, stock) ? { status: 200, body: slice(call, stock.notifications) } : null;
    default:
      return null;
  }
}

function isOfStore({ path }: ClientCall, { storeId }: Stock): boolean {
  return decodeURIComponent(path.split('/')[4] ?? '') === storeId;
}

/** The same key makes the same thing. */
function keyed({ header }: ClientCall): string {
  const key = header(IDEMPOTENCY_HEADER.toLowerCase()) ?? '';
  return key.replace(/[^A-Za-z0-9]/g, '').slice(0, 12) || 'new';
}

/** A page of the log; numbers that are none count as if they were absent, and pages beyond the end are empty. */
function logPage({ query }: ClientCall, ids: readonly string[]) {
  const page = wholeNumber(query.get('page'), 1, 1);
  const asked = wholeNumber(query.get('limit'), ACTIVITY_LOG_PAGES.default, 1);
  const limit = Math.min(asked, ACTIVITY_LOG_PAGES.maximum);
  const data = ids
    .slice((page - 1) * limit, page * limit)
    .map((id) => ({ id, action: 'login', created_at: CREATED_AT }));
  return { data, total: ids.length, page, limit, total_pages: Math.ceil(ids.length / limit) };
}

/** The contract shows no largest page here: who asks for more gets more. */
function slice({ query }: ClientCall, ids: readonly string[]) {
  const offset = wholeNumber(query.get('offset'), 0, 0);
  const limit = wholeNumber(query.get('limit'), ACTIVITY_LOG_PAGES.default, 1);
  return ids.slice(offset, offset + limit).map((id) => ({ id, domain: 'shop.example.com', created_at: CREATED_AT }));
}

function wholeNumber(text: string | null, absent: number, least: number): number {
  const value = Number(text ?? '');
  return text !== null && /^\d{1,15}$/.test(text.trim()) && value >= least ? value : absent;
}

// Where something goes wrong: the error envelope with every member, and the headers.

interface Kind {
  readonly type: string;
  readonly code: string;
  readonly title: string;
}

const KINDS: Readonly<Record<number, Kind>> = {
  400: { type: 'validation_error', code: 'validation_failed', title: 'Validation failed' },
  401: { type: 'authentication_error', code: 'auth_token_invalid', title: 'Invalid token' },
  403: { type: 'permission_error', code: 'account_locked', title: 'Account locked' },
  404: { type: 'invalid_request_error', code: 'resource_not_found', title: 'Not found' },
  409: { type: 'conflict_error', code: 'name_taken', title: 'Already taken' },
  413: { type: 'invalid_request_error', code: 'body_too_large', title: 'Body too large' },
  429: { type: 'rate_limit_error', code: 'rate_limit_exceeded', title: 'Too many requests' },
  500: { type: 'api_error', code: 'internal_error', title: 'Internal error' },
  502: { type: 'api_error', code: 'bad_gateway', title: 'Bad gateway' },
  503: { type: 'api_error', code: 'service_not_ready', title: 'Service is not ready' },
};
/** No catalogue holds them, and none will. */
const UNKNOWN: Kind = { type: 'lunar_phase_error', code: 'moon_is_waning', title: 'Something new' };
const DOCS = 'https://docs.example.com';

/** The error that goes with the status. */
function refusal(status: number, about: Circumstance, isUnknown = false): Told {
  const kind = isUnknown ? UNKNOWN : (KINDS[status] ?? UNKNOWN);
  const field = { field: 'name', code: 'invalid_type', message: message(about) };
  const isValidation = kind.type === 'validation_error';
  const error = {
    ...kind,
    ...{ message: message(about), status },
    ...(isValidation ? { param: 'name', errors: [field] } : {}),
    ...{ doc_url: `${DOCS}/errors/${kind.code}`, request_id: about.requestId, instance: about.path },
    timestamp: new Date(about.nowMs).toISOString(),
  };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) };
}

/** The trouble as it is answered. Its status must not be null. */
function troubled(trouble: Trouble & { readonly status: number }, about: Circumstance): Told {
  if (trouble.status === 302) return { status: 302, headers: { location: REDIRECTED_TO }, body: '' };
  const told = refusal(trouble.status, about, trouble.isUnknown);
  const { wait } = trouble;
  if (wait === null) return told;
  return { ...told, headers: { ...told.headers, 'retry-after': retryAfter(wait, about.nowMs) } };
}

/** A date has whole seconds: the next one after the wait. */
function retryAfter({ form, seconds }: NonNullable<Trouble['wait']>, nowMs: number): string {
  if (form === 'seconds') return String(seconds);
  return new Date(Math.ceil(nowMs / 1000) * 1000 + seconds * 1000).toUTCString();
}

function message({ marker }: Circumstance): string {
  return `The request of jane.roe.${marker}@example.org was not accepted.`;
}

const { limit, remaining, reset } = RATE_HEADERS;
const COUNTED = { [limit]: '1000', [remaining]: '900', [reset]: '60' };

function json({ status, body }: Success, headers: Readonly<Record<string, string>> = {}): Told {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** The platform as a client meets it. */
export const STAND_IN: StandIn = {
  operationOf,
  refusal,
  troubled,
  open: ({ path }) => (path === HEALTH_PATH ? json({ status: 200, body: { status: 'ok' } }) : null),
  success(call, stock) {
    const given = success(call, stock);
    return given === null ? null : json(given, COUNTED);
  },
};
