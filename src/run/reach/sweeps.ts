// Finds the calls whose success takes away or changes things without naming them one by one, and the list that shows what such a call reaches.

import { isSafe } from '../../exchange/methods.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { isSecret } from '../../facts/members.ts';
import { nounAt } from '../../facts/nouns.ts';
import { subjectOf, wordAtEnd } from '../../facts/path-words.ts';
import { parameterNames, partedPath, trimmed } from '../../facts/paths.ts';
import { bodyType } from '../../generate/bodies.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { asObject, normal } from '../../openapi/json.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { isNameOfId } from '../../probes/reach/word-calls.ts';

/** Deleting one of these, which need no id, deletes the caller's own. */
const OWN = /\/(account|me|profile|session|(sessions|tokens)\/(current|self|me|mine))$/i;

/** The name of a member that means everything: all, delete_all, applyToAll. */
const ALL = /(^|_|(?<=[a-z])(?=A))(all|All)$/;

/** The end of a word that says by what things are chosen, and not what they are: delete-by-category, remove-expired. */
const CHOICE =
  /^(by[-_].+|old|expired|inactive|stale|unused|completed|done|finished|failed|orphan(ed|s)?|duplicates?|obsolete|outdated|archived)$/i;

/** A call that names none of the things that it takes away or changes. */
export interface Sweep {
  /** The template of the path of the collection that holds them; null where nothing tells which it is. */
  readonly collection: string | null;
  /** Set: it replaces as a whole what is no JSON, which can be put back where a read has shown it. */
  readonly isWhole?: true;
}

const UNSEEN: Sweep = { collection: null };

/** The operation as such a call; null for one that names what it acts on, or only adds. */
export function sweepOf(described: Described): Sweep | null {
  const { method, path } = described.operation;
  if (isSafe(method)) return null;
  if (mayRemove(described)) return UNSEEN;
  const isOfOne = trimmed(path).endsWith('}');
  if (method === 'DELETE') {
    const isOfAll = parameterNames(path).length === 0 || (!isOfOne && namesOfOne(described, path).length > 0);
    return isOfAll ? { collection: trimmed(path) } : null;
  }
  if (saysSo(described)) return { collection: sweptByWord(described) };
  if (method === 'POST') return mayMeanAll(described) ? { collection: partedPath(path)[0] } : null;
  if (!isOfOne && changesAll(described)) return { collection: trimmed(path) };
  return parameterNames(path).length === 0 && changesTheOne(described) ? sweepOfOne(described) : null;
}

function sweepOfOne(described: Described): Sweep {
  return replacesWhole(described) ? { collection: null, isWhole: true } : UNSEEN;
}

/** Tells whether a success takes away or changes, on no object in particular, what was there before: the caller's own, or everybody's. */
export function reachesOthers(described: Described): boolean {
  return parameterNames(described.operation.path).length === 0 && sweepOf(described) !== null;
}

/** Tells whether a success takes it away. */
export function takesAway(described: Described): boolean {
  const { method, path } = described.operation;
  if (isSafe(method) || parameterNames(path).length > 0) return mayRemove(described);
  return mayRemove(described) || method === 'DELETE' || (saysSo(described) && !removesOne(path));
}

/** Tells whether a value that must be there says what is done, and may say that things are taken away. */
function mayRemove(described: Described): boolean {
  return listedDeeds(described).some((deed) => ['removes', 'empties'].includes(wordAtEnd(`/${deed}`)?.deed ?? ''));
}

/** A member of a body that says what is done. */
const COMMAND = /^(operation|action|command|cmd|op|method|task|verb)$/i;
const NAMES_THINGS = /(^|_)(uu)?ids?$|[a-z](Uu)?Ids?$/;

/**
 * The values that say what a call does and that are listed for a parameter, or for a command in the body, which must be there. Where things are
 * kept at the path, or the body names one, a member of that name is one of theirs.
 */
export function listedDeeds(described: Described): readonly string[] {
  const { description, operation } = described;
  if (isSafe(operation.method)) return [];
  const members = parameterNames(operation.path).length > 0 ? {} : bodyMembers(described);
  const isOfThings =
    readerOf(described) !== undefined ||
    namesOfOne(described, operation.path).length > 0 ||
    Object.keys(members).some((name) => NAMES_THINGS.test(name));
  const { required } = shapeOf(description, bodyType(operation)?.schema?.value);
  const commands = Object.entries(isOfThings || !Array.isArray(required) ? {} : members).filter(
    ([name]) => COMMAND.test(name) && (required as readonly unknown[]).includes(name),
  );
  const parameters = operation.parameters.filter((one) => one.required && one.schema !== null);
  return [...commands.map(([, schema]) => schema), ...parameters.map(({ schema }) => schema?.value)]
    .flatMap((schema) => shapeOf(description, schema).enum ?? [])
    .filter((value) => typeof value === 'string');
}

/**
 * Tells whether it changes the one thing of its kind that there is, which was there before, and whose state cannot be put back: that of
 * the caller (PATCH /me), or a member that reading it does not show.
 */
function changesTheOne(described: Described): boolean {
  const members = Object.keys(bodyMembers(described));
  return isAtTheOne(described) && (members.length === 0 || !isAllShown(described) || isOfCaller(described.operation));
}

/** Tells whether a POST sets the one thing of its kind, as a PUT would: reading it shows all that is sent, and no list of things. */
export const setsTheOne = oncePer((described: Described): boolean => {
  const members = Object.values(bodyMembers(described)).map((schema) => shapeOf(described.description, schema));
  const isOfLists = members.some(({ type, items }) => type === 'array' || items !== undefined);
  return members.length > 0 && !isOfLists && isAtTheOne(described) && isAllShown(described);
});

/** Tells whether its path is that of one thing which can be read, and nothing below it is. */
function isAtTheOne(described: Described): boolean {
  const reader = readerOf(described);
  const isOfChosen = reader?.parameters.some((one) => one.in === 'query' && one.required);
  return reader !== undefined && isOfChosen !== true && namesOfOne(described, described.operation.path).length === 0;
}

/** Tells whether reading the thing shows each member that is sent. */
function isAllShown(described: Described): boolean {
  const { description } = described;
  const read = readerOf(described)
    ?.responses.find(({ status }) => status.startsWith('2'))
    ?.content.find(isJsonMedia);
  const whole = asObject(shapeOf(description, read?.schema?.value).properties);
  const wrapped = Object.values(whole).map((member) => asObject(shapeOf(description, member).properties));
  const members = Object.entries(bodyMembers(described));
  return [whole, ...wrapped].some((shown) =>
    members.every(
      ([name, schema]) => Object.hasOwn(shown, name) && !isSecret(name) && asObject(schema).writeOnly !== true,
    ),
  );
}

/** Tells whether it sets, in one piece, what a read shows in the same media type that is no JSON. */
function replacesWhole(described: Described): boolean {
  const { operation } = described;
  const sent = bodyType(operation)?.mediaType ?? null;
  const read = readerOf(described)?.responses.filter(({ status }) => status.startsWith('2')) ?? [];
  const isShown = read.some(({ content }) => content.some(({ mediaType }) => mediaType === sent));
  return operation.method === 'PUT' && sent !== null && !isJson(sent) && isShown && !isOfCaller(operation);
}

/** The operation that reads what stands at the path. */
function readerOf({ description, operation }: Described): Operation | undefined {
  return description.operations.find(({ method, path }) => method === 'GET' && path === operation.path);
}

/** Tells whether it acts on the account, profile or session of whoever calls. */
export function isOfCaller({ path }: Pick<Operation, 'path'>): boolean {
  return OWN.test(withoutSigns(path));
}

function isJsonMedia({ mediaType }: { readonly mediaType: string }): boolean {
  return isJson(mediaType);
}

/** The parameters by which the description's paths name one thing of the collection. */
function namesOfOne({ description }: Described, collection: string): readonly string[] {
  const items = description.operations.map(({ path }) => ({ path, ...subjectOf(path) }));
  const own = items.filter((one) => one.isOfOne && one.word === null && one.collection === trimmed(collection));
  return own.flatMap(({ path }) => parameterNames(path).slice(-1));
}

/** The members of the body, by name. */
function bodyMembers({ operation, description }: Described): Readonly<Record<string, unknown>> {
  const { properties } = shapeOf(description, bodyType(operation)?.schema?.value);
  return asObject(properties);
}

/** Tells whether the body names things of the collection: by an id, by several, or by what paths name them by. A PATCH without an id that may be absent is one of all. */
function bodyNamesThings(described: Described, collection: string): boolean {
  const { operation, description } = described;
  const names = namesOfOne(described, collection).map(normal);
  const { required } = shapeOf(description, bodyType(operation)?.schema?.value);
  const isThere = (member: string): boolean =>
    operation.method !== 'PATCH' || (Array.isArray(required) && required.includes(member));
  return Object.keys(bodyMembers(described)).some(
    (member) => isThere(member) && (isNameOfId(member, nounAt(collection)) || names.includes(normal(member))),
  );
}

/** Tells whether a PATCH or PUT of a whole collection, to which a POST adds, changes it all: its body names no thing of it. */
function changesAll(described: Described): boolean {
  const { method, path } = described.operation;
  const isAddedTo = described.description.operations.some((one) => one.method === 'POST' && one.path === path);
  if (namesOfOne(described, path).length === 0 || !(method === 'PATCH' || (method === 'PUT' && isAddedTo)))
    return false;
  return !bodyNamesThings(described, path);
}

/** Tells whether the body of an action on a collection can say that it is meant for all that is there: {all: true}. */
function mayMeanAll(described: Described): boolean {
  const { description, operation } = described;
  const isSaid = Object.entries(bodyMembers(described)).some(
    ([name, schema]) => ALL.test(name) && shapeOf(description, schema).type === 'boolean',
  );
  const [collection] = partedPath(operation.path);
  return isSaid && namesOfOne(described, collection).length > 0;
}

/** Tells whether a word at the end of the path takes away or changes all things, or those that the body names, whoever made them. */
function saysSo(described: Described): boolean {
  const { path } = described.operation;
  const { word: said, isOfOne, collection } = subjectOf(path);
  if (said === null || (isOfOne && said.object === '' && !said.isOfMany)) return false;
  if (said.deed === 'changes') return said.isOfMany && !bodyNamesThings(described, collection);
  if (said.deed !== 'removes') return said.deed === 'empties' || said.deed === 'replaces';
  // Removing alone takes one thing out of another, which stays: /cart/remove, /cart/remove-item.
  return said.isOfMany || said.word !== 'remove' || CHOICE.test(said.object);
}

/** Tells whether the word names the kind of the one thing that it takes away: /items/delete-item, /deleteUser. */
function removesOne(path: string): boolean {
  const said = wordAtEnd(path);
  return said?.deed === 'removes' && !said.isOfMany && said.object !== '' && !CHOICE.test(said.object);
}

/** The collection that such a word is about: that before it, or below it the one that it names, be it in the singular. */
function sweptByWord({ operation: { path }, description }: Described): string | null {
  const said = wordAtEnd(path);
  if (said === null || said.object === '' || CHOICE.test(said.object)) return said?.before || null;
  const named = `${said.before}/${said.object}`;
  const isNamed = (one: string): boolean =>
    partedPath(one)[0] === said.before && nounAt(one) === nounAt(named.toLowerCase());
  return description.operations.find((one) => one.method === 'GET' && isNamed(one.path))?.path ?? named;
}

/** The path without a slash at its end, and its words without the signs around them: `/__flush__` is a flush. */
export function withoutSigns(path: string): string {
  return trimmed(path).replaceAll(/(?<=\/)[_.$~-]+|[_.$~-]+(?=\/|$)/g, '');
}
