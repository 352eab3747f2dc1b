// A soak in a run: what arrives, for how long it may, and the answers that are kept judged as everywhere.
import { systemClock } from '../client/clock.ts';
import { type Afforded, affordable, type Wish } from '../load/arrivals/affordable.ts';
import { capsOf } from '../load/safety.ts';
import { soakWish } from '../load/soak/settings.ts';
import { measureSoak, type Soaked } from '../load/soak/soak.ts';
import { RunEnded } from './interruption.ts';
import { arrivalsOf } from './load-arrivals.ts';
import type { LoadGround } from './load-callers.ts';
import type { StageState } from './state.ts';

/** Less tells nothing. */
const LEAST_SECONDS = 5;

export async function soakOf(state: StageState, ground: LoadGround & { readonly k6: string }): Promise<Soaked> {
  const { bench, judge } = await arrivalsOf(state, ground, 'soak');
  const wish = affordedBy(state, ground, soakWish(ground.config));
  ground.enter(`soak at ${wish.ratePerSecond}/s for ${wish.seconds} s`);
  return measureSoak({
    ...bench,
    wish,
    onKept: (sample) => judge(sample, sample.step),
    label: (step, words) => ground.log.label(step, words),
    now: () => systemClock.now(),
  });
}

/** The load as far as caps, budget and time limit allow it now. Throws RunEnded where hardly anything is left. */
export function affordedBy({ session, budget }: StageState, { config, endsAtMs }: LoadGround, wish: Wish): Afforded {
  const afforded = affordable(wish, {
    caps: capsOf(config),
    budget: budget === null ? null : budget - session.sent,
    leftSeconds: endsAtMs === null ? null : (endsAtMs - Date.now()) / 1000,
  });
  if (afforded.seconds >= Math.min(LEAST_SECONDS, wish.seconds)) return afforded;
  throw new RunEnded('budget', `${afforded.heldBy} leaves ${afforded.seconds} s of load: that tells nothing`);
}
