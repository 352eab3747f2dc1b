// The stages of a run in their order: smoke, reach, breadth, depth, what comes last, clean-up.
import type { RunOptions } from '../../config/config.ts';
import { skipReason } from '../../config/skip.ts';
import { toKeep } from '../../exchange/kept.ts';
import { wordAtEnd } from '../../facts/path-words.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { authUntested } from '../../probes/auth/refusals.ts';
import { BY_ALTERNATIVE } from '../../probes/auth/requirements.ts';
import { conditionalUntested } from '../../probes/conditional/family.ts';
import { idempotencyUntested } from '../../probes/idempotency/family.ts';
import { lifeUntested } from '../../probes/life/family.ts';
import type { AnyExperiment, Conversation, Experiment, Stage } from '../../probes/probe.ts';
import { type Reached, requiresToken } from '../../probes/world.ts';
import type { Offers } from '../plan/by-need.ts';
import { spotKey } from '../plan/clause-target.ts';
import { depthPerOperation, heldTo, heldToBudget, repetitions, seldomRead } from '../plan/depth.ts';
import { allExperiments, heldEarly } from '../plan/experiments.ts';
import { keyExperiments, lifeCourses, listLooks, tagCourses, unstatedLooks } from '../plan/law-experiments.ts';
import { limitExperiments, spendLimits } from '../plan/limit-experiments.ts';
import { NOWHERE } from '../plan/shard.ts';
import { undoingOf } from '../plan/undoing-cost.ts';
import { comesLast, inEndingOrder, lanesOf, neverCalled, resourceLane } from '../reach/order.ts';
import { assumeUnknownIds, isFinal, reachAll, reachBeyond, reachLast } from '../reach/reaching.ts';
import { smoke } from '../smoke/smoke.ts';
import { judgeKeyAtLast, judgeServedAtLast, smokeAny } from '../smoke/smoke-any.ts';
import type { Fit, Fitted } from './fit.ts';
import { inherit } from './inheritance.ts';
import { clausesFirst, type Limits, limitsOf, performAndTell } from './pass.ts';
import { isOfDescription, lookAgain } from './replay.ts';
import { ownOf, reachedInOrder, type StageState } from './state.ts';
import { performByNeed } from './within-budget.ts';

/** Without a time limit of the user's, depth ends after this long. */
export const DEPTH_SECONDS = 300;
/** The same of the sweep over each limit of each list; few at once, so that a slow target is not begun everywhere. */
const SWEEP = 'pagination/limits';
const SWEEP_SECONDS = 120;
const SWEEPS_AT_ONCE = 4;

/** Runs all stages. Throws RunEnded where the run ends early. */
export async function runStages(state: StageState): Promise<void> {
  const { session, books, world, reaching } = state;
  const { options } = state.input;
  const { selected, share, catalogue } = state.scope;
  const { replay: replayed = null, budget } = options;
  const descriptions = catalogue.descriptions;
  if (replayed !== null && isOfDescription(replayed)) return;
  const enter = (name: string): void => session.events.tell({ kind: 'phase', name });
  /** A stage that fails for an error of the harness costs what it would have done, and not the run. */
  const stage: Staged = (name, otherwise, work) =>
    books.errors.attemptAsync({ clauses: [], where: `stage ${name}` }, otherwise, work);
  books.answers.hold();
  const knock = world.contract === 'openapi' ? smokeAny : smoke;
  const by = session.answersFor(NOWHERE) ? {} : { elsewhere: true as const };
  await stage('smoke', undefined, async () => {
    const answers = await knock(
      world,
      withoutSkipped(descriptions, options),
      async (plan) => (await session.send({ ...plan, ...by })).last,
    );
    reaching.places.push(...answers.map(toKeep));
  });
  books.answers.release();
  if (replayed === null) await stage('reach', undefined, () => inherit(state));
  const final = share.own.filter((described) => isFinal(described, selected, world.contract));
  enter('reach');
  reaching.isOver = () => state.fit?.isOver('reach', 0) === true;
  await stage('reach', undefined, async () => {
    const first = share.called.filter((described) => !isFinal(described, selected, world.contract));
    await reachAll(session, world, first, selected, reaching);
    if (replayed === null) await reachBeyond(state);
    if (replayed === null) judgeServedAtLast(world, catalogue, reaching.firstAnswers.values());
    judgeKeyAtLast(state);
    for (const described of final) assume(state, described);
  });
  if (replayed === null) {
    await stage('probe', undefined, () => probe(state, enter, stage));
    enter('limits');
    if (budget === null) await stage('limits', undefined, () => spendLimits(state));
  } else {
    enter('replay');
    await stage('replay', undefined, () => lookAgain(state, replayed));
  }
  reaching.isOver = () => false;
  session.sender.replacements?.end();
  if (budget === null) await stage('quiet', undefined, () => session.lookInQuiet());
  enter('last');
  const last = (described: Described): boolean => comesLast(described, world.contract);
  const ending = final.filter(last);
  const destroying = [...final.filter((described) => !last(described)), ...reaching.postponed];
  await stage('last', undefined, () => reachLast(session, world, destroying, selected, reaching));
  await stage('clean-up', [], () => state.undoer.undoAll());
  session.sender.expectEnd();
  for (const group of inEndingOrder(ending)) {
    await stage('last', undefined, () => reachLast(session, world, group, selected, reaching));
    // An import brings what nothing has deleted by now.
    if (group.some(({ operation }) => wordAtEnd(operation.path)?.deed === 'replaces'))
      await stage('clean-up', [], () => state.undoer.undoAll());
  }
}

type Staged = <T>(name: string, otherwise: T, work: () => Promise<T>) => Promise<T>;

/** The lean pass, then depth and repetition; where a budget bounds the run all of it, and limits, in the order of what is expected to show. */
async function probe(state: StageState, enter: (phase: string) => void, stage: Staged): Promise<void> {
  const { input, scope, session, books, world } = state;
  const { selected, share, lawful } = scope;
  const { budget, timeLimitSeconds } = input.options;
  const reached = reachedInOrder(state);
  const own = ownOf(share, reached);
  const keyed = own.filter(({ operation }) => lawful(operation, 'idempotency'));
  const untestable = [
    ...own.flatMap((one) => authUntested(world, one)),
    ...idempotencyUntested(world, keyed, reached),
    ...[...lifeUntested(world, reached), ...conditionalUntested(world, reached)].filter((one) => share.performs(one)),
  ];
  for (const one of untestable)
    books.ledger.bookUntested(one.clause, one, one.reasonCode, one.reason + books.traffic.lostOf(one));
  const most =
    budget === null && timeLimitSeconds === null ? depthPerOperation(selected.length) : Number.POSITIVE_INFINITY;
  const experiments = await books.errors.attemptAsync(CHOICE, [], () => experimentsOf(state, reached, most));
  const limits = { ...limitsOf(state), reserve: () => state.undoer.cost() };
  const within = (phase: Fitted): Pick<Limits, 'isOver' | 'keeps'> => fitting(state, phase);
  const pass = (name: string, planned: readonly AnyExperiment[], within: Limits): Promise<void> =>
    stage(name, undefined, () => performAndTell(session, planned, within));
  const naming = world.contract === 'openapi' ? lanesOf(selected) : resourceLane;
  const lane = (one: AnyExperiment): string => naming(one.service, one.operation ?? '');
  const during = (turn: Stage): readonly Experiment[] => experiments.filter((one) => one.stage === turn);
  const lean = clausesFirst(during('lean'), lane);
  if (budget !== null) {
    const successesOn = ({ service, key }: Operation): number =>
      books.traffic.get(spotKey({ service, operation: key }))?.successes ?? 0;
    const further = [
      ...during('depth'),
      ...seldomRead(world, own, successesOn),
      ...repetitions(world, own, experiments, selected.length),
    ];
    const offers = books.errors.attempt(CHOICE, null, NO_OFFERS, () => offersOf(state, reached, lean, further));
    const until = untilAfter(state, DEPTH_SECONDS);
    // One phase for all: turns of each kind follow one another many times.
    enter('breadth');
    const manner = { lane, until, pass };
    await performByNeed(state, offers, 'first', manner);
    // Requests that should be refused have been sent by now, but for those that the rest of the budget pays for.
    state.bound.spendReserve();
    return performByNeed(state, offers, 'second', manner);
  }
  enter('breadth');
  if (state.fit !== null)
    expectAll(state, state.fit, [...during('depth'), ...repetitions(world, own, experiments, selected.length)]);
  await pass('breadth', lean, { ...limits, ...within('breadth') });
  // Experiments that create in one resource do so in one order, whatever else is under way: ids depend on it.
  const inTurn = { ...limits, lane, ...within('laws') };
  const laws = books.errors.attempt(CHOICE, null, [], () => keyExperiments(state, reached));
  const lawsDuring = (turn: Stage): readonly AnyExperiment[] => laws.filter((one) => one.stage === turn);
  await pass('laws', lawsDuring('lean'), inTurn);
  enter('laws');
  // Lists first: what idempotency creates unsettles them.
  await stage('lists', undefined, () => walkLists(state, reached));
  await pass('laws', lawsDuring('quiet'), inTurn);
  const courses = books.errors.attempt(CHOICE, null, [], () => [
    ...lifeCourses(state, reached),
    ...tagCourses(state, reached),
  ]);
  await pass('laws', courses, inTurn);
  enter('depth');
  const planned = [...during('depth'), ...repetitions(world, own, experiments, selected.length)];
  const depth = heldTo(most, planned);
  session.events.tell({ kind: 'cut', reasonCode: 'held', experiments: planned.length - depth.length });
  await pass('depth', depth, {
    ...limits,
    until: untilAfter(state, DEPTH_SECONDS),
    undoing: undoingOf,
    ...within('depth'),
  });
  // Whatever should be refused has been sent by now.
  state.bound.spendReserve();
  await pass('laws', lawsDuring('last'), { ...inTurn, ...within('last') });
}

/** When a phase is over, in a run that fits itself to a time. */
function fitting({ fit }: StageState, phase: Fitted): Pick<Limits, 'isOver' | 'keeps'> {
  if (fit === null) return {};
  return { isOver: (planned) => fit.isOver(phase, planned), keeps: (planned) => fit.keeps(phase, planned) };
}

/** Tells the fit what follows each phase, as far as that is known before. */
function expectAll(state: StageState, fit: Fit, depth: readonly Experiment[]): void {
  const cost = depth.reduce((sum, one) => sum + one.cost, 0);
  const limits = state.books.errors.attempt(CHOICE, null, [], () => limitExperiments(state));
  const ofLimits = limits.reduce((sum, one) => sum + one.cost, 0);
  fit.expect({ breadth: cost + ofLimits, laws: cost + ofLimits, depth: ofLimits }, limits.length > 0);
}

const CHOICE = { clauses: [], where: 'the choice of experiments' };

const NO_OFFERS: Offers = { first: [], further: [] };

/** The experiments that a budget may pay for: each clause's first looks with the cheapest of the laws, and all that follows. */
function offersOf(
  state: StageState,
  reached: readonly Reached[],
  lean: readonly Experiment[],
  further: readonly Experiment[],
): Offers {
  const keyed = keyExperiments(state, reached);
  const looks = listLooks(state, reached);
  const made = new Set(
    reached.filter(({ operation }) => operation.method === 'POST').map(({ operation }) => pathOf(operation)),
  );
  // Lists of what clients make come before those of what the platform keeps: more depends on them, and more happens to them.
  const isOfMade = ({ service, operation }: Conversation): boolean =>
    reached.some(({ operation: one }) => one.service === service && one.key === operation && made.has(pathOf(one)));
  const isFirst = (look: Conversation): boolean => look.rank === Math.min(...looks.map(({ rank }) => rank));
  return {
    first: [
      ...lean,
      ...keyed.filter(({ stage }) => stage === 'lean'),
      ...looks.filter(isFirst).toSorted((one, other) => Number(isOfMade(other)) - Number(isOfMade(one))),
      ...lifeCourses(state, reached),
      ...unstatedLooks(state, reached),
      ...tagCourses(state, reached),
    ],
    demanded: state.scope.expected,
    further: [...looks.filter((look) => !isFirst(look)), ...keyed.filter(({ stage }) => stage !== 'lean'), ...further],
  };
}

function pathOf({ service, path }: Operation): string {
  return `${service} ${path}`;
}

/** All experiments on what was reached but laws and limits; of depth no more than it may cost on each operation. */
async function experimentsOf(
  {
    input: { options, performed, clock },
    scope: { catalogue, selected, share, wants },
    session: { events },
    books,
    world,
    reaching,
  }: StageState,
  reached: readonly Reached[],
  most: number,
): Promise<readonly Experiment[]> {
  // An operation that ends the key's session, or takes away what was found, is called once, at the very end; before
  // that it is only asked whether it refuses strangers.
  const ending = selected.filter((described) => comesLast(described, world.contract)).map(({ operation }) => operation);
  const guarded = (name: string, operation: Operation): boolean =>
    name.startsWith('auth/') &&
    !name.startsWith(BY_ALTERNATIVE) &&
    (world.contract === 'commerce' || requiresToken(operation));
  const isPossible = ({ service, operation, probe: name }: Experiment): boolean =>
    share.performs({ service, operation }) &&
    ending.every((one) => one.key !== operation || one.service !== service || guarded(name, one));
  // Operation by operation: all that could be sent is several times what is, and takes as much memory.
  let left = 0;
  const held = (own: readonly Experiment[]): readonly Experiment[] => {
    const open = new Set(own.filter(isPossible));
    const kept = new Set(heldEarly(most, [...open]));
    left += open.size - kept.size;
    return own.filter((one) => kept.has(one) || !open.has(one));
  };
  const { places } = reaching;
  const all = await allExperiments(world, catalogue, reached, wants, books.errors, clock.turn, held, places);
  const possible = all.filter(isPossible);
  // Experiments that an earlier part of the run performed cost nothing.
  const payable = heldToBudget(performed.size > 0 ? null : options.budget, possible);
  const experiments = heldTo(most, payable);
  events.tell({ kind: 'cut', reasonCode: 'budget', experiments: possible.length - payable.length });
  events.tell({ kind: 'cut', reasonCode: 'held', experiments: left + payable.length - experiments.length });
  return experiments;
}

/** The looks at lists; that at each limit last, and within its own time. */
async function walkLists(state: StageState, reached: readonly Reached[]): Promise<void> {
  const { session } = state;
  const looks = listLooks(state, reached);
  const sweeps = looks.filter(({ probe: name }) => name === SWEEP);
  const others = [...looks.filter((look) => !sweeps.includes(look)), ...unstatedLooks(state, reached)];
  const limits = { ...limitsOf(state), ...fitting(state, 'laws') };
  await performAndTell(session, others, limits);
  const swept = { ...limits, width: Math.min(limits.width, SWEEPS_AT_ONCE), until: untilAfter(state, SWEEP_SECONDS) };
  await performAndTell(session, sweeps, swept);
}

/** The descriptions as far as their operations may be called. */
export function withoutSkipped(
  descriptions: readonly Description[],
  options: Pick<RunOptions, 'skipped'>,
): readonly Description[] {
  const skipped = skipReason(options);
  return descriptions.map((description) => ({
    ...description,
    operations: description.operations.filter(({ key }) => skipped(key) === null),
  }));
}

/** Epoch ms after which a pass begins nothing more; null where the user's own time limit holds. */
function untilAfter({ input: { options, clock } }: StageState, seconds: number): number | null {
  return options.timeLimitSeconds === null ? clock.now() + seconds * 1000 : null;
}

/** An operation that is called last of all is probed before that, where it may be sent at all. */
function assume({ world, reaching }: StageState, described: Described): void {
  const { operation } = described;
  const harmless = world.contract === 'commerce' || neverCalled(described) === null;
  if (operation.unsupported === null && harmless && world.refusal(operation) === null)
    assumeUnknownIds(world, described, reaching);
}
