import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { RateReading } from '../../limiters/reading.ts';
import type { Reached } from '../../probes/world.ts';
import { costsStated } from './costs.ts';

const operations = ['GET /a', 'POST /b', 'GET /c'].map((key) => ({ operation: { key } }) as Reached);
const caller = { now: () => 0, sleep: async () => {}, call: async () => [] };

/** What is told where calls cost one, and others of the same key are made before the calls of these numbers. */
async function toldWith(others: readonly number[], isSeen: boolean): Promise<Readonly<Record<string, number>>> {
  const answered: number[] = [];
  let calls = 0;
  let remaining = 100;
  const ask = async (): Promise<RateReading> => {
    calls += 1;
    if (others.includes(calls)) {
      remaining -= 1;
      if (isSeen) answered.push(calls * 10 + 5);
    }
    remaining -= 1;
    answered.push(calls * 10 + 9);
    return { exchange: exchangeWith(), status: 200, limit: 100, remaining, answeredAt: calls * 10 + 9 } as RateReading;
  };
  const series = {
    key: 'a',
    callsBetween: (from: number, to = Infinity) => answered.filter((at) => at >= from && at <= to).length,
  };
  const costs = await costsStated(ask, caller, 'std-1', series, operations);
  return Object.fromEntries([...costs].map(([key, { best }]) => [key, best]));
}

describe('what a call costs, by its headers', () => {
  const one = { 'GET /a': 1, 'POST /b': 1, 'GET /c': 1 };

  it.each([[[]], [[5, 6]], [[2, 5, 8]]])(
    'is told though the key is used for others before calls %j',
    async (others) => {
      expect(await toldWith(others, true)).toEqual(one);
    },
  );

  it('is what two calls agree on where nothing shows who else used the key', async () => {
    expect(await toldWith([5], false)).toEqual(one);
  });
});
