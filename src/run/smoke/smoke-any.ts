// Under the contract `openapi`: does the target serve what the description says, and does the key work? Before anything else a
// few reading calls, one attempt each; a no ends the run with one sentence instead of a finding an operation. The key is asked for
// again once everything was called.
//
// AUTH-05 (must): The same token is accepted by all services. Tolerance: Services not testable are left out and
//   named.

import { judgeKeyAccepted, judgeServiceAccepts } from '../../checks/auth/auth-01-to-06-refusals.ts';
import { plural } from '../../contract/numbers.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { parameterNames } from '../../facts/paths.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { type Description, type Operation, spotOf } from '../../openapi/model/operation.ts';
import { placePlan } from '../../probes/requests/platform-places.ts';
import { ordinaryCredential, requiresToken, type World } from '../../probes/world.ts';
import { RunEnded } from '../perform/interruption.ts';
import type { StageState } from '../perform/state.ts';
import { comesLast, neverCalled } from '../reach/order.ts';
import { isServed, isUnserved, type OtherPlace, placesBelow } from './other-places.ts';
import { askTwice, nothingAnswers } from './smoke.ts';

const OPERATIONS_TRIED = 5;
/** Number of operations that answer alike which tell of the target rather than of themselves. */
export const ENOUGH = 3;

type Send = (plan: RequestPlan) => Promise<Exchange>;

/**
 * Resolves when the target serves the descriptions; throws RunEnded (target-lost, no-credential) when it does not. Resolves with what was
 * answered for places of no operation: nothing that is judged.
 */
export async function smokeAny(world: World, descriptions: readonly Description[], send: Send): Promise<readonly []> {
  const tried = spreadReads(descriptions).slice(0, OPERATIONS_TRIED);
  const answers: Exchange[] = [];
  for (const operation of tried) answers.push(await askTwice(send, planOf(world, operation)));
  if (tried.length === 0)
    answers.push(await askTwice(send, { ...placePlan('smoke/root', '/', { kind: 'none' }), retry: 'once' }));
  judgeReachable(answers);
  await assureServed(answers, tried, descriptions, ({ service }, path) =>
    askTwice(send, { ...placePlan('smoke/other-place', path, { kind: 'none' }), service, retry: 'once' }),
  );
  judgeKey(world, answers, tried);
  return [];
}

function planOf(world: World, operation: Operation): RequestPlan {
  const plan = placePlan('smoke/operation', operation.path, ordinaryCredential(world, operation));
  return { ...plan, ...spotOf(operation), retry: 'once' };
}

/** Reading operations that need no value which is not known yet, spread over each description. */
export function spreadReads(descriptions: readonly Description[]): readonly Operation[] {
  const perService = descriptions.map((description) => {
    const readable = description.operations.filter((operation) => isReadable({ description, operation }));
    const step = Math.max(1, Math.floor(readable.length / OPERATIONS_TRIED));
    return readable.filter((_, index) => index % step === 0);
  });
  return Array.from({ length: OPERATIONS_TRIED }, (_, index) => perService.flatMap((own) => own[index] ?? [])).flat();
}

function isReadable(described: Described): boolean {
  const { operation } = described;
  return (
    operation.method === 'GET' &&
    // A first look must not log out who looks, nor end what is looked at.
    !comesLast(described, 'openapi') &&
    neverCalled(described) === null &&
    operation.unsupported === null &&
    parameterNames(operation.path).length === 0 &&
    !operation.parameters.some(({ required }) => required)
  );
}

function judgeReachable(answers: readonly Exchange[]): void {
  if (answers.every(({ response }) => response === null)) throw nothingAnswers(answers);
  const statuses = answers.map(statusOf);
  if (statuses.every((status) => status === 0 || (status >= 502 && status <= 504))) {
    throw new RunEnded('target-lost', `the target is down: every answer is ${[...new Set(statuses)].join(', ')}`);
  }
}

/**
 * Throws RunEnded (target-lost) where nothing that is described is served: by three operations, or by fewer where another place serves
 * one of them.
 */
async function assureServed(
  answers: readonly Exchange[],
  tried: readonly Operation[],
  descriptions: readonly Description[],
  probe: (operation: Operation, path: string) => Promise<Exchange>,
): Promise<void> {
  const isAny = answers.some((answer, at) => tried[at] === undefined || !isUnserved(answer, tried[at]));
  if (tried.length === 0 || isAny) return;
  const place = await otherPlace(tried.slice(0, ENOUGH), descriptions, probe);
  if (place === null && tried.length < ENOUGH) return;
  throw servesNone(tried, answers, place);
}

function servesNone(tried: readonly Operation[], answers: readonly Exchange[], place: OtherPlace | null): RunEnded {
  const paths = [...new Set(tried.map(({ path }) => path))].slice(0, ENOUGH);
  const seen = answers.every((answer) => statusOf(answer) === 404) ? '404' : 'pages of HTML or 404';
  const advice =
    place === null
      ? 'check target.baseUrl and services.*.basePath; `assay doctor` looks for the address that serves them'
      : `${place.path} is served: set ${place.setting}`;
  return new RunEnded('target-lost', `the target serves none of ${paths.join(', ')} (${seen}); ${advice}`);
}

/**
 * Throws RunEnded (target-lost) where nothing of a description alone is served, once everything was called: the first looks tell only of
 * what can be read. A thing that a path names may not be there, so some paths have to name none.
 */
export function judgeServedAtLast(
  { contract }: Pick<World, 'contract'>,
  catalogue: Catalogue,
  firstAnswers: Iterable<Exchange>,
): void {
  const called = [...firstAnswers].flatMap((answer) => {
    const { operation = null } = catalogue.operation(answer.plan.operation, answer.plan.service) ?? {};
    return operation === null ? [] : [{ answer, operation }];
  });
  const plain = called.filter(({ operation }) => parameterNames(operation.path).length === 0);
  const isNone = plain.length >= ENOUGH && called.every(({ answer, operation }) => isUnserved(answer, operation));
  if (contract !== 'openapi' || !isNone) return;
  const [tried, answers] = [plain.map(({ operation }) => operation), called.map(({ answer }) => answer)];
  throw servesNone(tried, answers, null);
}

/** The first other place below the same address that serves one of the operations; null where none does. */
async function otherPlace(
  tried: readonly Operation[],
  descriptions: readonly Description[],
  probe: (operation: Operation, path: string) => Promise<Exchange>,
): Promise<OtherPlace | null> {
  for (const operation of tried) {
    const description = descriptions.find(({ service }) => service === operation.service);
    for (const place of description === undefined ? [] : placesBelow(operation, description))
      if (isServed(await probe(operation, place.path), operation)) return place;
  }
  return null;
}

function judgeKey(world: World, answers: readonly Exchange[], tried: readonly Operation[]): void {
  const keyed = answers.filter((_, index) => tried[index] !== undefined && requiresToken(tried[index]));
  if (keyed.length >= ENOUGH) judgeKeyTaken(world, keyed);
}

/**
 * Throws RunEnded (no-credential) where every one of the answers to the key is 401, or at least three are 401 or 403: a
 * run would pass on refusals alone.
 */
export function judgeKeyTaken(world: World, keyed: readonly Exchange[]): void {
  const statuses = [...new Set(keyed.map(statusOf))].toSorted();
  const isRefused = statuses.length > 0 && statuses.every((status) => status === 401 || status === 403);
  if (!isRefused || world.mainKey === null || (statuses.includes(403) && keyed.length < ENOUGH)) return;
  throw new RunEnded(
    'no-credential',
    `key ${world.mainKey.name} is not accepted: ${keyed.length === 1 ? 'the only operation called answers' : `${plural(keyed.length, 'operation answers', 'operations answer')}`} it ${statuses.join(' or ')}; check it in the configuration (keys)`,
  );
}

function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

/**
 * AUTH-05, once everything was called: a key that one operation accepts is accepted by every operation. Throws RunEnded
 * (no-credential) where, by a description alone, every operation refuses it: nothing else tells of that, and a run would pass on
 * refusals.
 */
export function judgeKeyAtLast({ input, world, books: { ledger }, reaching, session }: StageState): void {
  const answers = [...reaching.firstAnswers.values()].filter(({ plan }) => plan.credential.kind === 'key');
  if (world.contract === 'openapi' && input.options.replay === undefined) judgeKeyTaken(world, answers);
  const acceptedSomewhere = answers.some((exchange) => (exchange.response?.status ?? 599) < 300);
  if (world.mainKey === null || !acceptedSomewhere) return;
  for (const [service, own] of Map.groupBy(answers, ({ plan }) => plan.service)) {
    const judgement = judgeServiceAccepts(own, world.mainKey.name);
    if (judgement !== null) ledger.book('AUTH-05', { service, operation: null }, judgement, own.slice(-1));
  }
  for (const exchange of answers.filter(({ plan }) => session.answersFor(plan)))
    ledger.book('AUTH-05', exchange.plan, judgeKeyAccepted(exchange, world.mainKey.name, world), [exchange]);
}
