import { expect, it } from 'vitest';
import { chanceOf } from './chance.ts';
import { Outages } from './outages.ts';

const MINUTE_MS = 60_000;

it('a platform that is restarted is down for as long each time, about as often as is said, and cuts off what is under way', () => {
  const outages = new Outages(chanceOf(1, 'outages'), { everyMs: 10_000, downMs: 500 });
  const down = Array.from({ length: 10 * MINUTE_MS }, (_, ms) => outages.isDown(ms));
  const begins = down.flatMap((isDown, ms) => (isDown && down[ms - 1] !== true ? [ms] : []));
  expect(begins.length).toBeGreaterThan(40);
  expect(begins.length).toBeLessThan(75);
  expect(down.filter(Boolean).length / begins.length).toBeCloseTo(500, -1);
  const [first = 0] = begins;
  expect(outages.cutsOff(first - 2, first)).toBe(true);
  expect(outages.cutsOff(first, first + 400)).toBe(false);
});

it('a platform that is never restarted is never down', () => {
  const outages = new Outages(chanceOf(1, 'outages'), null);
  expect(outages.isDown(MINUTE_MS)).toBe(false);
  expect(outages.cutsOff(0, MINUTE_MS)).toBe(false);
});
