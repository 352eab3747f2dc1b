// What the platform answers a client where something goes wrong: the error envelope with every member, and the headers. Pure.

import type { Trouble } from '../../contract/client.ts';
import { LISTED_CODES } from '../../contract/platform.ts';

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an error tells of its request. */
export interface Circumstance {
  readonly path: string;
  readonly nowMs: number;
  readonly requestId: string;
  /** Stands in error.message and nowhere else, so that it is found again. */
  readonly marker: string;
  /** Where a redirect leads. */
  readonly location: string;
}

interface Kind {
  readonly type: string;
  readonly code: string;
  readonly title: string;
}

const { auth_token_invalid, resource_not_found, validation_failed } = LISTED_CODES;
const KINDS: Readonly<Record<number, Kind>> = {
  400: { type: validation_failed.type, code: 'validation_failed', title: 'Validation failed' },
  401: { type: auth_token_invalid.type, code: 'auth_token_invalid', title: 'Invalid token' },
  403: { type: 'permission_error', code: 'account_locked', title: 'Account locked' },
  404: { type: resource_not_found.type, code: 'resource_not_found', title: 'Not found' },
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
export function refusal(status: number, about: Circumstance, isUnknown = false): Told {
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
export function troubled(trouble: Trouble & { readonly status: number }, about: Circumstance): Told {
  if (trouble.status === 302) return { status: 302, headers: { location: about.location }, body: '' };
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
