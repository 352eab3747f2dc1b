// Shared parts of experiments on limits: the keys, one of each plan, operations that are cheap to ask, and callers.

import type { RateBook } from '../../checks/rate/rate-history.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { PlanKey } from '../../limiters/limit-book.ts';
import { type Limited, type RateReading, readingOf } from '../../limiters/reading.ts';
import type { Ask } from '../../probes/rate/asking.ts';
import type { Reached, World } from '../../probes/world.ts';
import type { Caller } from '../caller/caller.ts';

export interface LimitBench {
  readonly world: World;
  /** Sees every exchange of every caller. */
  readonly book: RateBook;
  /** Every key that can be used. */
  readonly keys: readonly PlanKey[];
  /** Operations that read, need a token and no id, and were called with success: the fastest first. */
  readonly reads: readonly [Reached, ...Reached[]];
  /** All operations that were called with success and whose cost may be asked for. */
  readonly priced: readonly Reached[];
  /** Calls of one lane follow one another; its record bears its name. `planOf`: how it calls operations, where not as usual. */
  readonly callerOf: (lane: string, planOf?: (key: string, operation: string) => RequestPlan) => Caller;
  /** Tells whether an earlier run has measured the key's ceiling: its calls are read from that record. */
  readonly isMeasured: (key: string) => boolean;
  /** In [0, 1). */
  readonly random: () => number;
  /** Longest time for one key's ceiling. ms. */
  readonly mostMs: number;
  /** Most calls for one key's ceiling. */
  readonly mostCalls: number;
  /** Tells what is being done, and how many seconds it takes where that is known. */
  readonly enter: (phase: string, seconds?: number) => void;
}

/** Asks one call at a time. */
export function askerOf(caller: Caller, limited: Limited): Ask {
  return async (key, { operation }) => {
    const [exchange] = await caller.call([{ key, operation: operation.key, afterMs: 0 }], false);
    return exchange === undefined ? null : readingOf(exchange, limited);
  };
}

/** Sends so many calls of the fastest operation at once, fewer where they are refused; in the order answered. */
export async function flooded(
  caller: Caller,
  { reads: [{ operation }], world }: Pick<LimitBench, 'reads' | 'world'>,
  key: string,
  calls: number,
): Promise<readonly RateReading[]> {
  const call = { key, operation: operation.key, afterMs: 0 };
  return answered(await caller.call(new Array<typeof call>(calls).fill(call), true), world.limited);
}

/** The readings of the exchanges, in the order answered. */
export function answered(exchanges: readonly Exchange[], limited: Limited): readonly RateReading[] {
  return exchanges
    .flatMap((exchange) => readingOf(exchange, limited) ?? [])
    .toSorted((left, right) => left.answeredAt - right.answeredAt);
}

/**
 * All keys in turns: those that an earlier run measured first, then the first key of each plan, then the second, and so on.
 * The key that ordinary calls use comes last of its turn.
 */
export function turnsOf(
  keys: readonly PlanKey[],
  isMeasured: (key: string) => boolean,
): readonly (readonly PlanKey[])[] {
  const open = keys.filter(({ name }) => !isMeasured(name));
  const turnOf = ({ plan }: PlanKey, at: number): number => open.slice(0, at).filter((one) => one.plan === plan).length;
  const turns = [...Map.groupBy(open, (key) => turnOf(key, open.indexOf(key))).values()];
  return [keys.filter(({ name }) => isMeasured(name)), ...turns]
    .filter(({ length }) => length > 0)
    .map((turn) => turn.toReversed());
}
