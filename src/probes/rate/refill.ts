// How fast a limit comes back that comes back bit by bit: a look soon after the first accepted call, and a refill measured.

import type { Watch } from '../../checks/rate/rate-10-ceiling.ts';
import { refillPerMs } from '../../limiters/algorithm.ts';
import { costOf, type Drained, type DrainTrace, dearestOf, type Refill } from '../../limiters/drained-window.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import { type DrainTools, pour } from './drain.ts';

/** How soon after the first accepted call it is looked at again: when this share of the limit can be back, within these bounds. ms. */
const SOON_SHARE = 0.2;
const SHORTEST_SOON_MS = 200;
const LONGEST_SOON_MS = 1500;
/** Refills are measured while this share of the limit comes back, within these bounds. ms. */
const MEASURED_SHARE = 0.4;
const SHORTEST_MEASURE_MS = 500;
const LONGEST_MEASURE_MS = 25_000;
/** A bucket is not waited for longer until it is full, nor looked at for longer then: one of a minute at a third of its rate. ms. */
const LONGEST_FILL_MS = 180_000;
const LONGEST_WATCH_MS = 120_000;
/** More than a full bucket, and what it regains meanwhile. */
const MEASURING_CALLS = 2;

/** When a steady refill brings as much of the limit again as can be told, and sooner than a log lets go of what was poured. */
export async function soonAfter(
  tools: DrainTools,
  trace: Drained & Pick<DrainTrace, 'back'>,
): Promise<RateReading | null> {
  const perMs = refillPerMs(trace);
  if (perMs === null) return null;
  const waitMs = (SOON_SHARE * trace.limit) / perMs;
  await tools.timing.sleep(Math.min(Math.max(waitMs, SHORTEST_SOON_MS), LONGEST_SOON_MS));
  return tools.call();
}

/**
 * Measures what comes back in a part of the window: spent to the last call, a pause, and spent again. Where calls take so long that
 * it is never spent, two answers tell. Null where nothing can be told.
 */
export async function measure(tools: DrainTools, trace: DrainTrace): Promise<Refill | null> {
  const { limit, back, soon, later } = trace;
  const next = later ?? soon;
  if (back === null || next === null) return null;
  const gained = (next.remaining ?? 0) - (back.remaining ?? 0) + costOf(trace);
  const perMs = Math.max(1, gained) / Math.max(1, next.sentAt - back.sentAt);
  const pauseMs = Math.min(Math.max((limit * MEASURED_SHARE) / perMs, SHORTEST_MEASURE_MS), LONGEST_MEASURE_MS);
  const mostCalls = Math.ceil(limit * MEASURING_CALLS);
  const spent = await spend(tools, trace, mostCalls);
  const from = spent?.refused ?? (await tools.call());
  if (from === null || from.remaining === null) return null;
  await tools.timing.sleep(pauseMs);
  const again = spent === null ? null : await spend(tools, trace, mostCalls);
  if (again !== null) return { from, successes: again.successes, to: again.refused };
  const to = spent === null ? await tools.call() : null;
  return to === null || to.remaining === null || !isSuccessful(to) ? null : { from, successes: 1, to };
}

/** Looks at the bucket when it is full, as often and as far apart as it takes; nothing where that takes too long. */
export async function lookAtFull(
  tools: DrainTools,
  { looks, apartMs, waitMs }: Watch,
): Promise<readonly RateReading[]> {
  const { timing } = tools;
  if (looks * apartMs > LONGEST_WATCH_MS || waitMs > LONGEST_FILL_MS) return [];
  await timing.sleep(waitMs);
  const seen: RateReading[] = [];
  for (let look = 0; look < looks; look += 1) {
    const reading = await tools.call();
    if (reading !== null && isSuccessful(reading)) seen.push(reading);
    // Not in step with what others may do at regular times.
    await timing.sleep(apartMs * (1 + ((look * 7) % 11) / 11));
  }
  return seen;
}

/** Calls until less than one is left; null where that does not come about. */
async function spend(tools: DrainTools, trace: DrainTrace, mostCalls: number) {
  const readings: RateReading[] = [];
  await pour(tools, readings, mostCalls);
  const refused = readings.at(-1);
  if (refused?.isRefused !== true || (refused.remaining ?? 0) >= dearestOf(trace)) return null;
  return { refused, successes: readings.filter(isSuccessful).length };
}
