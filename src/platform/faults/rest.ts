// VER, RED, HEALTH and INT.

import type { Deviation, Hooks } from '../deviation.ts';
import { PROBLEMS, refusal } from '../envelope.ts';
import { HEALTH_PATH, INTERNAL_PREFIX } from '../facts.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { isObject } from '../json.ts';
import { answerFault, LISTS, READS } from './answer-fault.ts';
import { fault, on, onAnswers, refusedInstead } from './fault.ts';
import { everyNth, isPlainRead } from './subject.ts';

const VERSION_HEADERS = ['x-api-version', 'api-version', 'accept-version', 'stripe-version'];

function versioned(headers: NodeJS.Dict<string | string[]>, names: readonly string[] = VERSION_HEADERS): boolean {
  return names.some((name) => headers[name] !== undefined);
}

const isHealth = ({ operation }: Route) => operation.path === HEALTH_PATH;
const isRedirect = ({ role }: Route) => role.kind === 'redirect';

function internal(pattern: RegExp): () => Hooks {
  return () => ({
    answer: (call, answer) => {
      const reached = call.path.startsWith(INTERNAL_PREFIX) && pattern.test(call.path) && call.key !== null;
      return reached && answer.status === 404
        ? { ...answer, status: 200, body: [{ id: 'log_1', tokens: 12 }] }
        : answer;
    },
  });
}

const REDIRECTS = ['an operation that redirects', isRedirect] as const;
const REDIRECTED = {
  when: (call: Call, answer: Answer, route: Route) => call.route === route && answer.status === 302,
};

export const OTHER_FAULTS: readonly Deviation[] = [
  fault('ver-01-rejected', 'A version header is rejected with 400.', (around) => ({
    answer: (call, answer) =>
      call.route !== null && versioned(call.headers) && answer.status < 400
        ? refusedInstead(call, answer, PROBLEMS.malformedRequest, around)
        : answer,
  })),
  fault(
    'ver-01-other-shape',
    'One operation answers another shape to Accept-Version.',
    onAnswers('a readable operation', isPlainRead, (call, answer) =>
      answer.status < 300 && versioned(call.headers, ['accept-version'])
        ? { ...answer, body: { version: 2, payload: answer.body } }
        : undefined,
    ),
    { alsoBreaks: ['SCH-01'] },
  ),
  fault(
    'ver-01-member-added',
    'One operation answers a further member to X-API-Version.',
    onAnswers(
      'an operation that answers an object',
      ({ operation, role }) =>
        operation.method === 'GET' && !operation.public && role.kind !== 'list' && role.success.mediaType !== null,
      (call, answer) => {
        if (versioned(call.headers, ['x-api-version']) && isObject(answer.body) && answer.status < 300)
          answer.body.api_version = 2;
      },
    ),
    { alsoBreaks: ['SCH-01'] },
  ),
  answerFault('ver-02-sunset', 'One operation announces its sunset.', READS, {
    when: (call, _answer, route) => call.route === route,
  }),
  answerFault('ver-02-deprecation', 'One answer in seven of the lists carries a Deprecation header.', LISTS, {
    when: ({ route }) => route?.role.kind === 'list',
    due: () => everyNth(7),
  }),
  answerFault('red-01-no-location', 'The redirect has no Location.', REDIRECTS, {
    ...REDIRECTED,
    alsoBreaks: ['SCH-04'],
  }),
  answerFault('red-01-no-url', 'The Location of the redirect is no URL.', REDIRECTS, {
    ...REDIRECTED,
    alsoBreaks: ['SCH-04'],
  }),
  answerFault('red-01-empty', 'The Location of the redirect is empty.', REDIRECTS, {
    ...REDIRECTED,
    alsoBreaks: ['SCH-04'],
  }),
  fault(
    'health-01-missing',
    'The liveness path is unknown.',
    onAnswers('the liveness operation', isHealth, (call, _answer, around) =>
      refusal(call, PROBLEMS.notFound, around.docsUrl),
    ),
  ),
  fault(
    'health-01-token',
    'Liveness demands a token.',
    on('the liveness operation', isHealth, (route) => ({
      authenticate: (call, admission) =>
        call.route === route && admission.key === null ? { key: null, problem: PROBLEMS.tokenInvalid } : admission,
    })),
    { alsoBreaks: ['AUTH-06', 'SPEC-04'] },
  ),
  fault(
    'health-01-no-content',
    'Liveness answers 204.',
    onAnswers('the liveness operation', isHealth, (_call, answer) => ({
      ...answer,
      status: 204,
      body: undefined,
      headers: {},
    })),
    { alsoBreaks: ['SCH-05'] },
  ),
  fault('int-01-usage', 'Internal usage logs answer a public key.', internal(/ai\/usage/)),
  fault('int-01-sync-history', 'The internal history of tax rates answers a public key.', internal(/sync-history/)),
  fault('int-01-everything', 'Whatever stands under /api/internal/ answers a public key.', internal(/./)),
];
