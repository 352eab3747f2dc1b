// ERR-12 and ERR-13: what errors and successes must not carry.
import type { Deviation } from '../deviation.ts';
import { isObject } from '../json.ts';
import { err, fixed, invalid, status } from './error-fault.ts';
import { subject } from './subject.ts';

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
    'source-path',
    'Malformed JSON is told with the path of a source file.',
    status(400),
    fixed((error) => {
      if (error.code === 'malformed_json') error.message = 'Unexpected token in /srv/app/src/http/parse-body.ts:17';
    }),
  ),
  {
    id: 'err-12-token-in-header',
    clause: 'ERR-12',
    description: 'Successes of one operation repeat the token in a response header.',
    hooks: (around) => {
      const route = subject(
        around,
        'a readable operation',
        ({ operation, role }) => operation.method === 'GET' && !operation.public && role.kind === 'list',
      );
      return {
        answer: (call, answer) => {
          if (call.route === route && answer.status < 300)
            answer.headers['x-debug-auth'] = call.headers.authorization ?? '';
          return answer;
        },
      };
    },
  },
  {
    id: 'err-13-success-with-error',
    clause: 'ERR-13',
    description: 'One create operation answers 201 with an error envelope beside its result.',
    hooks: (around) => {
      const route = subject(
        around,
        'a create operation',
        ({ role }) => role.kind === 'create' && !role.resource.shared,
      );
      return {
        answer: (call, answer) => {
          if (call.route !== route || answer.status >= 300 || !isObject(answer.body)) return answer;
          answer.body.error = {
            type: 'api_error',
            code: 'partial_failure',
            title: 'Partly failed',
            message: 'The cache was not updated.',
            status: 201,
          };
          return answer;
        },
      };
    },
  },
  {
    id: 'err-13-failure-as-200',
    clause: 'ERR-13',
    description: 'Unknown ids of one operation are told by an error envelope under 200.',
    alsoBreaks: ['REQ-02', 'SCH-01'],
    hooks: (around) => {
      const route = subject(
        around,
        'an operation on one item',
        ({ role }) => role.kind === 'item' && role.verb === 'read',
      );
      return {
        answer: (call, answer) => (call.route === route && answer.status === 404 ? { ...answer, status: 200 } : answer),
      };
    },
  },
];
