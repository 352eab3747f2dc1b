// Rounds of hostile answers from the seed of the day: `npm run hostile -- --rounds 1 --seed N` shows one of them again.
import { expect, test } from 'vitest';
import { isNightly } from '../programme.ts';
import { SEED } from '../seed.ts';
import { roundOf } from './cases.ts';
import { hostileRun, inWords } from './run.ts';

const ROUNDS = isNightly ? 10 : 1;
const BESIDE = 2;

test('whatever a target answers, a run ends in time, with the exit code of its verdict and a sound report', async () => {
  const first = SEED * ROUNDS;
  console.log(`hostile rounds from seed ${first}`);
  const rounds = Array.from({ length: ROUNDS }, (_, at) => roundOf(first + at)).values();
  const broken: string[] = [];
  const work = async (): Promise<void> => {
    for (const { name, meddling, limits, seed: own, ends } of rounds) {
      const run = await hostileRun(meddling(), limits, own, ends);
      console.log(`${name}: ${inWords(run)}`);
      broken.push(...run.breaches.map((breach) => `${name}: ${breach}`));
    }
  };
  await Promise.all(Array.from({ length: BESIDE }, work));
  expect(broken).toEqual([]);
});
