// ERR-12 and ERR-13: what errors and successes must not carry.
import type { Deviation } from '../deviation.ts';
import { isObject } from '../json.ts';
import { err, fixed, invalid, status } from './error-fault.ts';
import { fault, on } from './fault.ts';
import { isGuarded, onSuccess } from './subject.ts';

const PARTIAL = {
  type: 'api_error',
  code: 'partial_failure',
  title: 'Partly failed',
  message: 'The cache was not updated.',
};

export const LEAK_FAULTS: readonly Deviation[] = [
  err(
    'ERR-12',
    'token-in-message',
    'The message of a 401 repeats the token.',
    status(401),
    fixed((error, call) => {
      error.message = `The token ${call.headers.authorization ?? ''} is not valid.`;
    }),
  ),
  err(
    'ERR-12',
    'token-in-not-found',
    'A 404 carries the request headers for debugging.',
    status(404),
    fixed((error, call) => {
      error.debug = { authorization: call.headers.authorization ?? null };
    }),
  ),
  err(
    'ERR-12',
    'stack-trace',
    'Validation errors carry a stack trace.',
    invalid,
    fixed((error) => {
      error.message =
        'ValidationError: rejected\n    at validate (/srv/app/src/validation/body.ts:41:13)\n    at handle (/srv/app/src/server.ts:120:9)';
    }),
  ),
  err(
    'ERR-12',
    'trace-behind-value',
    'Validation errors repeat the rejected value, and a stack trace behind it.',
    invalid,
    fixed((error, call) => {
      const long = JSON.stringify(call.body ?? '').length > 20_000;
      if (long)
        error.message = `${'x'.repeat(60_000)} is refused\n    at validate (/srv/app/src/validation/body.ts:41:13)`;
    }),
  ),
  err(
    'ERR-12',
    'source-path',
    'Malformed JSON is told with the path of a source file.',
    status(400),
    fixed((error) => {
      if (error.code === 'malformed_json') error.message = 'Unexpected token in /srv/app/src/http/parse-body.ts:17';
    }),
  ),
  fault(
    'ERR-12',
    'token-in-header',
    'Successes of one operation repeat the token in a response header.',
    on(
      'a list',
      (route) => isGuarded(route) && route.role.kind === 'list',
      (route) =>
        onSuccess(route, (call, answer) => {
          answer.headers['x-debug-auth'] = call.headers.authorization ?? '';
        }),
    ),
  ),
  fault(
    'ERR-13',
    'success-with-error',
    'One create operation answers 201 with an error envelope beside its result.',
    on(
      'a create operation',
      ({ role }) => role.kind === 'create' && !role.resource.shared,
      (route) =>
        onSuccess(route, (_call, answer) => {
          if (isObject(answer.body)) answer.body.error = { ...PARTIAL, status: answer.status };
        }),
    ),
  ),
  fault(
    'ERR-13',
    'short-failure',
    'One list answers 200 with success: false and an error of code and message.',
    on(
      'a list',
      (route) => isGuarded(route) && route.role.kind === 'list',
      (route) =>
        onSuccess(route, (_call, answer) => {
          const { code, message } = PARTIAL;
          answer.body = { success: false, error: { code, message } };
        }),
    ),
    ['SCH-01', 'PAG-01', 'PAG-07', 'PAG-08', 'PAG-09', 'PAG-10', 'PAG-12'],
  ),
  fault(
    'ERR-13',
    'four-members',
    'What one operation reads carries an error of type, code, message and status beside its own members.',
    on(
      'an operation that reads an item',
      ({ role }) => role.kind === 'item' && role.verb === 'read',
      (route) =>
        onSuccess(route, (_call, answer) => {
          const { type, code, message } = PARTIAL;
          if (isObject(answer.body)) answer.body.error = { type, code, message, status: answer.status };
        }),
    ),
  ),
  fault(
    'ERR-13',
    'failure-as-200',
    'Unknown ids of one operation are told by an error envelope under 200.',
    on(
      'an operation that reads an item',
      ({ role }) => role.kind === 'item' && role.verb === 'read',
      (route) => ({
        answer: (call, answer) => (call.route === route && answer.status === 404 ? { ...answer, status: 200 } : answer),
      }),
    ),
    ['REQ-02', 'SCH-01', 'SCH-04'],
  ),
];
