// Plans the calls that show whether one key at its ceiling is felt by others: those call evenly all the time, well
// below their own limits, while the one is spent and pressed twice, with rests as long before, between and after. Pure.

import type { Config } from '../../config/config.ts';
import { callsBeyond } from '../../limiters/trace.ts';
import type { Call } from '../caller/caller.ts';

/** How isolation is looked at: the configuration's word, and what holds where it says nothing. */
export interface IsolationSettings {
  /** Length of each rest and of each time of pressure. */
  readonly phaseMs: number;
  /** Times as slow as another key may be answered; null: slowing informs. */
  readonly slowdown: number | null;
}

/** Length of each phase where the configuration says nothing. */
const PHASE_SECONDS = 5;

/** `load.isolation` of a configuration; its schema has checked it. */
export function isolationSettings({ load }: Pick<Config, 'load'>): IsolationSettings {
  const { seconds = PHASE_SECONDS, slowdown = null } = (load.isolation ?? {}) as {
    readonly seconds?: number;
    readonly slowdown?: number;
  };
  return { phaseMs: seconds * 1000, slowdown };
}

/** A key as its answers before tell of it. */
export interface Sized {
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  /** Units of one call. */
  readonly cost: number;
  /** Null where no more is known than that it is no shorter than what was seen. */
  readonly windowMs: number | null;
  /** A window of at least this. */
  readonly windowAtLeastMs: number;
}

export interface Schedule {
  /** Rest, pressure, rest, pressure, rest: each this long. ms. */
  readonly phaseMs: number;
  /** Calls of all other keys, in the order in which they are due. */
  readonly others: readonly Call[];
  /** One time of pressure: the limit at once, and then more than comes back. */
  readonly pressure: readonly Call[];
}

const PHASES = 5;
/** Maximum share of its own limit that another key spends. */
const MAX_SHARE_OF_OWN_LIMIT = 0.4;
const MAX_PER_SECOND = 10;
/** Beyond the limit, at once. */
const CALLS_BY_LIMIT = 1.1;
/** Calls of pressure, as a multiple of the rate at which a limit comes back. */
const PRESSURE_BY_REFILL_RATE = 1.5;
const MIN_PRESSING_CALLS = 20;
const MAX_PRESSING_CALLS = 1000;
/** A machine sends so many a second at least: the rests are not shortened by what is spent at once. */
const FLOOD_PER_MS = 1;
/** Maximum rate that one generator can send. */
const MAX_RATE_PER_MS = 4;
/** Senders take time to begin. ms. */
const STARTS_MS = 1500;

/** `phaseMs`: length of each phase. `mostCalls`: of the pressed key, both times together. */
export function scheduleOf(
  pressed: Sized,
  others: readonly Sized[],
  operation: string,
  phaseMs: number,
  mostCalls: number,
): Schedule {
  const most = Math.floor(mostCalls / 2);
  const flood = floodOf(pressed, most, phaseMs);
  const back =
    (PRESSURE_BY_REFILL_RATE * 1000 * pressed.limit) / (pressed.windowMs ?? pressed.windowAtLeastMs) / pressed.cost;
  const perSecond = Math.min(MAX_PRESSING_CALLS, Math.max(MIN_PRESSING_CALLS, back));
  const pressing = Math.min(most - flood, Math.ceil((perSecond * phaseMs) / 1000));
  const call = { key: pressed.name, operation };
  const totalMs = PHASES * phaseMs + 2 * flood * FLOOD_PER_MS + STARTS_MS;
  return {
    phaseMs,
    others: others.flatMap((one) => evenly(one, operation, totalMs)).toSorted((a, b) => a.afterMs - b.afterMs),
    pressure: [
      ...Array.from({ length: flood }, () => ({ ...call, afterMs: 0 })),
      ...Array.from({ length: pressing }, (_, at) => ({ ...call, afterMs: ((at + 1) * 1000) / perSecond })),
    ],
  };
}

/** As many calls as spend the limit; none where that cannot be within its window: what is pressed then shows shared limits, still. */
function floodOf({ limit, cost, windowMs, windowAtLeastMs }: Sized, most: number, phaseMs: number): number {
  const calls = callsBeyond(limit / cost, CALLS_BY_LIMIT);
  const longestMs = Math.max(windowMs ?? windowAtLeastMs, phaseMs);
  return calls <= Math.min(most, MAX_RATE_PER_MS * longestMs) ? calls : 0;
}

/** Calls of a key that leave more than half of its limit: of its window where that is known, else of what is left. */
function evenly(
  { name, limit, remaining, cost, windowMs }: Sized,
  operation: string,
  totalMs: number,
): readonly Call[] {
  const perMs =
    Math.max(
      (MAX_SHARE_OF_OWN_LIMIT * remaining) / totalMs,
      windowMs === null ? 0 : (MAX_SHARE_OF_OWN_LIMIT * limit) / windowMs,
    ) / cost;
  const everyMs = Math.max(1000 / MAX_PER_SECOND, 1 / perMs);
  const count = Number.isFinite(everyMs) ? Math.floor(totalMs / everyMs) : 0;
  return Array.from({ length: count }, (_, at) => ({ key: name, operation, afterMs: at * everyMs }));
}
