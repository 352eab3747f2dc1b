// The error envelope: one JSON object with the single member `error`.
import type { Answer, Call } from './http/call.ts';

export interface FieldFailure {
  /** Where: "address.lines[0].zip". */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface Problem {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly param?: string;
  readonly errors?: readonly FieldFailure[];
  readonly headers?: Readonly<Record<string, string>>;
}

function problem(status: number, type: string, code: string, title: string, message: string): Problem {
  return { status, type, code, title, message };
}

const REQUEST = 'invalid_request_error';

export const PROBLEMS = {
  tokenInvalid: problem(
    401,
    'authentication_error',
    'auth_token_invalid',
    'Invalid token',
    'The bearer token is missing, invalid or expired.',
  ),
  accountLocked: problem(
    403,
    'permission_error',
    'account_locked',
    'Account locked',
    'The account of this token is locked.',
  ),
  notFound: problem(404, REQUEST, 'resource_not_found', 'Not found', 'Nothing stands at this path or under this id.'),
  malformedRequest: problem(400, REQUEST, 'malformed_request', 'Malformed request', 'The request could not be read.'),
  malformedJson: problem(400, REQUEST, 'malformed_json', 'Malformed JSON', 'The body is not valid JSON.'),
  tooDeep: problem(400, REQUEST, 'body_too_deep', 'Body too deep', 'The body is nested too deeply.'),
  tooLarge: problem(413, REQUEST, 'body_too_large', 'Body too large', 'The body is larger than the platform reads.'),
  mediaType: problem(
    415,
    REQUEST,
    'unsupported_media_type',
    'Unsupported media type',
    'The operation does not read this media type.',
  ),
  keyReused: problem(
    409,
    'idempotency_error',
    'idempotency_key_reused',
    'Key used before',
    'This idempotency key belongs to a different request.',
  ),
  internal: problem(500, 'api_error', 'internal_error', 'Internal error', 'The platform failed.'),
} as const;

export function methodNotAllowed(allowed: readonly string[]): Problem {
  const told = problem(405, REQUEST, 'method_not_allowed', 'Method not allowed', 'The path does not take this method.');
  return { ...told, headers: { allow: allowed.join(', ') } };
}

export function conflict(member: string): Problem {
  const code = `${member.replace(/[^a-z0-9]+/gi, '_').toLowerCase()}_taken`;
  return problem(409, 'conflict_error', code, 'Already taken', `Another resource has this ${member}.`);
}

export function throttled(code: string, retryAfterSeconds: number): Problem {
  const told = problem(429, 'rate_limit_error', code, 'Too many requests', 'Wait as Retry-After says and try again.');
  return { ...told, headers: { 'retry-after': String(retryAfterSeconds) } };
}

/** The failures as one validation error; `param` is the top-level member of the first. */
export function validationFailed(failures: readonly FieldFailure[]): Problem {
  const told = problem(
    400,
    'validation_error',
    'validation_failed',
    'Validation failed',
    'One or more fields were rejected.',
  );
  return { ...told, param: topLevel(failures[0]?.field ?? 'body'), errors: failures };
}

/** First segment of a field's path. */
export function topLevel(field: string): string {
  return field.split(/[.[]/, 1)[0] || field;
}

/** The answer that tells the problem. Shape: ERR-01, ERR-02; instance is the path without the query. */
export function refusal(call: Call, told: Problem, docsUrl: string): Answer {
  const error = {
    type: told.type,
    code: told.code,
    title: told.title,
    message: told.message,
    status: told.status,
    ...(told.errors === undefined ? {} : { param: told.param, errors: told.errors }),
    doc_url: `${docsUrl}/errors/${told.code}`,
    request_id: call.requestId,
    instance: call.path,
    timestamp: new Date(call.receivedAt).toISOString(),
  };
  return { status: told.status, headers: { 'content-type': 'application/json', ...told.headers }, body: { error } };
}
