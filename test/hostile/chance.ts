// Chance with a seed: the same seed draws the same.

export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  /** Whether it hits, this often. */
  hits(share: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** Source: Mulberry32, a generator of 32 bits of state. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    hits: (share) => next() < share,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
  };
}
