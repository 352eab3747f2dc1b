import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Checkpoints } from './checkpoints.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** How many come within the time, each taking so long. ms. */
function told(withinMs: number, eachMs: number): number {
  const tell = vi.fn(() => void vi.advanceTimersByTime(eachMs));
  const checkpoints = new Checkpoints(tell);
  checkpoints.start();
  vi.advanceTimersByTime(withinMs);
  checkpoints.stop();
  const count = tell.mock.calls.length;
  vi.advanceTimersByTime(withinMs);
  expect(tell).toHaveBeenCalledTimes(count);
  return count;
}

describe('checkpoints', () => {
  it('come every twenty seconds, and end with the run', () => {
    expect(told(100_000, 0)).toBe(5);
  });

  it('come the rarer the longer each takes', () => {
    expect(told(200_000, 2000)).toBeLessThan(told(200_000, 0) / 2);
  });
});
