// The idempotency family: which experiments there are on the operations of a run, and what cannot be tested.

import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import { experimentedIn } from '../../contract/judged-by.ts';
import type { Terms } from '../../contract/terms.ts';
import { parameterNames } from '../../facts/paths.ts';
import { isObject } from '../../openapi/json.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { type Lifecycle, lifecyclesOf } from '../life/lifecycle.ts';
import type { Conversation, Experiment, Untested } from '../probe.ts';
import { creatorFor } from '../reach/chains.ts';
import { declared, mutates, type Reached, type World } from '../world.ts';
import { KeyedOperation, type Neighbours } from './keyed-operation.ts';
import { keylessExperiment } from './keyless.ts';
import { takesKey } from './keys.ts';
import { lateExperiments } from './late.ts';
import { limitedExperiment } from './limited.ts';
import { nearKeyExperiment } from './near-keys.ts';
import { observationExperiment, otherAccountsExperiment } from './observations.ts';
import { thingExperiment } from './on-a-thing.ts';
import { otherBodyExperiment, seriesExperiments, sparingExperiment } from './series.ts';
import { silentExperiment } from './silent-header.ts';
import { variedExperiment } from './varied.ts';

/** Clauses that this family judges. */
export const IDEMPOTENCY_CLAUSES = experimentedIn('IDEM');

/** All experiments of the family on the operations reached, in stages `lean` and `quiet`; where little may be made, in `last`. */
export function idempotencyExperiments(
  world: World,
  reached: readonly Reached[],
): readonly (Experiment | Conversation)[] {
  const keyed = keyedIn(world, reached);
  const control = keyed.find(({ reached: { operation } }) => !world.isPayment(operation) && !world.lasts(operation));
  return [
    ...keyed.flatMap(keyedExperiments),
    ...reached.flatMap(
      (one) =>
        silentExperiment(world, one, { creator: creatorOf(world, one, reached), keyed: control?.reached ?? null }) ??
        [],
    ),
  ];
}

/** Experiments beside these while a key is limited. */
export function limitedExperiments(world: World, reached: readonly Reached[]): readonly Conversation[] {
  return keyedIn(world, reached).map(limitedExperiment);
}

function keyedIn(world: World, reached: readonly Reached[]): readonly KeyedOperation[] {
  const cycles = new Map(lifecyclesOf(world, reached).map((cycle) => [cycle.creator.operation, cycle]));
  return reached
    .filter((one) => one.proof !== null && isKeyed(one.operation))
    .map((one) => new KeyedOperation(world, one, neighboursOf(one, reached, cycles.get(one.operation))));
}

function keyedExperiments(on: KeyedOperation): readonly (Experiment | Conversation)[] {
  // Without a budget other accounts are observed with all else.
  const accounts = declared(on.world, { whole: null, brief: otherAccountsExperiment(on) });
  const optional = [
    ...[keylessExperiment(on), nearKeyExperiment(on), otherBodyExperiment(on), thingExperiment(on)],
    ...(on.shares ? [sparingExperiment(on)] : [variedExperiment(on), accounts]),
  ].filter((one) => one !== null);
  return [...seriesExperiments(on), ...optional, observationExperiment(on), ...lateExperiments(on)];
}

/** The operations that never succeeded, with the clauses of the family that this leaves untested. `among`: all that were reached. */
export function idempotencyUntested(
  world: World,
  reached: readonly Reached[],
  among: readonly Reached[],
): readonly Untested[] {
  return reached
    .filter(({ operation, proof }) => proof === null && mutates(operation))
    .filter((one) => takesKey(one.operation) || creatorOf(world, one, among) === null)
    .flatMap(({ operation }) =>
      clausesOf(operation).map((clause) => ({
        clause,
        ...spotOf(operation),
        reasonCode: 'precondition' as const,
        reason: 'no valid call of this run succeeded, so there is nothing to repeat',
      })),
    );
}

/** Why a clause of the family applies to none of the operations; null when it does, or is not of the family. */
export function idempotencyUndeclared(
  clause: string,
  operations: readonly Operation[],
  { idempotency }: Terms,
): string | null {
  if (!IDEMPOTENCY_CLAUSES.includes(clause)) return null;
  if (operations.some((operation) => mutates(operation) && clausesOf(operation).includes(clause))) return null;
  if (clause === 'IDEM-05') return `no description has ${idempotency?.never.join(', ')}`;
  if (clause === 'IDEM-06') return 'no other operation changes anything';
  return `no operation declares ${idempotency?.header ?? USUAL_KEY_HEADER}`;
}

function clausesOf(operation: Operation): readonly string[] {
  if (!takesKey(operation)) return ['IDEM-06'];
  const isOnce = operation.neverTwice === true;
  return IDEMPOTENCY_CLAUSES.filter((clause) => clause !== 'IDEM-06' && (clause !== 'IDEM-05' || isOnce));
}

/** Operations whose keys are tried: those that change something and can be called again on the same thing. */
function isKeyed(operation: Operation): boolean {
  return takesKey(operation) && mutates(operation) && operation.method !== 'DELETE';
}

/** Reads the thing that the operation changes: the one of its path up to the last parameter, else one whose id its body names. */
function thingOf({ operation: { path }, proof }: Reached, all: readonly Reached[]): Reached | null {
  const own = path.slice(0, path.lastIndexOf('}') + 1);
  const body = proof?.plan.body;
  const sent = own === '' && body?.kind === 'json' && isObject(body.value) ? Object.entries(body.value) : [];
  const reads = all.filter(({ operation }) => operation.method === 'GET');
  const idOf = ({ operation, recipe }: Reached): string | undefined =>
    /[^}]\/\{[^/]+\}$/.test(operation.path)
      ? recipe.pathValues[parameterNames(operation.path).at(-1) ?? '']
      : undefined;
  const named = sent.toSorted(([one], [other]) => Number(isIdName(other)) - Number(isIdName(one)));
  const candidates = named.flatMap(([, value]) => reads.filter((one) => idOf(one) === String(value)));
  return reads.find(({ operation }) => operation.path === own) ?? candidates[0] ?? null;
}

function isIdName(name: string): boolean {
  return /id$/i.test(name);
}

function neighboursOf(one: Reached, all: readonly Reached[], cycle: Lifecycle | undefined): Neighbours {
  const proven = all.filter(({ proof, operation }) => proof !== null && operation !== one.operation);
  const same = proven.filter(({ operation }) => operation.service === one.operation.service);
  const list = same.find(({ operation }) => operation.method === 'GET' && operation.path === one.operation.path);
  return {
    list: list ?? null,
    thing: thingOf(one, same),
    item: list === undefined ? null : (cycle?.reader ?? null),
    changer: cycle?.amender ?? cycle?.replacer ?? null,
    remover: cycle?.remover ?? null,
    read: same.find(({ operation }) => operation.method === 'GET') ?? null,
    change: proven.find(({ operation }) => /^(PATCH|PUT)$/.test(operation.method) && !takesKey(operation)) ?? null,
    other: proven.find(({ operation }) => isKeyed(operation)) ?? null,
  };
}

/** The operation that makes the things which a DELETE takes, where it was called with success. */
function creatorOf(world: World, one: Reached, all: readonly Reached[]): Reached | null {
  const making =
    one.operation.method === 'DELETE' ? creatorFor(one, all, { byNoun: world.contract === 'openapi' }) : null;
  return all.find(({ operation, proof }) => proof !== null && operation === making?.operation) ?? null;
}
