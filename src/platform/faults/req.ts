// REQ-01 to REQ-09: bad requests, registrations and hostile input that get something other than they should.
import type { Deviation } from '../deviation.ts';
import { topLevel } from '../envelope.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject } from '../json.ts';
import { flatten } from '../schema/flatten.ts';
import { fault, on, onAnswers } from './fault.ts';
import { accepting, acceptingOn, codeFault, codeOf, recoding, recodingOn } from './refusals.ts';
import { isGuarded, subject } from './subject.ts';

const unknownPath = (call: Call, answer: Answer) => call.route === null && answer.status === 404;
const unknownId = (call: Call, answer: Answer) =>
  call.route !== null && answer.status === 404 && codeOf(answer.body) === 'resource_not_found';
const isItem =
  (...verbs: readonly string[]) =>
  ({ role }: Route) =>
    role.kind === 'item' && verbs.includes(role.verb);
const isGet = ({ operation }: Route) => operation.method === 'GET';
const isCreate = (route: Route) => route.role.kind === 'create' && isGuarded(route);
const failsWith = (answer: Answer, code: string) => {
  const errors = asObject(asObject(answer.body).error).errors;
  return answer.status === 400 && Array.isArray(errors) && errors.some((one) => asObject(one).code === code);
};

const failing = (code: string) => (_call: Call, answer: Answer) => failsWith(answer, code);

/** On one create operation, failures of this code are overlooked; `top` limits it to top-level fields. */
function overlooking(code: string, which: (field: string, at: number, call: Call) => boolean) {
  return on(
    'a create operation with required fields',
    (route) => isCreate(route) && route.operation.body !== null,
    (route) => ({
      validate: (call, failures) =>
        call.route === route
          ? failures.filter((one, at) => one.code !== code || !which(one.field, at, call))
          : failures,
    }),
  );
}

/** On one operation that makes something with a list of objects, failures of this sort in items after the first are overlooked. */
function inLaterItems(id: string, what: string, isMeant: (code: string) => boolean): Deviation {
  const hooks = on('a create operation that takes a list of objects', takesObjects, (route) =>
    accepting((call, answer) => {
      const errors = asObject(asObject(answer.body).error).errors;
      const isLater = (one: unknown) =>
        /\[[1-9]\d*\]/.test(String(asObject(one).field)) && isMeant(String(asObject(one).code));
      return call.route === route && answer.status === 400 && Array.isArray(errors) && errors.every(isLater);
    }),
  );
  const description = `One create operation looks for ${what} in the first item of a list alone.`;
  return fault(id, description, hooks);
}

function takesObjects(route: Route): boolean {
  const { document, body } = route.operation;
  if (!isCreate(route) || body === null) return false;
  const { properties } = flatten(document.root, body.content.get('application/json'));
  return Object.values(asObject(properties)).some((one) => {
    const { items } = flatten(document.root, one);
    return items !== undefined && 'required' in flatten(document.root, items);
  });
}

const valueAt = (call: Call, field: string) => asObject(call.body)[topLevel(field)];
const isContainer = (value: unknown) => typeof value === 'object' && value !== null;

/** The required top-level field that the operation's schema names last. */
function lastRequired(call: Call): string | undefined {
  const { operation } = call.route ?? {};
  const required = flatten(operation?.document.root, operation?.body?.content.get('application/json')).required;
  return Array.isArray(required) ? String(required.at(-1)) : undefined;
}

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

export const REQ_FAULTS: readonly Deviation[] = [
  fault('req-08-unbounded', 'Members of a body may have values outside their constraints.', () => ({
    validate: (call, failures) =>
      failures.filter(({ field, code }) => {
        const [member = ''] = field.split(/[.[]/);
        return ['required', 'invalid_type'].includes(code) || !Object.hasOwn(asObject(call.body), member);
      }),
  })),
  fault('req-01-400', 'An unknown path answers 400.', () => recoding(unknownPath, 'unknown_route', 400)),
  codeFault('req-01-other-code', 'An unknown path is told as route_not_found.', unknownPath),
  fault(
    'req-01-success',
    'An unknown path answers 200 with an empty object.',
    () => ({
      answer: (call, answer) =>
        unknownPath(call, answer) && call.path.startsWith('/api/v1/') && call.key !== null
          ? { ...answer, status: 200, body: {} }
          : answer,
    }),
    { alsoBreaks: ['REQ-06', 'INT-01'] },
  ),
  fault(
    'req-02-made-up',
    'Reading an unknown id answers a made-up item, on one operation.',
    acceptingOn('an operation that reads an item', isItem('read'), unknownId),
  ),
  fault(
    'req-02-deleted',
    'Deleting an unknown id answers as if it had been there, on one operation.',
    acceptingOn('an operation that deletes an item', isItem('delete'), unknownId),
  ),
  codeFault('req-02-other-code', 'Unknown ids are told as not_found.', unknownId),
  fault(
    'req-02-400',
    'An unknown id answers 400 on one update.',
    recodingOn('an update', isItem('amend'), unknownId, 'unknown_id', 400),
  ),
  fault(
    'req-02-parent',
    'A list below an unknown parent answers as if it were there.',
    acceptingOn('a list below an item', ({ role }) => role.kind === 'list' && role.ancestors.length > 0, unknownId),
  ),
  fault(
    'req-02-export',
    'An unknown export request is accepted.',
    acceptingOn('the export operation', ({ role }) => role.kind === 'export', unknownId),
  ),
  fault(
    'req-03-accepted',
    'One create operation accepts bodies that lack required fields.',
    overlooking('required', (field) => field !== 'body'),
  ),
  fault(
    'req-03-last-field',
    'One create operation does not miss the last of its required fields.',
    overlooking(
      'required',
      (field, _at, call) => !field.includes('.') && !field.includes('[') && field === lastRequired(call),
    ),
  ),
  codeFault('req-03-other-code', 'A missing field is told as missing_field.', failing('required'), {
    alsoBreaks: ['REQ-07'],
  }),
  fault(
    'req-03-conflict',
    'A missing field answers 409 on one operation.',
    recodingOn('a create operation', isCreate, failing('required'), 'incomplete', 409),
  ),
  inLaterItems('req-03-later-items', 'missing members', (code) => code === 'required'),
  inLaterItems('req-04-later-items', 'wrong types', (code) => code === 'invalid_type'),
  inLaterItems(
    'req-08-later-items',
    'values outside their constraints',
    (code) => !['required', 'invalid_type'].includes(code),
  ),
  fault(
    'req-04-object-accepted',
    'One create operation accepts an object or array in place of a scalar.',
    overlooking('invalid_type', (field, _at, call) => isContainer(valueAt(call, field))),
  ),
  // A page size that is no number from 1 is told so, too.
  codeFault('req-04-other-code', 'A field of the wrong type is told as invalid_body.', failing('invalid_type'), {
    alsoBreaks: ['PAG-12'],
  }),
  fault(
    'req-05-accepted',
    'One create operation takes malformed JSON for an empty object.',
    acceptingOn('a create operation', isCreate, (_call, answer) => codeOf(answer.body) === 'malformed_json'),
  ),
  fault('req-06-undescribed-get', 'A path that describes no GET answers one.', (around) => {
    const read = new Set(around.routes.filter(isGet).map(({ operation }) => operation.path));
    const lacksGet = (route: Route) =>
      isGuarded(route) && !route.operation.path.includes('{') && !read.has(route.operation.path);
    const { path } = subject(around, 'a path without GET and without parameters', lacksGet).operation;
    return {
      answer: (call, answer) => {
        const asked = call.method === 'GET' && call.path === path && answer.status === 405;
        return asked ? { ...answer, status: 200, body: {} } : answer;
      },
    };
  }),
  fault('req-06-method-teapot', 'A method that is not described answers 418.', () =>
    recoding(
      ({ method }, { status }) => status === 405 || (status === 404 && method === 'PROPFIND'),
      'method_unknown',
      418,
    ),
  ),
  fault(
    'req-06-media-type-conflict',
    'An unsupported media type answers 409, on one create operation.',
    recodingOn('a create operation', isCreate, (_call, answer) => answer.status === 415, 'cannot_read', 409),
  ),
  fault(
    'req-06-media-type',
    'One create operation takes any media type, and a body that is no JSON.',
    acceptingOn('a create operation', isCreate, (_call, answer) => answer.status === 415),
  ),
  fault(
    'req-07-duplicate',
    'An email that is registered registers again.',
    acceptingOn('the registration', isRegistration, (_call, answer) => answer.status === 409),
  ),
  fault(
    'req-07-200',
    'Registration answers 200.',
    onAnswers('the registration', isRegistration, (_call, answer) => {
      if (answer.status === 201) answer.status = 200;
    }),
    { alsoBreaks: ['SCH-05'] },
  ),
  fault(
    'req-07-password',
    'Registration does without a password.',
    on('the registration', isRegistration, (route) => ({
      validate: (call, failures) =>
        call.route === route
          ? failures.filter(({ field, code }) => field !== 'password' || code !== 'required')
          : failures,
    })),
    { alsoBreaks: ['REQ-03'] },
  ),
  fault(
    'req-07-conflict-as-400',
    'A registered email answers 400.',
    recodingOn('the registration', isRegistration, (_call, answer) => answer.status === 409, 'email_taken', 400),
  ),
  fault(
    'req-09-hangs',
    'A very long string is never answered, on one operation.',
    onAnswers('a create operation', isCreate, (call, answer) =>
      JSON.stringify(call.body ?? '').length > LONG * 4 ? { ...answer, delivery: { hang: true } } : undefined,
    ),
  ),
  fault(
    'req-09-large-body',
    'A body above 60 kB closes the connection without an answer, on one operation.',
    onAnswers('a create operation', isCreate, (call, answer) =>
      JSON.stringify(call.body ?? '').length > 60_000 ? { ...answer, delivery: { drop: true } } : undefined,
    ),
  ),
  fault(
    'req-09-large-integer',
    'An integer beyond 32 bits in a body answers 500, on one operation.',
    onAnswers('a create operation', isCreate, (call, answer) =>
      answer.status === 400 && Object.values(asObject(call.body)).some(isBeyond32Bits)
        ? internalError(answer)
        : undefined,
    ),
    { alsoBreaks: ['SCH-06'] },
  ),
  fault('req-09-header', 'A very long Accept-Language closes the connection without an answer.', () => ({
    answer: (call, answer) =>
      (call.headers['accept-language'] ?? '').length > LONG ? { ...answer, delivery: { drop: true } } : answer,
  })),
  fault(
    'req-09-header-of-3-kb',
    'An Accept-Language of more than 3 kB closes the connection without an answer.',
    () => ({
      answer: (call, answer) =>
        (call.headers['accept-language'] ?? '').length > 3 * LONG ? { ...answer, delivery: { drop: true } } : answer,
    }),
  ),
  fault('req-09-drops', 'Deep nesting closes the connection without an answer.', () => ({
    answer: (_call, answer) =>
      codeOf(answer.body) === 'body_too_deep' ? { ...answer, delivery: { drop: true } } : answer,
  })),
  fault('req-09-nul', 'A NUL in a body closes the connection without an answer.', () => ({
    answer: (call, answer) => (contains(call, /\\u0000|%00/) ? { ...answer, delivery: { drop: true } } : answer),
  })),
  fault(
    'req-09-proto',
    'A member __proto__ answers 500.',
    () => ({
      answer: (call, answer) => {
        if (!contains(call, /__proto__/) || !isObject(asObject(answer.body).error)) return answer;
        return internalError(answer);
      },
    }),
    { alsoBreaks: ['SCH-06'] },
  ),
  fault(
    'req-09-negative',
    'A negative number for an id in the path answers 500, on one operation.',
    onAnswers('a read of one resource', isRead, (call, answer) =>
      answer.status >= 400 && Object.values(call.params).some((id) => /^-\d+$/.test(id))
        ? internalError(answer)
        : undefined,
    ),
    { alsoBreaks: ['SCH-06'] },
  ),
];
