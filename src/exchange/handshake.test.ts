// Handshakes are answered as their senders document it, and nothing that is delivered is taken for one.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handshakeOf } from './handshake.ts';

const SECRET = 'the-secret-of-this-test';

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function asked({ method = 'POST', path = '/hooks', headers = {}, body = '' }: Asked, secret: string | null = SECRET) {
  return handshakeOf({ method, path, headers: Object.entries(headers), body: Buffer.from(body) }, secret);
}

const signed = (text: string, encoding: 'hex' | 'base64') => createHmac('sha256', SECRET).update(text).digest(encoding);

const slack = { type: 'url_verification', token: 't', challenge: '3eZbrw1aB' };
const zoom = { event: 'endpoint.url_validation', payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' }, event_ts: 1 };
const sns = { Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL: 'https://sns.us-east-1.amazonaws.com/?a' };
const grid = [{ eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', data: { validationCode: '512d38b6' } }];

describe('the answer to a handshake', () => {
  it.each<[string, Asked, string]>([
    ['Meta', { method: 'GET', path: '/?hub.mode=subscribe&hub.challenge=1%2B2&hub.verify_token=v' }, '1+2'],
    ['Dropbox', { method: 'GET', path: '/hooks?challenge=abc' }, 'abc'],
    ['Onfleet', { method: 'GET', path: '/hooks?check=abc' }, 'abc'],
    ['WeChat', { method: 'GET', path: `/?signature=${'a'.repeat(40)}&timestamp=1&nonce=2&echostr=57` }, '57'],
    ['Microsoft Graph', { path: '/hooks?validationToken=Validation%3A%20Testing%20a' }, 'Validation: Testing a'],
    ['SharePoint', { path: '/hooks?validationtoken=a' }, 'a'],
    [
      'Twitch',
      {
        headers: { 'twitch-eventsub-message-type': 'webhook_callback_verification' },
        body: '{"challenge":"pogchamp","subscription":{}}',
      },
      'pogchamp',
    ],
  ])('of %s is the challenge as plain text', (_sender, request, text) => {
    const answer = asked(request)?.answer;
    expect([answer?.status, answer?.body]).toEqual([200, text]);
    expect(answer?.headers).toContainEqual(['content-type', 'text/plain; charset=utf-8']);
  });

  it.each<[string, Asked, object]>([
    ['Slack', { body: JSON.stringify(slack) }, { challenge: '3eZbrw1aB' }],
    ['monday.com', { body: '{"challenge":"a"}' }, { challenge: 'a' }],
    ['Smartsheet', { body: '{"challenge":"a","webhookId":7}' }, { smartsheetHookResponse: 'a' }],
    [
      'Zoom',
      { body: JSON.stringify(zoom) },
      { plainToken: zoom.payload.plainToken, encryptedToken: signed(zoom.payload.plainToken, 'hex') },
    ],
    [
      'X',
      { method: 'GET', path: '/?crc_token=a-b_c&nonce=n' },
      { response_token: `sha256=${signed('a-b_c', 'base64')}` },
    ],
    [
      'LinkedIn',
      { method: 'GET', path: '/?challengeCode=890e4665&applicationId=1' },
      { challengeCode: '890e4665', challengeResponse: signed('890e4665', 'hex') },
    ],
    ['Okta', { method: 'GET', headers: { 'x-okta-verification-challenge': 'a' } }, { verification: 'a' }],
    ['Azure Event Grid', { body: JSON.stringify(grid) }, { validationResponse: '512d38b6' }],
    ['Discord', { headers: { 'x-signature-ed25519': 'ab' }, body: '{"type":1,"id":"1"}' }, { type: 1 }],
  ])('of %s is JSON', (_sender, request, value) => {
    expect(JSON.parse(asked(request)?.answer.body ?? 'null')).toMatchObject(value);
  });

  it.each<[string, Asked]>([
    ['AWS SNS', { body: JSON.stringify(sns) }],
    ['Notion', { body: '{"verification_token":"secret_a"}' }],
    ['Google', { headers: { 'x-goog-resource-state': 'sync' } }],
    ['WooCommerce', { body: 'webhook_id=3' }],
  ])('of %s is a success', (_sender, request) => {
    expect(asked(request)?.answer.status).toBe(200);
  });

  it('of Asana, of RingCentral and of CloudEvents stands in its headers', () => {
    expect(asked({ headers: { 'x-hook-secret': 's' }, body: '{}' })?.answer.headers).toEqual([['x-hook-secret', 's']]);
    expect(asked({ headers: { 'validation-token': 't' } })?.answer.headers).toEqual([['validation-token', 't']]);
    const headers = { 'webhook-request-origin': 'events.example.com', 'webhook-request-rate': '120' };
    expect(asked({ method: 'OPTIONS', headers })?.answer.headers).toEqual([
      ['allow', 'POST'],
      ['webhook-allowed-origin', 'events.example.com'],
      ['webhook-allowed-rate', '120'],
    ]);
  });

  it('is no signature over what may be the body of a delivery', () => {
    for (const token of ['{"id":1}', '%7B%22id%22%3A1%7D', 'id=1', 'a b', '', 'a'.repeat(600)])
      expect(asked({ method: 'GET', path: `/?crc_token=${token}` })).toBeNull();
    expect(asked({ body: JSON.stringify({ ...zoom, payload: { plainToken: '{"id":1}' } }) })).toBeNull();
  });
});

it.each<[string, Asked]>([
  ['whose event speaks of a challenge', { body: '{"challenge":"a","id":"evt_1","type":"game.created"}' }],
  ['with a query and a body', { path: '/?validationToken=a&challenge=b', body: '{"id":1}' }],
  ['by POST with a challenge in its query', { path: '/?hub.challenge=a' }],
  ['without a body', {}],
  ['of an event with a payload', { body: '{"event":"meeting.started","payload":{"plainToken":"a"}}' }],
  ['of AWS SNS', { body: '{"Type":"Notification","Message":"m"}' }],
  ['of Asana', { headers: { 'x-hook-signature': 'a' }, body: '{"events":[]}' }],
  ['of Google', { headers: { 'x-goog-resource-state': 'exists' } }],
  ['of RingCentral', { headers: { 'validation-token': 't' }, body: '{"event":"/restapi/v1.0/account"}' }],
  ['in a form that names a webhook among others', { body: 'webhook_id=3&event=order.created' }],
  ['of Discord', { headers: { 'x-signature-ed25519': 'ab' }, body: '{"type":1,"event":{}}' }],
  ['that is a list', { body: '[{"eventType":"Microsoft.Storage.BlobCreated"}]' }],
  ['that is no JSON', { body: 'challenge' }],
])('a delivery %s is no handshake', (_what, request) => {
  expect(asked(request)).toBeNull();
});
