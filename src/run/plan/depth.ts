// How far depth goes: repetition, and what each operation may cost where neither a budget nor a time limit says so.
// Both depend on how many operations the whole run has, never on time or shard: the same seed sends the same requests.
import { isOpenStream } from '../../facts/answered.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Experiment } from '../../probes/probe.ts';
import { repeatExperiment } from '../../probes/reach/depth.ts';
import type { Reached, World } from '../../probes/world.ts';
import { inTurns } from '../perform/pass.ts';
import { spotKey } from './clause-target.ts';

/** Repetition finds what shows once in seven calls: with the first look, eight looks at each. */
const ROUNDS = 7;
/** Repetition is cut first where there are many operations: so many requests, at so many an operation and round. */
const MOST_REPEATED = 20_000;
const REPEATED_PER_OPERATION = 10;
const FIRST_REPETITION_RANK = 100;
/** Maximum number of requests of depth on all operations together. */
const MOST_DEPTH = 30_000;
/** Number of successes of an operation that show what one answer in seven shows. */
const OFTEN = 7;

/** The maximum cost of depth on each operation of a run over so many. */
export function depthPerOperation(operations: number): number {
  return Math.ceil(MOST_DEPTH / Math.max(operations, 1));
}

/** The lean experiments, and of depth what comes first on each operation and costs no more than `most`; nothing is held on no operation. */
export function heldTo(most: number, experiments: readonly Experiment[]): readonly Experiment[] {
  return most === Number.POSITIVE_INFINITY ? experiments : withLean(experiments, paidBy(most, experiments).kept);
}

/**
 * All that `heldTo` looks at: on each operation what comes first, up to and with the first that costs too much. What it
 * keeps of these, should fewer of all be lean in the end, is what it keeps of all.
 */
export function lookedAt(most: number, experiments: readonly Experiment[]): readonly Experiment[] {
  return most === Number.POSITIVE_INFINITY ? experiments : withLean(experiments, paidBy(most, experiments).seen);
}

/** The experiments of depth that `most` pays for on each operation, and those that were looked at for that. */
function paidBy(most: number, experiments: readonly Experiment[]): Readonly<Record<'kept' | 'seen', Set<Experiment>>> {
  const spent = new Map<string, number>();
  const [kept, seen] = [new Set<Experiment>(), new Set<Experiment>()];
  for (const experiment of depthByRank(experiments)) {
    const key = spotKey(experiment);
    const before = spent.get(key) ?? 0;
    if (before > most && experiment.operation !== null) continue;
    seen.add(experiment);
    const cost = before + experiment.cost;
    const isWithin = cost <= most || experiment.operation === null;
    if (isWithin && experiment.stands?.() === false) continue;
    spent.set(key, cost);
    if (isWithin) kept.add(experiment);
  }
  return { kept, seen };
}

function withLean(experiments: readonly Experiment[], depth: ReadonlySet<Experiment>): readonly Experiment[] {
  return experiments.filter((experiment) => experiment.stage !== 'depth' || depth.has(experiment));
}

function depthByRank(experiments: readonly Experiment[]): readonly Experiment[] {
  return experiments.filter(({ stage }) => stage === 'depth').toSorted((left, right) => left.rank - right.rank);
}

/**
 * The lean experiments, and of depth what the budget could pay for if each rank had all of it: what comes after is never
 * sent and need not be held in memory. Each operation's first comes before any one's second, as in a pass. null: no budget.
 */
export function heldToBudget(budget: number | null, experiments: readonly Experiment[]): readonly Experiment[] {
  if (budget === null) return experiments;
  const kept = new Set<Experiment>();
  const depth = experiments.filter(({ stage }) => stage === 'depth');
  for (const wave of Map.groupBy(depth, ({ rank }) => rank).values()) {
    let spent = 0;
    for (const experiment of inTurns(wave)) {
      if (spent > budget) break;
      spent += experiment.cost;
      kept.add(experiment);
    }
  }
  return withLean(experiments, kept);
}

/** The experiments of the lean pass, and each operation's own call, again and again; one rank a round. `operations`: of the whole run. */
export function repetitions(
  world: World,
  reached: readonly Reached[],
  experiments: readonly Experiment[],
  operations: number,
): readonly Experiment[] {
  // A stream without an end costs a second each time.
  const streaming = new Set(reached.filter(({ proof }) => proof !== null && isOpenStream(proof)));
  const streams = new Set(
    [...streaming].map(({ operation: { service, key } }) => spotKey({ service, operation: key })),
  );
  const again = experiments.filter(
    (experiment) => experiment.stage === 'lean' && experiment.repeatable && !streams.has(spotKey(experiment)),
  );
  const callable = reached.filter(
    (one) => one.proof !== null && !streaming.has(one) && mayRepeat(world, one.operation),
  );
  const rounds = Math.min(ROUNDS, Math.floor(MOST_REPEATED / (REPEATED_PER_OPERATION * Math.max(operations, 1))));
  return Array.from({ length: rounds }, (_, round) =>
    [...callable.map((one) => repeatExperiment(world, one, round)), ...again].map((experiment) => ({
      ...experiment,
      stage: 'depth' as const,
      // An experiment without a cost of its own used an answer that was there; this time it asks for one.
      cost: Math.max(1, experiment.cost),
      rank: FIRST_REPETITION_RANK + round,
    })),
  ).flat();
}

/**
 * Where a budget bounds the run: calls of what can be read, as many as it is short of the successes that repetition would come to. A call
 * is not sent where others have succeeded there since.
 */
export function seldomRead(
  world: World,
  reached: readonly Reached[],
  successesOn: (operation: Operation) => number,
): readonly Experiment[] {
  const readable = reached.filter(({ proof, operation }) => proof !== null && operation.method === 'GET');
  return readable.flatMap((one) =>
    Array.from({ length: Math.max(0, OFTEN - successesOn(one.operation)) }, (_, round) => ({
      ...repeatExperiment(world, one, round),
      rank: FIRST_REPETITION_RANK,
      stands: () => successesOn(one.operation) < OFTEN,
    })),
  );
}

/** Creating again and again is for local targets, and for what can be deleted; elsewhere only reading is repeated. */
function mayRepeat(world: World, operation: Operation): boolean {
  if (operation.method === 'GET') return true;
  return operation.method !== 'DELETE' && world.environment === 'local' && !world.lasts(operation);
}
