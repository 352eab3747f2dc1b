import { describe, expect, it, test } from 'vitest';
import { CREATE, fixture, PLAN, TOKEN } from '../../test/support/client/fixture.ts';
import { json } from '../../test/support/client/scripted-server.ts';
import { createRedactor } from '../exchange/redaction.ts';
import { type CallHooks, HookFailed, headersOf } from './call-hooks.ts';

const VALUE = 'signature-5e1f0c9ab7';

/** Gives these values to the requests, one after the other and then the last again, and keeps what it is told. */
function giving(...values: readonly string[]) {
  const told: unknown[] = [];
  let turn = 0;
  const hooks: CallHooks = {
    before: async (call) => {
      told.push(call);
      turn += 1;
      return headersOf({ headers: { 'X-Signature': values[Math.min(turn, values.length) - 1] } });
    },
    after: async (call) => void told.push(call),
  };
  return { hooks, told };
}

describe('a header of a hook', () => {
  it('goes out with the request, and its value is nowhere recorded', async () => {
    const { hooks } = giving(VALUE);
    await using run = await fixture((response) => json(response, 200, { seen: VALUE }, { 'x-seen': VALUE }), { hooks });
    const [exchange] = await run.send(PLAN);
    expect(run.server.seen[0]?.headers['x-signature']).toBe(VALUE);
    expect(exchange?.request.headers).toContainEqual(['X-Signature', '[redacted header X-Signature]']);
    expect(JSON.stringify(exchange)).not.toContain(VALUE);
    expect(exchange?.echoed).toEqual([]);
  });

  it('is looked for in every answer once its value is sent a second time', async () => {
    const { hooks } = giving(VALUE, VALUE, 'another-value-123456');
    const redactor = createRedactor();
    await using run = await fixture((response) => json(response, 200, { seen: VALUE }), { hooks, redactor });
    for (let turn = 0; turn < 3; turn += 1) await run.send(PLAN);
    expect(JSON.stringify(await run.send(PLAN))).not.toContain(VALUE);
    expect(redactor.redact(`it was ${VALUE}`)).toBe('it was [redacted header X-Signature]');
  });

  it('never takes the place of a header that the request has', async () => {
    const hooks: CallHooks = {
      before: async () => headersOf({ headers: { 'x-probe': 'mine' } }),
      after: async () => {},
    };
    await using run = await fixture((response) => json(response, 200, {}), { hooks });
    await run.send({ ...PLAN, headers: [['X-Probe', 'spoiled']] });
    expect(run.server.seen[0]?.headers['x-probe']).toBe('spoiled');
  });
});

it('tells hooks the body as it is sent and the answer, and never a token', async () => {
  const { hooks, told } = giving(VALUE);
  await using run = await fixture((response) => json(response, 201, { id: 1 }), { hooks });
  await run.send({ ...CREATE, body: { kind: 'json', value: { name: 'North' } } });
  expect(told).toMatchObject([
    { intent: 'sound', request: { method: 'POST', body: '{"name":"North"}' } },
    { intent: 'sound', request: { method: 'POST' }, response: { status: 201, body: '{"id":1}' } },
  ]);
  expect(JSON.stringify(told)).not.toContain(TOKEN);
});

it('sends nothing where a hook fails before it, and keeps the exchange where one fails after it', async () => {
  const fails = async (): Promise<never> => {
    throw new HookFailed('no clock');
  };
  await using before = await fixture((response) => json(response, 200, {}), {
    hooks: { before: fails, after: async () => {} },
  });
  await expect(before.send(PLAN)).rejects.toThrow('no clock');
  expect(before.server.seen).toEqual([]);
  const seen: string[] = [];
  await using after = await fixture((response) => json(response, 200, {}), {
    hooks: { before: async () => [], after: fails },
    onExchange: ({ id }) => seen.push(id),
  });
  await expect(after.send(PLAN)).rejects.toThrow(HookFailed);
  expect(seen).toEqual(['ex-1']);
});

test.each([
  ['a text', 'x', /answers neither nothing nor/],
  ['no headers', { header: {} }, /answers neither nothing nor/],
  ['a token', { headers: { Authorization: 'Bearer x' } }, /"Authorization" is no header that a hook may set/],
  ['a number', { headers: { 'X-Time': 3 } }, /value of X-Time is no line/],
  ['two lines', { headers: { 'X-Time': 'a\r\nb' } }, /value of X-Time is no line/],
])('%s is no answer of a hook', (_what, answer, why) => {
  expect(() => headersOf(answer)).toThrow(why);
  expect(() => headersOf(answer)).toThrow(HookFailed);
});
