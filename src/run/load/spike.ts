// A spike in a run: what arrives, whether it may, and the answers that are kept judged as everywhere.
import type { SpikePart } from '../../contract/load-part.ts';
import { capsOf } from '../../load/safety.ts';
import { spikeWish } from '../../load/spike/settings.ts';
import { measureSpike, secondsOf } from '../../load/spike/spike.ts';
import { RunEnded } from '../perform/interruption.ts';
import type { StageState } from '../perform/state.ts';
import { affordedBy } from './afforded.ts';
import { arrivalsOf } from './arrivals.ts';
import type { LoadGround } from './callers.ts';

/** A spike is sent whole or not at all; caps hold its peak. Throws RunEnded where its time or requests are not there. */
export async function spikeOf(state: StageState, ground: LoadGround & { readonly k6: string }): Promise<SpikePart> {
  const wished = spikeWish(ground.config);
  const peak = Math.min(wished.peak, capsOf(ground.config).ratePerSecond);
  const heldBy = peak < wished.peak ? 'load.caps.ratePerSecond' : null;
  if (peak <= wished.base) throw new RunEnded('budget', 'load.caps.ratePerSecond leaves no peak above the base rate');
  const { bench, judge } = await arrivalsOf(state, ground, 'spike');
  const wish = { ...wished, peak, heldBy };
  const seconds = secondsOf(wish);
  const afforded = affordedBy(state, ground, { ratePerSecond: wish.base, seconds });
  if (afforded.seconds < seconds)
    throw new RunEnded('budget', `${afforded.heldBy} leaves ${afforded.seconds} s of load: a spike takes ${seconds}`);
  ground.enter(`spike from ${wish.base}/s to ${peak}/s`, seconds);
  return measureSpike({
    ...bench,
    wish,
    onKept: (sample) => judge(sample, sample.step),
    label: (...named) => ground.log.label(...named),
  });
}
