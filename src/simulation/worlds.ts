// The worlds that a run can be put into: what lies between it and the platform, and who else is there.
import type { Restarts } from './outages.ts';

export interface SimulatedWorld {
  /** Of a message, one way. A share of them takes the longer time. ms. */
  readonly latency: {
    readonly least: number;
    readonly most: number;
    readonly slowShare: number;
    readonly slowMs: number;
  };
  /** In the first so many ms every message takes so much longer. */
  readonly warmUp: { readonly forMs: number; readonly extraMs: number };
  /** How far the platform's calendar may be ahead of or behind the run's. ms. */
  readonly skewMs: number;
  /** Of the requests on a connection that was used before: it turns out to be closed, and the platform sees nothing. */
  readonly staleShare: number;
  /** Of all requests: the connection is reset before the platform sees it, or after it acted and before its answer arrives. */
  readonly lostRequests: number;
  readonly lostAnswers: number;
  /** Of the requests that read: they arrive twice. */
  readonly duplicated: number;
  /** What others use of the limit of each of the run's keys: 0 to 1. */
  readonly othersShare: number;
  /** Items that others make or remove on each list that the run looks at. */
  readonly writesPerMinute: number;
  /** null: the platform is never restarted. */
  readonly restarts: Restarts | null;
}

const CALM: SimulatedWorld = {
  latency: { least: 0.5, most: 3, slowShare: 0, slowMs: 0 },
  warmUp: { forMs: 0, extraMs: 0 },
  skewMs: 0,
  staleShare: 0,
  lostRequests: 0,
  lostAnswers: 0,
  duplicated: 0,
  othersShare: 0,
  writesPerMinute: 0,
  restarts: null,
};

/** By name, the calmest first. */
export const WORLDS = {
  calm: CALM,
  distant: { ...CALM, latency: { least: 20, most: 120, slowShare: 0, slowMs: 0 } },
  uneven: { ...CALM, latency: { least: 1, most: 20, slowShare: 0.02, slowMs: 900 } },
  warming: { ...CALM, warmUp: { forMs: 8_000, extraMs: 700 } },
  skewed: { ...CALM, skewMs: 90_000 },
  resetting: { ...CALM, staleShare: 0.01, lostRequests: 0.002, lostAnswers: 0.002 },
  duplicating: { ...CALM, duplicated: 0.01 },
  writing: { ...CALM, writesPerMinute: 60 },
  restarting: { ...CALM, restarts: { everyMs: 15_000, downMs: 800 } },
  'others-1': { ...CALM, othersShare: 0.01 },
  'others-10': { ...CALM, othersShare: 0.1 },
  'others-50': { ...CALM, othersShare: 0.5 },
  rough: {
    ...CALM,
    latency: { least: 5, most: 60, slowShare: 0.005, slowMs: 400 },
    skewMs: 2_000,
    staleShare: 0.002,
    lostRequests: 0.0005,
    lostAnswers: 0.0005,
    othersShare: 0.05,
    writesPerMinute: 6,
  },
} as const satisfies Record<string, SimulatedWorld>;

export type WorldName = keyof typeof WORLDS;

export const WORLD_NAMES = Object.keys(WORLDS) as readonly WorldName[];
