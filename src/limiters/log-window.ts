// Tells how long a sliding log remembers, from every call that met it: one that was admitted shows that what stood in its way had
// been forgotten, one that was refused shows that it had not. Many calls narrow the length down further than the returns
// alone, between which nobody asked. Pure.
import { type Costs, costOf, type Observed } from './observed.ts';

interface Counted {
  readonly earliestMs: number;
  readonly latestMs: number;
  /** Units of all calls until this one, itself included. */
  readonly units: number;
}

/** Senders know whole milliseconds. */
const TICK_MS = 1;

/** Bounds of the length, ms: 0 and infinity where no call tells them; crossed where others used the key, too. */
export function logWindow(
  observed: readonly Observed[],
  limit: number,
  costs: Costs,
): { readonly leastMs: number; readonly mostMs: number } {
  const counted: Counted[] = [];
  for (const one of observed.filter(({ outcome }) => outcome === 'admitted')) {
    const before = counted.at(-1);
    const units = (before?.units ?? 0) + costOf(costs, one.operation);
    // Calls under way together have no known order: the n-th to be counted was so until the latest of the first n.
    const latestMs = Math.max(before?.latestMs ?? 0, one.answeredMs);
    counted.push({ earliestMs: one.sentMs, latestMs, units });
  }
  const room = (one: Observed): number => limit - costOf(costs, one.operation);
  const mosts = observed.map((one) => {
    if (one.outcome !== 'admitted') return Number.POSITIVE_INFINITY;
    const before = unitsUntil(counted, ({ latestMs }) => latestMs < one.sentMs - TICK_MS);
    const gone = lastBeyond(counted, before, room(one));
    return gone === null ? Number.POSITIVE_INFINITY : one.answeredMs + TICK_MS - gone.earliestMs;
  });
  const mostMs = mosts.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  // Calls that others had spent before are not known: they stand in the way of the first own ones.
  const knownFromMs = (observed[0]?.answeredMs ?? 0) + mostMs;
  const leasts = observed.map((one) => {
    if (one.outcome !== 'refused' || one.sentMs <= knownFromMs) return 0;
    const until = unitsUntil(counted, ({ earliestMs }) => earliestMs <= one.answeredMs + TICK_MS);
    const held = lastBeyond(counted, until, room(one));
    return held === null ? 0 : one.sentMs - TICK_MS - held.latestMs;
  });
  return { leastMs: leasts.reduce((most, one) => Math.max(most, one), 0), mostMs };
}

/** Units of the calls up to the last that is told before; calls are in order. */
function unitsUntil(counted: readonly Counted[], isBefore: (one: Counted) => boolean): number {
  let [low, high] = [0, counted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(counted[middle] as Counted)) low = middle + 1;
    else high = middle;
  }
  return counted[low - 1]?.units ?? 0;
}

/** The last call with which, and all until `units`, there is no room; null where there always was. */
function lastBeyond(counted: readonly Counted[], units: number, room: number): Counted | null {
  let [low, high] = [0, counted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (units - ((counted[middle - 1] as Counted | undefined)?.units ?? 0) > room) low = middle + 1;
    else high = middle;
  }
  return counted[low - 1] ?? null;
}
