// Requests by which senders of webhooks ask whether an address wants them, before they deliver anything: each is answered as its
// sender documents it. They are no deliveries, and most are not signed.
import { createHmac } from 'node:crypto';
import { type Delivery, headerOf, jsonOf, queryOf } from './delivery.ts';
import type { HeaderList } from './exchange.ts';

type Request = Pick<Delivery, 'method' | 'path' | 'headers' | 'body' | 'plain'>;

export interface Handshake {
  /** Sender that asks so, and its parameter: "hub.challenge (Meta, WebSub)". */
  readonly name: string;
  readonly answer: { readonly status: number; readonly headers: HeaderList; readonly body: string };
}

/** Methods by which webhooks are delivered; others ask about the address, unless they carry a signature. */
export const DELIVERING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * A challenge that is signed. Its characters are those of tokens: were bodies signed as well, whoever knows the address could have
 * the signature of any delivery.
 */
const SIGNED_CHALLENGE = /^[A-Za-z0-9+/_.:-]{1,512}={0,2}$/;

/** The handshake that the request is, with the answer that its sender waits for; null where it is none. `secret` null: no answer is signed. */
export function handshakeOf(request: Request, secret: string | null): Handshake | null {
  const sign = (text: string, encoding: 'hex' | 'base64'): string =>
    secret === null ? '' : createHmac('sha256', secret).update(text).digest(encoding);
  return (
    askedByMethod(request, sign) ??
    askedByHeader(request) ??
    (DELIVERING_METHODS.has(request.method) ? askedByBody(request, sign) : null)
  );
}

type Sign = (text: string, encoding: 'hex' | 'base64') => string;

/** Without a body: the challenge stands in the query, or the method says all. */
function askedByMethod(request: Request, sign: Sign): Handshake | null {
  const { method, body } = request;
  if (body.length > 0) return null;
  const query = new Map(queryOf(request).map(([name, value]) => [name.slice(1), value]));
  const validation = query.get('validationtoken');
  if (validation !== undefined) return echoed('validationToken (Microsoft Graph)', validation);
  if (method === 'OPTIONS') return allowed(request);
  if (method !== 'GET') return null;
  const hub = query.get('hub.challenge');
  if (hub !== undefined) return echoed('hub.challenge (Meta, WebSub)', hub);
  const crc = challengeIn(query.get('crc_token'));
  if (crc !== null) return inJson('crc_token (X)', { response_token: `sha256=${sign(crc, 'base64')}` });
  const code = challengeIn(query.get('challengecode'));
  if (code !== null)
    return inJson('challengeCode (LinkedIn)', { challengeCode: code, challengeResponse: sign(code, 'hex') });
  const okta = headerOf(request, 'x-okta-verification-challenge');
  if (okta !== null) return inJson('X-Okta-Verification-Challenge (Okta)', { verification: okta });
  const challenge = query.get('challenge');
  if (challenge !== undefined) return echoed('challenge (Dropbox, Nylas)', challenge);
  const check = query.get('check');
  if (check !== undefined) return echoed('check (Onfleet)', check);
  const echo = query.get('echostr');
  return echo === undefined ? null : echoed('echostr (WeChat)', echo);
}

/** Abuse protection of CloudEvents' webhooks (section 4), which Azure Event Grid uses, too. */
function allowed(request: Request): Handshake | null {
  const origin = headerOf(request, 'webhook-request-origin');
  if (origin === null) return null;
  const rate = headerOf(request, 'webhook-request-rate');
  const headers: HeaderList = [
    ['allow', 'POST'],
    ['webhook-allowed-origin', origin],
    ...(rate === null ? [] : [['webhook-allowed-rate', rate] as const]),
  ];
  return { name: 'WebHook-Request-Origin (CloudEvents)', answer: { status: 200, headers, body: '' } };
}

/** Headers of requests without a body that are to come back as they are, and who sends them. */
const RETURNED = [
  ['x-hook-secret', 'Asana'],
  ['validation-token', 'RingCentral'],
] as const;

function askedByReturn(request: Request, value: unknown): Handshake | null {
  const isBare = request.body.length === 0 || (isObject(value) && Object.keys(value).length === 0);
  for (const [header, sender] of isBare ? RETURNED : []) {
    const text = headerOf(request, header);
    if (text !== null)
      return { name: `${header} (${sender})`, answer: { status: 200, headers: [[header, text]], body: '' } };
  }
  return null;
}

/** A header of the sender says that nothing is delivered yet. */
function askedByHeader(request: Request): Handshake | null {
  const { body } = request;
  const value = jsonOf(request);
  const returned = askedByReturn(request, value);
  if (returned !== null) return returned;
  if (headerOf(request, 'x-goog-resource-state') === 'sync' && body.length === 0)
    return accepted('X-Goog-Resource-State: sync (Google)');
  const isTwitch = headerOf(request, 'twitch-eventsub-message-type') === 'webhook_callback_verification';
  if (isTwitch && isObject(value)) return echoed('webhook_callback_verification (Twitch)', textAt(value, 'challenge'));
  // 0 and, for interactions, 1 without an event.
  const isPing = isObject(value) && (value.type === 0 || (value.type === 1 && value.event === undefined));
  if (headerOf(request, 'x-signature-ed25519') !== null && isPing) return inJson('PING (Discord)', { type: 1 });
  return null;
}

/** The body asks, and holds nothing else. */
function askedByBody(request: Request, sign: Sign): Handshake | null {
  if (WOOCOMMERCE_PING.test(request.body.toString('latin1'))) return accepted('webhook_id alone (WooCommerce)');
  const value = jsonOf(request);
  if (Array.isArray(value)) return eventGrid(value);
  if (!isObject(value)) return null;
  const challenge = textAt(value, 'challenge');
  if (value.type === 'url_verification' && challenge !== '')
    return inJson('url_verification (Slack, Lark)', { challenge });
  const names = Object.keys(value);
  if (challenge !== '' && names.every((name) => CHALLENGE_MEMBERS.has(name)))
    return inJson('challenge (monday.com, Smartsheet)', { challenge, smartsheetHookResponse: challenge });
  if (names.length === 1 && textAt(value, 'verification_token') !== '') return accepted('verification_token (Notion)');
  if (SNS_CONFIRMATION.test(textAt(value, 'Type')) && textAt(value, 'SubscribeURL') !== '')
    return accepted('SubscriptionConfirmation (AWS SNS; its SubscribeURL is not visited)');
  const plain = challengeIn(isObject(value.payload) ? textAt(value.payload, 'plainToken') : undefined);
  return value.event === 'endpoint.url_validation' && plain !== null
    ? inJson('endpoint.url_validation (Zoom)', { plainToken: plain, encryptedToken: sign(plain, 'hex') })
    : null;
}

const WOOCOMMERCE_PING = /^webhook_id=\d{1,20}$/;
const SNS_CONFIRMATION = /^(Unsubscribe|Subscription)Confirmation$/;
const CHALLENGE_MEMBERS: ReadonlySet<string> = new Set(['challenge', 'webhookId']);

function eventGrid([event]: readonly unknown[]): Handshake | null {
  if (!isObject(event) || event.eventType !== 'Microsoft.EventGrid.SubscriptionValidationEvent') return null;
  const code = isObject(event.data) ? textAt(event.data, 'validationCode') : '';
  return code === '' ? null : inJson('SubscriptionValidationEvent (Azure Event Grid)', { validationResponse: code });
}

function challengeIn(text: string | undefined): string | null {
  return text !== undefined && SIGNED_CHALLENGE.test(text) ? text : null;
}

/** The challenge alone, as plain text that no browser takes for a page. */
function echoed(name: string, body: string): Handshake {
  const headers = [
    ['content-type', 'text/plain; charset=utf-8'],
    ['x-content-type-options', 'nosniff'],
  ] as const;
  return { name, answer: { status: 200, headers, body } };
}

function inJson(name: string, value: object): Handshake {
  return {
    name,
    answer: { status: 200, headers: [['content-type', 'application/json']], body: JSON.stringify(value) },
  };
}

function accepted(name: string): Handshake {
  return { name, answer: { status: 200, headers: [], body: '' } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textAt(value: Readonly<Record<string, unknown>>, name: string): string {
  const text = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof text === 'string' ? text : '';
}
