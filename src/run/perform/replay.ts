// One finding of an earlier run looked at again: the same machinery as for a whole run, narrowed to the experiments that
// showed it and to what these need.
import { DESCRIPTION_CHECKS } from '../../checks/description-checks.ts';
import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import type { Replayed } from '../../config/config.ts';
import { isOwnClauseId } from '../../contract/own-clauses.ts';
import type { ExperimentName, PropertyCase } from '../../contract/report.ts';
import { printOf } from '../../grading/fingerprint.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { idempotencyExperiments } from '../../probes/idempotency/family.ts';
import { lifeExperiments } from '../../probes/life/family.ts';
import { paginationExperiments } from '../../probes/pagination/experiments.ts';
import type { AnyExperiment, Stage } from '../../probes/probe.ts';
import { DRAIN } from '../../probes/rate/drain-probe.ts';
import { rateExperiments } from '../../probes/rate/experiments.ts';
import { REPETITION } from '../../probes/reach/depth.ts';
import { UNKNOWN_PATH } from '../../probes/requests/platform-places.ts';
import type { World } from '../../probes/world.ts';
import type { Spot } from '../plan/clause-target.ts';
import { repetitions } from '../plan/depth.ts';
import { allExperiments } from '../plan/experiments.ts';
import type { Share } from '../plan/shard.ts';
import { companionsOf, withProducers } from '../reach/order.ts';
import { isFinal, keyOf, reachAll } from '../reach/reaching.ts';
import { readable } from '../smoke/smoke.ts';
import { type RunScope, reachedInOrder, type StageState } from './state.ts';

/** Maximum number of requests for a finding that does not show at once; more for one that showed only sometimes. */
const LOOKS = { steady: 30, intermittent: 60 } as const;
const LONGEST_REST_MS = 60_000;
const STAGES: readonly Stage[] = ['reach', 'lean', 'quiet', 'depth', 'last'];
/** The drain asks under every key: what the books conclude over all keys rests on it. */
const NOWHERE = { service: null, operation: null, companions: 'none' } as const;
const OVER_ALL_KEYS: readonly string[] = ['RATE-08', 'RATE-10', 'RATE-11'];

/** The share of a replay, which calls, books and tells for the finding alone. */
export function replayShare(world: World, catalogue: Catalogue, replayed: Replayed): Share {
  const { finding } = replayed;
  const own = describedAs(catalogue, finding);
  return {
    own,
    called: withProducers(world, catalogue, [...own, ...neededBy(catalogue, replayed)]),
    books: (spot) => concerns(spot, replayed),
    notes: (fingerprint) => fingerprint === finding.fingerprint,
    isOfOneFinding: true,
    performs: () => true,
  };
}

/** Tells whether a judgement is about the finding. Where nothing is wrong, some are made on the whole instead of an operation. */
function concerns(spot: Spot, replayed: Replayed): boolean {
  const { service, operation, clause } = replayed.finding;
  if (isOfDescription(replayed)) return spot.service === service;
  return (
    (spot.service === service && spot.operation === operation) ||
    (clause.startsWith('RATE-') && spot.operation === null)
  );
}

function describedAs(
  catalogue: Catalogue,
  { service, operation }: Omit<ExperimentName, 'probe'>,
): readonly Described[] {
  const found = catalogue.operation(operation, service);
  return found === null ? [] : [found];
}

/** Operations of the experiments and of the evidence, and what the experiments call beside. */
function neededBy(catalogue: Catalogue, replayed: Replayed): readonly Described[] {
  const { finding, evidence } = replayed;
  const requests = evidence.map(({ request }) => ({ method: request.method, path: new URL(request.url).pathname }));
  const inEvidence = requests.flatMap(({ method, path }) => catalogue.match(method, path) ?? []);
  const inExperiments = namesOf(finding).flatMap((name) =>
    describedAs(catalogue, name).flatMap((one) => [one, ...companionsOf(catalogue, name.companions, one)]),
  );
  const reads = readable(catalogue.descriptions).flatMap((operation) =>
    describedAs(catalogue, { ...operation, operation: operation.key }),
  );
  const plain = finding.clause.startsWith('RATE-')
    ? reads.slice(0, 3)
    : finding.clause === 'AUTH-05'
      ? reads.slice(0, catalogue.descriptions.length)
      : [];
  // A path that no description has may lie below an id that a list shows.
  const above =
    finding.operation !== null
      ? []
      : reads.filter(({ operation }) => requests.some(({ path }) => path.startsWith(`${operation.path}/`)));
  return [...inEvidence, ...inExperiments, ...plain, ...above];
}

/** The experiments to perform. A check on any answer is shown again by the operation's own call, or on an unknown path. */
function namesOf({ clause, service, operation, experiments = [] }: Replayed['finding']): readonly ExperimentName[] {
  if (OVER_ALL_KEYS.includes(clause)) return [{ ...NOWHERE, probe: DRAIN }];
  if (experiments.length > 0) return experiments;
  return operation === null
    ? [{ ...NOWHERE, probe: UNKNOWN_PATH }]
    : [{ ...NOWHERE, probe: REPETITION, service, operation }];
}

/** Tells whether nothing need be sent: the finding is about a description. */
export function isOfDescription({ finding: { clause, exchanges } }: Replayed): boolean {
  return (
    exchanges.length === 0 && (isOwnClauseId(clause) || DESCRIPTION_CHECKS.some((check) => check.clause === clause))
  );
}

/** Performs the experiments until the finding shows, or was looked for often enough. */
export async function lookAgain(state: StageState, replayed: Replayed): Promise<void> {
  const { session, world } = state;
  const { finding } = replayed;
  if (isShown(state, replayed)) return;
  await reachWider(state, replayed);
  const perform = async (round: World, names: readonly ExperimentName[]): Promise<boolean> => {
    for (const experiment of await experimentsNamed(state, round, names)) {
      await session.perform(experiment);
      if (isShown(state, replayed)) return true;
    }
    return false;
  };
  const { property } = finding;
  const names = namesOf(finding);
  if (property !== undefined && (await perform({ ...world, again: property }, holding(names, property)))) return;
  const until = session.sent + LOOKS[finding.intermittent ? 'intermittent' : 'steady'];
  for (let round = 1; session.sent < until; round += 1) {
    const before = session.sent;
    // Each round is a run of its own to the target: keys and emails are new. Only the first takes its time.
    const rest = round === 1 ? { restMs: apartMs(replayed) } : {};
    if (await perform({ ...world, ...rest, nonce: `${world.nonce}-${round}` }, names)) return;
    if (session.sent === before) return;
  }
}

/** How long the exchanges of the evidence lay apart: what takes time to go wrong is given as much again. */
function apartMs({ evidence }: Replayed): number {
  const times = evidence.map(({ sentAt }) => Date.parse(sentAt));
  return times.length === 0 ? 0 : Math.min(Math.max(...times) - Math.min(...times), LONGEST_REST_MS);
}

function holding(names: readonly ExperimentName[], { probe }: PropertyCase): readonly ExperimentName[] {
  return names.filter((name) => name.probe === probe);
}

/** Tells whether the finding is booked, or will be when the books of rate limits are closed. */
function isShown({ books: { ledger, rates } }: StageState, { finding: { fingerprint } }: Replayed): boolean {
  if (ledger.occurrences(fingerprint) > 0) return true;
  return rates
    .conclude()
    .some(
      (entry) =>
        entry.judgement.kind === 'breached' &&
        entry.judgement.breaches.some(
          (breach) => printOf(entry.clause, entry, breach, { inAnswer: entry.evidence.length > 0 }) === fingerprint,
        ),
    );
}

/** Where the operation succeeded in the earlier run and does not now, an id may come from anywhere: everything is called. */
async function reachWider(state: StageState, replayed: Replayed): Promise<void> {
  const { session, world, reaching } = state;
  const { selected, share } = state.scope;
  const comesLast = (one: Described): boolean => isFinal(one, selected, world.contract);
  if (!lacksSuccess(state, replayed) || share.own.some(comesLast)) return;
  const others = selected.filter((one) => !share.called.includes(one) && !comesLast(one));
  await reachAll(session, world, others, selected, reaching);
  await reachAll(session, world, share.own, selected, reaching);
}

interface Called extends Pick<StageState, 'reaching'> {
  readonly scope: Pick<RunScope, 'share'>;
}

/** Tells whether the operation succeeded in the earlier run, and not in this one. */
function lacksSuccess({ scope: { share }, reaching }: Called, { succeeded }: Replayed): boolean {
  return succeeded && share.own.some((one) => reaching.reached.get(keyOf(one))?.proof == null);
}

/**
 * Tells whether the judged answers may be unlike the one that showed the finding: a clause on any answer holds on
 * refusals, too. What a probe judges is told by its own answers.
 */
export function isUnlike(state: Called, replayed: Replayed): boolean {
  const { clause } = replayed.finding;
  const isPassive = isOwnClauseId(clause) || EXCHANGE_CHECKS.some((check) => check.clause === clause);
  return isPassive && !isOfDescription(replayed) && lacksSuccess(state, replayed);
}

/** The experiments of these names in the order of a run. */
async function experimentsNamed(
  state: StageState,
  world: World,
  names: readonly ExperimentName[],
): Promise<readonly AnyExperiment[]> {
  const { books } = state;
  const { clock } = state.input;
  const { catalogue, selected } = state.scope;
  const reached = reachedInOrder(state);
  const operations = selected.map(({ operation }) => operation);
  const callable = { first: true, own: reached, reached, operations };
  const { costs, limits } = rateExperiments(world, callable, books.rates, world.timing);
  const all: readonly AnyExperiment[] = [
    ...(await allExperiments(world, catalogue, reached, () => true, books.errors, clock.turn)),
    ...idempotencyExperiments(world, reached),
    ...lifeExperiments(world, reached),
    ...reached.flatMap((one) => paginationExperiments(world, one, { among: reached })),
    ...repetitions(world, reached, [], selected.length),
    ...costs,
    ...limits,
  ];
  const named = (
    { probe, service, operation }: ExperimentName,
    among: readonly AnyExperiment[] = all,
  ): readonly AnyExperiment[] =>
    among.filter((one) => one.probe === probe && one.service === service && one.operation === operation);
  // Some are chosen only where a budget bounds the run.
  const brief = { ...world, isBrief: true };
  const isComplete = names.every((name) => named(name).length > 0);
  const ofBudget = isComplete
    ? []
    : [
        ...(await allExperiments(brief, catalogue, reached, () => true, books.errors, clock.turn)),
        ...idempotencyExperiments(brief, reached),
        ...reached.flatMap((one) => paginationExperiments(brief, one, { among: reached })),
      ];
  const found = names.flatMap((name) => {
    const own = named(name);
    if (own.length > 0) return own;
    const within = named(name, ofBudget);
    // The call that every run makes first of an operation is no experiment that is chosen: its repetition sends the same.
    return within.length > 0 ? within : named({ ...name, probe: REPETITION });
  });
  return [...new Set(found)].toSorted(
    (left, right) => STAGES.indexOf(left.stage) - STAGES.indexOf(right.stage) || left.rank - right.rank,
  );
}
