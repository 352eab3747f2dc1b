// Runs through a proxy that cuts connections at every moment: each ends within its limits, and tells all that it found.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CutTarget, cutRun, startCutTarget } from './cuts/cut-run.ts';
import { isNightly } from './programme.ts';
import { SEED } from './seed.ts';

const RUNS = isNightly ? 10 : 2;

let target: CutTarget;
beforeAll(async () => {
  target = await startCutTarget();
});
afterAll(() => target.platform.stop());

test('no run loses what it found, or its end, where connections are cut', async () => {
  const runs = await Promise.all(Array.from({ length: RUNS }, (_, index) => cutRun(target, SEED + index)));
  const wrong = runs.filter(({ complaints }) => complaints.length > 0);
  expect(wrong.map(({ what, complaints }) => [what, ...complaints])).toEqual([]);
  expect(runs.reduce((sum, { cuts }) => sum + cuts.size, 0)).toBeGreaterThan(0);
});
