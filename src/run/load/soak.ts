// A soak in a run: what arrives, for how long it may, and the answers that are kept judged as everywhere.
import { soakWish } from '../../load/soak/settings.ts';
import { measureSoak, type Soaked } from '../../load/soak/soak.ts';
import type { StageState } from '../perform/state.ts';
import { affordedBy } from './afforded.ts';
import { arrivalsOf } from './arrivals.ts';
import type { LoadGround } from './callers.ts';

export async function soakOf(state: StageState, ground: LoadGround & { readonly k6: string }): Promise<Soaked> {
  const { bench, judge } = await arrivalsOf(state, ground, 'soak');
  const wish = affordedBy(state, ground, soakWish(ground.config));
  ground.enter(`soak at ${wish.ratePerSecond}/s`, wish.seconds);
  return measureSoak({
    ...bench,
    wish,
    onKept: (sample) => judge(sample, sample.step),
    label: (...named) => ground.log.label(...named),
    now: state.clock.now,
  });
}
