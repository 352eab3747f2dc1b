// Calls last the operations that destroy: DELETE of an object made for the purpose, then of everything that this run created.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { createdId, madeObject, sentId } from '../../facts/created.ts';
import { collectionTemplate, fillPath, parameterNames, trimmed } from '../../facts/paths.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import type { Answered, Course } from '../probe.ts';
import { ownNameFor } from '../requests/harmless.ts';
import { drawFor, ordinaryCredential, type Reached, type World } from '../world.ts';
import { addressesBeside } from './knowledge.ts';
import { asLearned, inKnownState } from './learned-conditions.ts';
import { candidatePathValues, isOwnName } from './path-values.ts';
import { firstRecipe, planOf, type Recipe } from './recipe.ts';

/** The objects that must be kept for now. Absent: none. */
interface Kept {
  /** Tells whether others of the run live by the object at the path. */
  readonly isNeeded: (path: string) => boolean;
  /** Called in place of a DELETE that would take away what is needed. */
  readonly postponed: () => void;
}

const NOTHING_KEPT: Kept = { isNeeded: () => false, postponed: () => {} };

/**
 * Reaches a DELETE: creates its victim where the description offers a create, else takes what path values are known. Of these it takes
 * none that others live by.
 */
export function* reachDelete(
  world: World,
  description: Description,
  operation: Operation,
  creator: Reached | null,
  serial: string,
  arrived: (reached: Reached) => void,
  missing: (parameter: string) => void,
  { isNeeded, postponed }: Kept = NOTHING_KEPT,
): Course {
  const victim = creator === null ? null : yield* makeOne(world, operation, creator, serial);
  const { candidates, unknown } = candidatePathValues(world, description, operation);
  const first = victim?.pathValues ?? candidates.find((one) => !isNeeded(fillPath(operation.path, one)));
  if (first === undefined) {
    if (candidates.length > 0) postponed();
    else missing(unknown ?? 'id');
    return [];
  }
  const from = drawFor(world, serial);
  const names = victim === null || world.contract !== 'openapi' ? [] : otherNames(world, operation, victim);
  const asFirst = asLearned(
    world,
    firstRecipe(description, operation, first, ordinaryCredential(world, operation), from),
  );
  const { recipe, last } = yield* deleted(world, asFirst, names, from);
  const succeeded = (last.response?.status ?? 599) < 400;
  if (succeeded) forget(world, recipe);
  if (succeeded && victim !== null) noteMember(world, recipe, victim);
  arrived({
    operation,
    description,
    recipe,
    proof: succeeded ? last : null,
    firstStatus: last.response?.status ?? null,
  });
  return [];
}

/** Sends the DELETE, and again while the target wants to know a state, or the thing may go by another of the names. */
function* deleted(
  world: World,
  first: Recipe,
  names: ReturnType<typeof otherNames>,
  from: ReturnType<typeof drawFor>,
): Generator<RequestPlan, { readonly recipe: Recipe; readonly last: Exchange }, Answered> {
  const others = [...names];
  for (let recipe = first; ; ) {
    const { last } = yield planOf(recipe, 'last/delete', from);
    const name = last.response?.status === 404 ? others.shift() : undefined;
    const otherwise = inKnownState(world, recipe, last) ?? (name === undefined ? null : renamed(recipe, name));
    if (otherwise === null) return { recipe, last };
    recipe = otherwise;
  }
}

/** The object that was made for the operation to destroy: how its path names it, and what else may. */
interface Victim {
  readonly pathValues: Readonly<Record<string, string>>;
  readonly object: Record<string, unknown>;
}

/** Creates an object for the operation to destroy; null where that fails. Returns the path values that name it. */
export function* makeVictim(
  world: World,
  operation: Operation,
  creator: Reached,
  serial: string,
  needed: 'turn' | 'experiment' = 'experiment',
): Generator<ReturnType<typeof planOf>, Readonly<Record<string, string>> | null, { last: Exchange }> {
  return (yield* makeOne(world, operation, creator, serial, needed))?.pathValues ?? null;
}

function* makeOne(
  world: World,
  operation: Operation,
  creator: Reached,
  serial: string,
  needed: 'turn' | 'experiment' = 'experiment',
): Generator<ReturnType<typeof planOf>, Victim | null, { last: Exchange }> {
  const parameter = parameterNames(operation.path).at(-1);
  if (parameter === undefined) return null;
  const { recipe } = creator;
  const isByName = trimmed(creator.operation.path) === trimmed(operation.path);
  const own = isByName ? ownNameFor(world, creator, parameter, serial) : null;
  const pathValues = own === null ? recipe.pathValues : { ...recipe.pathValues, [parameter]: own };
  const making = own === null ? { needed } : ({ needed, makes: 'named' } as const);
  const { last } = yield planOf({ ...recipe, pathValues }, 'last/victim', drawFor(world, `v${serial}`), making);
  if ((last.response?.status ?? 599) >= 300) return null;
  if (own !== null) return { pathValues, object: {} };
  const collection = fillPath(collectionTemplate(operation.path, parameter), recipe.pathValues);
  const id = createdId(last, parameter, collection) ?? sentId(last, parameter, collection);
  // An object that a list showed before was not made now, whatever the answer says: a sign-in answers with a user, too.
  if (id === null || world.knowledge.isShown(id, collection, last.sentAt)) return null;
  const object = madeObject(last);
  const address = world.knowledge.addressOf(operation, parameter, object, id);
  return { pathValues: { ...recipe.pathValues, [parameter]: address }, object };
}

/** Names of the victim's own by which it may be known where its id is not. */
function otherNames(world: World, { path }: Operation, { pathValues, object }: Victim): string[] {
  const parameter = parameterNames(path).at(-1) ?? '';
  const collection = fillPath(collectionTemplate(path, parameter), pathValues);
  const others = addressesBeside(object, parameter, pathValues[parameter] ?? '').map(({ value }) => value);
  return others.filter((name) => isOwnName(world, collection, name));
}

function renamed(recipe: Recipe, name: string): Recipe {
  const parameter = parameterNames(recipe.operation.path).at(-1) ?? '';
  return { ...recipe, pathValues: { ...recipe.pathValues, [parameter]: name } };
}

/** Remembers by which other member of the victim the DELETE has found it. */
function noteMember({ knowledge }: World, { operation, pathValues }: Recipe, victim: Victim): void {
  const parameter = parameterNames(operation.path).at(-1) ?? '';
  const asked = victim.pathValues[parameter] ?? '';
  const taken = addressesBeside(victim.object, parameter, asked).find(({ value }) => value === pathValues[parameter]);
  if (taken !== undefined) knowledge.noteMember(operation, parameter, taken.member);
}

function forget(world: World, recipe: Recipe): void {
  const last = parameterNames(recipe.operation.path).at(-1);
  const value = last === undefined ? undefined : recipe.pathValues[last];
  if (last === undefined || value === undefined) return;
  world.knowledge.forget(fillPath(collectionTemplate(recipe.operation.path, last), recipe.pathValues), value);
}
