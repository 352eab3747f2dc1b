// Measures the cost of a call of each operation: how far it lowers Remaining, where headers tell; else how many of its
// calls a fresh limit admits.

import type { Interval } from '../../contract/load-part.ts';
import type { Identified } from '../../limiters/identify.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import { spend, watchReturn } from '../../limiters/returns.ts';
import { type BurstResult, type LimiterUnderTest, type Procedure, Trace } from '../../limiters/trace.ts';
import { type Ask, LONGEST_WAIT_MS } from '../../probes/rate/asking.ts';
import type { Reached } from '../../probes/world.ts';
import type { Caller } from '../caller/caller.ts';

/** Operation key → units of one call. */
export type CostTable = ReadonlyMap<string, Interval>;

const MAX_CALLS = 5;
const MIN_CALLS_THAT_TELL = 2;

/** The answer to a call, and by how much it lowered Remaining. */
interface Called {
  readonly reading: RateReading | null;
  readonly fall: number | null;
}

/** The costs that headers state; operations whose calls fail or tell nothing are left out. */
export async function costsStated(
  ask: Ask,
  caller: Caller,
  key: string,
  history: KeyHistory,
  operations: readonly Reached[],
): Promise<CostTable> {
  const costs = new Map<string, Interval>();
  // The key may have been used for something else before: its first call here is compared with nothing.
  let isBegun = false;
  const call = async (reached: Reached): Promise<Called> => {
    const reading = await ask(key, reached);
    const fall = isBegun && reading !== null ? history.fallBy(reading) : null;
    isBegun = true;
    return { reading, fall };
  };
  for (const reached of operations) {
    const cost = await costStated(() => call(reached), caller);
    if (cost !== null) costs.set(reached.operation.key, cost);
  }
  return costs;
}

/** The cost that two calls agree on, or that several come near to; null where too few calls tell. */
async function costStated(call: () => Promise<Called>, caller: Caller): Promise<Interval | null> {
  const drops: number[] = [];
  const costOf = (best: number): Interval => ({ least: Math.min(...drops), best, most: Math.max(...drops) });
  for (let turn = 1; turn <= MAX_CALLS; turn += 1) {
    const { reading, fall } = await call();
    const isLimited = reading?.isRefused === true;
    if (isLimited) await caller.sleep(Math.min(reading.retryAfterMs ?? 1000, LONGEST_WAIT_MS));
    const drop = fall ?? 0;
    if (drops.includes(drop)) return costOf(drop);
    // A rise tells that a window began in between.
    if (drop >= 1) drops.push(drop);
    if (reading === null || !(isLimited || isSuccessful(reading))) break;
  }
  // Units that come back meanwhile make a call look cheaper.
  return drops.length < MIN_CALLS_THAT_TELL ? null : costOf(Math.max(...drops));
}

/** How many calls of the subject's operation a fresh limit of this kind admits at once; null where that was not seen. */
export function* admittedFresh(
  subject: LimiterUnderTest,
  { kinds, windowMs, limit }: Identified,
): Procedure<BurstResult | null> {
  const trace = new Trace(subject);
  const likely = Math.ceil((limit?.most ?? 0) * 1.5) + 40;
  const most = subject.bounds.mostCalls;
  const restMs = (kinds[0] === 'sliding-counter' ? 2.3 : 1.4) * (windowMs?.most ?? 0);
  if (kinds[0] !== 'fixed-aligned') {
    trace.rest(restMs);
    const flood = yield* spend(trace, likely, most);
    return flood?.refused ? flood : null;
  }
  // A window of the clock is met at its begin: where it is spent, it is seen to return.
  const spent = yield* spend(trace, likely, most);
  if (!spent?.refused) return null;
  if ((yield* watchReturn(trace, spent.endMs)) === null) return null;
  const fresh = yield* spend(trace, likely, most);
  return fresh?.refused ? { ...fresh, units: fresh.units + 1 } : null;
}

/**
 * Maximum share by which a cost may miss a whole number and still be that: units that refilled during a drain are known
 * roughly.
 */
const MAX_SHARE_OFF_WHOLE = 0.1;

/** The cost of an operation of which a fresh limit admitted so many calls while it holds so many units. */
export function costOfAdmitted(units: number, admitted: number, { refills }: { readonly refills: boolean }): Interval {
  const least = units / (admitted + 1);
  const most = units / Math.max(1, admitted);
  const whole = Math.max(1, Math.round((least + most) / 2));
  // n admitted: n of them fit, and n + 1 do not. A whole number within that is the likely one.
  const isWhole = whole > least && whole <= most + 1e-9;
  const isNear = refills && Math.abs(most - whole) <= MAX_SHARE_OFF_WHOLE * whole;
  return { least, best: isWhole || isNear ? whole : most, most };
}
