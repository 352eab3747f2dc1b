// REQ: bad requests that get something other than they should.
import type { Answer, Call, Route } from '../call.ts';
import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import { topLevel } from '../envelope.ts';
import { exampleOf } from '../example.ts';
import { asObject, isObject } from '../json.ts';
import { codeOf } from './auth.ts';
import { isGuarded, subject } from './subject.ts';

function req(
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

/** Instead of the refusals that `which` picks: a success as declared, made up. */
function accepting(which: (call: Call, answer: Answer) => boolean): Hooks {
  return {
    answer: (call, answer) => (call.route !== null && which(call, answer) ? madeUp(call.route, answer) : answer),
  };
}

function madeUp({ operation, role }: Route, answer: Answer): Answer {
  const { success } = role;
  const body = success.mediaType === null ? undefined : exampleOf(operation.document, success.schema, 'made up');
  const headers: Record<string, string> = { ...answer.headers };
  delete headers['content-type'];
  for (const [name, header] of success.response?.headers ?? []) {
    if (header.required) headers[name] = String(exampleOf(operation.document, header.schema, 'made up'));
  }
  return {
    status: success.status,
    headers: success.mediaType === null ? headers : { ...headers, 'content-type': success.mediaType },
    body,
  };
}

/** Changes code, and with it the documentation address, of the refusals that `which` picks; `status` too when given. */
function recoding(which: (call: Call, answer: Answer) => boolean, code: string, type: string, status?: number): Hooks {
  return {
    answer: (call, answer) => {
      const error = asObject(answer.body).error;
      if (!isObject(error) || !which(call, answer)) return answer;
      Object.assign(error, { code, type, doc_url: String(error.doc_url).replace(/[^/]*$/, code) });
      delete error.errors;
      delete error.param;
      if (status !== undefined) {
        answer.status = status;
        error.status = status;
      }
      return answer;
    },
  };
}

const unknownPath = (call: Call, answer: Answer) => call.route === null && answer.status === 404;
const unknownId = (call: Call, answer: Answer) =>
  call.route !== null && answer.status === 404 && codeOf(answer.body) === 'resource_not_found';
const isItem =
  (...verbs: readonly string[]) =>
  ({ role }: Route) =>
    role.kind === 'item' && verbs.includes(role.verb);
const isCreate = (route: Route) => route.role.kind === 'create' && isGuarded(route);
const failsWith = (answer: Answer, code: string) => {
  const errors = asObject(asObject(answer.body).error).errors;
  return answer.status === 400 && Array.isArray(errors) && errors.some((one) => asObject(one).code === code);
};

function on(need: string, fits: (route: Route) => boolean, make: (route: Route) => Hooks) {
  return (around: Surroundings) => make(subject(around, need, fits));
}

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

const valueAt = (call: Call, field: string) => asObject(call.body)[topLevel(field)];
const isContainer = (value: unknown) => typeof value === 'object' && value !== null;

const REFUSALS: readonly Deviation[] = [
  req('REQ-01', '400', 'An unknown path answers 400.', () =>
    recoding(unknownPath, 'unknown_route', 'invalid_request_error', 400),
  ),
  req('REQ-01', 'other-code', 'An unknown path is told as route_not_found.', () =>
    recoding(unknownPath, 'route_not_found', 'invalid_request_error'),
  ),
  req(
    'REQ-01',
    'success',
    'An unknown path answers 200 with an empty object.',
    () => ({
      answer: (call, answer) =>
        unknownPath(call, answer) && call.path.startsWith('/api/v1/') && call.key !== null
          ? { ...answer, status: 200, body: {} }
          : answer,
    }),
    ['REQ-06', 'INT-01'],
  ),
  req(
    'REQ-02',
    'made-up',
    'Reading an unknown id answers a made-up item, on one operation.',
    on('an operation that reads an item', isItem('read'), (route) =>
      accepting((call, answer) => call.route === route && unknownId(call, answer)),
    ),
  ),
  req(
    'REQ-02',
    'deleted',
    'Deleting an unknown id answers as if it had been there, on one operation.',
    on('an operation that deletes an item', isItem('delete'), (route) =>
      accepting((call, answer) => call.route === route && unknownId(call, answer)),
    ),
  ),
  req('REQ-02', 'other-code', 'Unknown ids are told as not_found.', () =>
    recoding(unknownId, 'not_found', 'invalid_request_error'),
  ),
  req(
    'REQ-02',
    '400',
    'An unknown id answers 400 on one update.',
    on('an update', isItem('amend', 'replace'), (route) =>
      recoding(
        (call, answer) => call.route === route && unknownId(call, answer),
        'unknown_id',
        'invalid_request_error',
        400,
      ),
    ),
  ),
  req(
    'REQ-02',
    'parent',
    'A list below an unknown parent answers as if it were there.',
    on(
      'a list below an item',
      ({ role }) => role.kind === 'list' && role.ancestors.length > 0,
      (route) => accepting((call, answer) => call.route === route && unknownId(call, answer)),
    ),
  ),
  req(
    'REQ-02',
    'export',
    'An unknown export request is accepted.',
    on(
      'the export operation',
      ({ role }) => role.kind === 'export',
      (route) => accepting((call, answer) => call.route === route && unknownId(call, answer)),
    ),
  ),
  req(
    'REQ-03',
    'accepted',
    'One create operation accepts bodies that lack required fields.',
    overlooking('required', () => true),
  ),
  req(
    'REQ-03',
    'last-field',
    'One create operation does not miss the last of its required fields.',
    overlooking(
      'required',
      (field, _at, call) => !field.includes('.') && !field.includes('[') && field === lastRequired(call),
    ),
  ),
  req(
    'REQ-03',
    'other-code',
    'A missing field is told as missing_field.',
    () => recoding((_call, answer) => failsWith(answer, 'required'), 'missing_field', 'invalid_request_error'),
    ['REQ-07'],
  ),
  req(
    'REQ-03',
    'conflict',
    'A missing field answers 409 on one operation.',
    on('a create operation', isCreate, (route) =>
      recoding(
        (call, answer) => call.route === route && failsWith(answer, 'required'),
        'incomplete',
        'invalid_request_error',
        409,
      ),
    ),
  ),
  req(
    'REQ-04',
    'object-accepted',
    'One create operation accepts an object or array in place of a scalar.',
    overlooking('invalid_type', (field, _at, call) => isContainer(valueAt(call, field))),
  ),
  req('REQ-04', 'other-code', 'A field of the wrong type is told as invalid_body.', () =>
    recoding((_call, answer) => failsWith(answer, 'invalid_type'), 'invalid_body', 'invalid_request_error'),
  ),
  req(
    'REQ-05',
    'accepted',
    'One create operation takes malformed JSON for an empty object.',
    on('a create operation', isCreate, (route) =>
      accepting((call, answer) => call.route === route && codeOf(answer.body) === 'malformed_json'),
    ),
  ),
  req(
    'REQ-06',
    'undescribed-get',
    'A path that describes no GET answers one.',
    on(
      'a path without GET',
      (route) => isGuarded(route) && route.operation.method === 'POST',
      (route) => ({
        answer: (call, answer) =>
          answer.status === 405 && call.method === 'GET' && call.path === route.operation.path
            ? { ...answer, status: 200, body: {} }
            : answer,
      }),
    ),
  ),
  req(
    'REQ-06',
    'media-type',
    'One create operation takes any media type, and a body that is no JSON.',
    on('a create operation', isCreate, (route) =>
      accepting((call, answer) => call.route === route && answer.status === 415),
    ),
  ),
];

/** The required top-level field that the operation's schema names last. */
function lastRequired(call: Call): string | undefined {
  const body = call.route?.operation.body?.content.get('application/json');
  const root = call.route?.operation.document.root;
  const name =
    String(asObject(body).$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  const schema = asObject(asObject(asObject(asObject(root).components).schemas)[name] ?? body);
  return Array.isArray(schema.required) ? String(schema.required.at(-1)) : undefined;
}

const isRegistration = ({ operation }: Route) => operation.public && operation.unique.includes('email');
const LONG = 1000;

function contains(call: Call, pattern: RegExp): boolean {
  return pattern.test(call.url) || pattern.test(JSON.stringify(call.body) ?? '');
}

const REGISTRATION: readonly Deviation[] = [
  req(
    'REQ-07',
    'duplicate',
    'An email that is registered registers again.',
    on('the registration', isRegistration, (route) =>
      accepting((call, answer) => call.route === route && answer.status === 409),
    ),
  ),
  req(
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
  req(
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
  req(
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

const HOSTILE: readonly Deviation[] = [
  req(
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
  req('REQ-09', 'drops', 'Deep nesting closes the connection without an answer.', () => ({
    answer: (_call, answer) =>
      codeOf(answer.body) === 'body_too_deep' ? { ...answer, delivery: { drop: true } } : answer,
  })),
  req('REQ-09', 'nul', 'A NUL in a body closes the connection without an answer.', () => ({
    answer: (call, answer) => (contains(call, /\\u0000|%00/) ? { ...answer, delivery: { drop: true } } : answer),
  })),
  req(
    'REQ-09',
    'proto',
    'A member __proto__ answers 500.',
    () => ({
      answer: (call, answer) => {
        const error = asObject(answer.body).error;
        if (!contains(call, /__proto__/)) return answer;
        const told = isObject(error) ? error : {};
        const { param: _param, errors: _errors, ...rest } = told;
        if (!isObject(error)) return answer;
        const doc = String(error.doc_url).replace(/[^/]*$/, 'internal_error');
        return {
          ...answer,
          status: 500,
          body: { error: { ...rest, type: 'api_error', code: 'internal_error', status: 500, doc_url: doc } },
        };
      },
    }),
    ['SCH-06'],
  ),
];

export const REQ_FAULTS: readonly Deviation[] = [...REFUSALS, ...REGISTRATION, ...HOSTILE];
