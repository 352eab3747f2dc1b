import { describe, expect, it } from 'vitest';
import { simulatedClock } from '../../clock/simulated.ts';
import { preparedWithin } from './prepare-within.ts';

const NEVER = new Promise<string>(() => {});

describe('the preparation of a run', () => {
  it('is what it comes to where nothing ends it before', async () => {
    const clock = simulatedClock();
    const stop = new AbortController().signal;
    expect(await preparedWithin(Promise.resolve('ready'), { stop, limitSeconds: 1, clock }, () => {})).toBe('ready');
  });

  it('ends with the time limit, whatever it waits for', async () => {
    const clock = simulatedClock();
    const stop = new AbortController().signal;
    const work = preparedWithin(NEVER, { stop, limitSeconds: 2, clock }, () => {});
    await expect(clock.drive(work)).rejects.toThrow('the time limit was reached while the run was prepared');
    expect(clock.monotonic()).toBe(2000);
  });

  it('ends with a signal, and lets go of what was prepared all the same', async () => {
    const clock = simulatedClock();
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string>();
    const late: string[] = [];
    const work = preparedWithin(promise, { stop: stop.signal, limitSeconds: null, clock }, (one) => late.push(one));
    stop.abort();
    await expect(work).rejects.toThrow('interrupted while the run was prepared');
    resolve('too late');
    await promise;
    expect(late).toEqual(['too late']);
  });
});
