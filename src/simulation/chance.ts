// Chance that can be had again: the same seed and subject give the same draws. Each subject has draws of its own, so that what is
// drawn for one does not depend on how often another was asked.
import { hash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Chance {
  /** A number in [0, 1). */
  next(): number;
  /** A number in [least, most). */
  between(least: number, most: number): number;
  /** True in so large a share of all cases. */
  happens(share: number): boolean;
}

export function chanceOf(seed: number, subject: string): Chance {
  const generator = xoroshiro128plus(hash('sha256', `${seed} ${subject}`, 'buffer').readInt32LE(0));
  const next = (): number => uniformFloat64(generator);
  return {
    next,
    between: (least, most) => least + (most - least) * next(),
    happens: (share) => share > 0 && next() < share,
  };
}
