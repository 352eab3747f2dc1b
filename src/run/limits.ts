// What comes when nothing else is left to ask: the limits of keys, spent probe by probe; and what of a budget is left to
// that and to the end of the run.
import type { Conversation } from '../probes/probe.ts';
import type { Timing } from '../probes/rate/asking.ts';
import { rateExperiments } from '../probes/rate/experiments.ts';
import { cleanUpCost } from './clean-up.ts';
import { performAll } from './pass.ts';
import { isFinal } from './reaching.ts';
import { NOWHERE } from './shard.ts';
import { ownOf, reachedInOrder, type StageState } from './state.ts';

function limitExperiments(state: StageState, timing: Timing): readonly Conversation[] {
  const { world, share, rates, wants, selected } = state;
  const reached = reachedInOrder(state);
  const operations = selected.map(({ operation }) => operation);
  const callable = { first: share.performs(NOWHERE), own: ownOf(share, reached), reached, operations };
  const { costs, limits } = rateExperiments(world, callable, rates, timing);
  return [...costs, ...limits.filter(share.performs)].filter(({ clauses }) => wants(clauses));
}

/** Those of equal rank do not touch each other: so many are under way at once. */
const SIDE_BY_SIDE = 2;

/** Limits are spent when nothing else needs them. */
export async function spendLimits(state: StageState, timing: Timing): Promise<void> {
  const { session, ledger, cuts, budget, performed } = state;
  const limits = { budget, width: SIDE_BY_SIDE, until: null, now: Date.now, performed };
  cuts.push(...(await performAll(session, ledger, limitExperiments(state, timing), limits)));
}

/** Requests that limits, last calls and clean-up will take, as things stand. */
export function reserveFor(state: StageState, timing: Timing): number {
  const { share, selected, world, catalogue, creations } = state;
  const final = share.own.filter((described) => isFinal(described, selected, world.contract)).length;
  const limits = limitExperiments(state, timing).reduce((total, { cost }) => total + cost, 0);
  return limits + final + cleanUpCost(catalogue, creations);
}
