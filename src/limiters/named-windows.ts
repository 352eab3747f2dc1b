// Counts the calls of each window that the stated resets name. Measured models rest on the time between calls, which a busy sender or
// a slow way blurs: then the same calls, counted window by window, still tell whether one admitted more than it states. Pure.
import type { Interval } from '../contract/load-part.ts';
import type { ModelKind } from './models.ts';
import { type Costs, costOf, type Observed } from './observed.ts';

/** Summary of the windows that Reset names. */
export interface NamedWindows {
  /** The most units that were admitted in one of them. */
  readonly units: number;
  /** True where a call was refused in one that had admitted so many. */
  readonly isExhausted: boolean;
  /** From one reset to the next. */
  readonly windowMs: Interval;
}

/** Those that may reset at whole windows: whose counts say nothing about which of these it is. A log does where it is spent in floods. */
export const NAMED_KINDS: readonly ModelKind[] = ['fixed-aligned', 'fixed-first-hit', 'sliding-counter', 'sliding-log'];

/** A reset that is told in seconds from now moves by as much. ms. */
const MAX_SPREAD_MS = 1_100;
/** Resets that lie nearer to each other may be one that moves. ms. */
const MIN_APART_MS = 1_900;
/** Minimum share of a window that lies ahead when its first call sees its reset. */
const MIN_SHARE_AHEAD = 0.5;
const MIN_WINDOWS = 2;

interface Window {
  readonly calls: readonly Observed[];
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Null where the resets move with the calls, as those of buckets and logs do, or name fewer than two windows. */
export function windowsNamed(observed: readonly Observed[], costs: Costs): NamedWindows | null {
  const windows = groupedByReset(observed);
  const apart = windows.slice(1).map(({ leastMs }, index) => leastMs - (windows[index]?.leastMs ?? 0));
  const least = Math.min(...apart);
  const isOne = ({ leastMs, mostMs }: Window): boolean => mostMs - leastMs <= MAX_SPREAD_MS;
  if (windows.length < MIN_WINDOWS || !windows.every(isOne) || least < MIN_APART_MS) return null;
  const aheadMs = Math.max(...windows.flatMap(({ calls, leastMs }) => calls.map((one) => leastMs - one.answeredMs)));
  // No reset of a window is farther ahead than the next one follows it: those of a log that is asked now and then are.
  if (aheadMs < MIN_SHARE_AHEAD * least || aheadMs > least + MAX_SPREAD_MS) return null;
  const counts = windows.map(({ calls }) => ({
    units: calls
      .filter(({ outcome }) => outcome !== 'refused')
      .reduce((sum, { operation }) => sum + costOf(costs, operation), 0),
    isRefused: calls.some(({ outcome }) => outcome === 'refused'),
  }));
  const units = Math.max(...counts.map((one) => one.units));
  return {
    units,
    isExhausted: counts.some((one) => one.units === units && one.isRefused),
    windowMs: { least: least - MAX_SPREAD_MS, best: least, most: least + MAX_SPREAD_MS },
  };
}

/** In order; a reset within the spread of the first of a window is the same. */
function groupedByReset(observed: readonly Observed[]): readonly Window[] {
  const told = observed.flatMap((one) =>
    one.reset === null ? [] : [{ one, atMs: (one.reset.earliest + one.reset.latest) / 2 }],
  );
  const windows: { calls: Observed[]; leastMs: number; mostMs: number }[] = [];
  for (const { one, atMs } of told.toSorted((left, right) => left.atMs - right.atMs)) {
    const last = windows.at(-1);
    if (last !== undefined && atMs - last.leastMs <= MIN_APART_MS) {
      last.calls.push(one);
      last.mostMs = atMs;
    } else windows.push({ calls: [one], leastMs: atMs, mostMs: atMs });
  }
  return windows;
}
