// A draw as the request that is sent and the answer that comes: what the client's recorder is given.

import { placedAsShown, placedWith } from '../../src/client/placing.ts';
import type { Attempt } from '../../src/client/record.ts';
import type { Outcome, Received } from '../../src/client/transfer.ts';
import { wireOf, withConstant } from '../../src/client/wire.ts';
import type { ConstantHeader } from '../../src/config/constant-header.ts';
import type { HeaderList, RequestPlan } from '../../src/exchange/exchange.ts';
import { markerOf } from '../../src/exchange/secrets/known-secrets.ts';
import type { Draw, Echo, Place } from './drawing.ts';

/** The attempt that the client would have recorded. */
export function attemptOf(draw: Draw, id: string): Attempt {
  const { secrets, credential } = draw;
  const plan = planOf(draw);
  const own = credential.kind === 'key' ? (secrets[0]?.value ?? null) : null;
  const constant = constantOf(draw);
  const request = withConstant(
    wireOf(plan, placedWith(plan, { own, further: [] })),
    constant.map(({ name, value }) => [name, value]),
  );
  const shown = withConstant(
    wireOf(plan, placedAsShown(plan, markerOf), request.body),
    constant.map(({ name, secret }) => [name, markerOf(secret ?? '')]),
  );
  const sentAt = Date.UTC(2026, 6, 1);
  return {
    id,
    plan,
    attempt: 1,
    previous: null,
    sentAt,
    durationMs: 1,
    request,
    shown,
    constant,
    outcome: outcomeOf(draw),
  };
}

/** The last secret as a header that every request carries. */
function constantOf({ secrets, sentIn }: Draw): readonly ConstantHeader[] {
  const last = secrets.at(-1);
  if (sentIn !== 'constant header' || last === undefined) return [];
  return [{ name: 'X-Gate', value: fitForHeader(last.value), secret: last.name }];
}

export function planOf({ secrets, credential, sentIn }: Draw): RequestPlan {
  const value = secrets.at(-1)?.value ?? '';
  const encoded = encodeURIComponent(value.toWellFormed());
  return {
    service: 'admin',
    operation: 'GET /api/v1/products/{productId}',
    probe: 'leaks',
    method: sentIn === 'body' ? 'POST' : 'GET',
    path: `/api/v1/products/${sentIn === 'path' ? encoded : 'p1'}`,
    query: sentIn === 'query' ? `access_token=${encoded}` : '',
    headers: sentIn === 'header' ? [['X-Sent', fitForHeader(value)]] : [],
    body: sentIn === 'body' ? { kind: 'json', value: { sent: value } } : { kind: 'none' },
    credential,
    retry: 'never',
  };
}

function outcomeOf({ sentIn, secrets, status, echoes }: Draw): Outcome {
  if (sentIn === 'failure') {
    const message = `getaddrinfo ENOTFOUND http://host/?key=${secrets[0]?.value}`;
    return { failure: { kind: 'unreachable', message, reusedSocket: false } };
  }
  return { received: { status, ...contentOf(echoes, status), truncated: false } };
}

export function contentOf(echoes: readonly Echo[], status: number): Pick<Received, 'headers' | 'body'> {
  const at = (place: Place): readonly string[] => echoes.filter((one) => one.place === place).map(({ text }) => text);
  const headers: [string, string][] = [
    ['content-type', at('html').length > 0 ? 'text/html' : 'application/json'],
    ...at('header').map((text): [string, string] => ['x-debug', fitForHeader(text)]),
    ...at('header name').map((text): [string, string] => [`x-${text.replaceAll(/[^\w-]/g, '')}`.toLowerCase(), '1']),
    ...at('location').map((text): [string, string] => [
      'location',
      `http://127.0.0.1/next?after=${fitForHeader(text)}`,
    ]),
    ...at('cookie').map((text): [string, string] => ['set-cookie', `session=${fitForHeader(text)}; Path=/`]),
  ];
  return { headers, body: Buffer.from(bodyOf(at, status)) };
}

function bodyOf(at: (place: Place) => readonly string[], status: number): string {
  const [html] = at('html');
  if (html !== undefined) return `<html><body><p title="${html}">${html}</p></body></html>`;
  const [plain] = at('plain');
  if (plain !== undefined) return `token: ${plain}`;
  const [inner] = at('json in json');
  const data = {
    token: at('json value'),
    ...Object.fromEntries(at('json name').map((text) => [text, 1])),
    ...(inner === undefined ? {} : { inner: JSON.stringify({ token: inner }) }),
  };
  return JSON.stringify(status < 400 ? { id: 'p1', data } : { error: errorOf(at, status), data });
}

function errorOf(at: (place: Place) => readonly string[], status: number): object {
  const one = (place: Place, otherwise: string): string => at(place)[0] ?? otherwise;
  return {
    status,
    type: one('type', 'authentication_error'),
    code: one('code', 'auth_token_invalid'),
    message: one('message', 'Not allowed'),
    param: one('param', 'token'),
    instance: one('instance', '/api/v1/products/p1'),
    doc_url: `https://docs.example.com/errors/${one('doc_url', 'x')}`,
    request_id: one('request_id', 'req_1'),
    detail: one('detail', 'none'),
    errors: at('field').map((field) => ({ field, code: 'invalid', message: field })),
    debug: at('debug'),
  };
}

/** As undici hands headers over: bytes, one code unit each; without what no header can hold. */
export function fitForHeader(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\r\n\0]+/g, '');
}

/** The headers of an answer as k6 hands them over. */
export function asRecord(headers: HeaderList): Readonly<Record<string, string>> {
  return Object.fromEntries(headers);
}
