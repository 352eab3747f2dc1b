// How much of a wished load may be sent: caps, budget and time limit hold rate and time, and it is told which did. Pure.
import type { Caps } from '../safety.ts';

export interface Wish {
  readonly ratePerSecond: number;
  readonly seconds: number;
}

export interface Bounds {
  readonly caps: Caps;
  /** Requests that the run may still send; null: no budget. */
  readonly budget: number | null;
  /** Seconds until the time limit of the run; null: none. */
  readonly leftSeconds: number | null;
}

export interface Afforded extends Wish {
  /** Name of the bound that held it; null: it is as wished. */
  readonly heldBy: string | null;
}

/** For the last answers, for what is left to conclude and to clean up. */
const CLOSING_SECONDS = 15;
/** k6 may begin a few more than planned. */
const RATE_BY_AFFORDED = 1.02;

/** The load as far as it is affordable; `seconds` may come to 0. */
export function affordable({ ratePerSecond: wished, seconds }: Wish, { caps, budget, leftSeconds }: Bounds): Afforded {
  const ratePerSecond = Math.min(wished, caps.ratePerSecond);
  const within = (requests: number): number => Math.floor((requests - 2) / (ratePerSecond * RATE_BY_AFFORDED));
  const bounds: readonly (readonly [string, number])[] = [
    ['load.caps.seconds', caps.seconds],
    ['load.caps.requests', within(caps.requests)],
    ['--budget', budget === null ? Number.POSITIVE_INFINITY : within(budget)],
    ['--time-limit', leftSeconds === null ? Number.POSITIVE_INFINITY : leftSeconds - CLOSING_SECONDS],
  ];
  const [heldBy, most] = bounds.reduce((least, bound) => (bound[1] < least[1] ? bound : least));
  if (most < seconds) return { ratePerSecond, seconds: Math.max(0, Math.floor(most)), heldBy };
  return { ratePerSecond, seconds, heldBy: ratePerSecond < wished ? 'load.caps.ratePerSecond' : null };
}
