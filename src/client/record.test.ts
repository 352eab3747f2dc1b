import { describe, expect, it } from 'vitest';
import { CREATE, fixture, PLAN, TOKEN } from '../../test/support/client/fixture.ts';
import type { RequestPlan } from '../exchange/exchange.ts';

const FORMS: Record<string, string> = {
  'as is': TOKEN,
  'percent-encoded': encodeURIComponent(`Bearer ${TOKEN}`),
  base64: Buffer.from(TOKEN).toString('base64'),
  'base64 behind a scheme': Buffer.from(`Bearer ${TOKEN}`).toString('base64'),
  'base64url behind a name': Buffer.from(`user:${TOKEN}`).toString('base64url'),
  'payload alone': TOKEN.split('.')[1]!,
  'signature alone': TOKEN.split('.')[2]!,
};

/** No part of the token, in any form, stands in the text. */
function expectNoToken(text: string): void {
  for (const form of Object.values(FORMS)) expect(text).not.toContain(form.slice(8, -8));
}

async function echoOf(echo: string, plan: RequestPlan = PLAN, headerValue = '') {
  await using run = await fixture((response) => {
    if (headerValue !== '') response.setHeader('X-Debug', headerValue);
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { detail: echo } }));
  });
  const [exchange] = await run.send({ ...plan, retry: 'never' });
  return exchange!;
}

describe('the recorded exchange', () => {
  it.each([
    ['application/json', [0x22, 0xe9, 0x22], 'charset'],
    ['application/json; charset="UTF-8"', [0x22, 0xe9, 0x22], 'charset'],
    ['application/json; charset=iso-8859-1', [0x22, 0xe9, 0x22], undefined],
    ['application/json', [...Buffer.from('"é\ufffd"')], undefined],
  ])('tells of bytes that are no UTF-8: %s %j', async (type, bytes, garbled) => {
    await using run = await fixture((response) => {
      response.writeHead(200, { 'content-type': type }).end(Buffer.from(bytes));
    });
    const [exchange] = await run.send({ ...PLAN, retry: 'never' });
    expect(exchange?.response?.garbled).toBe(garbled);
    const octets = garbled === undefined ? undefined : Buffer.from(bytes).toString('latin1');
    expect(exchange?.response?.octets).toBe(octets);
  });

  it.each([
    ['text/plain; charset=ISO-8859-1', 'latin1', 'é'],
    ['application/json; charset=ISO-8859-1', 'latin1', 'é'],
    ['application/json; charset=ISO-8859-1', 'utf8', 'é'],
    ['application/problem+json; charset=utf-16le', 'utf16le', '{}'],
    ['text/csv; charset="utf-16le"', 'utf16le', 'é'],
    ['text/plain; charset=unknown-8', 'utf8', 'é'],
    ['text/plain', 'utf8', 'é'],
  ] as const)('reads a body in the charset of %s', async (type, encoding, text) => {
    await using run = await fixture((response) => {
      response.writeHead(200, { 'content-type': type }).end(Buffer.from(text, encoding));
    });
    const [exchange] = await run.send({ ...PLAN, retry: 'never' });
    expect(exchange?.response?.body).toBe(text);
  });

  it.each([
    ['gzip', '{"a":1}', 'coding'],
    ['br', '{"a":1}', 'coding'],
    ['identity', '{"a":1}', undefined],
    ['gzip', '', undefined],
  ])('tells of a body that is not coded as it says: %s %j', async (coding, text, garbled) => {
    await using run = await fixture((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(text);
    });
    const [exchange] = await run.send({ ...PLAN, retry: 'never' });
    expect(exchange?.response).toMatchObject({ body: text, ...(garbled === undefined ? {} : { garbled }) });
    expect(exchange?.response?.garbled).toBe(garbled);
  });

  it('keeps no bytes of a body that hides a token', async () => {
    await using run = await fixture((response) => {
      response.writeHead(200).end(Buffer.concat([Buffer.from(Object.values(FORMS)[0] ?? ''), Buffer.from([0xe9])]));
    });
    const [exchange] = await run.send({ ...PLAN, retry: 'never' });
    expectNoToken(JSON.stringify(exchange));
    expect(exchange?.response).toMatchObject({ garbled: 'charset', body: expect.stringContaining('[redacted') });
    expect(exchange?.response?.octets).toBeUndefined();
  });

  it.each(Object.entries(FORMS))('holds no token and tells of an echo: %s', async (_, form) => {
    const inBody = await echoOf(`before ${form} after`);
    expectNoToken(JSON.stringify(inBody));
    expect(inBody.echoed).toEqual([{ secret: 'key std-1', where: 'body' }]);
    const inHeader = await echoOf('', PLAN, form);
    expectNoToken(JSON.stringify(inHeader));
    expect(inHeader.echoed).toEqual([{ secret: 'key std-1', where: 'x-debug' }]);
  });

  it('shows who asked, not with what', async () => {
    const { request, echoed } = await echoOf('nothing');
    expect(request.headers).toContainEqual(['Authorization', 'Bearer [redacted key std-1]']);
    expect(echoed).toEqual([]);
  });

  it('redacts a token that a probe put into query, body, header or a refused credential, in the plan too', async () => {
    const authorization = `Basic ${TOKEN}`;
    for (const plan of [
      { ...PLAN, query: `access_token=${TOKEN}` },
      { ...CREATE, body: { kind: 'json', value: { token: TOKEN } } },
      { ...PLAN, headers: [['X-Token', TOKEN]] },
      { ...PLAN, credential: { kind: 'invalid', how: 'wrong-scheme', authorization } },
    ] satisfies RequestPlan[]) {
      expectNoToken(JSON.stringify(await echoOf('nothing', plan)));
    }
  });

  it('shows what was made of a token by what was altered, and tells when it comes back, however it is written', async () => {
    const value = `${TOKEN.slice(0, -4)}AAAA`;
    const derived = { from: 'key std-1', change: 'last 4 characters', value };
    const plan: RequestPlan = {
      ...PLAN,
      credential: { kind: 'invalid', how: 'altered-end', authorization: `Bearer ${value}`, derived },
    };
    const marker = '[altered key std-1: last 4 characters]';
    for (const form of [value, value.toUpperCase(), Buffer.from(value).toString('hex'), encodeURIComponent(value)]) {
      const exchange = await echoOf(form, plan, form);
      expect(exchange.request.headers).toContainEqual(['Authorization', `Bearer ${marker}`]);
      expect(exchange.plan.credential).toEqual({
        kind: 'invalid',
        how: 'altered-end',
        authorization: `Bearer ${marker}`,
      });
      expectNoToken(JSON.stringify(exchange));
      expect(exchange.echoed).toEqual([
        { secret: 'sent token', where: 'x-debug' },
        { secret: 'sent token', where: 'body' },
      ]);
    }
  });

  it('does not call it an echo when the answer quotes a token from the query', async () => {
    const plan: RequestPlan = { ...PLAN, query: `token=${TOKEN}`, credential: { kind: 'none' } };
    const exchange = await echoOf(`/api/v1/stores?token=${TOKEN}`, plan);
    expectNoToken(JSON.stringify(exchange));
    expect(exchange.echoed).toEqual([]);
  });

  it('calls it an echo when a refused token comes back, if it is long enough to tell', async () => {
    const refused = (token: string): RequestPlan => ({
      ...PLAN,
      credential: { kind: 'invalid', how: 'random', authorization: `Bearer ${token}` },
    });
    const long = 'nonsense-token-0123456789';
    expect((await echoOf(`bad token ${long}`, refused(long))).echoed).toEqual([
      { secret: 'sent token', where: 'body' },
    ]);
    expect((await echoOf('bad token nonsense', refused('nonsense'))).echoed).toEqual([]);
  });
});
