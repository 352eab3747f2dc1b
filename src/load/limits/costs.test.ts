import { describe, expect, it } from 'vitest';
import { readingWith } from '../../../test/support/checks/readings.ts';
import { KeyHistory } from '../../limiters/key-history.ts';
import type { RateReading } from '../../limiters/reading.ts';
import type { Reached } from '../../probes/world.ts';
import { costsStated } from './costs.ts';

const operations = ['GET /a', 'POST /b', 'GET /c'].map((key) => ({ operation: { key } }) as Reached);
const caller = { now: () => 0, sleep: async () => {}, call: async () => [] };

/** The costs told where calls cost one, and others of the same key are made before the calls of these numbers. */
async function toldWith(others: readonly number[], isSeen: boolean): Promise<Readonly<Record<string, number>>> {
  const history = new KeyHistory();
  let calls = 0;
  let remaining = 100;
  const answerAt = (answeredAt: number, isTold = true): RateReading => {
    remaining -= 1;
    const stated = readingWith({ limit: 100, remaining, reset: '60' });
    const reading = { ...stated, exchange: { ...stated.exchange, id: `ex-${answeredAt}` }, answeredAt };
    if (isTold) history.add(reading);
    return reading;
  };
  const ask = async (): Promise<RateReading> => {
    calls += 1;
    if (others.includes(calls)) answerAt(calls * 10 + 5, isSeen);
    return answerAt(calls * 10 + 9);
  };
  const costs = await costsStated(ask, caller, 'std-1', history, operations);
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

  it('is not told by a call after one whose answer states no limit', () => {
    const history = new KeyHistory();
    const fallsBy = [99, 97, 96].map((remaining, index) => {
      const told = readingWith({ limit: 100, remaining, reset: '60' });
      const reading = { ...told, exchange: { ...told.exchange, id: `ex-${index}` } };
      if (remaining === 97) history.add({ ...reading, limit: null, remaining: null });
      history.add(reading);
      return history.fallBy(reading);
    });
    expect(fallsBy).toEqual([null, null, 1]);
  });

  it('has nothing of what the key was used for before', async () => {
    const history = new KeyHistory();
    let remaining = 90;
    let calls = 0;
    const answer = async (): Promise<RateReading> => {
      const told = readingWith({ limit: 100, remaining, reset: '60' });
      calls += 1;
      const reading = { ...told, exchange: { ...told.exchange, id: `ex-${calls}` } };
      history.add(reading);
      remaining -= 1;
      return reading;
    };
    await answer();
    remaining = 80;
    const costs = await costsStated(answer, caller, 'std-1', history, operations.slice(0, 1));
    expect([...costs.values()]).toEqual([{ least: 1, best: 1, most: 1 }]);
  });

  it('is what two calls agree on where nothing shows who else used the key', async () => {
    expect(await toldWith([5], false)).toEqual(one);
  });
});
