// SCH-02 to SCH-07: media types, empty bodies, headers and statuses that are not declared.

import { type Deviation, type Hooks, NoSubject, type Surroundings } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject } from '../json.ts';
import { fault } from './fault.ts';
import { everyNth, isGuarded, isPlainRead, onSuccess, subject } from './subject.ts';

const isList = (route: Route) => route.role.kind === 'list';

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
  const error = {
    type: 'api_error',
    code,
    title: 'Failed',
    message: 'The call failed.',
    status,
    doc_url: `${around.docsUrl}/errors/${code}`,
    request_id: call.requestId,
    instance: call.path,
    timestamp: new Date(call.receivedAt).toISOString(),
  };
  return { status, headers: { ...answer.headers, 'content-type': 'application/json' }, body: { error } };
}

const each = () => () => true;

export const ANSWER_FAULTS: readonly Deviation[] = [
  fault(
    'SCH-08',
    'undeclared-refusal',
    'One operation answers 451 at every third call, which it does not declare.',
    failing(451, 'not_available_here', 'a readable operation', isPlainRead, () => everyNth(3)),
  ),
  fault(
    'SCH-09',
    'undescribed-member',
    'One list answers items with a member that the schema does not mention.',
    (around) => {
      const route = subject(around, 'a list', (one) => isList(one) && isGuarded(one));
      return onSuccess(route, (_call, answer) => {
        if (Array.isArray(answer.body))
          answer.body = answer.body.map((item) => ({ ...asObject(item), not_described: 'x' }));
      });
    },
  ),
  fault('SCH-02', 'html', 'One list answers JSON under text/html.', (around) => {
    const route = subject(around, 'a list', (one) => isList(one) && isGuarded(one));
    return onSuccess(route, (_call, answer) => {
      answer.headers['content-type'] = 'text/html; charset=utf-8';
    });
  }),
  fault('SCH-02', 'undeclared-json', 'One operation answers a JSON media type that it does not declare.', (around) => {
    const route = subject(around, 'a readable operation', isPlainRead);
    return onSuccess(route, (_call, answer) => {
      answer.headers['content-type'] = 'application/vnd.commerce+json';
    });
  }),
  fault('SCH-02', 'error-as-text', 'Unknown ids and paths are told in JSON marked as text/plain.', () => ({
    answer: (_call, answer) => {
      if (answer.status === 404) answer.headers['content-type'] = 'text/plain';
      return answer;
    },
  })),
  fault('SCH-02', 'error-undeclared-json', 'A 401 is application/problem+json, which is not declared.', () => ({
    answer: (call, answer) => {
      if (answer.status === 401 && call.route !== null) answer.headers['content-type'] = 'application/problem+json';
      return answer;
    },
  })),
  fault('SCH-03', 'empty-body', 'One readable operation answers 200 with an empty body.', (around) => {
    const route = subject(around, 'a readable operation', isPlainRead);
    return onSuccess(route, (_call, answer) => {
      answer.body = undefined;
    });
  }),
  fault('SCH-03', 'empty-update', 'One update answers 200 with an empty body.', (around) => {
    const route = subject(
      around,
      'an update with a body',
      ({ role }) => role.kind === 'item' && role.verb !== 'delete' && role.verb !== 'read',
    );
    return onSuccess(route, (_call, answer) => {
      answer.body = undefined;
    });
  }),
  fault('SCH-04', 'header-missing', 'A required response header is missing.', (around) => {
    const [route, name] = requiredHeader(around);
    return onSuccess(route, (_call, answer) => {
      delete answer.headers[name];
    });
  }),
  fault('SCH-04', 'header-invalid', 'A required response header does not match its schema.', (around) => {
    const [route, name] = requiredHeader(around);
    return onSuccess(route, (_call, answer) => {
      answer.headers[name] = 'not what is declared';
    });
  }),
  // Its form is the contract's to say, its size the description's.
  {
    ...fault('SCH-04', 'reset-out-of-range', 'X-RateLimit-Reset is larger than it is described.', () => ({})),
    describe(documents) {
      const { headers } = asObject(documents.get('admin')?.components);
      const reset = asObject(headers)['X-RateLimit-Reset'];
      if (!isObject(reset)) throw new NoSubject('the fault needs X-RateLimit-Reset in the Admin description');
      reset.schema = { type: 'integer', minimum: 0, maximum: 86_400 };
    },
  },
  fault('SCH-05', 'undeclared-success', 'One list answers 206, which it does not declare.', (around) => {
    const route = subject(around, 'a list', (one) => isList(one) && isGuarded(one));
    return onSuccess(route, (_call, answer) => {
      answer.status = 206;
    });
  }),
  fault('SCH-05', 'created-as-accepted', 'One create operation answers 202 where 201 is declared.', (around) => {
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
    'SCH-06',
    'one-operation',
    'One readable operation always answers 500.',
    failing(500, 'internal_error', 'a readable operation', isPlainRead, each),
    ['REQ-09'],
  ),
  fault(
    'SCH-06',
    'one-in-seven',
    'One readable operation answers 502 to one call in seven.',
    failing(502, 'bad_gateway', 'a readable operation', isPlainRead, () => everyNth(7)),
    ['REQ-09'],
  ),
  fault(
    'SCH-06',
    'unavailable',
    'One readable operation answers 503 and never recovers.',
    failing(503, 'service_unavailable', 'a readable operation', isPlainRead, each),
  ),
  fault('SCH-06', 'head', 'HEAD of what GET reads answers 500, on one path.', (around) => {
    const { operation } = subject(around, 'a readable operation', isPlainRead);
    return {
      answer: (call, answer) =>
        call.method === 'HEAD' && call.path === operation.path
          ? errorAnswer(around, call, answer, 500, 'internal_error')
          : answer,
    };
  }),
  fault(
    'SCH-06',
    'bad-request-as-500',
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
    ['REQ-03', 'REQ-04', 'REQ-05', 'REQ-08', 'REQ-09'],
  ),
  fault(
    'SCH-07',
    '402',
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
    'SCH-07',
    '423',
    'One update answers 423.',
    failing(423, 'locked', 'an update', ({ role }) => role.kind === 'item' && role.verb === 'amend', each),
  ),
  fault(
    'SCH-07',
    '430',
    'One readable operation answers 430 to one call in seven.',
    failing(430, 'slow_down', 'a readable operation', isPlainRead, () => everyNth(7)),
  ),
];

function requiredHeader(around: Surroundings): [Route, string] {
  const ofRoute = ({ role }: Route) =>
    [...(role.success.response?.headers ?? [])].find(
      ([name, { required }]) => required && name !== 'location' && !name.startsWith('x-ratelimit'),
    )?.[0];
  const route = subject(
    around,
    'an operation with a required response header',
    (one) => one.role.kind !== 'redirect' && ofRoute(one) !== undefined,
  );
  return [route, ofRoute(route) ?? ''];
}
