// A wait before a call is told with the key whose limit it waits for.
import { expect, it } from 'vitest';
import { LiveCaller, type LiveOptions } from './live.ts';

it('waits for the key that is to call', async () => {
  const waits: (readonly [number, string | null])[] = [];
  const options: Partial<LiveOptions> = {
    ...{ lane: 'ceiling-k', charge: () => {}, refund: () => {}, now: () => 0 },
    planOf: () => ({ service: 'store', method: 'GET' }) as ReturnType<LiveOptions['planOf']>,
    send: async () => null,
    sleep: async (delayMs, key) => void waits.push([delayMs, key]),
  };
  const caller = new LiveCaller(options as LiveOptions);
  await caller.call([{ key: 'k', operation: 'GET /a', afterMs: 5000 }], false);
  await caller.sleep(200);
  expect(waits).toEqual([
    [5000, 'k'],
    [200, null],
  ]);
});
