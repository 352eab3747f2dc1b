// The world of probes, from the configuration: whose keys there are and which of them ordinary calls use.

import type { Config, RunOptions } from '../../config/config.ts';
import { listPlaces } from '../../config/list-places.ts';
import type { World } from '../../probes/world.ts';

/** The plan with the highest ceiling first: ordinary calls should not exhaust the smallest one. */
const PLAN_ORDER = ['enterprise', 'growth', 'standard'];

/** A world in which nothing is known of the target yet. */
export function worldOf(
  config: Config,
  options: RunOptions,
  runId: string,
  around: Pick<World, 'knowledge' | 'timing' | 'lasts' | 'refusal' | 'isPayment' | 'limited'>,
): World {
  const rank = (plan: string): number => (PLAN_ORDER.includes(plan) ? PLAN_ORDER.indexOf(plan) : PLAN_ORDER.length);
  const keys = config.keys.toSorted((left, right) => rank(left.plan) - rank(right.plan));
  return {
    seed: options.seed,
    nonce: runId,
    contract: config.contract,
    terms: config.stated.terms,
    environment: config.target.environment,
    mutations: config.mutations === 'allow',
    mainKey: keys[0] ?? null,
    keys,
    hasLocked: config.credentials.locked !== null,
    hasExpired: config.credentials.expired !== null,
    invalidTokens: config.invalidTokens,
    fixtures: config.fixtures,
    ...around,
    isBrief: options.budget !== null,
    listPlace: listPlaces(config.lists),
    token: (key) => config.keys.find((candidate) => candidate.name === key)?.token ?? null,
  };
}
