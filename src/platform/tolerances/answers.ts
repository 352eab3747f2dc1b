// Allowances in headers, bodies and delivery of any answer.
import { HEALTH_PATH, RATE_HEADERS } from '../../contract/platform.ts';
import type { Deviation } from '../deviation.ts';
import { placesIn } from '../faults/places.ts';
import type { Delivery } from '../http/call.ts';
import { asArray, asObject } from '../json.ts';
import { onAnswer, onError, tolerance } from './tolerance.ts';

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

/** Success bodies changed place by place; `change` is given each place below the top. */
function onPlaces(
  change: (place: Parameters<typeof isOptional>[0] & { set(value: unknown): void; drop(): void }) => void,
) {
  return onAnswer((call, answer) => {
    if (call.route === null || answer.status >= 300 || answer.body === undefined) return;
    const { operation, role } = call.route;
    for (const place of [...placesIn(operation.document, role.success.schema, answer)].reverse())
      if (place.path.length > 0) change(place);
  });
}

function isInList({ path }: { readonly path: readonly (string | number)[] }): boolean {
  return path.some((one) => typeof one === 'number');
}

function isOptional(place: {
  readonly required: boolean;
  readonly path: readonly (string | number)[];
  readonly schema: Record<string, unknown>;
  readonly value: unknown;
}): boolean {
  return (
    !place.required && typeof place.path.at(-1) === 'string' && !/^id$|_id$|Id$|^sku$/.test(String(place.path.at(-1)))
  );
}

const SMALL_WINDOW = { calls: 200, seconds: 2 };

export const ANSWER_TOLERANCES: readonly Deviation[] = [
  tolerance(
    'RATE-01',
    'reset-milliseconds',
    'Reset is in epoch milliseconds.',
    resetAs((seconds) => String(seconds * 1000)),
  ),
  tolerance(
    'RATE-01',
    'reset-delta',
    'Reset is in seconds from now.',
    resetAs((seconds, nowMs) => String(Math.max(0, Math.ceil(seconds - nowMs / 1000)))),
  ),
  tolerance(
    'RATE-01',
    'reset-date',
    'Reset is an HTTP date.',
    resetAs((seconds) => new Date(seconds * 1000).toUTCString()),
  ),
  tolerance(
    'RATE-01',
    'reset-iso',
    'Reset is an ISO 8601 date.',
    resetAs((seconds) => new Date(seconds * 1000).toISOString()),
  ),
  tolerance(
    'RATE-01',
    'headers-on-401',
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
    'RATE-05',
    'retry-after-date',
    'Retry-After is an HTTP date.',
    onAnswer((call, answer) => {
      const seconds = Number(answer.headers['retry-after']);
      if (answer.headers['retry-after'] !== undefined)
        answer.headers['retry-after'] = new Date(call.receivedAt + seconds * 1000 + 999).toUTCString();
    }),
    { limits: { export: { calls: 3, seconds: 2 } } },
  ),
  tolerance(
    'RATE-05',
    'no-retry-after',
    'A 429 has no Retry-After.',
    onAnswer((_call, answer) => {
      if (answer.status === 429) delete answer.headers['retry-after'];
    }),
    { limits: { export: { calls: 3, seconds: 2 } } },
  ),
  tolerance('RATE-04', 'small-window', 'Every plan may make 200 calls in 2 seconds.', () => ({}), {
    limits: { standard: SMALL_WINDOW, growth: SMALL_WINDOW, enterprise: SMALL_WINDOW },
  }),
  tolerance('RATE-09', 'tight-export', 'Two exports in two seconds are too many.', () => ({}), {
    limits: { export: { calls: 1, seconds: 2 } },
  }),
  tolerance(
    'HEALTH-01',
    'non-numeric',
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
    'SCH-02',
    'charset',
    'Content types name a charset.',
    onAnswer((_call, answer) => {
      if (answer.headers['content-type'] === 'application/json')
        answer.headers['content-type'] = 'application/json; charset=utf-8';
    }),
  ),
  tolerance(
    'SCH-02',
    'upper-case',
    'Content types are written in another case.',
    onAnswer((_call, answer) => {
      if (answer.headers['content-type'] === 'application/json')
        answer.headers['content-type'] = 'Application/JSON;charset="UTF-8"';
    }),
  ),
  tolerance(
    'SCH-04',
    'further-headers',
    'Answers carry further headers.',
    onAnswer((_call, answer) => {
      Object.assign(answer.headers, {
        'x-powered-by': 'commerce',
        'cache-control': 'no-store',
        'server-timing': 'app;dur=1',
        vary: 'Accept-Encoding',
        'x-api-version': '1',
      });
    }),
  ),
  tolerance('SCH-04', 'header-case', 'Header names are in upper case.', delivered({ upperCase: true })),
  tolerance(
    'SCH-09',
    'undescribed-members',
    'Objects have members that the schema does not mention where it allows them.',
    onPlaces((place) => {
      const { schema, value } = place;
      const open =
        schema.additionalProperties === undefined &&
        'properties' in schema &&
        schema.oneOf === undefined &&
        schema.anyOf === undefined;
      if (open && !Array.isArray(value) && typeof value === 'object' && value !== null)
        place.set({ ...value, not_described: 'x' });
    }),
  ),
  tolerance(
    'SCH-01',
    'nulls',
    'Optional members of items that are nullable are null.',
    onPlaces((place) => {
      const isNullable = place.schema.nullable === true || asArray(place.schema.type).includes('null');
      // A single resource shows what was sent (LIFE-02).
      if (isOptional(place) && isNullable && isInList(place)) place.set(null);
    }),
  ),
  tolerance(
    'SCH-01',
    'sparse',
    'Optional members of items are absent.',
    onPlaces((place) => {
      if (isOptional(place) && !Array.isArray(place.value) && isInList(place)) place.drop();
    }),
  ),
  tolerance(
    'SCH-01',
    'pretty',
    'Bodies are written with white space.',
    onAnswer((_call, answer) => {
      if (answer.body !== undefined && answer.text === undefined)
        answer.text = `\n${JSON.stringify(answer.body, null, 4)}\n`;
    }),
  ),
  tolerance(
    'RED-01',
    'relative',
    'The redirect has a relative Location.',
    onAnswer((call, answer) => {
      if (answer.status === 302 && !declaresUri(call.route?.role.success.response?.headers.get('location')?.schema))
        answer.headers.location = '../settings?tab=domains';
    }),
  ),
  tolerance(
    'RED-01',
    'mended',
    'The Location of the redirect has a blank and braces in its query.',
    onAnswer((call, answer) => {
      if (answer.status === 302 && !declaresUri(call.route?.role.success.response?.headers.get('location')?.schema))
        answer.headers.location = '/settings?tab=my domains&view={all}';
    }),
  ),
  tolerance(
    'VER-01',
    'echoed',
    'A version header comes back in the answer.',
    onAnswer((call, answer) => {
      const version = call.headers['x-api-version'] ?? call.headers['accept-version'];
      if (typeof version === 'string') answer.headers['x-requested-version'] = version;
    }),
  ),
  tolerance('REQ-09', 'slow', 'Every answer takes 150 ms.', delivered({ delayMs: 150 })),
  tolerance('REQ-09', 'chunked', 'Bodies are sent in chunks.', delivered({ chunked: true })),
  tolerance(
    'REQ-09',
    'connection-close',
    'The connection is closed after each answer.',
    onAnswer((_call, answer) => {
      answer.headers.connection = 'close';
    }),
  ),
  tolerance(
    'ERR-13',
    'failed-job',
    'What is read says in a member error, beside its own members, why it failed last.',
    onAnswer((call, answer) => {
      const { role } = call.route ?? {};
      if (role?.kind !== 'item' || role.verb !== 'read' || answer.status !== 200) return;
      answer.body = { ...asObject(answer.body), error: { code: 'sync_failed', message: 'The last try failed.' } };
    }),
  ),
  tolerance(
    'ERR-12',
    'words',
    'Messages hold words like at, token and file names that are no traces.',
    onError((error) => {
      error.message = 'Look at the field; see guide.md, version 1.2.3 (token rules: chapter 4:2).';
    }),
  ),
];

/** The redirect's own model asks for an absolute address in its description; then it stays absolute. */
function declaresUri(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'format' in schema && schema.format === 'uri';
}
