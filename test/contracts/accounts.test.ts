// Registration at an API that is not the platform (REQ-07): the sound server passes with the law judged, and each defect fails by it.
import { expect, it } from 'vitest';
import { exitCode } from '../../src/grading/exit-code.ts';
import { type Answer, type Asked, type ForeignApi, failedIn, judgedByContract, rowsOf } from './in-memory.ts';

interface Ways {
  /** An email may be registered again. */
  readonly again?: true;
  /** A registration without the email is accepted. */
  readonly nobody?: true;
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const text = (more: object = {}) => ({ type: 'string', minLength: 1, ...more });
const NEW = {
  type: 'object',
  required: ['login', 'secret'],
  properties: { login: text({ format: 'email' }), secret: text(), nick: text() },
};
const described = (description: string, schema: unknown) => ({ description, ...json(schema) });
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1.0.0' },
  paths: {
    '/accounts': {
      post: {
        security: [],
        requestBody: { required: true, ...json(NEW) },
        responses: {
          200: described('Registered', { type: 'object', required: ['login'], properties: { login: text() } }),
          400: described('Wrong', { type: 'object' }),
          422: described('Taken', { type: 'object' }),
        },
      },
    },
  },
};
const CONTRACT = [
  'contract: 1',
  'name: Accounts API contract',
  'requests: { invalid: { status: 400 } }',
  'registration: { operation: POST /accounts, email: /login, password: /secret, status: 200, taken: 422 }',
];

function accountsApi(ways: Ways = {}): ForeignApi {
  return { description: DESCRIPTION, contract: CONTRACT, start: () => serverOf(ways) };
}

function serverOf(ways: Ways): (asked: Asked) => Answer {
  const known = new Set<string>();
  return ({ method, path, headers, body }) => {
    if (path !== '/accounts') return refused(404);
    if (method !== 'POST') return refused(405);
    if (!headers.get('content-type')?.startsWith('application/json')) return refused(415);
    const sent = parsed(body);
    return sent === null ? refused(400) : registered(sent, known, ways);
  };
}

function registered(sent: Record<string, unknown>, known: Set<string>, { again, nobody }: Ways): Answer {
  const { login, secret, nick = 'x' } = sent;
  if (!isText(secret) || !isText(nick)) return refused(400);
  if (login === undefined && nobody === true) return { status: 200, body: { login: 'nobody' } };
  if (!isText(login) || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(login)) return refused(400);
  if (known.has(login) && again === undefined) return refused(422);
  known.add(login);
  return { status: 200, body: { login } };
}

function refused(status: number): Answer {
  return { status, body: { message: 'refused' } };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    // What is no JSON is refused.
    return null;
  }
}

it('a sound registration passes with REQ-07 judged, in the words of the contract', async () => {
  const report = await judgedByContract(accountsApi());
  expect([exitCode(report), failedIn(report)]).toEqual([0, []]);
  expect(rowsOf(report, 'REQ-07')).toEqual(['REQ-07 pass']);
  const { text: sentence } = report.clauses.find(({ id }) => id === 'REQ-07') ?? {};
  expect(sentence).toBe(
    '`POST /accounts`: 200 once; 400 when `login` or `secret` is missing; 422 when the `login` is registered.',
  );
});

it.each([
  ['an email is registered again', { again: true }],
  ['an account has no email', { nobody: true }],
] as const)('REQ-07 fails where %s', async (_defect, ways) => {
  const report = await judgedByContract(accountsApi(ways));
  expect([exitCode(report), failedIn(report)]).toEqual([1, expect.arrayContaining(['REQ-07'])]);
});
