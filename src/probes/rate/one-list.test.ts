// Limits of an API with one list alone: an item of it tells whether a refusal is for all operations.
import { describe, expect, it } from 'vitest';
import { fixedWindow, type Limiter } from '../../../test/support/limiters/limiters.ts';
import { breachesOf, type RunOptions, runnerOn, spareBy } from '../../../test/support/probes/rate/run.ts';
import type { TargetOptions } from '../../../test/support/probes/rate/target.ts';
import { MAIN_KEY } from '../../../test/support/probes/world.ts';
import { simulatedClock } from '../../clock/simulated.ts';

const run = runnerOn(simulatedClock);
const only = ['GET /api/v1/a', 'GET /api/v1/a/{aId}'];
const found = async (options: RunOptions) => breachesOf(await run({ ...options, only }, ['rate/drain']));

describe('a 429 with calls left', () => {
  it('is of the key where its items are refused, too', async () => {
    const late = (): Limiter => {
      const inner = fixedWindow(20, 4000);
      return (nowMs, cost) => {
        const grant = inner(nowMs, cost);
        return { ...grant, remaining: Math.min(20, grant.remaining + 1) };
      };
    };
    expect(await found({ limiterOf: spareBy(late) })).toEqual([
      "RATE-04: the key's limiter refuses while calls are left",
    ]);
  });

  it('is of another throttle where the list alone is refused', async () => {
    const own = fixedWindow(15, 4000);
    const throttle: TargetOptions['throttle'] = ({ path, credential }, nowMs) =>
      path.endsWith('/a') && credential.kind === 'key' && credential.name !== MAIN_KEY.name && !own(nowMs, 1).granted
        ? 1
        : null;
    expect(await found({ limiterOf: spareBy(() => fixedWindow(20, 4000)), throttle })).toEqual([]);
  });
});
