// An API of to-dos whose errors are written in one of three ways: problem details as Spring writes them, JSON:API documents, or an envelope of
// the API's own with codes in kebab-case.
import { uriDecoded } from '../../src/exchange/decoded.ts';
import type { Answer, Asked, ForeignApi } from './in-memory.ts';

export const TODO_TOKEN = 'todo-token-3c91';
/** Lines of the configuration that hold its key. */
export const TODO_KEYS = [`keys: [{ name: main, plan: any, token: ${TODO_TOKEN} }]`];

/** Why a request is refused, as the server knows it. */
export interface Refusal {
  readonly status: number;
  /** What programs switch on. */
  readonly code: string;
  readonly detail: string;
  /** Tokens of the way to each member of the body that offends. */
  readonly fields: readonly (readonly string[])[];
  readonly asked: Asked;
  /** Of the request, drawn anew for each. */
  readonly id: string;
  readonly at: string;
}

/** How one kind of API writes what it answers, and what its contract file says of it. */
export interface Manner {
  /** Of bodies that succeed. */
  readonly mediaType: string;
  readonly contract: readonly string[];
  /** The body around a to-do's own members, in the description and on the wire. */
  schema(own: Record<string, unknown>, isNew: boolean): Record<string, unknown>;
  shown(todo: Todo): unknown;
  listed(todos: readonly Todo[]): unknown;
  /** The members that a request body sends; null where it is of another shape. The way leads to them. */
  read(body: unknown): { readonly members: Record<string, unknown>; readonly way: readonly string[] } | null;
  refusal(refusal: Refusal): Answer;
}

export interface Todo {
  readonly id: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** What a server does otherwise than the plain one: a defect, or what its contract leaves open. */
export interface Ways {
  /** Changes an error; a refusal that it leaves alone is returned as it is. */
  readonly error?: (answer: Answer, refusal: Refusal) => Answer;
  /** Changes why something is refused; null: it is not. */
  readonly refuse?: (refusal: Refusal) => Refusal | null;
  /** Changes any answer. */
  readonly answer?: (answer: Answer, asked: Asked) => Answer;
  /** Changes the description. */
  readonly description?: (description: Description) => unknown;
}

type Description = ReturnType<typeof descriptionOf>;

const MEMBERS = {
  title: { type: 'string', minLength: 1, maxLength: 80 },
  priority: { type: 'integer', minimum: 1, maximum: 5 },
  done: { type: 'boolean' },
};

function descriptionOf({ mediaType, schema }: Manner) {
  const json = (own: unknown) => ({ content: { [mediaType]: { schema: own } } });
  const shown = (own: unknown) => ({ description: 'As told', ...json(own) });
  const refused = { description: 'Refused' };
  const todo = { type: 'object', required: ['title', 'priority'], properties: MEMBERS };
  const [body, one] = [schema({ ...todo, additionalProperties: false }, true), schema(todo, false)];
  return {
    openapi: '3.1.0',
    info: { title: 'Todos', version: '1.4.0' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths: {
      '/health': { get: { security: [], responses: { 200: { description: 'Alive' } } } },
      '/todos': {
        get: { responses: { 200: { description: 'All', content: { [mediaType]: {} } }, 401: refused } },
        post: {
          requestBody: { required: true, ...json(body) },
          responses: { 201: shown(one), 400: refused, 401: refused },
        },
      },
      '/todos/{todoId}': {
        parameters: [{ name: 'todoId', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: shown(one), 401: refused, 404: refused } },
        put: {
          requestBody: { required: true, ...json(body) },
          responses: { 200: shown(one), 400: refused, 401: refused, 404: refused },
        },
        delete: { responses: { 204: { description: 'Gone' }, 401: refused, 404: refused } },
      },
    },
  };
}

export function todosApi(manner: Manner, ways: Ways = {}, contract: readonly string[] = manner.contract): ForeignApi {
  const description = descriptionOf(manner);
  return {
    description: ways.description?.(description) ?? description,
    contract,
    start: ({ now }) => new Todos(manner, ways, now).answer,
  };
}

const CODES: Readonly<Record<number, string>> = {
  400: 'validation-failed',
  401: 'unauthorized',
  404: 'not-found',
  405: 'method-not-allowed',
  415: 'unsupported-media-type',
};

class Todos {
  readonly #manner: Manner;
  readonly #ways: Ways;
  readonly #now: () => number;
  readonly #todos = new Map<string, Todo>();
  #count = 0;
  #requests = 0;

  constructor(manner: Manner, ways: Ways, now: () => number) {
    this.#manner = manner;
    this.#ways = ways;
    this.#now = now;
    for (const title of ['Water the plants', 'Call Ada']) this.#add({ title, priority: 2, done: false });
  }

  readonly answer = (asked: Asked): Answer => {
    this.#requests += 1;
    const answer = this.#answerTo(asked);
    const id = { 'x-request-id': `r-${this.#requests}`, ...answer.headers };
    return this.#ways.answer?.({ ...answer, headers: id }, asked) ?? { ...answer, headers: id };
  };

  #answerTo(asked: Asked): Answer {
    if (asked.path === '/health')
      return asked.method === 'GET' ? { status: 200, body: { up: true } } : this.#refused(asked, 405);
    if (asked.headers.get('authorization') !== `Bearer ${TODO_TOKEN}`) {
      const refused = this.#refused(asked, 401);
      if (refused.status >= 400) return refused;
    }
    const [, collection, id, ...more] = asked.path.split('/');
    if (collection !== 'todos' || more.length > 0) return this.#refused(asked, 404);
    if (id === undefined) return this.#onAll(asked);
    const todo = this.#todos.get(uriDecoded(id));
    return todo === undefined ? this.#refused(asked, 404) : this.#onOne(asked, todo);
  }

  #onAll(asked: Asked): Answer {
    if (asked.method === 'GET') return this.#told(200, this.#manner.listed([...this.#todos.values()]));
    return asked.method === 'POST' ? this.#written(asked, null) : this.#refused(asked, 405);
  }

  #onOne(asked: Asked, todo: Todo): Answer {
    if (asked.method === 'GET') return this.#told(200, this.#manner.shown(todo));
    if (asked.method === 'PUT') return this.#written(asked, todo);
    if (asked.method !== 'DELETE') return this.#refused(asked, 405);
    this.#todos.delete(todo.id);
    return { status: 204 };
  }

  #written(asked: Asked, known: Todo | null): Answer {
    if (!(asked.headers.get('content-type') ?? '').startsWith(this.#manner.mediaType)) return this.#refused(asked, 415);
    const sent = this.#manner.read(jsonIn(asked.body));
    const fields = sent === null ? [] : flawsIn(sent.members).map((name) => [...sent.way, name]);
    const refused = sent === null || fields.length > 0 ? this.#refused(asked, 400, fields) : null;
    if (refused !== null && refused.status >= 400) return refused;
    const members = { done: false, ...(sent?.members ?? { title: 'x', priority: 1 }) };
    const todo = known === null ? this.#add(members) : { id: known.id, members };
    this.#todos.set(todo.id, todo);
    return this.#told(known === null ? 201 : 200, this.#manner.shown(todo));
  }

  #add(members: Todo['members']): Todo {
    this.#count += 1;
    const todo = { id: `t${this.#count}`, members };
    this.#todos.set(todo.id, todo);
    return todo;
  }

  #told(status: number, body: unknown): Answer {
    return { status, body, headers: { 'content-type': this.#manner.mediaType } };
  }

  /** A status below 400: it is not refused. */
  #refused(asked: Asked, status: number, fields: Refusal['fields'] = []): Answer {
    const about = { status, code: CODES[status] ?? 'refused', detail: 'The request is refused.', fields, asked };
    const plain: Refusal = { ...about, id: `trace-${this.#requests}`, at: new Date(this.#now()).toISOString() };
    const refusal = this.#ways.refuse === undefined ? plain : this.#ways.refuse(plain);
    if (refusal === null) return { status: 200 };
    const answer = this.#manner.refusal(refusal);
    return this.#ways.error?.(answer, refusal) ?? answer;
  }
}

/** Names of the members that a to-do may not have so. */
function flawsIn({ title, priority, done, ...more }: Record<string, unknown>): readonly string[] {
  const isTitle = typeof title === 'string' && title !== '' && [...title].length <= 80;
  const isPriority = Number.isInteger(priority) && Number(priority) >= 1 && Number(priority) <= 5;
  const isDone = done === undefined || typeof done === 'boolean';
  return [
    ...(isTitle ? [] : ['title']),
    ...(isPriority ? [] : ['priority']),
    ...(isDone ? [] : ['done']),
    ...Object.keys(more),
  ];
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TITLES: Readonly<Record<number, string>> = { 400: 'Bad Request', 401: 'Unauthorized', 404: 'Not Found' };

/** Bodies in JSON without any envelope. */
export const PLAIN: Pick<Manner, 'mediaType' | 'schema' | 'shown' | 'listed' | 'read'> = {
  mediaType: 'application/json',
  schema: (own, isNew) =>
    isNew
      ? own
      : { ...own, properties: { ...(own.properties as object), id: { type: 'string' } }, required: ['id', 'title'] },
  shown: ({ id, members }) => ({ id, ...members }),
  listed: (todos) => todos.map(({ id, members }) => ({ id, ...members })),
  read: (body) => (isRecord(body) ? { members: body, way: [] } : null),
};

/** Spring's ProblemDetail, with a trace and the fields that offend. */
export const PROBLEMS: Manner = {
  ...PLAIN,
  contract: [
    'contract: 1',
    'name: Todos API contract',
    'extends: problem-details',
    'errors:',
    '  members:',
    '    code: { at: /type, form: uri }',
    '    title: /title',
    '    status: /status',
    '    instance: /instance',
    '    requestId: /traceId',
    '    timestamp: /timestamp',
    '    field: { at: /errors/*/pointer, form: pointer }',
    '  codes: { not-found: 404, validation-failed: 400, unauthorized: 401 }',
    'authentication: { refused: { status: 401, code: unauthorized } }',
    'requests:',
    '  unknownPath: { status: 404, code: not-found }',
    '  invalid: { status: 400, code: validation-failed }',
    'health: { operation: GET /health }',
    'versions: { header: ignored, sunset: absent }',
    'description: { schemes: [token], deprecated: none }',
    'internal: ["/internal/*"]',
    'unused: { statuses: [402, 423] }',
  ],
  refusal: ({ status, code, detail, fields, asked, id, at }) => ({
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      type: `https://todos.example.com/problems/${code}`,
      title: TITLES[status] ?? 'Refused',
      ...{ status, detail, instance: asked.path, traceId: id, timestamp: at },
      ...(fields.length === 0
        ? {}
        : { errors: fields.map((way) => ({ pointer: `/${way.join('/')}`, detail: 'is wrong' })) }),
    },
  }),
};

const JSON_API_TYPE = 'application/vnd.api+json';
const resource = ({ id, members }: Todo) => ({ type: 'todos', id, attributes: members });

/** JSON:API 1.1. */
export const JSON_API: Manner = {
  mediaType: JSON_API_TYPE,
  contract: [
    'contract: 1',
    'name: Todos API contract',
    'extends: json-api',
    'errors:',
    '  members:',
    '    status: /errors/*/status',
    '    code: { at: /errors/*/code, form: kebab-case }',
    '    requestId: /errors/*/id',
    '  codes: { not-found: 404, validation-failed: 400, unauthorized: 401 }',
    'authentication: { refused: { status: 401, code: unauthorized } }',
    'requests:',
    '  unknownPath: { status: 404, code: not-found }',
    '  invalid: { status: 400, code: validation-failed }',
    'health: { operation: GET /health }',
  ],
  schema: (own, isNew) => ({
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: isNew ? ['type', 'attributes'] : ['type', 'id', 'attributes'],
        properties: {
          type: { type: 'string', const: 'todos' },
          ...(isNew ? {} : { id: { type: 'string' } }),
          attributes: own,
        },
      },
    },
  }),
  shown: (todo) => ({ data: resource(todo) }),
  listed: (todos) => ({ data: todos.map(resource) }),
  read: (body) => {
    const data = isRecord(body) ? body.data : null;
    if (!isRecord(data) || data.type !== 'todos' || !isRecord(data.attributes)) return null;
    return { members: data.attributes, way: ['data', 'attributes'] };
  },
  refusal: ({ status, code, detail, fields, id }) => {
    const error = { id, status: String(status), code, title: TITLES[status] ?? 'Refused', detail };
    // What a list holds is one error each; the id is the request's.
    const errors = fields.map((way) => ({ ...error, source: { pointer: `/${way.join('/')}` } }));
    return {
      status,
      headers: { 'content-type': JSON_API_TYPE },
      body: { errors: errors.length === 0 ? [error] : errors },
    };
  },
};

/** An envelope of the API's own, as many have it. */
export const KEBAB: Manner = {
  ...PLAIN,
  contract: [
    'contract: 1',
    'name: Todos API contract',
    'errors:',
    '  envelope: /fault',
    '  mediaType: application/json',
    '  members:',
    '    code: { at: /fault/code, form: kebab-case }',
    '    message: /fault/message',
    '    requestId: /fault/requestId',
    '    docUrl: { at: /fault/help, form: "https://help.example.com/{code}" }',
    '    field: { at: /fault/fields/*/name, form: name }',
    '  codes: { not-found: 404, validation-failed: 400, unauthorized: 401 }',
    '  success: never',
    'authentication: { refused: { status: 401, code: unauthorized } }',
    'requests:',
    '  unknownPath: { status: 404, code: not-found }',
    '  invalid: { status: 400, code: validation-failed }',
  ],
  refusal: ({ status, code, detail, fields, id }) => ({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': id },
    body: {
      fault: {
        ...{ code, message: detail, requestId: id, help: `https://help.example.com/${code}` },
        ...(fields.length === 0 ? {} : { fields: fields.map((way) => ({ name: way.at(-1) })) }),
      },
    },
  }),
};
