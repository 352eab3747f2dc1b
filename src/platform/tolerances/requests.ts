// Allowances in what requests get.

import type { Admission, Deviation } from '../deviation.ts';
import { conflict, type FieldFailure, PROBLEMS, type Problem, refusal } from '../envelope.ts';
import { INTERNAL_PREFIX } from '../facts.ts';
import { subject } from '../faults/subject.ts';
import type { Call, Route } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import { exampleOf } from '../schema/example.ts';
import { flatten } from '../schema/flatten.ts';
import { represent } from '../schema/represent.ts';
import { carrying, onAnswer, onError, recode, tolerance } from './tolerance.ts';

/** Value that the request has at a failing field; undefined when none. */
function saidAt(call: Call, field: string): unknown {
  let here: unknown = call.body;
  for (const part of field.replace(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string, unknown>)[part];
  }
  return here;
}

function overlooking(which: (call: Call, failure: FieldFailure) => boolean) {
  return () => ({
    validate: (call: Call, failures: readonly FieldFailure[]) => failures.filter((failure) => !which(call, failure)),
  });
}

const UNAVAILABLE: Problem = {
  status: 503,
  type: 'api_error',
  code: 'service_unavailable',
  title: 'Not ready',
  message: 'The service is not ready.',
  headers: { 'retry-after': '1' },
};
const NOT_ENTITLED: Problem = {
  status: 403,
  type: 'permission_error',
  code: 'plan_not_entitled',
  title: 'Not in this plan',
  message: 'The plan of this key does not include these items.',
};
const isItemBesideAdmin = ({ operation, role }: Route): boolean =>
  operation.document.service !== 'admin' && role.kind === 'item';
const isScalarFailure = ({ code, message }: FieldFailure) =>
  code === 'invalid_type' && /must be (string|number|integer|boolean)/.test(message);
const isConstraint = ({ code }: FieldFailure) => !['required', 'invalid_type'].includes(code);

export const REQUEST_TOLERANCES: readonly Deviation[] = [
  tolerance('req-01-unknown-before-token', 'An unknown path without a token answers 404.', () => ({
    authenticate: (call, admission) =>
      call.route === null && admission.key === null ? { key: null, problem: null } : admission,
  })),
  tolerance('req-02-malformed-id', 'A malformed id answers 404 like an unknown one.', () => ({
    validate: (call, failures) => failures.filter(({ field }) => !call.route?.operation.path.includes(`{${field}}`)),
  })),
  tolerance('req-02-put-creates', 'A PUT to an unknown id creates, where 201 is declared.', (around) => ({
    act: (call, proceed) => {
      const answer = proceed();
      const role = call.route?.role;
      if (answer.status !== 404 || role?.kind !== 'item' || role.verb !== 'replace') return answer;
      const created = call.route?.operation.responses.find(({ status }) => status === '201');
      const collection = around.collectionOf(call);
      const id = call.params[role.resource.param ?? ''];
      if (created === undefined || collection === null || id === undefined) return answer;
      const item = collection.put(id, asObject(call.body));
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      for (const [name, header] of created.headers)
        if (header.required) headers[name] = String(exampleOf(role.resource.document, header.schema, id));
      return {
        status: 201,
        headers,
        body: represent(role.resource, item, created.content[0]?.schema ?? true, `${call.route?.operation.key} 201`),
      };
    },
  })),
  tolerance(
    'req-04-null-for-optional',
    'null is taken for optional fields.',
    overlooking(
      (call, failure) =>
        saidAt(call, failure.field) === null && isObject(call.body) && !isRequired(call, failure.field),
    ),
  ),
  tolerance(
    'req-04-scalars-coerced',
    'Scalars are taken for one another.',
    overlooking(
      (call, failure) =>
        isScalarFailure(failure) && ['string', 'number', 'boolean'].includes(typeof saidAt(call, failure.field)),
    ),
  ),
  tolerance(
    'req-04-one-item',
    'Of several objects in a list only one may be made at a time: more answer 409.',
    (around) => {
      const isMany = (value: unknown) => Array.isArray(value) && value.length > 1 && value.every(isObject);
      const holdsMany = ({ body, route }: Call) =>
        route?.role.kind === 'create' && Object.values(asObject(body)).some(isMany);
      return {
        validate: (call, failures) => (holdsMany(call) ? [] : failures),
        act: (call, proceed) => (holdsMany(call) ? refusal(call, conflict('body'), around.docsUrl) : proceed()),
      };
    },
  ),
  tolerance(
    'req-08-constraints-ignored',
    'Values outside their constraints are accepted in bodies.',
    overlooking((call, failure) => isConstraint(failure) && saidAt(call, failure.field) !== undefined),
  ),
  tolerance('req-08-kept-as-sent', 'Values outside their constraints are accepted in bodies, kept and shown.', () => {
    const sent = new WeakMap<Call, JsonObject>();
    const kept = new Map<string, JsonObject>();
    return {
      validate: (call, failures) => {
        const taken = failures.filter(
          ({ field, code }) => isConstraint({ field, code, message: '' }) && isTop(call, field),
        );
        const members = taken.map(({ field }) => [field, saidAt(call, field)] as const);
        if (members.length > 0) sent.set(call, Object.fromEntries(members));
        return failures.filter((failure) => !taken.includes(failure));
      },
      answer: (call, answer) => {
        if (answer.status >= 300) return answer;
        const own = asObject(answer.body).id;
        const members = sent.get(call);
        if (typeof own === 'string' && members !== undefined) kept.set(own, { ...kept.get(own), ...members });
        // The answer to a write shows what that one sent: a replay shows the item as it was.
        const shown = call.method === 'GET' ? kept : new Map(typeof own === 'string' ? [[own, members ?? {}]] : []);
        return { ...answer, body: withKept(answer.body, shown) };
      },
    };
  }),
  tolerance(
    'req-05-malformed-422',
    'Malformed JSON answers 422.',
    onError((error, _call, answer) => {
      if (error.code !== 'malformed_json') return;
      error.status = 422;
      answer.status = 422;
    }),
  ),
  tolerance(
    'req-06-head',
    'HEAD succeeds where GET is described.',
    onAnswer((call, answer) => {
      if (call.method !== 'HEAD' || !(answer.headers.allow ?? '').split(', ').includes('GET') || answer.status !== 405)
        return;
      Object.assign(answer, { status: 200, body: undefined });
      answer.headers['content-type'] = 'application/json';
    }),
  ),
  tolerance(
    'req-06-options',
    'OPTIONS succeeds on known paths.',
    onAnswer((call, answer) => {
      if (call.method !== 'OPTIONS' || answer.status !== 405) return;
      Object.assign(answer, { status: 204, body: undefined });
      delete answer.headers['content-type'];
    }),
  ),
  tolerance(
    'req-06-method-404',
    'A method that is not described answers 404.',
    onError((error, _call, answer) => {
      if (answer.status !== 405) return;
      delete answer.headers.allow;
      answer.status = 404;
      Object.assign(error, { status: 404, type: 'invalid_request_error' });
      recode(error, 'resource_not_found');
    }),
  ),
  tolerance(
    'req-06-media-type-400',
    'An unsupported media type answers 400.',
    onError((error, _call, answer) => {
      if (answer.status !== 415) return;
      answer.status = 400;
      error.status = 400;
    }),
  ),
  tolerance('req-02-not-served', 'One described update is not served: it answers 404 to all.', (around) => {
    const update = around.routes.findLast(({ role }) => role.kind === 'item' && role.verb === 'amend');
    return {
      authenticate: (call, admission) =>
        call.route !== null && call.route === update ? { ...admission, problem: PROBLEMS.notFound } : admission,
    };
  }),
  tolerance(
    'req-06-not-entitled',
    'The key of one plan may not use the items of one resource: it is answered 403, whatever the method.',
    (around) => {
      const { operation } = subject(around, 'a resource of a service beside Admin', isItemBesideAdmin);
      const items = operation.path.slice(0, operation.path.indexOf('{'));
      const isRefused = ({ path }: Call, { key }: Admission): boolean =>
        path.startsWith(items) && !path.includes('/', items.length) && key?.plan === 'enterprise';
      return {
        authenticate: (call, admission) =>
          isRefused(call, admission) ? { ...admission, problem: NOT_ENTITLED } : admission,
      };
    },
  ),
  tolerance('req-09-body-limit', 'A body above 100 kB answers 413.', (around) => {
    const isLarge = (call: Call) => JSON.stringify(call.body ?? '').length > 100_000;
    return {
      validate: (call, failures) => (isLarge(call) ? [] : failures),
      act: (call, proceed) => (isLarge(call) ? refusal(call, PROBLEMS.tooLarge, around.docsUrl) : proceed()),
    };
  }),
  tolerance('req-07-rule-of-its-own', 'Registration asks for a captcha, which no description states.', () => ({
    validate: (call, failures) =>
      call.route?.operation.public === true &&
      call.route.operation.unique.includes('email') &&
      asObject(call.body).captcha !== 'solved'
        ? [{ field: 'captcha', code: 'unsolved', message: 'The captcha is not solved.' }]
        : failures,
  })),
  tolerance('auth-01-not-served', 'One described resource is not served: all its operations answer 404.', (around) => {
    const { role } = subject(around, 'a resource of a service beside Admin', isItemBesideAdmin);
    const missing = role.kind === 'item' ? role.resource : null;
    const isMissing = ({ role: of }: Route): boolean => 'resource' in of && of.resource === missing;
    return {
      authenticate: (call, admission) =>
        call.route !== null && isMissing(call.route) ? { ...admission, problem: PROBLEMS.notFound } : admission,
    };
  }),
  tolerance(
    'auth-01-challenge',
    'A 401 carries a WWW-Authenticate header.',
    carrying(
      { 'www-authenticate': 'Bearer realm="commerce", error="invalid_token"' },
      (_call, answer) => answer.status === 401,
    ),
  ),
  tolerance(
    'auth-04-suspended',
    'A locked account is told by another code.',
    onError((error, _call, answer) => {
      if (answer.status === 403) recode(error, 'account_suspended');
    }),
  ),
  tolerance('idem-04-equal-body-conflict', 'An equal body a second time answers 409.', (around) => {
    const seen = new Set<string>();
    return {
      act: (call, proceed) => {
        if (call.route?.role.kind !== 'create' || call.headers['idempotency-key'] !== undefined) return proceed();
        const name = `${call.key?.account} ${call.path} ${JSON.stringify(call.body)}`;
        if (seen.has(name)) return refusal(call, conflict('body'), around.docsUrl);
        const answer = proceed();
        if (answer.status < 300) seen.add(name);
        return answer;
      },
    };
  }),
  tolerance(
    'sch-06-now-and-then-503',
    'One call in fifty answers 503 with Retry-After: 1, before it has an effect.',
    (around) => {
      let calls = 0;
      return { act: (call, proceed) => (++calls % 50 === 0 ? refusal(call, UNAVAILABLE, around.docsUrl) : proceed()) };
    },
  ),
  tolerance(
    'int-01-forbidden',
    'Internal paths answer 403.',
    onError((error, call, answer) => {
      if (!call.path.startsWith(INTERNAL_PREFIX) || answer.status !== 404) return;
      answer.status = 403;
      Object.assign(error, { status: 403, type: PROBLEMS.accountLocked.type });
      recode(error, 'internal_only');
    }),
  ),
];

/** Tells whether the field is a member of the body itself. */
function isTop(call: Call, field: string): boolean {
  return !/[.[]/.test(field) && isObject(call.body) && Object.hasOwn(call.body, field);
}

/** The body with what was kept of each item laid over the members that it shows. */
function withKept(body: unknown, kept: ReadonlyMap<string, JsonObject>): unknown {
  if (Array.isArray(body)) return body.map((item) => withKept(item, kept));
  if (!isObject(body)) return body;
  const members = typeof body.id === 'string' ? (kept.get(body.id) ?? {}) : {};
  const shown = Object.entries(members).filter(([name]) => Object.hasOwn(body, name));
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value));
  return {
    ...body,
    ...Object.fromEntries(shown),
    ...Object.fromEntries(lists.map(([name, value]) => [name, withKept(value, kept)])),
  };
}

/** True when the schema of the body requires the top-level field; further down it is taken to be required. */
function isRequired(call: Call, field: string): boolean {
  if (/[.[]/.test(field)) return true;
  const { operation } = call.route ?? {};
  const schema = operation?.body?.content.get('application/json');
  if (operation === undefined || schema === undefined) return true;
  const required = asObject(flatten(operation.document.root, schema)).required;
  return Array.isArray(required) && required.includes(field);
}
