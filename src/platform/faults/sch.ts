// SCH: responses that do not keep what the description declares.
import type { Answer, Call, Route } from '../call.ts';
import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import { typesOf } from '../flatten.ts';
import { asArray, asObject, isObject } from '../json.ts';
import type { Place } from './places.ts';
import { spoiled } from './spoiled.ts';
import { everyNth, isGuarded, isPlainRead, subject } from './subject.ts';

const isRead = (route: Route) => route.operation.method === 'GET' && isGuarded(route);
const isList = (route: Route) => route.role.kind === 'list';
const isPaged = (route: Route) => route.role.kind === 'list' && route.role.paging === 'page';
const always = () => true;

function plainString({ schema, value }: Place): boolean {
  return (
    typeof value === 'string' && typesOf(schema).length === 1 && schema.enum === undefined && schema.const === undefined
  );
}

function wrongType(place: Place): boolean {
  if (!plainString(place)) return false;
  place.set(7);
  return true;
}

function outsideEnum(place: Place): boolean {
  if (!Array.isArray(place.schema.enum)) return false;
  place.set('not_one_of_them');
  return true;
}

function badInstant(place: Place): boolean {
  if (place.schema.format !== 'date-time') return false;
  place.set('2025-13-45 25:61');
  return true;
}

function isNullable({ schema }: Place): boolean {
  return schema.nullable === true || asArray(schema.type).includes('null') || typesOf(schema).length === 0;
}

function dropRequired(place: Place): boolean {
  if (!place.required || place.schema.writeOnly === true || Array.isArray(place.value)) return false;
  place.drop();
  return true;
}

/** An index at or beyond `least` somewhere on the way. */
function beyond({ path }: Place, least: number): boolean {
  return path.some((one) => typeof one === 'number' && one >= least);
}

const SPOILED: readonly Deviation[] = [
  spoiled({
    id: 'sch-01-required-missing',
    description: 'A required member is missing from the answers of one operation.',
    on: isRead,
    spoil: dropRequired,
  }),
  spoiled({
    id: 'sch-01-wrong-type',
    description: 'A string is a number in the answers of one operation.',
    on: always,
    spoil: wrongType,
  }),
  spoiled({
    id: 'sch-01-outside-enum',
    description: 'A member has a value outside its enum.',
    on: isRead,
    spoil: outsideEnum,
  }),
  spoiled({ id: 'sch-01-bad-date-time', description: 'A date-time is no instant.', on: isRead, spoil: badInstant }),
  spoiled({
    id: 'sch-01-null',
    description: 'A member that is not nullable is null.',
    on: isRead,
    spoil: (place) => {
      if (!place.required || isNullable(place) || Array.isArray(place.value)) return false;
      place.set(null);
      return true;
    },
  }),
  spoiled({
    id: 'sch-01-forbidden-member',
    description: 'An object has a member although its schema forbids further ones.',
    on: isRead,
    spoil: ({ schema, value }) => {
      if (schema.additionalProperties !== false || !isObject(value)) return false;
      value.internal_note = 'x';
      return true;
    },
  }),
  spoiled({
    id: 'sch-01-out-of-range',
    description: 'A number is below its minimum.',
    on: isRead,
    spoil: (place) => {
      const { schema, value } = place;
      if (typeof value !== 'number' || typeof schema.minimum !== 'number') return false;
      place.set(schema.minimum - 1);
      return true;
    },
  }),
  spoiled({
    id: 'sch-01-sixth-item',
    description: 'Only from the sixth item of a list on, a member has the wrong type.',
    on: isPaged,
    spoil: (place) => beyond(place, 5) && wrongType(place),
  }),
  spoiled({
    id: 'sch-01-second-page',
    description: 'Only from the second page of a list on, a required member is missing.',
    on: isPaged,
    spoil: (place) => beyond(place, 0) && dropRequired(place),
    when: () => (call) => Number(call.query.page ?? 1) > 1,
  }),
  spoiled({
    id: 'sch-01-nested',
    description: 'A member two levels down has the wrong type.',
    on: isRead,
    spoil: (place) => place.path.filter((one) => typeof one === 'string').length > 1 && wrongType(place),
  }),
  spoiled({
    id: 'sch-01-one-in-seven',
    description: 'One answer in seven of an operation has a member of the wrong type.',
    on: isPlainRead,
    spoil: wrongType,
    when: () => everyNth(7),
  }),
  spoiled({
    id: 'sch-01-created',
    description: 'Only the answer of a create operation lacks a required member.',
    on: ({ role }) => role.kind === 'create',
    spoil: dropRequired,
  }),
  spoiled({
    id: 'sch-01-updated',
    description: 'Only the answer of an update has a member of the wrong type.',
    on: ({ role }) => role.kind === 'item' && role.verb === 'amend',
    spoil: wrongType,
  }),
  {
    id: 'sch-01-write-only',
    clause: 'SCH-01',
    description: 'A writeOnly member of the request comes back in the answer.',
    hooks: (around) => {
      const route = subject(
        around,
        'a create operation with a writeOnly member',
        (one) => one.role.kind === 'create' && secretOf(one) !== undefined,
      );
      const secret = secretOf(route) ?? '';
      return onSuccess(route, (call, answer) => {
        if (isObject(answer.body)) answer.body[secret] = asObject(call.body)[secret] ?? 'changeit1';
      });
    },
  },
];

/** A top-level member of the success schema that is writeOnly. */
function secretOf({ operation, role }: Route): string | undefined {
  const schema = asObject(role.success.schema);
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  const components = asObject(asObject(operation.document.root.components).schemas);
  const properties = asObject(asObject(components[name] ?? schema).properties);
  return Object.keys(properties).find((member) => asObject(properties[member]).writeOnly === true);
}

function onSuccess(route: Route, change: (call: Call, answer: Answer) => void): Hooks {
  return {
    answer: (call, answer) => {
      if (call.route === route && answer.status < 300) change(call, answer);
      return answer;
    },
  };
}

function sch(
  clause: string,
  name: string,
  description: string,
  hooks: (around: Surroundings) => Hooks,
  alsoBreaks?: readonly string[],
): Deviation {
  return {
    id: `${clause.toLowerCase()}-${name}`,
    clause,
    description,
    hooks,
    ...(alsoBreaks === undefined ? {} : { alsoBreaks }),
  };
}

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

function errorAnswer(around: Surroundings, call: Call, answer: Answer, status: number, code: string): Answer {
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

const ANSWERS: readonly Deviation[] = [
  sch('SCH-02', 'html', 'One list answers JSON under text/html.', (around) => {
    const route = subject(around, 'a list', (one) => isList(one) && isGuarded(one));
    return onSuccess(route, (_call, answer) => {
      answer.headers['content-type'] = 'text/html; charset=utf-8';
    });
  }),
  sch('SCH-02', 'undeclared-json', 'One operation answers a JSON media type that it does not declare.', (around) => {
    const route = subject(around, 'a readable operation', isPlainRead);
    return onSuccess(route, (_call, answer) => {
      answer.headers['content-type'] = 'application/vnd.commerce+json';
    });
  }),
  sch('SCH-02', 'error-as-text', 'Unknown ids and paths are told in JSON marked as text/plain.', () => ({
    answer: (_call, answer) => {
      if (answer.status === 404) answer.headers['content-type'] = 'text/plain';
      return answer;
    },
  })),
  sch('SCH-03', 'empty-body', 'One readable operation answers 200 with an empty body.', (around) => {
    const route = subject(around, 'a readable operation', isPlainRead);
    return onSuccess(route, (_call, answer) => {
      answer.body = undefined;
    });
  }),
  sch('SCH-03', 'empty-update', 'One update answers 200 with an empty body.', (around) => {
    const route = subject(
      around,
      'an update with a body',
      ({ role }) => role.kind === 'item' && role.verb !== 'delete' && role.verb !== 'read',
    );
    return onSuccess(route, (_call, answer) => {
      answer.body = undefined;
    });
  }),
  sch('SCH-04', 'header-missing', 'A required response header is missing.', (around) => {
    const [route, name] = requiredHeader(around);
    return onSuccess(route, (_call, answer) => {
      delete answer.headers[name];
    });
  }),
  sch('SCH-04', 'header-invalid', 'A required response header does not match its schema.', (around) => {
    const [route, name] = requiredHeader(around);
    return onSuccess(route, (_call, answer) => {
      answer.headers[name] = 'not what is declared';
    });
  }),
  sch('SCH-05', 'undeclared-success', 'One list answers 206, which it does not declare.', (around) => {
    const route = subject(around, 'a list', (one) => isList(one) && isGuarded(one));
    return onSuccess(route, (_call, answer) => {
      answer.status = 206;
    });
  }),
  sch('SCH-05', 'created-as-accepted', 'One create operation answers 202 where 201 is declared.', (around) => {
    const route = subject(
      around,
      'a create operation that declares 201',
      ({ role }) => role.kind === 'create' && role.success.response?.status === '201' && !role.resource.shared,
    );
    return onSuccess(route, (_call, answer) => {
      answer.status = 202;
    });
  }),
  sch(
    'SCH-06',
    'one-operation',
    'One readable operation always answers 500.',
    failing(500, 'internal_error', 'a readable operation', isPlainRead, each),
  ),
  sch(
    'SCH-06',
    'one-in-seven',
    'One readable operation answers 502 to one call in seven.',
    failing(502, 'bad_gateway', 'a readable operation', isPlainRead, () => everyNth(7)),
  ),
  sch(
    'SCH-06',
    'unavailable',
    'One readable operation answers 503 and never recovers.',
    failing(503, 'service_unavailable', 'a readable operation', isPlainRead, each),
  ),
  sch(
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
  sch(
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
  sch(
    'SCH-07',
    '423',
    'One update answers 423.',
    failing(423, 'locked', 'an update', ({ role }) => role.kind === 'item' && role.verb === 'amend', each),
  ),
  sch(
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

export const SCH_FAULTS: readonly Deviation[] = [...SPOILED, ...ANSWERS];
