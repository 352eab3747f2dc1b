// How isolation is looked at: the configuration's word, and what holds where it says nothing.
import type { Config } from '../../config/config.ts';

export interface IsolationSettings {
  /** Of each rest and each time of pressure. */
  readonly phaseMs: number;
  /** Times as slow as another key may be answered; null: slowing informs. */
  readonly slowdown: number | null;
}

const SECONDS = 5;

/** The settings of a configuration; its schema has checked them. */
export function isolationSettings({ load }: Pick<Config, 'load'>): IsolationSettings {
  const { seconds = SECONDS, slowdown = null } = (load.isolation ?? {}) as {
    readonly seconds?: number;
    readonly slowdown?: number;
  };
  return { phaseMs: seconds * 1000, slowdown };
}
