// How long after a peak until the objectives hold again, from counts of short windows. Pure.
import type { Recovery } from '../../contract/load-part.ts';
import { type Objectives, rateInterval } from '../capacity/objectives.ts';

/** What became of the requests that were due in a window. */
export interface WindowCounts {
  readonly count: number;
  /** Slower than the objective, or never sent since all senders waited. */
  readonly slow: number;
  readonly errors: number;
  readonly limited: number;
}

/** A 99th percentile is kept while not more than this share is slower. */
const SLOW_SHARE = 0.01;

/**
 * Seconds from the end of the peak on; null where the objectives do not hold again. `best`: the first window that keeps
 * them, as do all that follow together. Before it came a window that did not keep them, so that it was not earlier than
 * that one's begin (`least`); from `most` on it is beyond doubt – null where the windows are too few to tell.
 */
export function recoveryOf(
  windows: readonly WindowCounts[],
  widthSeconds: number,
  objectives: Pick<Objectives, 'errorRate' | 'limitedRate'>,
): Recovery | null {
  const allowed = { slow: SLOW_SHARE, errors: objectives.errorRate, limited: objectives.limitedRate };
  const rest = windows.map((_, at) => summed(windows.slice(at)));
  const best = windows.findIndex((one, at) => !isBad(one, allowed) && keeps(rest[at] ?? one, allowed));
  if (best < 0) return null;
  const sure = rest.findIndex((one, at) => at >= best && surelyKeeps(one, allowed));
  return {
    least: Math.max(0, best - 1) * widthSeconds,
    best: best * widthSeconds,
    most: sure < 0 ? null : sure * widthSeconds,
  };
}

type Allowed = Omit<WindowCounts, 'count'>;

const CLASSES = ['slow', 'errors', 'limited'] as const;

/** Whether more than is allowed went wrong, beyond chance; a window without a request tells nothing good. */
function isBad(one: WindowCounts, allowed: Allowed): boolean {
  return one.count === 0 || CLASSES.some((name) => rateInterval(one[name], one.count).least > allowed[name]);
}

function keeps(one: WindowCounts, allowed: Allowed): boolean {
  return one.count > 0 && CLASSES.every((name) => one[name] <= allowed[name] * one.count);
}

function surelyKeeps(one: WindowCounts, allowed: Allowed): boolean {
  return one.count > 0 && CLASSES.every((name) => rateInterval(one[name], one.count).most <= allowed[name]);
}

function summed(windows: readonly WindowCounts[]): WindowCounts {
  const sum = (name: keyof WindowCounts): number => windows.reduce((total, one) => total + one[name], 0);
  return { count: sum('count'), slow: sum('slow'), errors: sum('errors'), limited: sum('limited') };
}
