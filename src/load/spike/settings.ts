// Settings of a spike: the configuration's word, and defaults where it says nothing.
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../config/errors.ts';

/** Rates in requests/s. */
export interface SpikeWish {
  readonly base: number;
  readonly peak: number;
  /** Length of the peak. */
  readonly seconds: number;
}

const BASE = 40;
const MULTIPLE = 5;
const SECONDS = 10;

/** `load.spike` of the configuration; its schema has checked its members. Throws UsageError where the peak is none. */
export function spikeWish({ load }: Pick<Config, 'load'>): SpikeWish {
  const stated = (load.spike ?? {}) as Partial<SpikeWish>;
  const base = stated.base ?? BASE;
  const wish = { base, peak: stated.peak ?? MULTIPLE * base, seconds: stated.seconds ?? SECONDS };
  if (wish.peak > wish.base) return wish;
  throw new UsageError(
    'ASSAY_CONFIG_VALUE_INVALID',
    `load.spike.peak is ${wish.peak}, not above load.spike.base, ${wish.base}`,
    `a peak of ${MULTIPLE * base} is usual`,
  );
}
