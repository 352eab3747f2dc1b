// `assay load ratelimit`: the header laws under concurrency, one key after the other and then all at once. A limiter that holds
// for one key alone may admit too many when many senders race.
import { type DrainTrace, refusalsOf } from '../../checks/rate/drained-window.ts';
import { judgeTooMany } from '../../checks/rate/rate-04-admission.ts';
import type { PlanKey } from '../../checks/rate/rate-08-plan-order.ts';
import { holds, resting } from '../../contract/judgement.ts';
import type { Outcome } from '../../probes/probe.ts';
import type { Call } from '../caller/caller.ts';
import { answered, keyOfEachPlan, type LimitBench, onTarget } from './bench.ts';
import { drainedKey } from './drained-key.ts';

/** Yields the outcomes as they come, so that an interrupted run keeps what it has. */
export async function* rateLimits(bench: LimitBench): AsyncGenerator<readonly Outcome[]> {
  const keys = keyOfEachPlan(bench.keys);
  for (const key of keys) {
    bench.enter(`limits of ${key.name}`);
    yield await drainedKey(bench, key, `ratelimit-${key.name}`);
  }
  bench.enter('all keys at once');
  yield await drainedTogether(bench, keys);
}

const BEYOND = 1.1;
const BEYOND_CALLS = 20;
const MOST_CALLS = 20_000;
/** No resets are waited for beyond this. ms. */
const LONGEST_WAIT_MS = 75_000;

/**
 * All keys spent at once: what each was admitted is counted, whatever the order. Outcomes for each key that was refused in the
 * end; none where the limits are too large to be spent together.
 */
async function drainedTogether(bench: LimitBench, keys: readonly PlanKey[]): Promise<readonly Outcome[]> {
  const stated = keys.flatMap(({ name }) => {
    const limit = bench.book.seriesOf(name).limits.current;
    return limit === null ? [] : [{ name, limit, calls: Math.ceil(limit * BEYOND) + BEYOND_CALLS }];
  });
  const total = stated.reduce((sum, { calls }) => sum + calls, 0);
  if (stated.length < 2 || total > Math.min(MOST_CALLS, bench.mostCalls)) return [];
  const caller = bench.callerOf('ratelimit-together');
  await caller.sleep(restMs(bench, stated, caller.now()));
  const readings = answered(await caller.call(interleaved(bench, stated), false));
  return stated.flatMap(({ name, limit }) => {
    const own = readings.filter(({ key }) => key === name);
    const { clock } = bench.book.seriesOf(name);
    const trace: DrainTrace = {
      ...{ key: name, limit, clock, readings: own, alone: 0 },
      isMeasure: bench.book.seriesOf(name).isMeasure,
      ...{
        endsAlone: false,
        windowMs: 0,
        callsBefore: 0,
        callsEver: 0,
        elsewhere: [],
        tries: [],
        waited: [],
        asked: null,
      },
      ...{ returns: [], back: null, later: null, soon: null, refill: null },
    };
    const tooMany = judgeTooMany(trace);
    if (tooMany !== null) return [onTarget('RATE-04', tooMany.judgement, tooMany.readings)];
    return refusalsOf(trace).length > 0 ? [onTarget('RATE-04', resting(holds(), { windows: 1 }))] : [];
  });
}

/** Until every key's stated reset has passed. ms. */
function restMs({ book }: LimitBench, stated: readonly { name: string }[], nowMs: number): number {
  const resets = stated.map(({ name }) => {
    const { latest, clock } = book.seriesOf(name);
    return latest === null ? 0 : (clock.resetOf(latest)?.latest ?? 0);
  });
  return Math.min(LONGEST_WAIT_MS, Math.max(0, ...resets.map((ms) => ms - nowMs)));
}

/** Each key's calls spread over the whole, in proportion. */
function interleaved(
  { reads: [{ operation }] }: LimitBench,
  stated: readonly { readonly name: string; readonly calls: number }[],
): readonly Call[] {
  return stated
    .flatMap(({ name, calls }) => Array.from({ length: calls }, (_, at) => ({ name, turn: at / calls })))
    .toSorted((left, right) => left.turn - right.turn)
    .map(({ name }) => ({ key: name, operation: operation.key, afterMs: 0 }));
}
