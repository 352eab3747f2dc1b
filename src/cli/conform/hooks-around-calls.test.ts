import { describe, expect, test } from 'vitest';
import { configWith } from '../../../test/support/run/test-config.ts';
import type { Call } from '../../client/call-hooks.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { type OwnHook, runAhead } from './hooks.ts';
import { callHooks, checkHooks } from './hooks-around-calls.ts';

const AHEAD = runAhead(configWith(), { runId: 'r1' }, '/reports/r1');
const CREATE: Call = {
  service: 'admin',
  operation: 'POST /api/v1/stores',
  intent: 'sound',
  request: {
    method: 'POST',
    url: 'http://x/api/v1/stores',
    path: '/api/v1/stores',
    query: '',
    headers: [],
    body: '{}',
  },
};
const UNKNOWN: Call = { ...CREATE, service: null, operation: null };

function around(...hooks: readonly OwnHook[]) {
  const clock = simulatedClock();
  const brought = hooks.map((hook) => ({ hook, file: 'a.ts' }));
  const made = callHooks(brought, AHEAD);
  if (made === null) throw new Error('there are no hooks around calls');
  return {
    before: (call: Call) => clock.drive(made.before(call, clock)),
    after: (call: Call) => clock.drive(made.after({ ...call, response: null }, clock)),
  };
}

test('hooks are called in order before a request and in the opposite order after it', async () => {
  const told: string[] = [];
  const named = (name: string): OwnHook => ({
    name,
    beforeCall: ({ request }, { runId }) => {
      told.push(`${name} before ${request.method} in ${runId}`);
      return { headers: { [`X-${name}`]: 'v' } };
    },
    afterCall: async ({ response }) => void told.push(`${name} after ${response}`),
  });
  const hooks = around(named('One'), named('Two'));
  expect((await hooks.before(CREATE)).map(({ name }) => name)).toEqual(['X-One', 'X-Two']);
  await hooks.after(CREATE);
  expect(told).toEqual(['One before POST in r1', 'Two before POST in r1', 'Two after null', 'One after null']);
});

test('a hook for some operations is called for no other, and for no path that nothing describes', async () => {
  const told: (string | null)[] = [];
  const beforeCall = ({ operation }: Call) => void told.push(operation);
  const { before } = around({ name: 'some', operation: '/api/v1/stores*', beforeCall }, { name: 'all', beforeCall });
  for (const call of [CREATE, { ...CREATE, operation: 'GET /api/v1/orders' }, UNKNOWN]) await before(call);
  expect(told).toEqual(['POST /api/v1/stores', 'POST /api/v1/stores', 'GET /api/v1/orders', null]);
});

describe('a hook that fails', () => {
  test.each<[string, OwnHook['beforeCall'], string]>([
    ['throws', () => Promise.reject(new Error('no signer\n  at x')), 'no signer'],
    ['hangs', () => new Promise(() => {}), 'it does not end within 30 s'],
    ['answers a text', () => 'x' as never, 'it answers neither nothing nor { headers: { NAME: value } }'],
  ])('%s: that is told with its name, file and operation', async (_what, beforeCall, why) => {
    const hooks = around({ name: 'sign', ...(beforeCall === undefined ? {} : { beforeCall }) });
    await expect(hooks.before(CREATE)).rejects.toThrow(`the hook sign of a.ts failed on POST /api/v1/stores: ${why}`);
    await expect(hooks.before(UNKNOWN)).rejects.toThrow('failed on POST /api/v1/stores: ');
  });
});

test('a hook for operations that no description has is refused', () => {
  const descriptions = [{ operations: [{ key: 'POST /api/v1/stores' }] }] as unknown as readonly Description[];
  const check = (operation: string) => () =>
    checkHooks([{ hook: { name: 'sign', operation, beforeCall: () => undefined }, file: 'a.ts' }], descriptions);
  expect(check('POST /api/v1/*')).not.toThrow();
  expect(check('POST /api/v1/storez')).toThrow('(did you mean "POST /api/v1/stores"?) matches none of the 1 operation');
});

test('a run without hooks around its requests has none', () => {
  expect(callHooks([{ hook: { name: 'seed', beforeRun() {} }, file: 'a.ts' }], AHEAD)).toBeNull();
});
