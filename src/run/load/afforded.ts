// How much of a wished load this run may send now.
import { type Afforded, affordable, type Wish } from '../../load/arrivals/affordable.ts';
import { Allowance, capsOf } from '../../load/safety.ts';
import { RunEnded } from '../perform/interruption.ts';
import type { StageState } from '../perform/state.ts';
import type { LoadGround } from './callers.ts';

/** Less tells nothing. */
const LEAST_SECONDS = 5;

/** The load as far as caps, budget and time limit allow it now. Throws RunEnded where hardly anything is left. */
export function affordedBy(
  { session, input: { options, clock } }: StageState,
  { config, endsAtMs }: LoadGround,
  wish: Wish,
): Afforded {
  const afforded = affordable(wish, {
    caps: capsOf(config),
    budget: options.budget === null ? null : options.budget - session.sent,
    leftSeconds: endsAtMs === null ? null : (endsAtMs - clock.now()) / 1000,
  });
  if (afforded.seconds >= Math.min(LEAST_SECONDS, wish.seconds)) return afforded;
  const reasonCode = afforded.heldBy === '--time-limit' ? 'time-limit' : 'budget';
  throw new RunEnded(reasonCode, `${afforded.heldBy} leaves ${afforded.seconds} s of load: that tells nothing`);
}

/** The requests that the run may still send by its caps and its budget: the calls that reached operations count as sent. */
export function allowanceOf({ session, input }: StageState, { config }: LoadGround): Allowance {
  const budget = input.options.budget ?? Number.POSITIVE_INFINITY;
  return new Allowance(Math.min(capsOf(config).requests, budget) - session.sent);
}
