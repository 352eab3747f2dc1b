// Spends a budget of requests: performs experiments in the order of what is lacking, and keeps requests back for the
// end of the run.
import type { AnyExperiment } from '../../probes/probe.ts';
import { byNeed, isLaw, type Offers, type Turn } from '../plan/by-need.ts';
import { endOf, limitsAbove } from '../plan/limit-experiments.ts';
import { undoingOf } from '../plan/undoing-cost.ts';
import { type Limits, limitsOf, named } from './pass.ts';
import type { StageState } from './state.ts';

/** How the stages of a run perform experiments. */
export interface Manner {
  /** The lane of an experiment: where laws are looked at, those of one lane are performed one after another. */
  readonly lane: (experiment: AnyExperiment) => string;
  /** Epoch ms after which depth begins nothing more; null: no such time. */
  readonly until: number | null;
  readonly pass: (name: string, planned: readonly AnyExperiment[], within: Limits) => Promise<void>;
}

/**
 * Performs offers and limits turn by turn as far as the budget goes, limits before what is worth less than they are; what it does not
 * pay for is booked as untested. What is said to cost what it may cost at most leaves something over: a second `round` spends that.
 */
export async function performByNeed(
  state: StageState,
  offers: Offers,
  round: 'first' | 'second',
  { lane, until, pass }: Manner,
): Promise<void> {
  const names = named([...offers.first, ...offers.further]);
  const within: Limits = { ...limitsOf(state), ...(round === 'first' ? { isTriedAgain: true } : {}) };
  const tried = new Set<string>();
  /** Requests of what is left to the second round. */
  let kept = 0;
  const turns = byNeed(offers, lane);
  // The second round begins with experiments that make the last object allowed: the first one kept requests for them.
  const inOrder = round === 'first' ? turns : [...turns.filter(makesLast), ...turns.filter((turn) => !makesLast(turn))];
  for (const turn of [...inOrder, AT_LAST]) {
    const { experiments, worthPerRequest } = turn;
    for (const limit of limitsAbove(state, worthPerRequest).filter(({ probe }) => !tried.has(probe))) {
      tried.add(limit.probe);
      await pass('limits', [limit], { ...within, width: 1, reserve: () => endOf(state) + kept });
    }
    // Experiments that make the last object allowed wait for requests that are to be refused: some budget is kept for them.
    if (round === 'first' && makesLast(turn)) {
      kept += experiments.reduce((sum, { cost }) => sum + cost, SLIP);
      continue;
    }
    const phase = phaseOf(experiments);
    await pass(phase, experiments, {
      ...{ ...within, names, thrifty: true, undoing: undoingOf, until: phase === 'depth' ? until : null },
      reserve: () => endOf(state) + UNDER_WAY + kept,
      ...(phase === 'laws' ? { lane } : {}),
    });
  }
}

/** Requests kept for one that is under way: an object that it made is looked for and deleted where its answer never comes. */
const UNDER_WAY = 2;
/** A call that is sent once more, and what it makes that has to be deleted, may take so much of what is kept. */
const SLIP = 4;

function makesLast({ experiments }: Turn): boolean {
  return experiments.length > 0 && experiments.every(({ stage }) => stage === 'last');
}

/** All limits that are left are worth more than nothing. */
const AT_LAST: Turn = { experiments: [], worthPerRequest: Number.NEGATIVE_INFINITY };

function phaseOf(experiments: readonly AnyExperiment[]): 'breadth' | 'laws' | 'depth' {
  if (experiments.some(isLaw)) return 'laws';
  return experiments.some(({ stage }) => stage === 'depth') ? 'depth' : 'breadth';
}
