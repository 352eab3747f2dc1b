// Exchanges, operations and descriptions for the tests of checks: a sound one each, and what to change in it.

import type { Subject } from '../../../src/checks/check.ts';
import type { Exchange, HeaderList, RecordedResponse, RequestPlan } from '../../../src/exchange/exchange.ts';
import type { DeclaredResponse, Description, Operation, SchemaHandle } from '../../../src/openapi/model/operation.ts';
import { termsOfBase } from '../run/terms.ts';

export interface Changes {
  readonly id?: string;
  readonly plan?: Partial<RequestPlan>;
  readonly status?: number;
  readonly headers?: HeaderList;
  /** A string is the body as it stands; anything else is sent as JSON. Absent: no body. */
  readonly body?: unknown;
  readonly response?: Partial<RecordedResponse> | null;
  readonly echoed?: Exchange['echoed'];
}

/** An answered exchange: 200 with a JSON content type, unless changed. `response: null` makes it a failure. */
export function exchangeWith(changes: Changes = {}): Exchange {
  const plan: RequestPlan = {
    service: 'admin',
    operation: null,
    probe: 'test',
    method: 'GET',
    path: '/api/v1/stores',
    query: '',
    headers: [],
    body: { kind: 'none' },
    credential: { kind: 'key', name: 'std-1' },
    retry: 'contract',
    ...changes.plan,
  };
  const search = plan.query === '' ? '' : `?${plan.query}`;
  const sentBody =
    plan.body.kind === 'none' ? null : plan.body.kind === 'raw' ? plan.body.text : JSON.stringify(plan.body.value);
  return {
    id: changes.id ?? 'ex-1',
    plan,
    attempt: 1,
    previous: null,
    sentAt: 0,
    durationMs: 1,
    request: {
      method: plan.method,
      url: `http://127.0.0.1:8080${plan.path}${search}`,
      path: plan.path,
      query: plan.query,
      headers: plan.headers,
      body: sentBody,
    },
    response: changes.response === null ? null : { ...responseOf(changes), ...changes.response },
    failure: changes.response === null ? { kind: 'reset', message: 'connection reset', reusedSocket: false } : null,
    echoed: changes.echoed ?? [],
  };
}

function responseOf({
  status = 200,
  headers = [['content-type', 'application/json']],
  body,
}: Changes): RecordedResponse {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: text, bytes: Buffer.byteLength(text), truncated: false };
}

/** The `error` object of a sound 404 for `GET /api/v1/stores`, with members replaced; `undefined` removes one. */
export function errorObject(members: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'invalid_request_error',
    code: 'resource_not_found',
    title: 'Not found',
    message: 'There is no such resource',
    status: 404,
    doc_url: 'https://docs.example.com/errors/resource_not_found',
    request_id: 'req_1',
    instance: '/api/v1/stores',
    timestamp: '2026-11-21T10:11:12.345Z',
    ...members,
  };
}

/** The `error` object of a sound 400 that rejects the field `email`, with members replaced. */
export function validationError(members: Record<string, unknown> = {}): Record<string, unknown> {
  return errorObject({
    type: 'validation_error',
    code: 'validation_failed',
    status: 400,
    doc_url: 'https://docs.example.com/errors/validation_failed',
    param: 'email',
    errors: [{ field: 'email', code: 'invalid_type', message: 'Must be a string' }],
    ...members,
  });
}

/** An exchange answered with `{error}`, under the status that the error object states (404 when it states none). */
export function errorExchange(error: Record<string, unknown> = errorObject(), changes: Changes = {}): Exchange {
  const status = typeof error.status === 'number' ? error.status : 404;
  return exchangeWith({ status, body: { error }, ...changes });
}

/** What a check is given: by default an exchange that belongs to no described operation. */
export function subjectOf(exchange: Exchange, beside: Partial<Omit<Subject, 'exchange'>> = {}): Subject {
  const without = { operation: null, description: null, docsUrl: null };
  const contract = beside.contract ?? 'commerce';
  return { exchange, ...without, contract, terms: termsOfBase(contract), ...beside };
}

/** A `GET /api/v1/stores` that requires `bearer` and declares nothing, with members replaced. */
export function operationWith(changes: Partial<Operation> = {}): Operation {
  const method = changes.method ?? 'GET';
  const path = changes.path ?? '/api/v1/stores';
  return {
    key: `${method} ${path}`,
    service: 'admin',
    method,
    path,
    operationId: null,
    tags: [],
    deprecated: false,
    pointer: `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`,
    parameters: [],
    requestBody: null,
    responses: [],
    security: [['bearer']],
    unsupported: null,
    ...changes,
  };
}

export function handleOf(value: unknown): SchemaHandle {
  return { pointer: '/components/schemas/Test', value };
}

/** A declared response; a schema makes it declare JSON content. */
export function declaring(status: string, schema?: unknown, more: Partial<DeclaredResponse> = {}): DeclaredResponse {
  const content =
    schema === undefined ? [] : [{ mediaType: 'application/json', schema: handleOf(schema), examples: [] }];
  return { status, content, headers: [], ...more };
}

/** A sound Admin description without operations, with members replaced; its validators accept everything. */
export function descriptionWith(changes: Partial<Description> = {}): Description {
  return {
    service: 'admin',
    file: 'specs/admin.openapi.yaml',
    digest: '0'.repeat(64),
    openapi: '3.0.0',
    dialect: '3.0',
    title: 'Admin',
    version: '1.0.0',
    securitySchemes: [
      { name: 'bearer', type: 'http', scheme: 'bearer', bearerFormat: 'JWT', in: null, parameter: null },
    ],
    operations: [],
    problems: [],
    document: {},
    deref: (schema) => schema,
    branches: () => null,
    validator: () => () => [],
    *prepare() {},
    fits: () => true,
    isBrokenAt: () => false,
    undescribed: () => [],
    ...changes,
  };
}

/** An answer that refuses with this status and code, in the envelope. */
export function refusal(status: number, code: string): Changes {
  return { status, body: { error: errorObject({ status, code }) } };
}
