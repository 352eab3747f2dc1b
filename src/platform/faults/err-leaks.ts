// ERR-12 and ERR-13: what successes must not carry.
import type { Deviation } from '../deviation.ts';
import { isObject } from '../json.ts';
import { fault, on, onAnswers } from './fault.ts';
import { isGuarded, onSuccess } from './subject.ts';

const PARTIAL = {
  type: 'api_error',
  code: 'partial_failure',
  title: 'Partly failed',
  message: 'The cache was not updated.',
};

export const LEAK_FAULTS: readonly Deviation[] = [
  fault(
    'err-12-token-in-header',
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
    'err-13-success-with-error',
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
    'err-13-short-failure',
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
    { alsoBreaks: ['SCH-01', 'PAG-01', 'PAG-07', 'PAG-08', 'PAG-09', 'PAG-10', 'PAG-12'] },
  ),
  fault(
    'err-13-four-members',
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
    'err-13-failure-as-200',
    'Unknown ids of one operation are told by an error envelope under 200.',
    onAnswers(
      'an operation that reads an item',
      ({ role }) => role.kind === 'item' && role.verb === 'read',
      (_call, answer) => (answer.status === 404 ? { ...answer, status: 200 } : undefined),
    ),
    { alsoBreaks: ['REQ-02', 'SCH-01', 'SCH-04'] },
  ),
];
