// The limits of keys, spent one probe after the other when nothing else is left to ask, and within a budget where they promise more
// than what is left; and what the end of the run takes.

import type { Conversation } from '../../probes/probe.ts';
import { rateExperiments } from '../../probes/rate/experiments.ts';
import { limitsOf, performAndTell } from '../perform/pass.ts';
import { ownOf, reachedInOrder, type StageState } from '../perform/state.ts';
import { isFinal } from '../reach/reaching.ts';
import { worthOf } from './by-need.ts';
import { NOWHERE } from './shard.ts';

/** The experiments that spend limits, one after the other. */
export function limitExperiments(state: StageState): readonly Conversation[] {
  const { world } = state;
  const { share, wants, selected } = state.scope;
  const { rates } = state.books;
  const reached = reachedInOrder(state);
  const operations = selected.map(({ operation }) => operation);
  const callable = { first: share.performs(NOWHERE), own: ownOf(share, reached), reached, operations };
  const { costs, limits } = rateExperiments(world, callable, rates, world.timing);
  return [...costs, ...limits.filter(share.performs)].filter(({ clauses }) => wants(clauses));
}

/** Limits are spent when nothing else needs them, where no budget bounds the run. */
export async function spendLimits(state: StageState): Promise<void> {
  const { session, fit } = state;
  const all = limitExperiments(state).toSorted((left, right) => left.rank - right.rank);
  for (const one of all) {
    const isOver = fit === null ? {} : { isOver: (planned: number) => fit.isOver('limits', planned) };
    await performAndTell(session, [one], { ...limitsOf(state), width: 1, ...isOver });
  }
}

/** Limits that are worth more per request than this, as things stand, the worthiest first; none where it is null. */
export function limitsAbove(state: StageState, worthPerRequest: number | null): readonly Conversation[] {
  if (worthPerRequest === null) return [];
  return limitExperiments(state)
    .filter((one) => worthOf(one) > worthPerRequest)
    .toSorted((one, other) => worthOf(other) - worthOf(one));
}

/** Requests that last calls and clean-up will take, as things stand. */
export function endOf({ scope: { share, selected }, world, undoer }: StageState): number {
  const final = share.own.filter((described) => isFinal(described, selected, world.contract)).length;
  return final + undoer.cost();
}
