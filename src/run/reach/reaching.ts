// The reach stage: every operation's first call, parents before children, and again for what lacked an id the first time.

import type { ContractName } from '../../contract/contract.ts';
import type { ReasonCode } from '../../contract/report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { toKeep } from '../../exchange/kept.ts';
import { isSafe } from '../../exchange/methods.ts';
import { nounsBefore } from '../../facts/nouns.ts';
import { collectionTemplate } from '../../facts/paths.ts';
import { ungeneratable } from '../../generate/parameters.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { type Answered, type Experiment, NotSent } from '../../probes/probe.ts';
import { makerFor } from '../../probes/reach/chains.ts';
import { reachDelete } from '../../probes/reach/destroy.ts';
import { bestPathValues, fixtureName } from '../../probes/reach/path-values.ts';
import { knownInputs, reach } from '../../probes/reach/reach.ts';
import { firstRecipe, pathOf } from '../../probes/reach/recipe.ts';
import { unknownIdFor } from '../../probes/requests/harmless.ts';
import { drawFor, mutates, ordinaryCredential, type Reached, requiresToken, type World } from '../../probes/world.ts';
import { countFailures } from '../books/traffic.ts';
import { FITTED } from '../perform/fit.ts';
import { lanesBy, runLanes } from '../perform/lanes.ts';
import type { Session } from '../perform/session.ts';
import { spotKey } from '../plan/clause-target.ts';
import { prepareOperation } from '../plan/preparation.ts';
import type { Share } from '../plan/shard.ts';
import { comesLast, inReachOrder, lanesOf, locksOut, neverCalled, resourceLane } from './order.ts';
import { reachesOthers } from './sweeps.ts';

const WIDTH = 8;
/** Number of times that failed operations are tried: the objects of one let another succeed, and that one a third. */
const ROUNDS = 4;

/** An operation that failed so often on sound requests is not asked the same again. */
const MIN_FAILURES = 2;

export interface Unreached {
  readonly reasonCode: ReasonCode;
  readonly reason: string;
}

/** The result of reaching, by operation key with service. */
export interface Reaching {
  readonly reached: Map<string, Reached>;
  readonly unreached: Map<string, Unreached>;
  /** The last exchange of the first call, success or not. */
  readonly firstAnswers: Map<string, Exchange>;
  /** The answers for places of no operation, before anything was reached. */
  readonly places: Exchange[];
  /** The known inputs of an operation whenever it was called, by operation key with service. */
  readonly tried: Map<string, ReadonlySet<string>>;
  /** Operations that could delete nothing but what others live by: they are called last. */
  readonly postponed: Set<Described>;
  /** Tells whether no further operation is to be tried, so that the run fits its time. */
  isOver: () => boolean;
}

export function newReaching(): Reaching {
  return {
    reached: new Map(),
    unreached: new Map(),
    firstAnswers: new Map(),
    places: [],
    tried: new Map(),
    postponed: new Set(),
    isOver: () => false,
  };
}

export function keyOf({ operation }: Described): string {
  return spotKey({ service: operation.service, operation: operation.key });
}

/** Operations that are reached only at the very end: they destroy what others need, or end the session. */
export function isFinal(described: Described, all: readonly Described[], contract: ContractName): boolean {
  return (
    comesLast(described, contract) ||
    (described.operation.method === 'DELETE' && makerFor(described, all, { isOpen: contract === 'openapi' }) === null)
  );
}

/** Reaches the operations; those that fail for lack of an id or by a 4xx are tried once more when all others are known. */
export async function reachAll(
  session: Session,
  world: World,
  operations: readonly Described[],
  all: readonly Described[],
  into: Reaching,
): Promise<void> {
  const callable = operations.filter((described) => refusalOf(session, world, described, into) === null);
  const ordinary = callable.filter(({ operation }) => operation.method !== 'DELETE');
  const deletes = callable.filter(({ operation }) => operation.method === 'DELETE');
  const lacking = new Set<Described>();
  const attempt = async (described: Described): Promise<void> => {
    if (into.isOver()) leaveOut(described, into);
    else if (lacks(world, described, into)) lacking.add(described);
    else await attemptOne(session, world, described, all, into);
  };
  // Before anything is sent: how long it takes would decide which of several lanes sends first.
  for (const { description, operation } of callable) {
    if (into.isOver()) break;
    await prepareOperation(description, operation, () => session.turn());
  }
  const lane = world.contract === 'openapi' ? lanesOf(all) : resourceLane;
  const lanes = lanesBy(inReachOrder(ordinary), ({ operation }) => lane(operation.service, operation.path));
  await runLanes(lanes, WIDTH, attempt);
  world.knowledge.share();
  const isOpen = (described: Described): boolean =>
    !lacking.has(described) &&
    into.reached.get(keyOf(described))?.proof == null &&
    !session.books.traffic.hangs({ service: described.operation.service, operation: described.operation.key });
  let open = inReachOrder(ordinary).filter(isOpen);
  for (let round = 0, before = open.length + 1; round < ROUNDS && open.length < before; round += 1) {
    before = open.length;
    for (const described of open)
      if (isOpen(described) && !failsAgain(session, world, described, into)) await attempt(described);
    open = open.filter(isOpen);
  }
  for (const described of inReachOrder(ordinary).filter(isOpen)) await attemptByGuess(world, described, into, attempt);
  for (const described of inReachOrder(deletes).toReversed()) await attempt(described);
  for (const described of callable.filter((one) => !lacking.has(one))) {
    noteKeyless(world, described, into);
    assumeUnknownIds(world, described, into);
  }
}

/** Reaches what comes last of all: nothing is kept for others any longer. */
export async function reachLast(
  session: Session,
  world: World,
  operations: readonly Described[],
  all: readonly Described[],
  into: Reaching,
): Promise<void> {
  for (const described of operations) into.postponed.add(described);
  await reachAll(session, world, operations, all, into);
}

/** Reads by values that nothing shows, for want of others; a read that finds nothing leaves the reason why none is known. */
async function attemptByGuess(
  world: World,
  described: Described,
  { reached, unreached }: Reaching,
  attempt: (described: Described) => Promise<void>,
): Promise<void> {
  const key = keyOf(described);
  const lack = unreached.get(key);
  const { operation } = described;
  if (world.contract !== 'openapi' || lack?.reasonCode !== 'no-fixture' || !isSafe(operation.method)) return;
  world.knowledge.guessFor(operation.key);
  await attempt(described);
  if (reached.get(key)?.proof != null) return;
  reached.delete(key);
  unreached.set(key, lack);
}

/** Tells whether the operation is known to fail on sound requests, and was called with all that is known by now. */
function failsAgain(session: Session, world: World, described: Described, { tried }: Reaching): boolean {
  const inputs = tried.get(keyOf(described));
  const traffic = session.books.traffic.get(keyOf(described));
  if (inputs === undefined || traffic === undefined || countFailures(traffic) < MIN_FAILURES) return false;
  return knownInputs(world, described.description, described.operation).every((input) => inputs.has(input));
}

/** Says of what was not reached by now that there was no time for it. */
function leaveOut(described: Described, into: Reaching): void {
  const key = keyOf(described);
  if (!into.reached.has(key) && !into.unreached.has(key))
    into.unreached.set(key, { reasonCode: 'time-limit', reason: FITTED });
}

/** Says of what was called without credentials, and without success, that none of the keys is for it. */
function noteKeyless(world: World, described: Described, into: Reaching): void {
  const { operation } = described;
  const key = keyOf(described);
  const asked = world.contract === 'openapi' && world.keys.length > 0 && requiresToken(operation);
  if (!asked || into.reached.get(key)?.proof != null || ordinaryCredential(world, operation).kind === 'key') return;
  const schemes = operation.security.map((alternative) => alternative.join(' and ')).join(' or ');
  into.unreached.set(key, { reasonCode: 'no-credential', reason: `no key is for its security scheme ${schemes}` });
}

/** Books why an operation is not called at all; null when it is. */
function refusalOf(session: Session, world: World, described: Described, into: Reaching): Unreached | null {
  const { operation } = described;
  const refuse = (reasonCode: ReasonCode, reason: string): Unreached => {
    into.unreached.set(keyOf(described), { reasonCode, reason });
    return { reasonCode, reason };
  };
  if (operation.unsupported !== null) return refuse('precondition', operation.unsupported);
  const end = world.contract === 'openapi' ? (neverCalled(described) ?? locksOut(described)) : null;
  if (end !== null) return refuse('precondition', end);
  if (world.environment !== 'local' && reachesOthers(described))
    return refuse(
      'precondition',
      'it takes away or changes what this run did not make; it is called on a local target alone',
    );
  const refusal = world.refusal(operation);
  if (refusal !== null) return refuse('mutations-denied', refusal);
  const { traffic } = session.books;
  const spot = { service: operation.service, operation: operation.key };
  if (traffic.hangs(spot)) return refuse('precondition', traffic.silence(spot));
  return null;
}

/** Books why valid input is wanting. Asked when the operation's turn comes: what is drawn for one is drawn while others answer. */
function lacks(world: World, described: Described, into: Reaching): boolean {
  const { operation, description } = described;
  const reason = ungeneratable(description, operation, drawFor(world, 'reach'));
  if (reason !== null) into.unreached.set(keyOf(described), { reasonCode: 'precondition', reason });
  return reason !== null;
}

async function attemptOne(
  session: Session,
  world: World,
  described: Described,
  all: readonly Described[],
  into: Reaching,
): Promise<void> {
  const { operation, description } = described;
  const key = keyOf(described);
  const arrived = (reached: Reached): void => {
    into.unreached.delete(key);
    into.reached.set(key, { ...reached, proof: reached.proof && toKeep(reached.proof) });
  };
  const missing = (parameter: string): void => {
    if (mutates(operation) && knowsOthers(world, described, parameter)) {
      const spared = `what others made is not ${operation.method === 'DELETE' ? 'deleted' : 'changed'}`;
      const reason = `nothing that this run surely made is known for path parameter ${parameter}; ${spared}`;
      into.unreached.set(key, { reasonCode: 'precondition', reason });
      return;
    }
    const fixture = fixtureName(description, operation, parameter);
    const reason = `no value is known for path parameter ${parameter}: ${sourceOf(described, parameter, all, into)}; set fixtures.${fixture}`;
    into.unreached.set(key, { reasonCode: 'no-fixture', reason });
  };
  const creator = makerFor(described, all, { isOpen: world.contract === 'openapi' });
  const made = creator === null ? null : (into.reached.get(keyOf(creator)) ?? null);
  const proven = made?.proof == null ? null : made;
  const course =
    operation.method === 'DELETE'
      ? () => reachDelete(world, description, operation, proven, 'd0', arrived, missing, keptFor(described, into))
      : () => reach(world, description, operation, arrived, missing);
  const inputs = knownInputs(world, description, operation);
  const seen = (exchange: Exchange): unknown => into.firstAnswers.set(key, toKeep(exchange));
  const experiment = reachExperiment(described, course, seen, ({ reasonCode, message }) => {
    if (!into.firstAnswers.has(key)) into.unreached.set(key, { reasonCode, reason: message });
  });
  await session.perform(experiment, session.answersFor(experiment));
  into.tried.set(key, new Set([...(into.tried.get(key) ?? []), ...inputs]));
}

/** Keeps, until the operation is called last, what other operations were served by. */
function keptFor(described: Described, { reached, postponed }: Reaching): Parameters<typeof reachDelete>[7] {
  if (postponed.delete(described)) return undefined;
  const isAt = (path: string, { operation, recipe, proof }: Reached): boolean =>
    proof !== null && operation.service === described.operation.service && `${pathOf(recipe)}/`.startsWith(`${path}/`);
  return {
    isNeeded: (path) => [...reached.values()].some((one) => isAt(path, one)),
    postponed: () => postponed.add(described),
  };
}

/** Tells whether things are known that the parameter may name, whoever made them. */
function knowsOthers({ knowledge }: World, { operation: { path } }: Described, parameter: string): boolean {
  const near = knowledge.idsBelow(collectionTemplate(path, parameter), parameter);
  return [...near, ...knowledge.idsInCollections(nounsBefore(path, parameter), parameter)].length > 0;
}

/** Why nothing is known: what the operations answer that would list or create it, or there are none. */
function sourceOf({ operation }: Described, parameter: string, all: readonly Described[], into: Reaching): string {
  const collection = collectionTemplate(operation.path, parameter);
  const answers = all
    .filter(({ operation: { path, method } }) => path.replace(/\/$/, '') === collection && /^(GET|POST)$/.test(method))
    .flatMap((one) => {
      const status = into.firstAnswers.get(keyOf(one))?.response?.status ?? null;
      if (status === null) return [];
      return [`${one.operation.key} ${status < 400 ? 'shows none' : `answers ${status}`}`];
    });
  return answers.length > 0 ? answers.join(', ') : 'nothing lists or creates one';
}

/** The experiment of a first call; every answer of the operation itself is handed to `seen`, and why it must not be sent to `spared`. */
function reachExperiment(
  { operation }: Described,
  course: () => ReturnType<Experiment['run']>,
  seen: (exchange: Exchange) => unknown,
  spared: (why: NotSent) => void,
): Experiment {
  function* run(): ReturnType<Experiment['run']> {
    const inner = course();
    let step = inner.next();
    while (step.done !== true) {
      let answered: Answered;
      try {
        answered = yield step.value;
      } catch (error) {
        if (error instanceof NotSent && step.value.operation === operation.key) spared(error);
        step = inner.throw(error);
        continue;
      }
      if (answered.last.plan.operation === operation.key) seen(answered.last);
      step = inner.next(answered);
    }
    return step.value;
  }
  return {
    probe: 'reach',
    stage: 'reach',
    rank: 0,
    clauses: [],
    ...spotOf(operation),
    cost: 1,
    run,
  };
}

/** Without being called with success an operation can still be asked what it answers to strangers and for unknown ids. */
export function assumeUnknownIds(world: World, described: Described, into: Reaching): void {
  const key = keyOf(described);
  if (into.reached.has(key)) return;
  const { operation, description } = described;
  const credential = ordinaryCredential(world, operation);
  const empty = firstRecipe(description, operation, {}, credential, drawFor(world, 'assumed'));
  const unproven: Reached = { operation, description, recipe: empty, proof: null, firstStatus: null };
  const pathValues = bestPathValues(world, description, operation, (name) => unknownIdFor(world, unproven, name).value);
  into.reached.set(key, { ...unproven, recipe: { ...empty, pathValues } });
}

/** Statuses for an id in path or body that names nothing: this platform says so (REQ-02), others may say it so. */
const UNKNOWN: Readonly<Record<ContractName, readonly number[]>> = {
  commerce: [404, 409],
  openapi: [400, 404, 409, 422],
};

interface Reachable {
  readonly session: Session;
  readonly world: World;
  readonly scope: { readonly selected: readonly Described[]; readonly share: Pick<Share, 'own' | 'called'> };
  readonly reaching: Reaching;
}

/**
 * Calls operations beyond a shard's part, for an id may come from anywhere, and a shard reaches what one run would have
 * reached: where operations of its own seem to lack an id, calls all others that list or create, and then them again.
 */
export async function reachBeyond({ session, world, scope, reaching }: Reachable): Promise<void> {
  const { selected, share } = scope;
  const { reached, unreached, firstAnswers } = reaching;
  const lacksId = (key: string): boolean =>
    unreached.get(key)?.reasonCode === 'no-fixture' ||
    (reached.get(key)?.proof === null &&
      UNKNOWN[world.contract].includes(firstAnswers.get(key)?.response?.status ?? 0));
  const comesLast = (described: Described): boolean => isFinal(described, selected, world.contract);
  const called = new Set(share.called);
  const lacking = share.own.filter((described) => lacksId(keyOf(described)) && !comesLast(described));
  const others = selected.filter(
    (described) => !called.has(described) && /^(GET|POST)$/.test(described.operation.method) && !comesLast(described),
  );
  if (lacking.length === 0 || others.length === 0) return;
  await reachAll(session, world, others, selected, reaching);
  await reachAll(session, world, lacking, selected, reaching);
}
