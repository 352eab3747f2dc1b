// Settings of the search for capacity: the configuration's word, and defaults where it says nothing.
import type { Config } from '../../config/config.ts';
import { capsOf } from '../safety.ts';
import type { Objectives } from './objectives.ts';
import type { SearchOptions } from './search.ts';

/** `load.objectives` of the configuration; its schema has checked it. */
interface StatedObjectives extends Partial<Objectives> {
  /** Most that latency may rise over a soak, as a share. */
  readonly drift?: number;
  /** Most seconds after a spike until the objectives hold again. */
  readonly recoverySeconds?: number;
  /** The platform must bear as much: the run fails below it. requests/s */
  readonly minRps?: number;
}

const OBJECTIVES: Objectives = { p99Ms: 500, errorRate: 0.01, limitedRate: 0.01 };
const SEARCH = { startRate: 100, width: 0.05, repeats: 3, stepSeconds: 4, leastRequests: 320, mostSeconds: 80 };

export interface CapacitySettings {
  readonly objectives: Objectives;
  /** True where p99 or errors are the configuration's word: only then missing them fails a run. */
  readonly stated: boolean;
  /** null: a drift is told, and not judged. */
  readonly drift: number | null;
  /** null: only never recovering is judged. */
  readonly recoverySeconds: number | null;
  /** null: capacity informs, and does not judge. */
  readonly minRps: number | null;
  readonly search: SearchOptions;
  /** Weights by operation key; empty: every read alike. */
  readonly mix: Readonly<Record<string, number>>;
}

/** The settings of a configuration. */
export function capacitySettings(config: Pick<Config, 'load'>): CapacitySettings {
  const stated = (config.load.objectives ?? {}) as StatedObjectives;
  const { minRps = null, drift = null, recoverySeconds = null, ...objectives } = stated;
  const search = (config.load.capacity ?? {}) as Partial<SearchOptions>;
  const caps = capsOf(config);
  return {
    objectives: { ...OBJECTIVES, ...objectives },
    stated: stated.p99Ms !== undefined || stated.errorRate !== undefined,
    ...{ minRps, drift, recoverySeconds },
    search: {
      ...{ ...SEARCH, ...search },
      mostRate: caps.ratePerSecond,
      mostSeconds: Math.min(caps.seconds, search.mostSeconds ?? SEARCH.mostSeconds),
    },
    mix: (config.load.mix ?? {}) as Readonly<Record<string, number>>,
  };
}
