// Runs experiments stage by stage and rank by rank: the widest reach first, cut by budget and time where they end.

import { hash } from 'node:crypto';
import { plural } from '../../contract/numbers.ts';
import type { AnyExperiment, Experiment } from '../../probes/probe.ts';
import type { Cut } from './events.ts';
import { FITTED } from './fit.ts';
import { lanesBy, runLanes } from './lanes.ts';
import type { Session } from './session.ts';
import type { StageState } from './state.ts';

export interface Limits {
  /** Most requests of the run; null: none. */
  readonly budget: number | null;
  /** Requests of the budget that are left to what comes after this pass; asked before each wave. Absent: none. */
  readonly reserve?: () => number;
  /** Requests that it may take in the end to undo what an experiment does. Absent: none. */
  readonly undoing?: (experiment: AnyExperiment) => number;
  readonly width: number;
  /** Epoch ms after which no further experiment of this pass starts; null: none. */
  readonly until: number | null;
  readonly now: () => number;
  /**
   * Tells whether the pass is over though something is left of it, so that the run fits its time; `planned`: requests
   * left of it. Absent: it never is.
   */
  readonly isOver?: (planned: number) => boolean;
  /** How many of the requests that are left of the pass are sent before it is over. Absent: all. */
  readonly keeps?: (planned: number) => number;
  /** Names of the experiments performed, here or in the run that this one goes on from: they are not performed again. */
  readonly performed: Set<string>;
  /** The lane of an experiment: those of one lane run one after another; absent: each operation has a lane of its own. */
  readonly lane?: (experiment: AnyExperiment) => string;
  /** Set: while a wave leaves some of the budget over, more of that wave is performed, for costs are stated for the worst case. */
  readonly thrifty?: true;
  /** The names of the experiments, where several passes share them. Absent: they are named wave by wave. */
  readonly names?: ReadonlyMap<AnyExperiment, string>;
  /** Set: what is cut is tried again by a later pass, and told then. */
  readonly isTriedAgain?: true;
}

/** The limits of any pass of the run. */
export function limitsOf({ input: { options, performed, clock, width } }: StageState): Limits {
  return { budget: options.budget, width, until: null, now: clock.now, performed };
}

function ownLane({ service, operation, probe }: AnyExperiment): string {
  return `${service} ${operation ?? probe}`;
}

/** A pass under way. */
interface Pass {
  readonly session: Session;
  readonly limits: Limits;
  /** Experiments whose turn came too late. */
  readonly late: AnyExperiment[];
  /** Requests that are left of it. */
  planned: number;
}

/**
 * Performs the experiments in waves of equal rank. Before each wave what the budget does not cover is cut, from the end,
 * and its clauses booked as untested by `budget`. Returns what was cut.
 */
export async function performAll(
  session: Session,
  experiments: readonly AnyExperiment[],
  limits: Limits,
): Promise<readonly Cut[]> {
  const cuts: Cut[] = [];
  const waves = [...Map.groupBy(experiments, (experiment) => experiment.rank).entries()].sort(
    ([left], [right]) => left - right,
  );
  const planned = waves.reduce((cost, [, wave]) => cost + costOf([...open(wave, limits).keys()]), 0);
  const pass: Pass = { session, limits, late: [], planned };
  tellPlanned(pass);
  for (const [, wave] of waves) {
    const rest = await performWave(pass, wave);
    if (rest.length > 0) cuts.push(cut(session, rest, 'budget'));
  }
  if (pass.late.length > 0) cuts.push(cut(session, pass.late, limits.isOver === undefined ? 'time-limit' : 'fitted'));
  session.events.tell({ kind: 'planned', requests: null, untilMs: null });
  return cuts;
}

/** The same, and tells what was cut. */
export async function performAndTell(
  session: Session,
  experiments: readonly AnyExperiment[],
  limits: Limits,
): Promise<void> {
  const cuts = await performAll(session, experiments, limits);
  if (limits.isTriedAgain !== true) for (const cut of cuts) session.events.tell({ kind: 'cut', ...cut });
}

function tellPlanned({ session, limits: { keeps, until }, planned }: Pass): void {
  session.events.tell({ kind: 'planned', requests: keeps?.(planned) ?? planned, untilMs: until });
}

/** Performs the wave's experiments; resolves with those that the budget does not cover. */
async function performWave(pass: Pass, wave: readonly AnyExperiment[]): Promise<readonly AnyExperiment[]> {
  const { session, limits } = pass;
  const names = open(wave, limits);
  const { budget, reserve = () => 0, undoing = () => 0 } = limits;
  const weigh = (experiment: AnyExperiment): number => experiment.cost + undoing(experiment);
  let rest: readonly AnyExperiment[] = [...names.keys()];
  for (let isFirst = true; isFirst || (limits.thrifty === true && rest.length > 0); isFirst = false) {
    const left = budget === null ? null : budget - session.sent - reserve();
    const { kept, dropped } = await affordable(session, rest, left, weigh);
    rest = dropped;
    if (kept.length === 0) break;
    await runLanes(lanesBy(kept, limits.lane ?? ownLane), limits.width, async (experiment) => {
      if (await performOne(pass, experiment)) limits.performed.add(names.get(experiment) ?? '');
    });
  }
  return rest;
}

/** The experiments of one wave that are not performed yet, with their names: of all waves there may be a hundred thousand. */
function open(wave: readonly AnyExperiment[], { performed, names }: Limits): ReadonlyMap<AnyExperiment, string> {
  const own = names === undefined ? named(wave) : wave.map((one) => [one, names.get(one) ?? ''] as const);
  return new Map([...own].filter(([, name]) => !performed.has(name)));
}

/** Performs the experiment; resolves with false where its turn came too late. */
async function performOne(pass: Pass, experiment: AnyExperiment): Promise<boolean> {
  const { session, limits, late, planned } = pass;
  pass.planned = Math.max(0, planned - experiment.cost);
  tellPlanned(pass);
  if ((limits.until !== null && limits.now() > limits.until) || limits.isOver?.(planned) === true) {
    late.push(experiment);
    return false;
  }
  const { traffic, ledger } = session.books;
  if (!traffic.hangs(experiment)) {
    await session.perform(experiment);
    return true;
  }
  for (const clause of experiment.clauses)
    ledger.bookUntested(clause, experiment, 'precondition', traffic.silence(experiment));
  return true;
}

/** The experiments of the wave that the budget pays for. All operations are cut alike: each one's first before any second. */
async function affordable(
  session: Session,
  wave: readonly AnyExperiment[],
  left: number | null,
  weigh: (experiment: AnyExperiment) => number,
): Promise<Record<'kept' | 'dropped', readonly AnyExperiment[]>> {
  if (left === null || wave.reduce((total, one) => total + weigh(one), 0) <= left) return { kept: wave, dropped: [] };
  const fair = inTurns(wave);
  let [spent, end] = [0, 0];
  for (const experiment of fair) {
    if (session.stands(experiment)) spent += weigh(experiment);
    if (spent > left) break;
    end += 1;
    await session.turn();
  }
  return { kept: fair.slice(0, end), dropped: fair.slice(end) };
}

/**
 * Pairs every experiment of a pass with its name; equal ones are told apart by their turn. Another run goes on by these names where this one
 * stopped: they say what an experiment is, not what it sent.
 */
export function named(experiments: readonly AnyExperiment[]): ReadonlyMap<AnyExperiment, string> {
  const turns = new Map<string, number>();
  return new Map(
    experiments.map((experiment) => {
      const { stage, rank, service, operation, probe } = experiment;
      const kind = `${stage} ${rank} ${service} ${operation} ${probe}`;
      const turn = (turns.get(kind) ?? 0) + 1;
      turns.set(kind, turn);
      return [experiment, hash('sha256', `${kind} ${turn}`, 'base64url').slice(0, 12)];
    }),
  );
}

function costOf(experiments: readonly AnyExperiment[]): number {
  return experiments.reduce((total, { cost }) => total + cost, 0);
}

/** Each operation's first, then each one's second, and so on. */
export function inTurns<T extends AnyExperiment>(wave: readonly T[]): readonly T[] {
  const taken = new Map<string, number>();
  const rounds: T[][] = [];
  for (const experiment of wave) {
    const key = ownLane(experiment);
    const turn = taken.get(key) ?? 0;
    taken.set(key, turn + 1);
    rounds[turn] ??= [];
    rounds[turn].push(experiment);
  }
  return rounds.flat();
}

function cut(
  session: Session,
  experiments: readonly AnyExperiment[],
  reasonCode: 'budget' | 'time-limit' | 'fitted',
): Cut {
  const code = reasonCode === 'fitted' ? 'time-limit' : reasonCode;
  for (const experiment of experiments) {
    const reason = reasonCode === 'budget' ? overBudget(experiment) : LATE[reasonCode];
    for (const clause of experiment.clauses) session.books.ledger.bookUntested(clause, experiment, code, reason);
  }
  return { reasonCode, experiments: experiments.length };
}

const LATE = { 'time-limit': 'the time limit was reached', fitted: FITTED } as const;

/** From so many requests on an experiment is one that a reader may want to know the price of. */
const DEAR = 30;

function overBudget({ cost }: AnyExperiment): string {
  return cost < DEAR
    ? 'the request budget was spent on what came before'
    : `needs about ${plural(cost, 'request')}; the budget had fewer left`;
}

/**
 * Every clause's first experiment moved to the front, and behind these its first in every resource: whatever is cut later,
 * each clause was looked at once, and in as many places as could be.
 */
export function clausesFirst(
  experiments: readonly Experiment[],
  resourceOf: (experiment: Experiment) => string,
): readonly Experiment[] {
  const seen = new Set<string>();
  const opens = (experiment: Experiment, place: string): boolean => {
    const names = experiment.clauses.map((clause) => `${clause} ${place}`);
    const isFirst = names.some((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isFirst;
  };
  return experiments.map((experiment) => {
    const isFirstThere = opens(experiment, resourceOf(experiment));
    if (opens(experiment, '')) return { ...experiment, rank: 0 };
    return isFirstThere ? { ...experiment, rank: 1 } : experiment;
  });
}
