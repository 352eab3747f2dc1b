// `assay load ratelimit`: the header laws under concurrency, one key after the other and then all at once.
import type { Outcome } from '../../probes/probe.ts';
import { keyOfEachPlan, type LimitBench } from './bench.ts';
import { drainedKey } from './drained-key.ts';
import { drainedTogether } from './together.ts';

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
