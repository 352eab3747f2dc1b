// Tests ceilings that no header tells, on keys that admit a number of calls each time.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { worldWith } from '../../../test/support/probes/world.ts';
import type { RateReading } from '../../limiters/reading.ts';
import type { AskedKey } from './asking.ts';
import { untoldCeiling } from './untold-ceiling.ts';

const [key] = worldWith().keys;
const PLAN = { limit: 30, windowSeconds: 6, refusedBy: 429 };

/** Admits so many calls, refuses one by this status, and so on; each takes so long. */
async function toldOf(bursts: readonly number[], { callMs = 10, status = 429 } = {}): Promise<string> {
  const ahead = bursts.flatMap((admitted) => [...Array.from({ length: admitted }, () => true), false]);
  let nowMs = 0;
  const reading = (isGranted: boolean) => ({
    ...{ exchange: exchangeWith(), retryAfterMs: isGranted ? null : 6000 },
    ...{ isRefused: !isGranted && status === 429, status: isGranted ? 200 : status },
  });
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const asked = {
    timing: { now: () => nowMs, sleep },
    call: async () => {
      nowMs += callMs;
      return reading(ahead.shift() ?? false) as RateReading;
    },
  };
  if (key === undefined) throw new Error('no key');
  const { judgement } = await untoldCeiling(key, PLAN, asked as unknown as AskedKey);
  return judgement.kind === 'cannot-tell' ? judgement.reason : judgement.kind;
}

it.each([
  ['holds where each window admits what is stated', [30, 30], {}, 'holds'],
  ['is breached where a counter that slides admits more each time, and not as many', [61, 49], {}, 'breached'],
  ['is not told where a bucket regains meanwhile', [42, 42, 0, 43], { callMs: 60 }, 'two windows of key'],
  ['is not told where a bucket regains as many each time', [36, 36, 36, 36], { callMs: 40 }, 'as a bucket does'],
  ['is breached where as many are admitted sooner than a bucket regains them', [36, 36, 36, 36], {}, 'breached'],
  ['is breached where each window admits fewer', [24, 24, 24, 24, 24, 24], {}, 'breached'],
  ['is not told where a spent key is answered otherwise', [30], { status: 503 }, 'a call was answered 503'],
] as const)('a ceiling %s', async (_what, bursts, ways, told) => {
  expect(await toldOf(bursts, ways)).toContain(told);
});
