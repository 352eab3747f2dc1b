// The first call of an operation: tries what path values and bodies are known until one succeeds, and learns from
// rejections. The passive checks judge every answer; the outcome here is the recipe.

import { exactBody } from '../../exchange/body.ts';
import { envelopeOf, topField } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { createdObject, isIdValue } from '../../facts/items.ts';
import { nounAt, nounsBefore } from '../../facts/nouns.ts';
import { collectionTemplate, fillPath, parameterNames } from '../../facts/paths.ts';
import { listingIn } from '../../facts/walked-list.ts';
import { bodyType, type Fullness, isValid } from '../../generate/bodies.ts';
import { preferredValue } from '../../generate/preferred.ts';
import { isObject } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { peersOf } from '../auth/security.ts';
import { type Course, NotSent } from '../probe.ts';
import { unknownIdFor } from '../requests/harmless.ts';
import { drawFor, mutates, needsNoValue, ordinaryCredential, type Reached, type World } from '../world.ts';
import { asShown } from './as-shown.ts';
import { makesAlone, makesByName } from './chains.ts';
import { addressesBeside, idsIn } from './knowledge.ts';
import { inKnownState } from './learned-conditions.ts';
import { asDemanded, learnedOf, otherAlternative, withoutMissed, withoutValues } from './learned-input.ts';
import { note } from './noting.ts';
import { otherReference } from './other-references.ts';
import { bestPathValues, candidatePathValues, isOwnName } from './path-values.ts';
import { makesOnlyAnew } from './preconditions.ts';
import { firstRecipe, planOf, type Recipe, recipeBody } from './recipe.ts';
import { queryReferencesOf, referencesOf } from './references.ts';

const REPAIRS = 3;
/** Maximum number of refusals in a row that are followed because they say what they want. */
const MAX_LESSONS = 8;
/** Maximum number of branches and listed values that are tried in turn where refusals do not say what they want. */
const MAX_ALTERNATIVES = 4;
/** Maximum number of bodies that are made after things which the target shows. */
const MAX_COPIES = 4;
/** Answers that are failures of the server: by then another body is not what it takes. */
const MOST_FAILURES = 2;
/** Fills a usual page: of so long a list the next parent has hardly a longer one. */
const ENOUGH_ITEMS = 20;

/**
 * Runs until an answer below 400, or nothing is left to try; a list that pages is reached under the parent with the most items
 * among those tried. Then calls `arrived` with the best recipe, or `missing`.
 */
export function* reach(
  world: World,
  description: Description,
  operation: Operation,
  arrived: (reached: Reached) => void,
  missing: (parameter: string) => void,
): Course {
  const first = candidatePathValues(world, description, operation);
  if (first.unknown !== null) yield* exploreParents(world, description, operation, first.unknown);
  const { candidates, unknown } = first.unknown === null ? first : candidatePathValues(world, description, operation);
  const byName = world.contract === 'openapi' && makesByName(operation, description);
  const target = parameterNames(operation.path).at(-1);
  if (unknown !== null && !(byName && unknown === target)) {
    missing(unknown);
    return [];
  }
  // A POST by name of what exists is a conflict; a PUT changes it, unless it may only make, or nothing else makes such things.
  const isFirst = byName && makesAlone(operation, description);
  const isNew = operation.method === 'POST' || makesOnlyAnew(operation) || isFirst;
  const anew = unknown ?? (byName && isNew ? target : undefined);
  const invented = anew === undefined ? null : inventedValues(world, description, operation, anew);
  const own = invented === null ? [] : [invented];
  const offered = isFirst ? [...own, ...candidates] : [...candidates, ...own];
  let best: Recipe | null = null;
  let fullest: { readonly reached: Reached; readonly items: number } | null = null;
  let firstStatus: number | null = null;
  let isOfPath = false;
  for (const [index, values] of offered.entries()) {
    const credential = ordinaryCredential(world, operation);
    const from = drawFor(world, `a${index}`);
    const bare = firstRecipe(description, operation, values, credential, from, learnedOf(world, operation));
    const recipe = { ...bare, additions: referencesOf(world, bare), query: queryReferencesOf(world, bare) };
    const tried: Tried = yield* tryRecipe(world, recipe, `a${index}`, values === invented);
    best ??= tried.recipe;
    firstStatus = tried.last.response?.status ?? null;
    const status = firstStatus ?? 599;
    if (status < 400) {
      note(world, tried.recipe, tried.last);
      const items = isPagedBelowParents(operation)
        ? listingIn(tried.last, world.listPlace(operation.key)).items.length
        : ENOUGH_ITEMS;
      const reached = { operation, description, recipe: tried.recipe, proof: tried.last, firstStatus };
      if (items > (fullest?.items ?? -1)) fullest = { reached, items };
      if (items >= ENOUGH_ITEMS) break;
      continue;
    }
    if (fullest !== null) continue;
    isOfPath = status === 404 || (world.contract === 'openapi' && namesPathValue(tried));
    const isOfThing = status === 403 || (status === 409 && world.contract === 'openapi');
    if (!isOfPath && !isOfThing && (anew === undefined || status >= 500)) break;
  }
  const isOpen = fullest === null && best !== null && isOfPath && world.contract === 'openapi';
  const called = isOpen ? yield* byOtherAddress(world, best as Recipe) : null;
  if (fullest !== null) arrived(fullest.reached);
  else if (called !== null) arrived(called);
  else if (unknown !== null && firstStatus === 404) missing(unknown);
  else if (best !== null) arrived({ operation, description, recipe: best, proof: null, firstStatus });
  return [];
}

/** Shorter texts may stand in a refusal by chance. */
const MIN_NAMED = 3;

/** Tells whether the answer refuses a wrong request, and repeats a value of its path: it is no name of the thing. */
function namesPathValue({ recipe, last: { response } }: Tried): boolean {
  if (response === null || (response.status !== 400 && response.status !== 422)) return false;
  return Object.values(recipe.pathValues).some((value) => value.length >= MIN_NAMED && response.body.includes(value));
}

/** The inputs that the operation would be called with now, one a candidate: path values, and members that refer to objects. */
export function knownInputs(world: World, description: Description, operation: Operation): readonly string[] {
  const credential = ordinaryCredential(world, operation);
  return candidatePathValues(world, description, operation).candidates.map((values) => {
    const bare = firstRecipe(description, operation, values, credential, drawFor(world, 'a0'));
    return JSON.stringify([values, referencesOf(world, bare), queryReferencesOf(world, bare)]);
  });
}

/** Maximum number of other names that are tried for an object which was not found. */
const MOST_OTHER_ADDRESSES = 4;

/**
 * Tries what else the things are called that the path names, where none is known by its id: "id" in a parameter's name may mean a name.
 * What was taken is remembered for the operation. Null where nothing was.
 */
function* byOtherAddress(
  world: World,
  recipe: Recipe,
): Generator<ReturnType<typeof planOf>, Reached | null, { last: Exchange }> {
  const { operation, description, pathValues } = recipe;
  const others = parameterNames(operation.path)
    .toReversed()
    .flatMap((name) => {
      const collection = fillPath(collectionTemplate(operation.path, name), pathValues);
      const value = pathValues[name] ?? '';
      const object = world.knowledge.objectAt(collection, name, value) ?? {};
      const found = addressesBeside(object, name, value);
      // An object that is changed must be nobody else's.
      const free = mutates(operation) ? found.filter((one) => isOwnName(world, collection, one.value)) : found;
      const ids = mutates(operation) ? [] : idsIn(object).filter((one) => Number.isNaN(Number(one.value)));
      return [...free, ...ids].map((address) => ({ name, object, isSure: free.includes(address), ...address }));
    });
  for (const { name, object, isSure, member, value } of others.slice(0, MOST_OTHER_ADDRESSES)) {
    const otherwise = { ...recipe, pathValues: { ...pathValues, [name]: value } };
    const tried: Tried = yield* tryRecipe(world, otherwise, `called${member}`);
    const status = tried.last.response?.status ?? 599;
    if (status >= 400 || !(isSure || showsSame(tried.last, object))) continue;
    world.knowledge.noteMember(operation, name, member);
    note(world, tried.recipe, tried.last);
    return { operation, description, recipe: tried.recipe, proof: tried.last, firstStatus: status };
  }
  return null;
}

/** Tells whether the answer shows the object, as its id tells, and not one that it names, as its parent. */
function showsSame(exchange: Exchange, { id }: Record<string, unknown>): boolean {
  const body = exactBody(exchange);
  const shown = body.ok ? createdObject(body.value) : null;
  return isIdValue(id) && isIdValue(shown?.id) && String(shown.id) === String(id);
}

/** Tells whether it is a list that takes a limit, of which there is one under each parent. */
function isPagedBelowParents({ method, path, parameters }: Operation): boolean {
  const takesLimit = parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'limit');
  return method === 'GET' && takesLimit && parameterNames(path).length > 0;
}

/** The best known values, and a new one for the parameter. */
function inventedValues(
  world: World,
  description: Description,
  operation: Operation,
  parameter: string,
): Readonly<Record<string, string>> {
  const recipe = firstRecipe(description, operation, {}, ordinaryCredential(world, operation), drawFor(world, 'anew'));
  const unproven: Reached = { operation, description, recipe, proof: null, firstStatus: null };
  // An object that nothing deletes stays: the next run makes another, under a name of its own.
  const anew = (name: string): string => unknownIdFor(world, unproven, name, world.nonce).value;
  return bestPathValues(world, description, operation, anew, [parameter]);
}

/** Reads the list of what an id is missing of: that of the parent which was read first may be empty, and others fill up as the run calls. */
function* exploreParents(world: World, description: Description, operation: Operation, missing: string): Exploring {
  const lister = listerOf(world, description, operation, missing);
  if (lister === undefined) return;
  for (const values of candidatePathValues(world, description, lister).candidates) {
    const recipe = firstRecipe(
      description,
      lister,
      values,
      ordinaryCredential(world, lister),
      drawFor(world, 'parents'),
    );
    const { last } = yield planOf(recipe, 'reach', drawFor(world, 'parents'), { retry: 'contract' });
    note(world, recipe, last);
    if (candidatePathValues(world, description, operation).unknown === null) return;
  }
}

/**
 * The operation that lists at the path before the parameter. By a description alone, once all lists were read: else the one whose path is called
 * like what the parameter names (/messages for /message/{id}), for a call of another path may have filled it.
 */
function listerOf(
  { contract, knowledge }: World,
  { operations }: Description,
  { path }: Operation,
  missing: string,
): Operation | undefined {
  const lists = operations.filter((one) => one.method === 'GET' && !one.path.endsWith('}'));
  const own = lists.find((one) => one.path === collectionTemplate(path, missing));
  if (own !== undefined || contract !== 'openapi' || !knowledge.isShared) return own;
  const nouns = nounsBefore(path, missing);
  return lists.find((one) => needsNoValue(one) && nouns.includes(nounAt(one.path)));
}

type Exploring = Generator<ReturnType<typeof planOf>, void, { last: Exchange }>;

interface Tried {
  readonly recipe: Recipe;
  readonly last: Exchange;
}

type Trying = Generator<ReturnType<typeof planOf>, Tried, { last: Exchange }>;

/** Tries the recipe by the usual key, and by others of its scheme where that one is forbidden: they may have other scopes. */
function* tryRecipe(world: World, first: Recipe, serial: string, isInvented = false): Trying {
  const usual = yield* repair(world, first, serial, isInvented);
  if (usual.last.response?.status !== 403) return usual;
  for (const [index, name] of otherKeys(world, usual.recipe).entries()) {
    const byOther: Recipe = { ...usual.recipe, credential: { kind: 'key', name } };
    const tried = yield* repair(world, byOther, `${serial}k${index}`, isInvented);
    if ((tried.last.response?.status ?? 599) >= 400) continue;
    world.knowledge.noteKey(tried.recipe.operation, name);
    return tried;
  }
  return usual;
}

/** Maximum number of other keys that are tried where one is forbidden. */
const MOST_OTHER_KEYS = 5;

/** Keys that may be served where the recipe's own is forbidden; none where the configuration names the one to use. */
function otherKeys({ contract, keys }: World, { operation, credential }: Recipe): readonly string[] {
  if (contract !== 'openapi' || credential.kind !== 'key' || operation.fixed?.key != null) return [];
  return peersOf(keys, credential.name)
    .map(({ name }) => name)
    .slice(0, MOST_OTHER_KEYS);
}

function* repair(world: World, first: Recipe, serial: string, isInvented: boolean): Trying {
  const spent = { failures: 0, repairs: 0, lessons: 0, copies: 0, alternatives: 0 };
  let recipe = first;
  for (let turn = 0; ; turn += 1) {
    const plan = planOf(recipe, 'reach', drawFor(world, `${serial}${turn}`), {
      retry: 'contract',
      needed: 'run',
      ...(isInvented ? { makes: 'named' } : {}),
    });
    let last: Exchange;
    try {
      ({ last } = yield plan);
    } catch (error) {
      // An example may name what others made.
      const own = error instanceof NotSent && turn === 0 ? withoutValues(world, recipe, plan) : null;
      if (own === null) throw error;
      recipe = own;
      continue;
    }
    spent.failures += (last.response?.status ?? 599) >= 500 ? 1 : 0;
    const next = spent.failures >= MOST_FAILURES ? null : nextTry(world, recipe, last, spent);
    if (next === null) return { recipe, last };
    recipe = next;
  }
}

/** The recipe as the refusal demands it, else otherwise full, else after what is shown, else with other alternatives, as often as each may be tried. */
function nextTry(
  world: World,
  recipe: Recipe,
  last: Exchange,
  spent: { repairs: number; lessons: number; copies: number; alternatives: number },
): Recipe | null {
  const isOpen = world.contract === 'openapi';
  const demanded =
    isOpen && spent.lessons < MAX_LESSONS
      ? (asDemanded(world, recipe, last) ?? otherReference(world, recipe, last) ?? withoutMissed(world, recipe, last))
      : null;
  if (demanded !== null) {
    spent.lessons += 1;
    return demanded;
  }
  const repaired = spent.repairs < REPAIRS ? (withKey(world, recipe, last) ?? learnFrom(world, recipe, last)) : null;
  if (repaired !== null) {
    spent.repairs += 1;
    return repaired;
  }
  while (isOpen && spent.copies < MAX_COPIES) {
    const copy = asShown(world, recipe, last, spent.copies);
    spent.copies += 1;
    if (copy !== null) return copy;
  }
  if (!isOpen || spent.alternatives >= MAX_ALTERNATIVES) return null;
  spent.alternatives += 1;
  return otherAlternative(world, recipe, last);
}

/** The recipe with a key where a description that asks for none is refused as unauthorised. */
function withKey({ contract, mainKey }: World, recipe: Recipe, { response }: Exchange): Recipe | null {
  const asks = response?.status === 401 && recipe.credential.kind === 'none';
  if (!asks || contract !== 'openapi' || mainKey === null) return null;
  return { ...recipe, credential: { kind: 'key', name: mainKey.name } };
}

// A rejected request teaches which members the target wants beyond its description.

/** Maximum number of fields of one rejection that are learned from, and maximum length of their names. */
const MOST_FIELDS = 50;
const LONGEST_NAME = 100;

const REFERENCE = /^(.+?)(_id|Id)$/;

/** The recipe changed by what a 400 or 422 names as missing or wrong; null when the answer teaches nothing. */
function learnFrom(world: World, recipe: Recipe, rejection: Exchange): Recipe | null {
  const status = rejection.response?.status;
  const named = status === 404 ? withoutReferences(world, recipe) : null;
  if (named !== null) return named;
  if (world.contract === 'openapi')
    return inKnownState(world, recipe, rejection) ?? otherwiseFull(world, recipe, status ?? 0);
  if ((status !== 400 && status !== 422) || recipe.operation.requestBody === null) return null;
  const fields = (envelopeOf(rejection, world.terms.errors)?.fields ?? [])
    .slice(0, MOST_FIELDS)
    .map(topField)
    .filter(isName);
  const body = recipeBody(recipe, drawFor(world, 'learn'));
  if (!isObject(body)) return null;
  const additions: Record<string, unknown> = { ...recipe.additions };
  for (const field of new Set(fields)) {
    const next = nextValue(world, field, body[field], Object.hasOwn(body, field));
    if (next !== undefined) additions[field] = next;
  }
  const changed = JSON.stringify(additions) !== JSON.stringify(recipe.additions);
  return changed ? { ...recipe, additions } : otherwiseFull(world, recipe, status);
}

function isName(field: string): boolean {
  return field !== '' && field.length <= LONGEST_NAME && field !== '__proto__';
}

/** Answers that no other body would change. */
const NOT_ABOUT_THE_BODY = [401, 403, 405, 406, 415, 429, 501, 503];

/** Without the members that need not be there and may name what is not; null where the body has none. */
function withoutReferences(world: World, recipe: Recipe): Recipe | null {
  const body = recipeBody(recipe, drawFor(world, 'learn'));
  if (!isObject(body)) return null;
  const names = Object.keys(body).filter((name) => REFERENCE.test(name) && !Object.hasOwn(recipe.additions, name));
  const without = { ...recipe, omitted: names };
  const schema = bodyType(recipe.operation)?.schema ?? null;
  const isValidWithout = isValid(recipe.description, schema, recipeBody(without, drawFor(world, 'learn')));
  return names.length > 0 && isValidWithout ? without : null;
}

/** With only what is required, then, where an example was tried first, with everything; null when nothing is left to try. */
function otherwiseFull(world: World, recipe: Recipe, status: number): Recipe | null {
  const media = bodyType(recipe.operation);
  if (media === null || status < 400 || NOT_ABOUT_THE_BODY.includes(status)) return null;
  const filled = (fullness: Fullness): Recipe => {
    const bare = { ...recipe, fullness, additions: {} };
    return { ...bare, additions: referencesOf(world, bare) };
  };
  if (recipe.fullness === 'example') return filled('required');
  return recipe.fullness === 'required' && media.examples.length > 0 ? filled('full') : null;
}

/** A first guess for a member that is missing; another type for one that was guessed wrongly. */
function nextValue(world: World, field: string, tried: unknown, present: boolean): unknown {
  const known = REFERENCE.test(field) ? world.knowledge.idsByNoun(field)[0]?.value : undefined;
  const guess = known ?? preferredValue(field, {}, drawFor(world, 'learn').nonce) ?? 'assay';
  if (!present) return guess;
  if (tried === guess) return /amount|price|quantity|count|total|number/i.test(field) ? 100 : 1;
  return undefined;
}
