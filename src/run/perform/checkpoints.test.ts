import { describe, expect, it } from 'vitest';
import { simulatedClock } from '../../clock/simulated.ts';
import { Checkpoints } from './checkpoints.ts';

/** When each is begun within the time, in seconds, where it takes so long to write one. */
async function told(withinMs: number, eachMs: number): Promise<readonly number[]> {
  const clock = simulatedClock();
  const begun: number[] = [];
  const write = async (): Promise<void> => {
    begun.push(clock.monotonic() / 1000);
    if (eachMs > 0) await clock.sleep(eachMs);
  };
  const checkpoints = new Checkpoints(write, clock);
  checkpoints.start();
  await clock.drive(clock.sleep(withinMs + 1));
  checkpoints.stop();
  const before = begun.length;
  await clock.drive(clock.sleep(withinMs));
  expect(begun).toHaveLength(before);
  return begun;
}

describe('checkpoints', () => {
  it('come at the begin, soon after, then every twenty seconds, and end with the run', async () => {
    expect(await told(91_000, 0)).toEqual([0, 1, 3, 7, 15, 31, 51, 71, 91]);
  });

  it('come the rarer the longer each takes to write', async () => {
    expect(await told(200_000, 2000)).toEqual([0, 62, 124, 186]);
  });
});
