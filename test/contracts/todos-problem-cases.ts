// What an API of to-dos with problem details does wrong, and what it may do.
import { PROBLEMS } from './todos.ts';
import {
  answered,
  hasFields,
  isTodo,
  type Members,
  make,
  members,
  of,
  refused,
  type TodoCase,
  without,
  withType,
} from './todos-changes.ts';

const PROBLEM = 'application/problem+json';

const VERSIONLESS = PROBLEMS.contract.filter((line) => !line.startsWith('versions:'));

const problem = make('defect', 'problem details', PROBLEMS);
const oddProblem = make('oddity', 'problem details', PROBLEMS);

export const PROBLEM_CASES: readonly TodoCase[] = [
  problem('SPEC-05', 'paths are not under the stated prefix', {}, [...VERSIONLESS, 'versions: { prefix: /v1 }']),
  oddProblem('SPEC-05', 'all paths but that of liveness are under the prefix', {}, [
    ...VERSIONLESS,
    'versions: { prefix: /todos }',
  ]),
  problem('SPEC-06', 'an operation declares a header with a version', {
    description: (own) => {
      const { get } = own.paths['/todos'];
      const parameters = [{ name: 'X-API-Version', in: 'header', schema: { type: 'string' } }];
      return { ...own, paths: { ...own.paths, '/todos': { ...own.paths['/todos'], get: { ...get, parameters } } } };
    },
  }),
  problem(
    'RED-01',
    'a redirect leads nowhere',
    answered(
      ({ method, path }, { status }) => method === 'GET' && path === '/todos' && status === 200,
      ({ headers }) => ({ status: 302, headers: { ...headers, location: 'no where at all' } }),
    ),
    [...PROBLEMS.contract, 'redirects: { notFollowed: true }'],
  ),
  problem('ERR-01', 'a 404 has no body', of(404, { error: (answer) => ({ ...answer, body: undefined }) })),
  problem(
    'ERR-01',
    'a 405 is a page',
    of(405, { error: () => ({ status: 405, headers: { 'content-type': 'text/html' }, body: '<h1>no</h1>' }) }),
  ),
  problem(
    'ERR-02',
    'a 401 has no title',
    of(
      401,
      members(() => ({ title: undefined })),
    ),
  ),
  problem(
    'ERR-02',
    'a 404 has no type',
    of(
      404,
      members(() => ({ type: undefined })),
    ),
  ),
  problem(
    'ERR-02',
    'the trace is a number',
    members(() => ({ traceId: 7 })),
  ),
  problem(
    'ERR-03',
    'a type is a sentence',
    of(
      405,
      members(() => ({ type: 'method not allowed' })),
    ),
  ),
  problem(
    'ERR-04',
    'the status of a 404 is 400',
    of(
      404,
      members(() => ({ status: 400 })),
    ),
  ),
  problem(
    'ERR-06',
    'all errors have one trace',
    members(() => ({ traceId: 'trace' })),
  ),
  problem(
    'ERR-07',
    'the instance is the collection',
    of(
      404,
      members(() => ({ instance: '/todos' })),
    ),
  ),
  problem(
    'ERR-07',
    'the instance is an id of its own',
    members(({ id }) => ({ instance: `urn:uuid:${id}` })),
  ),
  problem(
    'ERR-08',
    'the timestamp has no zone',
    members(({ at }) => ({ timestamp: at.slice(0, -1) })),
  ),
  problem(
    'ERR-09',
    'a refused body names no member',
    members((refusal) => (hasFields(refusal) ? { errors: undefined } : {})),
  ),
  problem(
    'ERR-09',
    'members are named without a slash',
    members((refusal) =>
      hasFields(refusal) ? { errors: refusal.fields.map((way) => ({ pointer: way.join('.') })) } : {},
    ),
  ),
  problem(
    'ERR-10',
    'another member is named',
    members((refusal) =>
      hasFields(refusal)
        ? { errors: [{ pointer: refusal.fields.some(([name]) => name === 'title') ? '/priority' : '/title' }] }
        : {},
    ),
  ),
  problem(
    'ERR-11',
    'unauthorized comes with 403',
    refused('unauthorized', (refusal) => ({ ...refusal, status: 403 })),
  ),
  problem(
    'ERR-11',
    'a 405 is told as not-found',
    refused('method-not-allowed', (refusal) => ({ ...refusal, code: 'not-found' })),
  ),
  problem(
    'ERR-13',
    'reading a to-do succeeds with a problem',
    answered(
      ({ method, path }, { status }) => method === 'GET' && path.startsWith('/todos/') && status === 404,
      (answer) => ({ ...answer, status: 200 }),
    ),
  ),
  problem(
    'ERR-13',
    'a refused body succeeds with a problem in plain JSON',
    answered(
      ({ method }, { status }) => method === 'POST' && status === 400,
      (answer) => ({ ...withType('application/json')(answer), status: 201 }),
    ),
  ),
  problem('ERR-14', 'a 401 is plain JSON', of(401, { error: withType('application/json') })),
  problem(
    'ERR-14',
    'a detail is a list',
    of(
      400,
      members(() => ({ detail: ['wrong'] })),
    ),
  ),
  problem(
    'AUTH-01',
    'deleting asks for no token',
    refused('unauthorized', (refusal) =>
      refusal.asked.method === 'DELETE' && refusal.asked.headers.get('authorization') === undefined ? null : refusal,
    ),
  ),
  problem(
    'AUTH-01',
    'a missing token is forbidden',
    refused('unauthorized', (refusal) => ({ ...refusal, status: 403, code: 'forbidden' })),
  ),
  problem(
    'AUTH-02',
    'an invalid token is a bad request',
    refused('unauthorized', (refusal) =>
      refusal.asked.headers.has('authorization') ? { ...refusal, status: 400, code: 'bad-token' } : refusal,
    ),
  ),
  problem(
    'AUTH-02',
    'an invalid token has a code of its own',
    refused('unauthorized', (refusal) =>
      refusal.asked.headers.has('authorization') ? { ...refusal, code: 'token-expired' } : refusal,
    ),
  ),
  problem(
    'REQ-01',
    'an unknown path is gone',
    refused('not-found', (refusal) =>
      refusal.asked.path.startsWith('/todos/t') ? refusal : { ...refusal, status: 410, code: 'gone' },
    ),
  ),
  problem(
    'REQ-02',
    'an unknown id is a bad request',
    refused('not-found', (refusal) =>
      /^\/todos\/[^/]+$/.test(refusal.asked.path) ? { ...refusal, status: 400, code: 'bad-id' } : refusal,
    ),
  ),
  problem(
    'REQ-03',
    'a missing priority is accepted',
    refused('validation-failed', (refusal) =>
      refusal.fields.every(([name]) => name === 'priority') &&
      !refusal.asked.body.includes('"priority"') &&
      hasFields(refusal)
        ? null
        : refusal,
    ),
  ),
  problem(
    'REQ-03',
    'a refused body is answered 422',
    refused('validation-failed', (refusal) => ({ ...refusal, status: 422 })),
  ),
  problem(
    'REQ-04',
    'a title of the wrong type has a code of its own',
    refused('validation-failed', (refusal) =>
      /"title":\s*[[{]/.test(refusal.asked.body) ? { ...refusal, code: 'bad-type' } : refusal,
    ),
  ),
  problem(
    'SCH-07',
    'a 423 is used',
    refused('method-not-allowed', (refusal) => ({ ...refusal, status: 423 })),
  ),
  problem(
    'HEALTH-01',
    'liveness fails',
    answered(
      ({ path }) => path === '/health',
      (answer) => ({ ...answer, status: 503 }),
    ),
  ),
  problem(
    'INT-01',
    'an internal list is served',
    answered(
      ({ path }) => path === '/internal/todos',
      () => ({ status: 200, body: [] }),
    ),
  ),
  problem(
    'VER-01',
    'a header with a version changes the answer',
    answered(
      ({ headers, method, path }) => headers.has('x-api-version') && method === 'GET' && path === '/todos',
      (answer) => ({ ...answer, body: { items: [] } }),
    ),
  ),
  problem(
    'VER-02',
    'a list has a sunset',
    answered(
      ({ method, path }) => method === 'GET' && path === '/todos',
      (answer) => ({ ...answer, headers: { ...answer.headers, sunset: 'Sat, 31 Jan 2026 12:00:00 GMT' } }),
    ),
  ),
  problem('SPEC-03', 'there is another security scheme', {
    description: (own) => ({
      ...own,
      components: { securitySchemes: { ...own.components.securitySchemes, basic: { type: 'http', scheme: 'basic' } } },
    }),
  }),
  problem('SPEC-04', 'an operation requires another scheme', {
    description: (own) => ({
      ...own,
      components: { securitySchemes: { ...own.components.securitySchemes, basic: { type: 'http', scheme: 'basic' } } },
      paths: {
        ...own.paths,
        '/todos': { ...own.paths['/todos'], get: { ...own.paths['/todos'].get, security: [{ basic: [] }] } },
      },
    }),
  }),

  oddProblem(
    'ERR-02',
    'a detail is empty, and members are added',
    members(() => ({ detail: '', documentation: 'https://x.example.com' })),
  ),
  oddProblem(
    'ERR-03',
    'types are relative',
    members(({ code }) => ({ type: `/problems/${code}` })),
  ),
  oddProblem(
    'ERR-03',
    'types are names alone',
    members(({ code }) => ({ type: code })),
  ),
  oddProblem(
    'ERR-07',
    'the instance is an absolute URL with the query',
    members(({ asked }) => ({
      instance: `https://todos.example.com${asked.path}${asked.query.size === 0 ? '' : `?${asked.query}`}`,
    })),
  ),
  oddProblem(
    'ERR-08',
    'timestamps have an offset and nanoseconds',
    members(({ at }) => ({ timestamp: at.replace(/Z$/, '123456+00:00') })),
  ),
  oddProblem(
    'ERR-09',
    'malformed JSON names no member',
    members((refusal) => (hasFields(refusal) ? {} : { errors: [] as unknown[] })),
  ),
  oddProblem(
    'ERR-10',
    'members are named as fragments, beside others',
    members((refusal) =>
      hasFields(refusal)
        ? { errors: [...refusal.fields.map((way) => ({ pointer: `#/${way.join('/')}` })), { pointer: '/done' }] }
        : {},
    ),
  ),
  oddProblem('ERR-14', 'the media type has parameters', { error: withType(`${PROBLEM}; charset=utf-8`) }),
  oddProblem(
    'ERR-14',
    'a server in front answers what is too long',
    answered(
      ({ path, query }) => `${path}?${query}`.length > 2000,
      () => ({ status: 414, headers: { 'content-type': 'text/html' }, body: 'too long' }),
    ),
  ),
  oddProblem(
    'REQ-02',
    'an unknown id has a listed code of its own',
    refused('not-found', (refusal) =>
      /^\/todos\/[^/]+$/.test(refusal.asked.path) ? { ...refusal, code: 'no-todo' } : refusal,
    ),
    PROBLEMS.contract.map((line) => line.replace('{ not-found: 404', '{ no-todo: 404, not-found: 404')),
  ),
  oddProblem(
    'REQ-03',
    '422 is one of the stated statuses',
    refused('validation-failed', (refusal) => ({ ...refusal, status: 422 })),
    PROBLEMS.contract.map((line) =>
      line
        .replace('invalid: { status: 400', 'invalid: { status: [400, 422]')
        .replace('validation-failed: 400', 'validation-failed: 422'),
    ),
  ),
  oddProblem('ERR-13', 'a to-do has a type, a title and a status', {
    answer: (answer) =>
      isTodo(answer) ? { ...answer, body: { ...(answer.body as Members), type: 'chore', status: 'open' } } : answer,
  }),
  oddProblem(
    'AUTH-01',
    'the code of a refused token is not stated',
    refused('unauthorized', (refusal) => ({ ...refusal, code: 'token-missing' })),
    without(PROBLEMS.contract, 'codes:').map((line) => line.replace('status: 401, code: unauthorized', 'status: 401')),
  ),
];
