// How much a run with `--profile ci` must have tested.
import type { Config, RunOptions } from '../../config/config.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { Consent } from '../../run/plan/consent.ts';
import { selectOperations } from '../../run/plan/selection.ts';
import type { Profile } from '../process/options.ts';

/** Minimum share of the operations that the run may call which must have been tested. */
const CI_SHARE = 0.8;

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
  return { ...config, gate: { ...config.gate, minOperations: Math.ceil(CI_SHARE * callable.length) } };
}
