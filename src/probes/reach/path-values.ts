// Candidates for an operation's path parameters, best first: fixtures, for somebody chose them; then what the target listed or
// created, then the description's examples. What is changed or deleted is rather what was listed or created. Read left to right: a parameter's collection is the path before it.

import { oncePer } from '../../exchange/once-per.ts';
import { isDrawn } from '../../facts/items.ts';
import { nounsBefore } from '../../facts/nouns.ts';
import { takesAwayOne } from '../../facts/path-words.ts';
import { collectionTemplate, endsWithParameter, fillPath, parameterNames, trimmed } from '../../facts/paths.ts';
import { admits, listedValues } from '../../generate/identifiers.ts';
import { parameterValue, segmentText } from '../../generate/parameters.ts';
import { isMadeUp } from '../../generate/preferred.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { isObject } from '../../openapi/json.ts';
import type { Description, Operation, Parameter } from '../../openapi/model/operation.ts';
import { declaredResponse } from '../../openapi/model/responses.ts';
import { drawFor, mutates, type World } from '../world.ts';
import type { KnownId } from './knowledge.ts';

const CANDIDATES_PER_PARAMETER = 3;
const CANDIDATES = 4;

/** The name in fixtures of the parameter of one collection alone: "pets.id" for /pets/{id}. */
export function fixtureOfCollection(template: string, parameter: string): string {
  return `${collectionTemplate(template, parameter).replace(/^.*\//, '')}.${parameter}`;
}

/** The parameter's name in fixtures: its own, unless other collections of the description have one of that name. */
export function fixtureName({ operations }: Description, { path }: Operation, parameter: string): string {
  const own = fixtureOfCollection(path, parameter);
  const others = operations.filter((other) => other.path.includes(`{${parameter}}`));
  return others.some((other) => fixtureOfCollection(other.path, parameter) !== own) ? own : parameter;
}

/** Path values to try in turn; a parameter for which nothing is known yields none, and its name is told. */
export function candidatePathValues(
  world: World,
  description: Description,
  operation: Operation,
): { readonly candidates: readonly Readonly<Record<string, string>>[]; readonly unknown: string | null } {
  let partial: Readonly<Record<string, string>>[] = [{}];
  for (const name of parameterNames(operation.path)) {
    const next = partial.flatMap((values) =>
      candidatesFor(world, description, operation, name, values).map((value) => ({ ...values, [name]: value })),
    );
    if (next.length === 0) return { candidates: [], unknown: name };
    partial = next.slice(0, CANDIDATES);
  }
  return { candidates: partial, unknown: null };
}

/** The best known value of every parameter, and `otherwise` where none is known or a new one is wanted (`anew`). */
export function bestPathValues(
  world: World,
  description: Description,
  operation: Operation,
  otherwise: (parameter: string) => string,
  anew: readonly string[] = [],
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const name of parameterNames(operation.path)) {
    const [known] = anew.includes(name) ? [] : candidatesFor(world, description, operation, name, values);
    values[name] = known ?? otherwise(name);
  }
  return values;
}

function candidatesFor(
  world: World,
  description: Description,
  operation: Operation,
  name: string,
  values: Readonly<Record<string, string>>,
): readonly string[] {
  const collection = fillPath(collectionTemplate(operation.path, name), values);
  const near = world.knowledge.idsAt(collection, name).map((known) => {
    const object = world.knowledge.objectAt(collection, name, known.value);
    return { ...known, value: world.knowledge.addressOf(operation, name, object, known.value) };
  });
  const { fixtures } = world;
  const fixed = operation.fixed?.parameters[name];
  const given =
    fixed === undefined ? (fixtures[fixtureOfCollection(operation.path, name)] ?? fixtures[name]) : String(fixed);
  const fixture = takesAwayOne(operation) && isActedOn(description, operation, name) ? undefined : given;
  if (fixed !== undefined && fixture !== undefined) return [fixture];
  const onlyOwn = mustBeOwn(world, description, operation, name);
  const usable = (ids: readonly KnownId[]): string[] =>
    ids.filter(({ own }) => own || !onlyOwn).map(({ value }) => value);
  const isChanged = isActedOn(description, operation, name);
  const chosen = fixture === undefined ? [] : [fixture];
  const found = isChanged ? usable(near) : [...chosen, ...usable(near)];
  if (!onlyOwn) found.push(...world.knowledge.linked(operation.path, name));
  if (isChanged) found.push(...chosen);
  if (world.contract === 'openapi' && found.length === 0) {
    // A thing of the same noun may be another: an id that the description rules out is none.
    const parameter = pathParameter(operation, name);
    const isAdmitted = (value: string): boolean => parameter === null || admits(description, parameter, value);
    const alike = usable(world.knowledge.idsByNouns(nounsBefore(operation.path, name), name, isAdmitted));
    const isNested = parameterNames(operation.path).length > 1;
    found.push(...(isNested && onlyOwn ? alike.filter(isUnmistakable) : alike));
  }
  // An example may be the id of something that is there.
  const free = !onlyOwn || (world.environment === 'local' && !takesAwayOne(operation));
  if (found.length === 0 && world.contract === 'commerce' && !isTarget(operation, name))
    found.push(...usable(world.knowledge.idsByNoun(name)));
  if (found.length === 0 && isTarget(operation, name)) found.push(...usable(nestedIds(world, description, operation)));
  const possible = found.filter((value) => value === fixture || !isExcluded(description, operation, name, value));
  if (possible.length === 0 && free) possible.push(...described(world, description, operation, name));
  if (possible.length === 0 && world.knowledge.isGuessed(operation.key))
    possible.push(...guesses(world, description, operation, name));
  return [...new Set(likeliest(description, pathParameter(operation, name), possible))].slice(
    0,
    CANDIDATES_PER_PARAMETER,
  );
}

/** Those alone that the description admits, where there are such: what has no id is known by a name, which may be none here. */
function likeliest(
  description: Description,
  parameter: Parameter | null,
  values: readonly string[],
): readonly string[] {
  const admitted = values.filter((value) => parameter === null || admits(description, parameter, value));
  return admitted.length > 0 ? admitted : values;
}

/**
 * Tells whether the name of a thing that this run made surely addresses that thing: it was made up, or, where nobody
 * else lives, no list has shown something with that for its id.
 */
export function isOwnName({ environment, knowledge }: World, collection: string, name: string): boolean {
  return isMadeUp(name) || (environment === 'local' && !knowledge.isListed(collection, name));
}

/** Tells whether an id that this run made below something else names the same thing here, or nothing: below each thing others may have one. */
function isUnmistakable(id: string): boolean {
  return isMadeUp(id) || isDrawn(id);
}

/** Ids of what is made below something else, and changed or deleted where nothing lists it. */
function nestedIds({ knowledge }: World, description: Description, operation: Operation): readonly KnownId[] {
  const maker = nestedMaker(operation, description);
  return maker === null ? [] : knowledge.idsBelow(maker.path, parameterNames(operation.path).at(-1) ?? '');
}

/**
 * The POST that makes below something else what has its own place (POST /menus/{menuId}/dishes for /dishes/{dishId}): its path ends as
 * the collection does, and its answer has the schema of an answer on the item itself. By their paths alone two kinds of things
 * might share a name, and ids that count from 1: what somebody else made would be deleted for what this run did.
 */
export const nestedMaker = oncePer(({ path }: Operation, description: Description): Operation | null => {
  const [name = '', ...others] = parameterNames(path);
  if (others.length > 0 || !endsWithParameter(path, name)) return null;
  const collection = collectionTemplate(path, name);
  const cut = collection.lastIndexOf('/');
  const [start, end] = [collection.slice(0, cut + 1), `}${collection.slice(cut)}`];
  const nested = description.operations.filter((other) => {
    const place = trimmed(other.path);
    return other.method === 'POST' && place !== collection && place.startsWith(start) && place.endsWith(end);
  });
  if (nested.length === 0) return null;
  const onItem = description.operations.filter((other) => other.path === path);
  const shown = onItem.map((one) => successSchema(description, one)).filter((schema) => schema !== null);
  return nested.find((post) => shown.some((schema) => schema === successSchema(description, post))) ?? null;
});

/** The schema of what the operation answers with success, references followed; null for none, and for one that anything meets. */
function successSchema(description: Description, operation: Operation): object | null {
  const declared = declaredResponse(operation, 201) ?? declaredResponse(operation, 200);
  const schema = description.deref(declared?.content[0]?.schema?.value);
  return isObject(schema) && Object.keys(schema).length > 0 ? schema : null;
}

/** Tells whether the parameter's values are enumerated and this is none of them: a value shown by a collection is no id then. */
function isExcluded(description: Description, operation: Operation, name: string, value: string): boolean {
  const parameter = pathParameter(operation, name);
  if (parameter?.schema == null) return false;
  const shape = shapeOf(description, parameter.schema.value);
  return ('enum' in shape || 'const' in shape) && !admits(description, parameter, value);
}

/** Things whose change or removal can lock this run out of the target. */
const IDENTITIES = /user|account|member|token|session|key|credential|role|permission|tenant|organi[sz]ation|admin/i;

/** Names of the parts of such an identity that are changed by writing below it: /roles/{id}/permissions. */
const RIGHTS = /permission|role|group|user|member|password|secret|credential|token|key|scope|grant|polic|status|state/i;

/**
 * Tells whether only objects that this run made, or an earlier one, may be named: always where they are deleted or emptied, and
 * where others live also where they are changed. By a description alone what others live by is not changed either.
 */
function mustBeOwn(world: World, description: Description, operation: Operation, name: string): boolean {
  const isConcerned = isActedOn(description, operation, name);
  if (isConcerned && (takesAwayOne(operation) || world.environment !== 'local')) return true;
  if (world.contract !== 'openapi') return false;
  if (!isTarget(operation, name)) return mutates(operation) && isRight(operation, name);
  return nounsBefore(operation.path, name).some((noun) => IDENTITIES.test(noun));
}

/**
 * Tells whether a success changes or deletes the object that this parameter names, or a part of it: it is the last of
 * the path, and the operation does not only add to a collection below it.
 */
export function isActedOn({ operations }: Description, operation: Operation, name: string): boolean {
  if (!mutates(operation) || parameterNames(operation.path).at(-1) !== name) return false;
  if (operation.method !== 'POST' || isTarget(operation, name)) return true;
  const path = trimmed(operation.path);
  return !operations.some(
    (other) => (other.method === 'GET' && other.path === operation.path) || other.path.startsWith(`${path}/{`),
  );
}

/** Tells whether the path below this parameter, up to the next one, is about what its identity may do. */
function isRight({ path }: Operation, name: string): boolean {
  const [, below = ''] = path.split(`{${name}}`);
  const nouns = nounsBefore(path, name).slice(0, 2);
  return nouns.some((noun) => IDENTITIES.test(noun)) && RIGHTS.test(below.split('{', 1)[0] as string);
}

/** Tells whether the operation changes or deletes what this parameter names. */
function isTarget(operation: Operation, name: string): boolean {
  return mutates(operation) && endsWithParameter(operation.path, name);
}

/** The values that the description itself offers: examples, those that it lists, or a day; free ids are not invented. */
function described(world: World, description: Description, operation: Operation, name: string): readonly string[] {
  const parameter = pathParameter(operation, name);
  if (parameter === null) return [];
  const shape = shapeOf(description, parameter.schema?.value);
  const listed = parameter.schema === null ? [] : listedValues(description, parameter.schema.value);
  // A day or a moment is no id: there is a report of each.
  const isTime = shape.format === 'date' || shape.format === 'date-time';
  const isShown = parameter.examples.length > 0 || shape.example !== undefined || shape.default !== undefined;
  const offers = isShown || isTime || listed.length > 0;
  if (!offers) return [];
  // Listed values are those that there may be: not all of them need be there.
  const further = listed.map((value) => segmentText(parameter, value));
  return [parameterValue(description, parameter, drawFor(world, 'path')), ...further];
}

/** Not all that stands in a path is an id: a count, a status or a word may be any. The smallest number comes first, for it costs least. */
const ANY_NUMBER = '1';

function guesses(world: World, description: Description, operation: Operation, name: string): readonly string[] {
  const parameter = pathParameter(operation, name);
  if (parameter === null) return [ANY_NUMBER];
  const drawn = parameterValue(description, parameter, drawFor(world, 'path'));
  return admits(description, parameter, ANY_NUMBER) ? [ANY_NUMBER, drawn] : [drawn];
}

/** The declared path parameter of this name; null when the description forgot it. */
export function pathParameter(operation: Operation, name: string): Parameter | null {
  return operation.parameters.find((parameter) => parameter.in === 'path' && parameter.name === name) ?? null;
}
