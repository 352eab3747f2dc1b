// Load runs as short as the configuration allows, against plans whose windows last a few seconds.

export const BRIEF_LOAD = {
  load: {
    capacity: { startRate: 10, stepSeconds: 1, leastRequests: 10, repeats: 1, width: 0.5, mostSeconds: 10 },
    isolation: { seconds: 1 },
    soak: { rate: 10, seconds: 4 },
    spike: { base: 10, peak: 20, seconds: 2 },
    pressure: { seconds: 10 },
    caps: { ratePerSecond: 100 },
  },
};

/** 60 calls in 4 s: shorter windows are measured again and again, for a step takes half a second to begin. */
export const BRIEF_LIMITS = Object.fromEntries(
  ['standard', 'growth', 'enterprise'].map((plan) => [plan, { calls: 60, seconds: 4 }]),
);
