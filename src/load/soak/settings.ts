// Settings of a soak: the configuration's word, and defaults where it says nothing.
import type { Config } from '../../config/config.ts';
import type { Wish } from '../arrivals/affordable.ts';

const SOAK = { rate: 20, seconds: 600 };

/** `load.soak` of the configuration; its schema has checked it. */
export function soakWish({ load }: Pick<Config, 'load'>): Wish {
  const { rate, seconds } = { ...SOAK, ...(load.soak as Partial<typeof SOAK> | undefined) };
  return { ratePerSecond: rate, seconds };
}
