// Load runs as short as the configuration allows, against plans whose windows last a few seconds.
import type { WorldOptions } from './example-world.ts';

export const BRIEF_LOAD = {
  load: {
    capacity: { startRate: 10, stepSeconds: 1, leastRequests: 10, repeats: 1, width: 0.5, mostSeconds: 10 },
    isolation: { seconds: 1 },
    soak: { rate: 10, seconds: 4 },
    spike: { base: 10, peak: 20, seconds: 2 },
    pressure: { seconds: 10 },
    // A machine that is too busy to tell a window's end would measure a ceiling again and again.
    caps: { ratePerSecond: 100, seconds: 40 },
  },
};

/** The keys of each further plan are spent in turn, and waited for. */
const PLANS = ['standard', 'growth'];

/**
 * A world in which load runs are short: two plans of 60 calls in 4 s. Shorter windows are measured again and again, for a step takes
 * half a second to begin.
 */
export const BRIEF_WORLD = {
  limits: Object.fromEntries(PLANS.map((plan) => [plan, { calls: 60, seconds: 4 }])),
  plans: PLANS,
  isJudgedBefore: false,
} satisfies WorldOptions;
