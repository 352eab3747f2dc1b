// The search for capacity in a run: what arrives, and the answers that are kept judged as everywhere.
import { measureCapacity, type Searched } from '../../load/capacity/capacity.ts';
import { capacitySettings } from '../../load/capacity/settings.ts';
import type { StageState } from '../perform/state.ts';
import { arrivalsOf } from './arrivals.ts';
import type { LoadGround } from './callers.ts';

/** Measures. `k6` must be there: the steps of a search depend on what was measured, so that a record cannot be searched. */
export async function capacityOf(state: StageState, ground: LoadGround & { readonly k6: string }): Promise<Searched> {
  const { search } = capacitySettings(ground.config);
  const { bench, judge } = await arrivalsOf(state, ground, 'capacity');
  return measureCapacity({
    ...bench,
    search,
    onKept: (sample, ratePerSecond) => judge(sample, `${Math.round(ratePerSecond)}rps`),
    sleep: (delayMs) => state.clock.sleep(delayMs, ground.stop),
    label: (...named) => ground.log.label(...named),
    enter: ground.enter,
  });
}
