// In which order the operations of a mix arrive: each as often as its weight says, spread evenly. Pure.

import { operationMatcher } from '../../contract/operation-glob.ts';

const MAX_SLOTS = 1000;

/** Indexes into `weights`, over and over: a smooth weighted round-robin of at most a thousand turns. */
export function mixedOrder(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const least = Math.min(...weights);
  const slots = Math.min(MAX_SLOTS, Math.max(weights.length, Math.round(total / least)));
  const credit = weights.map(() => 0);
  return Array.from({ length: slots }, () => {
    let best = 0;
    for (const [at, weight] of weights.entries()) {
      credit[at] = (credit[at] ?? 0) + weight;
      if ((credit[at] ?? 0) > (credit[best] ?? 0)) best = at;
    }
    credit[best] = (credit[best] ?? 0) - total;
    return best;
  });
}

/** The weight of an operation in a mix of globs: that of the first that matches; null where none does. */
export function weightIn(mix: Readonly<Record<string, number>>, operationKey: string): number | null {
  const glob = Object.keys(mix).find((name) => operationMatcher([name])(operationKey));
  return glob === undefined ? null : (mix[glob] ?? null);
}
