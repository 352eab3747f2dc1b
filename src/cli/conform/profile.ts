// `--profile ci`: what a gate on every change can afford, and how much it must have tested.
import type { Config, RunOptions } from '../../config/config.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { Consent } from '../../run/plan/consent.ts';
import { selectOperations } from '../../run/plan/selection.ts';

export const PROFILES = ['ci'] as const;
export type Profile = (typeof PROFILES)[number];

/** A key of 100 calls a minute spends 1,400 requests within 14 minutes; writing the reports has the fifteenth. */
const CI = { budget: 1400, timeLimitSeconds: 840, share: 0.8 } as const;

/** The options with the profile's limits where none are given. */
export function profiled<T extends RunOptions>(options: T, profile: Profile | undefined): T {
  if (profile === undefined) return options;
  return {
    ...options,
    budget: options.budget ?? CI.budget,
    timeLimitSeconds: options.timeLimitSeconds ?? CI.timeLimitSeconds,
  };
}

/**
 * The configuration with the profile's gate where it states none: four fifths of the operations in scope that the run
 * may call must have been tested.
 */
export function gated(
  config: Config,
  options: RunOptions,
  descriptions: readonly Description[],
  profile: Profile | undefined,
): Config {
  if (profile === undefined || config.gate.minOperations !== null) return config;
  const catalogue = createCatalogue(descriptions);
  const consent = new Consent(config, catalogue);
  const callable = selectOperations(catalogue, options).filter(({ operation }) => consent.refusal(operation) === null);
  return { ...config, gate: { ...config.gate, minOperations: Math.ceil(CI.share * callable.length) } };
}
