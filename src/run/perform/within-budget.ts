// Spends a budget of requests: performs experiments in the order of what they are expected to show, and keeps requests back for what
// comes at the end of the run.
import type { Timing } from '../../clock/clock.ts';
import type { Conversation, Experiment } from '../../probes/probe.ts';
import { byYield, isLaw, type Offers } from '../plan/by-yield.ts';
import { endWhileSending, leftOf, reserveForBetter } from '../plan/limit-experiments.ts';
import { undoingOf } from '../plan/undoing-cost.ts';
import type { Limits } from './pass.ts';
import { named } from './performed.ts';
import type { StageState } from './state.ts';

/** How the stages of a run perform experiments. */
export interface Manner {
  /** What shares a lane is performed one after another where laws are looked at. */
  readonly lane: (experiment: Experiment | Conversation) => string;
  /** Epoch ms after which depth begins nothing more; null: no such time. */
  readonly until: number | null;
  readonly pass: (name: string, planned: readonly (Experiment | Conversation)[], within: Limits) => Promise<void>;
}

/**
 * Performs the offers turn by turn as far as the budget goes; what it does not pay for is booked as untested. `limits`: those that
 * promise more faults per request than a turn keep their requests; null: they are spent already, and what they left is spent here.
 */
export async function performByYield(
  state: StageState,
  limits: Timing | null,
  offers: Offers,
  { lane, until, pass }: Manner,
): Promise<void> {
  const { budget, width, performed, clock } = state;
  const names = named([...offers.first, ...offers.further]);
  let leftBefore = leftOf(state);
  for (const { experiments, perRequest } of byYield(offers, lane)) {
    if (perRequest === null) leftBefore = leftOf(state);
    const phase = phaseOf(experiments);
    await pass(phase, experiments, {
      ...{ budget, width, performed, names, now: clock.now, thrifty: true, undoing: undoingOf },
      until: phase === 'depth' ? until : null,
      reserve: () =>
        perRequest === null || limits === null
          ? endWhileSending(state)
          : reserveForBetter(state, limits, perRequest, leftBefore),
      ...(phase === 'laws' ? { lane } : {}),
    });
  }
}

function phaseOf(experiments: readonly (Experiment | Conversation)[]): 'breadth' | 'laws' | 'depth' {
  if (experiments.some(isLaw)) return 'laws';
  return experiments.some(({ stage }) => stage === 'depth') ? 'depth' : 'breadth';
}
