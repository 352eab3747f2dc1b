// Allowances in what answers carry beside what the contract asks for: headers of their own, hints, and cookies.
import { HEALTH_PATH, IDEMPOTENCY_HEADER, PAYMENT_OPERATION } from '../../contract/platform.ts';
import type { Deviation } from '../deviation.ts';
import type { Answer, Call } from '../http/call.ts';
import { asArray, asObject } from '../json.ts';
import { onAnswer, onError, recode, tolerance } from './tolerance.ts';

const LOGS = 'GET /api/v1/auth/activity/logs';
const KEY = IDEMPOTENCY_HEADER.toLowerCase();

/** Answers that fit carry these headers, too. */
function carrying(headers: Readonly<Record<string, string>>, fits: (call: Call, answer: Answer) => boolean) {
  return onAnswer((call, answer) => {
    if (fits(call, answer)) Object.assign(answer.headers, headers);
  });
}

function isPublic({ route }: Call): boolean {
  return route?.operation.public === true && route.operation.path !== HEALTH_PATH;
}

function isList(call: Call, { status }: Answer): boolean {
  return call.route?.role.kind === 'list' && status === 200;
}

export const CARRIED_TOLERANCES: readonly Deviation[] = [
  tolerance(
    'ERR-04',
    'status-in-words',
    'Errors carry the status a second time, as text.',
    onError((error, _call, answer) => {
      Object.assign(error, { http_status: `${answer.status}`, status_text: 'Refused' });
    }),
  ),
  tolerance(
    'AUTH-02',
    'challenge',
    'A 401 carries a challenge.',
    carrying(
      { 'www-authenticate': 'Bearer realm="commerce", error="invalid_token"' },
      (_call, answer) => answer.status === 401,
    ),
  ),
  tolerance(
    'AUTH-03',
    'hint',
    'A 401 says in a further member that a token can be issued anew.',
    onError((error, _call, answer) => {
      if (answer.status === 401) Object.assign(error, { title: 'Token expired or invalid', hint: 'reissue' });
    }),
  ),
  tolerance(
    'AUTH-05',
    'named-services',
    'Each answer names the server that gave it.',
    carrying({ server: 'edge/2', 'x-served-by': 'a' }, () => true),
  ),
  tolerance(
    'AUTH-06',
    'cookie',
    'Public operations set a cookie.',
    carrying({ 'set-cookie': 'visitor=1; Path=/; HttpOnly', vary: 'Authorization' }, isPublic),
  ),
  tolerance('AUTH-07', 'named-resource', 'A 401 tells whether the path is one of an item.', () => ({
    answer: (call, answer) => {
      const error = asObject(asObject(answer.body).error);
      if (answer.status === 401 && call.route?.role.kind === 'item') error.title = 'Invalid token for this item';
      return answer;
    },
  })),
  tolerance(
    'SCH-03',
    'typed-emptiness',
    'A 204 names a type and a language, and carries no body.',
    carrying(
      { 'content-type': 'application/json', 'content-language': 'en' },
      (_call, answer) => answer.status === 204,
    ),
  ),
  tolerance(
    'PAG-01',
    'further-members',
    'The envelope of the log tells how long it took.',
    onAnswer((call, answer) => {
      if (call.route?.operation.key === LOGS && answer.status === 200)
        Object.assign(asObject(answer.body), { took_ms: 3 });
    }),
  ),
  tolerance(
    'PAG-10',
    'cached',
    'Lists say how they may be cached.',
    carrying({ 'cache-control': 'private, max-age=0', etag: '"7"' }, isList),
  ),
  tolerance(
    'PAG-11',
    'counted',
    'Lists tell their total in a header.',
    carrying({ 'x-total-count': '60', 'x-next-offset': '20' }, isList),
  ),
  tolerance(
    'IDEM-05',
    'told-again',
    'The result of a payment says in a header that it is final.',
    carrying({ 'x-payment-final': 'true' }, (call) => call.route?.operation.key === PAYMENT_OPERATION),
  ),
  tolerance(
    'IDEM-06',
    'echoed',
    'Operations that do not declare the key give it back in a header.',
    onAnswer((call, answer) => {
      const key = call.headers[KEY];
      if (typeof key === 'string' && /^[\w.:-]+$/.test(key)) answer.headers['x-received-key'] = key;
    }),
  ),
  tolerance(
    'VER-02',
    'versions',
    'Answers tell the version of the service.',
    carrying({ 'x-service-version': '1.4.2', 'last-modified': 'Sat, 31 Jan 2026 12:00:00 GMT' }, () => true),
  ),
  tolerance(
    'VER-03',
    'gone',
    'Paths under /api/v2 answer 410.',
    onError((error, call, answer) => {
      if (!call.path.startsWith('/api/v2') || answer.status !== 404) return;
      recode(error, 'version_gone');
      error.status = 410;
      answer.status = 410;
    }),
  ),
  tolerance(
    'LIFE-05',
    'told-back',
    'A refused create gives back the names of the members that it was sent.',
    onError((error, call, answer) => {
      if (answer.status === 400 && call.method === 'POST') error.received = Object.keys(asObject(call.body));
    }),
  ),
  tolerance(
    'REQ-03',
    'further-errors',
    'A field that is missing is named twice, each time with another code.',
    onError((error) => {
      const errors = asArray(error.errors);
      const [first] = errors;
      if (asObject(first).code === 'required') error.errors = [...errors, { ...asObject(first), code: 'blank' }];
    }),
  ),
];
