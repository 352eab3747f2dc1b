// REQ-07 and REQ-09: registration, and hostile input.

import type { Deviation } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject } from '../json.ts';
import { fault, on } from './fault.ts';
import { accepting, codeOf, recoding } from './refusals.ts';
import { isGuarded } from './subject.ts';

const isCreate = (route: Route) => route.role.kind === 'create' && isGuarded(route);
const isRead = (route: Route) => route.role.kind === 'item' && route.role.verb === 'read' && isGuarded(route);
const isRegistration = ({ operation }: Route) => operation.public && operation.unique.includes('email');
const LONG = 1000;

function contains(call: Call, pattern: RegExp): boolean {
  return pattern.test(call.url) || pattern.test(JSON.stringify(call.body) ?? '');
}

function isBeyond32Bits(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 2 ** 31 && value < 1e21;
}

/** The answer as a 500: with the envelope, made of what it told before where it was an error. */
function internalError(answer: Answer): Answer {
  const error = asObject(asObject(answer.body).error);
  const { param: _param, errors: _errors, ...rest } = error;
  const doc = String(error.doc_url).replace(/[^/]*$/, 'internal_error');
  return {
    ...answer,
    status: 500,
    body: { error: { ...rest, type: 'api_error', code: 'internal_error', status: 500, doc_url: doc } },
  };
}

export const REGISTRATION_FAULTS: readonly Deviation[] = [
  fault(
    'REQ-07',
    'duplicate',
    'An email that is registered registers again.',
    on('the registration', isRegistration, (route) =>
      accepting((call, answer) => call.route === route && answer.status === 409),
    ),
  ),
  fault(
    'REQ-07',
    '200',
    'Registration answers 200.',
    on('the registration', isRegistration, (route) => ({
      answer: (call, answer) => {
        if (call.route === route && answer.status === 201) answer.status = 200;
        return answer;
      },
    })),
    ['SCH-05'],
  ),
  fault(
    'REQ-07',
    'password',
    'Registration does without a password.',
    on('the registration', isRegistration, (route) => ({
      validate: (call, failures) =>
        call.route === route
          ? failures.filter(({ field, code }) => field !== 'password' || code !== 'required')
          : failures,
    })),
    ['REQ-03'],
  ),
  fault(
    'REQ-07',
    'conflict-as-400',
    'A registered email answers 400.',
    on('the registration', isRegistration, (route) =>
      recoding(
        (call, answer) => call.route === route && answer.status === 409,
        'email_taken',
        'invalid_request_error',
        400,
      ),
    ),
  ),
];

export const HOSTILE_FAULTS: readonly Deviation[] = [
  fault(
    'REQ-09',
    'hangs',
    'A very long string is never answered, on one operation.',
    on('a create operation', isCreate, (route) => ({
      answer: (call, answer) =>
        call.route === route && JSON.stringify(call.body ?? '').length > LONG * 4
          ? { ...answer, delivery: { hang: true } }
          : answer,
    })),
  ),
  fault(
    'REQ-09',
    'large-body',
    'A body above 60 kB closes the connection without an answer, on one operation.',
    on('a create operation', isCreate, (route) => ({
      answer: (call, answer) =>
        call.route === route && JSON.stringify(call.body ?? '').length > 60_000
          ? { ...answer, delivery: { drop: true } }
          : answer,
    })),
  ),
  fault(
    'REQ-09',
    'large-integer',
    'An integer beyond 32 bits in a body answers 500, on one operation.',
    on('a create operation', isCreate, (route) => ({
      answer: (call, answer) =>
        call.route === route && answer.status === 400 && Object.values(asObject(call.body)).some(isBeyond32Bits)
          ? internalError(answer)
          : answer,
    })),
    ['SCH-06'],
  ),
  fault('REQ-09', 'header', 'A very long Accept-Language closes the connection without an answer.', () => ({
    answer: (call, answer) =>
      (call.headers['accept-language'] ?? '').length > LONG ? { ...answer, delivery: { drop: true } } : answer,
  })),
  fault('REQ-09', 'drops', 'Deep nesting closes the connection without an answer.', () => ({
    answer: (_call, answer) =>
      codeOf(answer.body) === 'body_too_deep' ? { ...answer, delivery: { drop: true } } : answer,
  })),
  fault('REQ-09', 'nul', 'A NUL in a body closes the connection without an answer.', () => ({
    answer: (call, answer) => (contains(call, /\\u0000|%00/) ? { ...answer, delivery: { drop: true } } : answer),
  })),
  fault(
    'REQ-09',
    'proto',
    'A member __proto__ answers 500.',
    () => ({
      answer: (call, answer) => {
        if (!contains(call, /__proto__/) || !isObject(asObject(answer.body).error)) return answer;
        return internalError(answer);
      },
    }),
    ['SCH-06'],
  ),
  fault(
    'REQ-09',
    'negative',
    'A negative number for an id in the path answers 500, on one operation.',
    on('a read of one resource', isRead, (route) => ({
      answer: (call, answer) =>
        call.route === route && answer.status >= 400 && Object.values(call.params).some((id) => /^-\d+$/.test(id))
          ? internalError(answer)
          : answer,
    })),
    ['SCH-06'],
  ),
];
