// SCH-02 to SCH-07: media types, empty bodies, headers and statuses that are not declared.

import { type Deviation, type Hooks, NoSubject, type Surroundings } from '../deviation.ts';
import { refusal } from '../envelope.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject } from '../json.ts';
import { answerFault, LISTS, READS, requiredHeaderOf } from './answer-fault.ts';
import { fault, on } from './fault.ts';
import { everyNth, onSuccess, subject } from './subject.ts';

const REQUIRING = [
  'an operation with a required response header',
  (route: Route) => requiredHeaderOf(route) !== null,
] as const;

/** Instead of its success, the operation answers an error with an otherwise perfect envelope. */
function failing(
  status: number,
  code: string,
  need: string,
  fits: (route: Route) => boolean,
  due: () => () => boolean,
) {
  return (around: Surroundings): Hooks => {
    const route = subject(around, need, fits);
    const now = due();
    return {
      answer: (call, answer) =>
        call.route === route && answer.status < 300 && now() ? errorAnswer(around, call, answer, status, code) : answer,
    };
  };
}

export function errorAnswer(around: Surroundings, call: Call, answer: Answer, status: number, code: string): Answer {
  const told = { status, type: 'api_error', code, title: 'Failed', message: 'The call failed.' };
  const refused = refusal(call, told, around.docsUrl);
  return { ...refused, headers: { ...answer.headers, ...refused.headers } };
}

const each = () => () => true;

export const ANSWER_FAULTS: readonly Deviation[] = [
  fault(
    'sch-08-undeclared-refusal',
    'One operation answers 451 at every third call, which it does not declare.',
    failing(451, 'not_available_here', ...READS, () => everyNth(3)),
  ),
  fault(
    'sch-09-undescribed-member',
    'One list answers items with a member that the schema does not mention.',
    (around) => {
      const route = subject(around, ...LISTS);
      return onSuccess(route, (_call, answer) => {
        if (Array.isArray(answer.body))
          answer.body = answer.body.map((item) => ({ ...asObject(item), not_described: 'x' }));
      });
    },
  ),
  answerFault('sch-02-html', 'One list answers JSON under text/html.', LISTS),
  answerFault('sch-02-undeclared-json', 'One operation answers a JSON media type that it does not declare.', READS),
  answerFault('sch-02-error-as-text', 'Unknown ids and paths are told in JSON marked as text/plain.', READS, {
    when: (_call, { status }) => status === 404,
  }),
  fault('sch-02-error-undeclared-json', 'A 401 is application/problem+json, which is not declared.', () => ({
    answer: (call, answer) => {
      if (answer.status === 401 && call.route !== null) answer.headers['content-type'] = 'application/problem+json';
    },
  })),
  answerFault('sch-03-empty-body', 'One readable operation answers 200 with an empty body.', READS),
  fault('sch-03-empty-update', 'One update answers 200 with an empty body.', (around) => {
    const route = subject(
      around,
      'an update with a body',
      ({ role }) => role.kind === 'item' && role.verb !== 'delete' && role.verb !== 'read',
    );
    return onSuccess(route, (_call, answer) => {
      answer.body = undefined;
    });
  }),
  answerFault('sch-04-header-missing', 'A required response header is missing.', REQUIRING),
  fault(
    'sch-04-header-invalid',
    'A required response header does not match its schema.',
    on(...REQUIRING, (route) =>
      onSuccess(route, (_call, answer) => {
        answer.headers[requiredHeaderOf(route) ?? ''] = 'not what is declared';
      }),
    ),
  ),
  // Its form is the contract's to say, its size the description's.
  fault('sch-04-reset-out-of-range', 'X-RateLimit-Reset is larger than it is described.', () => ({}), {
    describe(documents) {
      const { headers } = asObject(documents.get('admin')?.components);
      const reset = asObject(headers)['X-RateLimit-Reset'];
      if (!isObject(reset)) throw new NoSubject('the fault needs X-RateLimit-Reset in the Admin description');
      reset.schema = { type: 'integer', minimum: 0, maximum: 86_400 };
    },
  }),
  answerFault('sch-05-undeclared-success', 'One list answers 206, which it does not declare.', LISTS),
  fault('sch-05-created-as-accepted', 'One create operation answers 202 where 201 is declared.', (around) => {
    const route = subject(
      around,
      'a create operation that declares 201',
      ({ role }) => role.kind === 'create' && role.success.response?.status === '201' && !role.resource.shared,
    );
    return onSuccess(route, (_call, answer) => {
      answer.status = 202;
    });
  }),
  fault(
    'sch-06-one-operation',
    'One readable operation always answers 500.',
    failing(500, 'internal_error', ...READS, each),
    { alsoBreaks: ['REQ-09'] },
  ),
  fault(
    'sch-06-one-in-seven',
    'One readable operation answers 502 to one call in seven.',
    failing(502, 'bad_gateway', ...READS, () => everyNth(7)),
    { alsoBreaks: ['REQ-09'] },
  ),
  fault(
    'sch-06-unavailable',
    'One readable operation answers 503 and never recovers.',
    failing(503, 'service_unavailable', ...READS, each),
  ),
  fault('sch-06-head', 'HEAD of what GET reads answers 500, on one path.', (around) => {
    const { operation } = subject(around, ...READS);
    return {
      answer: (call, answer) =>
        call.method === 'HEAD' && call.path === operation.path
          ? errorAnswer(around, call, answer, 500, 'internal_error')
          : answer,
    };
  }),
  fault(
    'sch-06-bad-request-as-500',
    'One operation answers 500 to what it should reject as invalid.',
    (around) => {
      const route = subject(around, 'an operation with a body', ({ operation }) => operation.body !== null);
      return {
        answer: (call, answer) =>
          call.route === route && answer.status === 400
            ? errorAnswer(around, call, answer, 500, 'internal_error')
            : answer,
      };
    },
    { alsoBreaks: ['REQ-03', 'REQ-04', 'REQ-05', 'REQ-08', 'REQ-09'] },
  ),
  fault(
    'sch-07-402',
    'One create operation asks for payment with a 402.',
    failing(
      402,
      'payment_required',
      'a create operation',
      ({ role }) => role.kind === 'create' && !role.resource.shared,
      each,
    ),
  ),
  fault(
    'sch-07-423',
    'One update answers 423.',
    failing(423, 'locked', 'an update', ({ role }) => role.kind === 'item' && role.verb === 'amend', each),
  ),
  fault(
    'sch-07-430',
    'One readable operation answers 430 to one call in seven.',
    failing(430, 'slow_down', ...READS, () => everyNth(7)),
  ),
];
