// What comes when nothing else is left to ask: the limits of keys, spent one probe after the other; and what of a
// budget is left to that and to the end of the run.

import type { Timing } from '../../clock/clock.ts';
import type { Conversation } from '../../probes/probe.ts';
import { rateExperiments } from '../../probes/rate/experiments.ts';
import { performAll } from '../perform/pass.ts';
import { ownOf, reachedInOrder, type StageState } from '../perform/state.ts';
import { isFinal } from '../reach/reaching.ts';
import { promiseOf } from './by-yield.ts';
import { NOWHERE } from './shard.ts';

/** The experiments that spend limits, one after the other. */
export function limitExperiments(state: StageState, timing: Timing): readonly Conversation[] {
  const { world, share, rates, wants, selected } = state;
  const reached = reachedInOrder(state);
  const operations = selected.map(({ operation }) => operation);
  const callable = { first: share.performs(NOWHERE), own: ownOf(share, reached), reached, operations };
  const { costs, limits } = rateExperiments(world, callable, rates, timing);
  return [...costs, ...limits.filter(share.performs)].filter(({ clauses }) => wants(clauses));
}

/** Probes of limits call again where a window began just then: so many requests more than they are said to take. */
const SLACK = 10;
/** What comes before takes more than it is said to where something is wrong: this share of what is kept is kept beside it. */
const SPARED = 0.1;

/** Limits are spent when nothing else needs them. */
export async function spendLimits(state: StageState, timing: Timing): Promise<void> {
  const { session, ledger, cuts, budget, performed, clock } = state;
  const all = limitExperiments(state, timing).toSorted((left, right) => left.rank - right.rank);
  const promise = promiseOf(all);
  for (const [index, one] of all.entries()) {
    const better = all.slice(index + 1).filter((later) => promise(later) > promise(one));
    const reserve = (): number => endOf(state) + better.reduce((sum, { cost }) => sum + cost, 0);
    const limits = { budget, width: 1, until: null, now: clock.now, performed, reserve };
    cuts.push(...(await performAll(session, ledger, [one], limits)));
  }
}

/** Requests that limits, last calls and clean-up will take, as things stand and as far as the budget allows. */
export function reserveFor(state: StageState, timing: Timing): number {
  const end = endOf(state) + SLACK;
  const costs = limitExperiments(state, timing).map(({ cost }) => cost);
  return end + keptBack(costs, leftOf(state) - SLACK);
}

/**
 * The same of the limits that promise more faults per request than `perRequest`, the best first. What is kept for them was decided
 * by `leftBefore`, the requests that were left when the first of them was weighed: it is not given away bit by bit.
 */
export function reserveForBetter(state: StageState, timing: Timing, perRequest: number, leftBefore: number): number {
  const all = limitExperiments(state, timing);
  const promise = promiseOf(all);
  const better = all.filter((one) => promise(one) > perRequest).toSorted((one, other) => promise(other) - promise(one));
  const kept = keptBack(
    better.map(({ cost }) => cost),
    Math.min(leftBefore - SLACK, leftOf(state)),
  );
  return endWhileSending(state) + (kept > 0 ? SLACK + Math.ceil(kept * SPARED) : 0) + kept;
}

/** Requests of the budget that nothing at the end of the run needs. */
export function leftOf(state: StageState): number {
  const { session, budget } = state;
  return budget === null ? Number.POSITIVE_INFINITY : budget - session.sent - endOf(state);
}

/** What a request under way may have made is looked for and deleted where its answer never comes. */
const UNDER_WAY = 2;

/** The same while something is sent that may make something. */
export function endWhileSending(state: StageState): number {
  return endOf(state) + UNDER_WAY;
}

/** Requests that last calls and clean-up will take, as things stand. */
export function endOf({ share, selected, world, undoer }: StageState): number {
  const final = share.own.filter((described) => isFinal(described, selected, world.contract)).length;
  return final + undoer.cost();
}

/** What those cost, one after another, that `left` requests allow: for one that cannot be performed nothing is kept back. */
export function keptBack(costs: readonly number[], left: number): number {
  return costs.reduce((kept, cost) => (kept + cost <= left ? kept + cost : kept), 0);
}
