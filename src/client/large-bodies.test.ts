import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LargeBodies } from './large-bodies.ts';

const MEGABYTE = Buffer.alloc(2 ** 20, 'x');

it('counts no short body, and judges none of too many values', () => {
  const bodies = new LargeBodies();
  expect(bodies.weightOf(Buffer.from('{"a":1}'))).toBe(0);
  expect(bodies.hasRoom(bodies.weightOf(Buffer.from(`[${'{},'.repeat(400_000)}1]`)))).toBe(false);
});

it('has no room while all that it holds is in use, and has some again once that is let go', async () => {
  const bodies = new LargeBodies(undefined, 8 * 2 ** 20);
  const weight = bodies.weightOf(MEGABYTE);
  let holders: object[] = [];
  while (bodies.hasRoom(weight) && holders.length < 100) {
    const holder = {};
    bodies.hold(holder, weight);
    holders.push(holder);
  }
  expect(holders.length).toBe(3);
  await turn();
  expect(Array.from({ length: 40 }, () => bodies.hasRoom(weight))).not.toContain(true);
  holders = [];
  await turn();
  expect(Array.from({ length: 40 }, () => bodies.hasRoom(weight))).toContain(true);
});
