// Allowances in headers, bodies and delivery of any answer, and in what it carries beside what the contract asks for.

import { type Place, placesOf, replaced } from '../../defects/schema-places.ts';
import type { Deviation } from '../deviation.ts';
import { HEALTH_PATH, IDEMPOTENCY_HEADER, PAYMENT_OPERATION, RATE_HEADERS } from '../facts.ts';
import type { Answer, Call, Delivery } from '../http/call.ts';
import { asArray, asObject, isObject } from '../json.ts';
import { flatten } from '../schema/flatten.ts';
import { carrying, onAnswer, onError, recode, telling, tolerance } from './tolerance.ts';

function delivered(delivery: Delivery) {
  return onAnswer((_call, answer) => {
    answer.delivery = delivery;
  });
}

function resetAs(write: (epochSeconds: number, nowMs: number) => string) {
  return onAnswer((call, answer) => {
    const reset = answer.headers[RATE_HEADERS.reset];
    if (reset !== undefined) answer.headers[RATE_HEADERS.reset] = write(Number(reset), call.receivedAt);
  });
}

/** Success bodies changed place by place; `change` is given each place below the top, and answers what stands there, or null. */
function onPlaces(change: (place: Place, isOfList: boolean) => { readonly value: unknown } | null) {
  return onAnswer((call, answer) => {
    if (call.route === null || answer.status >= 300 || answer.body === undefined) return;
    const { operation, role } = call.route;
    const resolve = (schema: unknown) => flatten(operation.document.root, schema);
    for (const place of placesOf(resolve, role.success.schema, answer.body)) {
      const other = place.path.length === 0 ? null : change(place, role.kind === 'list');
      if (other !== null) answer.body = replaced(answer.body, place.path, other.value);
    }
  });
}

function isInList({ path }: Place): boolean {
  return path.some((one) => typeof one === 'number');
}

function isOptional({ isRequired, path }: Place): boolean {
  const name = path.at(-1);
  return !isRequired && typeof name === 'string' && !/^id$|_id$|Id$|^sku$/.test(name);
}

const SMALL_WINDOW = { calls: 200, seconds: 2 };

/** The redirect's own model asks for an absolute address in its description; then it stays absolute. */
function declaresUri(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'format' in schema && schema.format === 'uri';
}

const LOGS = 'GET /api/v1/auth/activity/logs';
const KEY = IDEMPOTENCY_HEADER.toLowerCase();

function isPublic({ route }: Call): boolean {
  return route?.operation.public === true && route.operation.path !== HEALTH_PATH;
}

function isList(call: Call, { status }: Answer): boolean {
  return call.route?.role.kind === 'list' && status === 200;
}

export const ANSWER_TOLERANCES: readonly Deviation[] = [
  tolerance(
    'rate-01-reset-milliseconds',
    'Reset is in epoch milliseconds.',
    resetAs((seconds) => String(seconds * 1000)),
  ),
  tolerance(
    'rate-01-reset-delta',
    'Reset is in seconds from now.',
    resetAs((seconds, nowMs) => String(Math.max(0, Math.ceil(seconds - nowMs / 1000)))),
  ),
  tolerance(
    'rate-01-reset-date',
    'Reset is an HTTP date.',
    resetAs((seconds) => new Date(seconds * 1000).toUTCString()),
  ),
  tolerance(
    'rate-01-reset-iso',
    'Reset is an ISO 8601 date.',
    resetAs((seconds) => new Date(seconds * 1000).toISOString()),
  ),
  tolerance(
    'rate-01-headers-on-401',
    'A 401 carries rate-limit headers, too.',
    onAnswer((call, answer) => {
      if (answer.status !== 401) return;
      Object.assign(answer.headers, {
        [RATE_HEADERS.limit]: '100',
        [RATE_HEADERS.remaining]: '99',
        [RATE_HEADERS.reset]: String(Math.ceil(call.receivedAt / 1000) + 10),
      });
    }),
  ),
  tolerance(
    'rate-05-retry-after-date',
    'Retry-After is an HTTP date.',
    onAnswer((call, answer) => {
      const seconds = Number(answer.headers['retry-after']);
      if (answer.headers['retry-after'] !== undefined)
        answer.headers['retry-after'] = new Date(call.receivedAt + seconds * 1000 + 999).toUTCString();
    }),
    { limits: { export: { calls: 3, seconds: 2 } } },
  ),
  tolerance(
    'rate-05-no-retry-after',
    'A 429 has no Retry-After.',
    onAnswer((_call, answer) => {
      if (answer.status === 429) delete answer.headers['retry-after'];
    }),
    { limits: { export: { calls: 3, seconds: 2 } } },
  ),
  tolerance('rate-04-small-window', 'Every plan may make 200 calls in 2 seconds.', () => ({}), {
    limits: { standard: SMALL_WINDOW, growth: SMALL_WINDOW, enterprise: SMALL_WINDOW },
  }),
  tolerance('rate-09-tight-export', 'Two exports in two seconds are too many.', () => ({}), {
    limits: { export: { calls: 1, seconds: 2 } },
  }),
  tolerance(
    'health-01-non-numeric',
    'Liveness has rate-limit headers that are no numbers, and a body.',
    onAnswer((call, answer) => {
      if (call.path !== HEALTH_PATH || answer.status !== 200) return;
      Object.assign(answer.headers, {
        [RATE_HEADERS.limit]: 'unlimited',
        [RATE_HEADERS.remaining]: 'unlimited',
        'content-type': 'application/json',
      });
      answer.body = { status: 'ok' };
    }),
  ),
  tolerance(
    'sch-02-charset',
    'Content types name a charset.',
    onAnswer((_call, answer) => {
      if (answer.headers['content-type'] === 'application/json')
        answer.headers['content-type'] = 'application/json; charset=utf-8';
    }),
  ),
  tolerance(
    'sch-02-upper-case',
    'Content types are written in another case.',
    onAnswer((_call, answer) => {
      if (answer.headers['content-type'] === 'application/json')
        answer.headers['content-type'] = 'Application/JSON;charset="UTF-8"';
    }),
  ),
  tolerance(
    'sch-04-further-headers',
    'Answers carry further headers.',
    carrying({
      ...{ 'x-powered-by': 'commerce', 'cache-control': 'no-store', 'server-timing': 'app;dur=1' },
      ...{ vary: 'Accept-Encoding', 'x-api-version': '1' },
    }),
  ),
  tolerance('sch-04-header-case', 'Header names are in upper case.', delivered({ upperCase: true })),
  tolerance(
    'sch-09-undescribed-members',
    'Objects have members that the schema does not mention where it allows them.',
    onPlaces((place) => {
      const { schema, value } = place;
      const open =
        schema.additionalProperties === undefined &&
        'properties' in schema &&
        schema.oneOf === undefined &&
        schema.anyOf === undefined;
      return open && isObject(value) ? { value: { ...value, not_described: 'x' } } : null;
    }),
  ),
  tolerance(
    'sch-01-nulls',
    'Optional members of items that are nullable are null.',
    onPlaces((place, isOfList) => {
      const isNullable = place.schema.nullable === true || asArray(place.schema.type).includes('null');
      // A single resource shows what was sent (LIFE-02).
      return isOptional(place) && isNullable && isOfList && isInList(place) ? { value: null } : null;
    }),
  ),
  tolerance(
    'sch-01-sparse',
    'Optional members of items are absent.',
    onPlaces((place, isOfList) =>
      isOptional(place) && !Array.isArray(place.value) && isOfList && isInList(place) ? { value: undefined } : null,
    ),
  ),
  tolerance(
    'sch-01-pretty',
    'Bodies are written with white space.',
    onAnswer((_call, answer) => {
      if (answer.body !== undefined && answer.text === undefined)
        answer.text = `\n${JSON.stringify(answer.body, null, 4)}\n`;
    }),
  ),
  tolerance(
    'red-01-relative',
    'The redirect has a relative Location.',
    onAnswer((call, answer) => {
      if (answer.status === 302 && !declaresUri(call.route?.role.success.response?.headers.get('location')?.schema))
        answer.headers.location = '../settings?tab=domains';
    }),
  ),
  tolerance(
    'red-01-mended',
    'The Location of the redirect has a blank and braces in its query.',
    onAnswer((call, answer) => {
      if (answer.status === 302 && !declaresUri(call.route?.role.success.response?.headers.get('location')?.schema))
        answer.headers.location = '/settings?tab=my domains&view={all}';
    }),
  ),
  tolerance(
    'ver-01-echoed',
    'A version header comes back in the answer.',
    onAnswer((call, answer) => {
      const version = call.headers['x-api-version'] ?? call.headers['accept-version'];
      if (typeof version === 'string') answer.headers['x-requested-version'] = version;
    }),
  ),
  tolerance('req-09-slow', 'Every answer takes 150 ms.', delivered({ delayMs: 150 })),
  tolerance('req-09-chunked', 'Bodies are sent in chunks.', delivered({ chunked: true })),
  tolerance(
    'req-09-connection-close',
    'The connection is closed after each answer.',
    carrying({ connection: 'close' }),
  ),
  tolerance(
    'err-13-failed-job',
    'What is read says in a member error, beside its own members, why it failed last.',
    onAnswer((call, answer) => {
      const { role, operation } = call.route ?? {};
      if (role?.kind !== 'item' || role.verb !== 'read' || answer.status !== 200) return;
      if (flatten(operation?.document.root, role.success.schema).additionalProperties === false) return;
      answer.body = { ...asObject(answer.body), error: { code: 'sync_failed', message: 'The last try failed.' } };
    }),
  ),
  tolerance(
    'err-12-words',
    'Messages hold words like at, token and file names that are no traces.',
    telling((_error) => ({ message: 'Look at the field; see guide.md, version 1.2.3 (token rules: chapter 4:2).' })),
  ),
  tolerance(
    'err-04-status-in-words',
    'Errors carry the status a second time, as text.',
    telling((_error, _call, answer) => ({ http_status: `${answer.status}`, status_text: 'Refused' })),
  ),
  tolerance(
    'auth-02-challenge',
    'A 401 carries a challenge.',
    carrying(
      { 'www-authenticate': 'Bearer realm="commerce", error="invalid_token"' },
      (_call, answer) => answer.status === 401,
    ),
  ),
  tolerance(
    'auth-03-hint',
    'A 401 says in a further member that a token can be issued anew.',
    telling((_error, _call, { status }) =>
      status === 401 ? { title: 'Token expired or invalid', hint: 'reissue' } : {},
    ),
  ),
  tolerance(
    'auth-05-named-services',
    'Each answer names the server that gave it.',
    carrying({ server: 'edge/2', 'x-served-by': 'a' }),
  ),
  tolerance(
    'auth-06-cookie',
    'Public operations set a cookie.',
    carrying({ 'set-cookie': 'visitor=1; Path=/; HttpOnly', vary: 'Authorization' }, isPublic),
  ),
  tolerance(
    'auth-07-named-resource',
    'A 401 tells whether the path is one of an item.',
    telling((_error, { route }, { status }) =>
      status === 401 && route?.role.kind === 'item' ? { title: 'Invalid token for this item' } : {},
    ),
  ),
  tolerance(
    'sch-03-typed-emptiness',
    'A 204 names a type and a language, and carries no body.',
    carrying(
      { 'content-type': 'application/json', 'content-language': 'en' },
      (_call, answer) => answer.status === 204,
    ),
  ),
  tolerance(
    'pag-01-further-members',
    'The envelope of the log tells how long it took.',
    onAnswer((call, answer) => {
      if (call.route?.operation.key === LOGS && answer.status === 200)
        Object.assign(asObject(answer.body), { took_ms: 3 });
    }),
  ),
  tolerance(
    'pag-10-cached',
    'Lists say how they may be cached.',
    carrying({ 'cache-control': 'private, max-age=0', etag: '"7"' }, isList),
  ),
  tolerance(
    'pag-11-counted',
    'Lists tell their total in a header.',
    carrying({ 'x-total-count': '60', 'x-next-offset': '20' }, isList),
  ),
  tolerance(
    'idem-05-told-again',
    'The result of a payment says in a header that it is final.',
    carrying({ 'x-payment-final': 'true' }, (call) => call.route?.operation.key === PAYMENT_OPERATION),
  ),
  tolerance(
    'idem-06-echoed',
    'Operations that do not declare the key give it back in a header.',
    onAnswer((call, answer) => {
      const key = call.headers[KEY];
      if (typeof key === 'string' && /^[\w.:-]+$/.test(key)) answer.headers['x-received-key'] = key;
    }),
  ),
  tolerance(
    'ver-02-versions',
    'Answers tell the version of the service.',
    carrying({ 'x-service-version': '1.4.2', 'last-modified': 'Sat, 31 Jan 2026 12:00:00 GMT' }),
  ),
  tolerance(
    'ver-03-gone',
    'Paths under /api/v2 answer 410.',
    onError((error, call, answer) => {
      if (!call.path.startsWith('/api/v2') || answer.status !== 404) return;
      recode(error, 'version_gone');
      error.status = 410;
      answer.status = 410;
    }),
  ),
  tolerance(
    'life-05-told-back',
    'A refused create gives back the names of the members that it was sent.',
    onError((error, call, answer) => {
      if (answer.status === 400 && call.method === 'POST') error.received = Object.keys(asObject(call.body));
    }),
  ),
  tolerance(
    'req-03-further-errors',
    'A field that is missing is named twice, each time with another code.',
    onError((error) => {
      const errors = asArray(error.errors);
      const [first] = errors;
      if (asObject(first).code === 'required') error.errors = [...errors, { ...asObject(first), code: 'blank' }];
    }),
  ),
];
