import { describe, expect, it } from 'vitest';
import { simulatedClock } from '../clock/simulated.ts';
import { Checkpoints } from './checkpoints.ts';

/** How many come within the time, where each takes so long to tell. ms. */
async function told(withinMs: number, eachMs: number): Promise<number> {
  const clock = simulatedClock();
  let count = 0;
  const tell = (): void => {
    count += 1;
  };
  const checkpoints = new Checkpoints(tell, { ...clock, monotonic: () => clock.monotonic() + count * eachMs });
  checkpoints.start();
  await clock.drive(clock.sleep(withinMs + 1));
  checkpoints.stop();
  const before = count;
  await clock.drive(clock.sleep(withinMs));
  expect(count).toBe(before);
  return count;
}

describe('checkpoints', () => {
  it('come every twenty seconds, and end with the run', async () => {
    expect(await told(100_000, 0)).toBe(5);
  });

  it('come the rarer the longer each takes', async () => {
    expect(await told(200_000, 2000)).toBeLessThan((await told(200_000, 0)) / 2);
  });
});
