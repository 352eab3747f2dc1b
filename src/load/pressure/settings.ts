// What presses while laws are probed: the configuration's word, and what holds where it says nothing.
import type { Config } from '../../config/config.ts';

export interface PressureWish {
  /** saturated: other keys call at a high rate. limited: the probing key's own limit is spent over and over. */
  readonly mode: 'saturated' | 'limited';
  /** requests/s; null: what the mode makes of what is known of the limit. */
  readonly rate: number | null;
  /** Nothing more is probed after so long. */
  readonly seconds: number;
}

const PRESSURE: PressureWish = { mode: 'saturated', rate: null, seconds: 120 };
const SATURATING = 100;
/** Times its limit that a limited key is asked: about a fifth of what is sent is refused. */
const EXCESS = 1.25;
/** Each refusal costs the probes up to a window. */
const LONGEST_WINDOW_SECONDS = 60;

/** `load.pressure` of the configuration; its schema has checked it. */
export function pressureWish({ load }: Pick<Config, 'load'>): PressureWish {
  return { ...PRESSURE, ...(load.pressure as Partial<PressureWish> | undefined) };
}

/** The key's limit as its headers tell it. */
export interface StatedLimit {
  readonly limit: number | null;
  readonly windowSeconds: number | null;
}

/** The rate of arrivals; a text says why there is none. */
export function pressingRate({ mode, rate }: PressureWish, stated: StatedLimit | null): number | string {
  if (mode === 'saturated') return rate ?? SATURATING;
  const windowSeconds = stated?.windowSeconds ?? null;
  if (windowSeconds !== null && windowSeconds > LONGEST_WINDOW_SECONDS)
    return `the limit's window is ${windowSeconds} s: probes that are refused would wait for it each time`;
  if (rate !== null) return rate;
  if (stated?.limit == null || windowSeconds === null)
    return 'no header tells the limit and its window: set load.pressure.rate above the limit';
  return Math.max(1, (EXCESS * stated.limit) / windowSeconds);
}
