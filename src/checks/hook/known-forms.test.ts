// The signature forms of well-known platforms are discovered, each as its documentation describes it.
import { describe, expect, it } from 'vitest';
import { dueToday } from '../../../test/programme.ts';
import {
  breachesOf,
  deliveryWith,
  hmac,
  judged,
  kindsOf,
  observedIn,
  SECRET,
} from '../../../test/support/checks/hook/deliveries.ts';
import type { Delivery } from '../../exchange/delivery.ts';

const BODY = '{"id":"evt_1","amount":1999.0, "note":"é"}';
const AT = '1769860800';
const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
const KEY = Buffer.from('0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978', 'hex');

interface Known {
  readonly headers: Readonly<Record<string, string>>;
  readonly form: string;
  readonly secret?: string;
  readonly path?: string;
  readonly reading?: string;
}

const hex = (content: string, key?: string | Buffer) => hmac(content, key).toString('hex');
const base64 = (content: string, key?: string | Buffer) => hmac(content, key).toString('base64');
const wrong = 'f'.repeat(64);

/** Signed deliveries of each platform, written from its documentation. */
const KNOWN: Readonly<Record<string, Known>> = {
  GitHub: { headers: { 'x-hub-signature-256': `sha256=${hex(BODY)}` }, form: 'hex of {body}' },
  'GitHub beside SHA-1': {
    headers: {
      'x-hub-signature': `sha1=${hmac(BODY, SECRET, 'sha1').toString('hex')}`,
      'x-hub-signature-256': `sha256=${hex(BODY)}`,
    },
    form: 'hex of {body}',
  },
  Shopify: { headers: { 'x-shopify-hmac-sha256': base64(BODY) }, form: 'base64 of {body}' },
  Stripe: {
    headers: { 'stripe-signature': `t=${AT},v1=${hex(`${AT}.${BODY}`)},v0=${wrong}` },
    form: 'hex of {stripe-signature:t}.{body}',
  },
  'Stripe while its secret is rolled': {
    headers: { 'stripe-signature': `t=${AT},v1=${wrong},v1=${hex(`${AT}.${BODY}`)}` },
    form: 'hex of {stripe-signature:t}.{body}',
  },
  'Stripe with a secret that begins with whsec_': {
    headers: { 'stripe-signature': `t=${AT},v1=${hex(`${AT}.${BODY}`, 'whsec_Zm9vYmFyYmF6cXV4')}` },
    form: 'hex of {stripe-signature:t}.{body}',
    secret: 'whsec_Zm9vYmFyYmF6cXV4',
  },
  'Standard Webhooks': {
    headers: {
      'webhook-id': ID,
      'webhook-timestamp': AT,
      'webhook-signature': `v1,${base64(`${ID}.${AT}.${BODY}`, KEY)}`,
    },
    form: 'base64 of {webhook-id}.{webhook-timestamp}.{body}',
    secret: `whsec_${KEY.toString('base64')}`,
    reading: 'base64 after whsec_',
  },
  'Svix in rotation': {
    headers: {
      'svix-id': ID,
      'svix-timestamp': AT,
      'svix-signature': `v1,${base64('another', KEY)} v1,${base64(`${ID}.${AT}.${BODY}`, KEY)} v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==`,
    },
    form: 'base64 of {svix-id}.{svix-timestamp}.{body}',
    secret: `whsec_${KEY.toString('base64')}`,
    reading: 'base64 after whsec_',
  },
  Slack: {
    headers: { 'x-slack-request-timestamp': AT, 'x-slack-signature': `v0=${hex(`v0:${AT}:${BODY}`)}` },
    form: 'hex of v0:{x-slack-request-timestamp}:{body}',
  },
  'Customer.io, whose version no header tells': {
    headers: { 'x-cio-timestamp': AT, 'x-cio-signature': hex(`v0:${AT}:${BODY}`) },
    form: 'hex of v0:{x-cio-timestamp}:{body}',
  },
  Zoom: {
    headers: { 'x-zm-request-timestamp': AT, 'x-zm-signature': `v0=${hex(`v0:${AT}:${BODY}`)}` },
    form: 'hex of v0:{x-zm-request-timestamp}:{body}',
  },
  Revolut: {
    headers: {
      'revolut-request-timestamp': `${AT}123`,
      'revolut-signature': `v1=${wrong},v1=${hex(`v1.${AT}123.${BODY}`)}`,
    },
    form: 'hex of v1.{revolut-request-timestamp}.{body}',
  },
  Paddle: {
    headers: { 'paddle-signature': `ts=${AT};h1=${hex(`${AT}:${BODY}`)}` },
    form: 'hex of {paddle-signature:ts}:{body}',
  },
  Calendly: {
    headers: { 'calendly-webhook-signature': `t=${AT},v1=${hex(`${AT}.${BODY}`)}` },
    form: 'hex of {calendly-webhook-signature:t}.{body}',
  },
  WorkOS: {
    headers: { 'workos-signature': `t=${AT}000, v1=${hex(`${AT}000.${BODY}`)}` },
    form: 'hex of {workos-signature:t}.{body}',
  },
  TikTok: {
    headers: { 'tiktok-signature': `t=${AT},s=${hex(`${AT}.${BODY}`)}` },
    form: 'hex of {tiktok-signature:t}.{body}',
  },
  Buildkite: {
    headers: { 'x-buildkite-signature': `timestamp=${AT},signature=${hex(`${AT}.${BODY}`)}` },
    form: 'hex of {x-buildkite-signature:timestamp}.{body}',
  },
  Typeform: { headers: { 'typeform-signature': `sha256=${base64(BODY)}` }, form: 'base64 of {body}' },
  Linear: { headers: { 'linear-signature': hex(BODY) }, form: 'hex of {body}' },
  Zendesk: {
    headers: {
      'x-zendesk-webhook-signature-timestamp': '2026-01-31T12:00:00Z',
      'x-zendesk-webhook-signature': base64(`2026-01-31T12:00:00Z${BODY}`),
    },
    form: 'base64 of {x-zendesk-webhook-signature-timestamp}{body}',
  },
  Square: {
    headers: {
      host: 'shop.example.com',
      'x-square-hmacsha256-signature': base64(`https://shop.example.com/hooks${BODY}`),
    },
    form: 'base64 of {url}{body}',
  },
  Box: {
    headers: {
      'box-delivery-timestamp': '2026-01-31T04:00:00-08:00',
      'box-signature-primary': base64(`${BODY}2026-01-31T04:00:00-08:00`),
      'box-signature-secondary': base64(`${BODY}2026-01-31T04:00:00-08:00`, 'another key'),
    },
    form: 'base64 of {body}{box-delivery-timestamp}',
  },
  HubSpot: {
    headers: {
      host: 'shop.example.com',
      'x-hubspot-request-timestamp': `${AT}000`,
      'x-hubspot-signature-v3': base64(`POSThttps://shop.example.com/hooks${BODY}${AT}000`),
    },
    form: 'base64 of {method}{url}{body}{x-hubspot-request-timestamp}',
  },
  Twitch: {
    headers: {
      'twitch-eventsub-message-id': 'e76c6bd4-55c9-4987-8304-da1588d8988b',
      'twitch-eventsub-message-timestamp': '2026-01-31T12:00:00.634234626Z',
      'twitch-eventsub-message-signature': `sha256=${hex(`e76c6bd4-55c9-4987-8304-da1588d8988b2026-01-31T12:00:00.634234626Z${BODY}`)}`,
    },
    form: 'hex of {twitch-eventsub-message-id}{twitch-eventsub-message-timestamp}{body}',
  },
  PagerDuty: { headers: { 'x-pagerduty-signature': `v1=${wrong},v1=${hex(BODY)}` }, form: 'hex of {body}' },
  CircleCI: { headers: { 'circleci-signature': `v1=${hex(BODY)},v2=abc` }, form: 'hex of {body}' },
  Airtable: {
    headers: { 'x-airtable-content-mac': `hmac-sha256=${hex(BODY, KEY)}` },
    form: 'hex of {body}',
    secret: KEY.toString('base64'),
    reading: 'base64',
  },
  'a secret in hexadecimal': {
    headers: { 'x-signature': hex(BODY, KEY) },
    form: 'hex of {body}',
    secret: KEY.toString('hex'),
    reading: 'hex',
  },
  Worldpay: { headers: { 'event-signature': `1/SHA256/${hex(BODY)}` }, form: 'hex of {body}' },
  Pinwheel: {
    headers: { 'x-timestamp': AT, 'pinwheel-signature': `v2=${hex(`v2:${AT}:${BODY}`)}` },
    form: 'hex of v2:{x-timestamp}:{body}',
  },
  'Dropbox Sign': {
    headers: { 'content-sha256': Buffer.from(hex(BODY)).toString('base64') },
    form: 'base64 of hex of {body}',
  },
  PandaDoc: { headers: {}, path: `/hooks?signature=${hex(BODY)}`, form: 'hex of {body}' },
  'a signature and a timestamp in the query': {
    headers: {},
    path: `/hooks?ts=${AT}&sig=${encodeURIComponent(base64(`${AT}.${BODY}`))}`,
    form: 'base64 of {?ts}.{body}',
  },
  'Coinbase, by Hook0': {
    headers: {
      'x-event-id': ID,
      'x-event-type': 'store.created',
      'x-hook0-signature': `t=${AT},h=x-event-id x-event-type,v1=${hex(`${AT}.x-event-id x-event-type.${ID}.store.created.${BODY}`)}`,
    },
    form: 'hex of {x-hook0-signature:t}.{signed-headers}.{signed-values}.{body}',
  },
  Contentful: {
    headers: {
      'x-contentful-timestamp': `${AT}000`,
      'x-contentful-signed-headers': 'x-contentful-timestamp,x-contentful-signed-headers',
      'x-contentful-signature': hex(
        `POST\n/hooks\nx-contentful-timestamp:${AT}000;x-contentful-signed-headers:x-contentful-timestamp,x-contentful-signed-headers\n${BODY}`,
      ),
    },
    form: 'hex of {method}\\n{path}\\n{signed-lines}\\n{body}',
  },
  Klaviyo: {
    headers: {
      'klaviyo-timestamp': '2026-01-31T12:00:00.000Z',
      'klaviyo-signature': hex(`${BODY}2026-01-31T12:00:00.000Z`),
    },
    form: 'hex of {body}{klaviyo-timestamp}',
  },
  Sinch: {
    headers: {
      'x-sinch-webhook-signature-timestamp': AT,
      'x-sinch-webhook-signature-nonce': ID,
      'x-sinch-webhook-signature': base64(`${BODY}.${ID}.${AT}`),
    },
    form: 'base64 of {body}.{x-sinch-webhook-signature-nonce}.{x-sinch-webhook-signature-timestamp}',
  },
  'Microsoft Teams': {
    headers: { authorization: `HMAC ${base64(BODY, KEY)}` },
    form: 'base64 of {body}',
    secret: KEY.toString('base64'),
    reading: 'base64',
  },
  Recurly: {
    headers: { 'recurly-signature': `${AT}000,${wrong},${hex(`${AT}000.${BODY}`)}` },
    form: 'hex of {recurly-signature:0}.{body}',
  },
  Ghost: {
    headers: { 'x-ghost-signature': `sha256=${hex(`${BODY}${AT}000`)}, t=${AT}000` },
    form: 'hex of {body}{x-ghost-signature:t}',
  },
  'an event, a time and an id before the body': {
    headers: {
      'x-event': 'store.created',
      'x-time': AT,
      'x-id': ID,
      'x-signature': hex(`store.created.${AT}.${ID}.${BODY}`),
    },
    form: 'hex of {x-event}.{x-time}.{x-id}.{body}',
  },
  'hexadecimal after 0x': { headers: { 'x-signature': `0x${hex(BODY)}` }, form: 'hex of {body}' },
  'upper-case hexadecimal': { headers: { 'x-signature': hex(BODY).toUpperCase() }, form: 'hex of {body}' },
  'base64url without padding': {
    headers: { 'x-signature': hmac(BODY).toString('base64url') },
    form: 'base64 of {body}',
  },
  'a line break between time and body': {
    headers: { 'x-time': AT, 'x-signature': hex(`${AT}\n${BODY}`) },
    form: 'hex of {x-time}\\n{body}',
  },
  'time and signature in one header, by position': {
    headers: { 'x-signature': `${AT}.${hex(`${AT}.${BODY}`)}` },
    form: 'hex of {x-signature:0}.{body}',
  },
};

function delivered({ headers, path = '/hooks' }: Known): Delivery {
  return deliveryWith({ body: BODY, headers, path });
}

describe.each(Object.entries(KNOWN))('%s', (_platform, known) => {
  const subscription = { secret: known.secret ?? SECRET };

  it('is verified, and its form is told', () => {
    const found = judged([delivered(known)], subscription);
    expect(breachesOf('HOOK-01', found)).toEqual([]);
    expect(kindsOf('HOOK-01', found)).toEqual(['holds']);
    expect(observedIn(found)['form of the signature']).toContain(
      `: ${known.form}, the secret read as ${known.reading ?? 'text'}`,
    );
  });

  it('is verified in the form told, when that is configured', () => {
    const [header = ''] =
      observedIn(judged([delivered(known)], subscription))['form of the signature']?.split(':') ?? [];
    const fixed = { ...subscription, header: header.toUpperCase(), form: known.form };
    expect(kindsOf('HOOK-01', judged([delivered(known)], fixed))).toEqual(['holds']);
  });
});

// Every form is looked for before a delivery is blamed.
it.each(dueToday(Object.entries(KNOWN)))(
  '%s is no longer verified once a byte of the body differs',
  (_platform, known) => {
    const delivery = delivered(known);
    const body = Buffer.from(delivery.body);
    body[10] = (body[10] ?? 0) ^ 1;
    const found = judged([{ ...delivery, body }], { secret: known.secret ?? SECRET });
    expect(kindsOf('HOOK-01', found)).toEqual(['breached']);
  },
);

it.each([`${ID}.${AT}.`, `v0:${AT}:`])('a usual form, %s{body}, is tried however large the body is', (joined) => {
  const body = JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024) });
  const headers = { 'x-id': ID, 'x-time': AT, 'x-signature': `v0=${hmac(joined + body).toString('hex')}` };
  const kinds = [body, `${body} `].map((one) => kindsOf('HOOK-01', judged([deliveryWith({ body: one, headers })])));
  expect(kinds).toEqual([['holds'], ['breached']]);
});
