// Makes a body after a thing of its kind that the target shows, where what was drawn is refused: what such a thing holds was taken before,
// and what it refers to is there.

import type { Exchange } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { addressesOf, createdObject, idOf, isIdValue, itemsOf } from '../../facts/items.ts';
import { isSecret } from '../../facts/members.ts';
import { lastNoun, nounAt } from '../../facts/nouns.ts';
import { subjectOf } from '../../facts/path-words.ts';
import { parameterNames } from '../../facts/paths.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { isMadeUp } from '../../generate/preferred.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { isObject, membersOf, normal } from '../../openapi/json.ts';
import { fixesMember } from '../../openapi/model/fixed-input.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { drawFor, type World } from '../world.ts';
import type { Knowledge } from './knowledge.ts';
import { type Recipe, recipeBody } from './recipe.ts';

/** Maximum number of things of one kind that are kept whole. */
const MAX_KEPT = 6;
/** Maximum length of such a thing as JSON: larger ones are documents, which nobody sends by hand. */
const MAX_CHARACTERS = 20_000;
/** Levels below the thing on which a member is looked for: some keep their members in parts. */
const MAX_LEVELS = 3;

type Thing = Readonly<Record<string, unknown>>;

interface Kept {
  readonly place: string;
  readonly thing: Thing;
}

const kept = oncePer((_: Knowledge) => new Map<string, readonly Kept[]>());

function kindOf({ service, path }: Operation): string {
  return `${service} ${nounAt(subjectOf(path).collection)}`;
}

/** Keeps what a read has shown: the things of a list, or the one thing, which shows more of itself than a list does. */
export function keepShown({ knowledge, listPlace }: World, operation: Operation, body: unknown): void {
  const { collection: place, isOfOne } = subjectOf(operation.path);
  const items = isOfOne ? [createdObject(body)] : itemsOf(body, lastNoun(place), listPlace(operation.key));
  const things = items
    .slice(0, MAX_KEPT)
    .filter((item) => isObject(item) && JSON.stringify(item).length <= MAX_CHARACTERS)
    .map((thing) => ({ place, thing: thing as Thing }));
  const byKind = kept(knowledge);
  const known = byKind.get(kindOf(operation)) ?? [];
  const all = isOfOne ? [...things, ...known] : [...known, ...things];
  byKind.set(kindOf(operation), withoutDoubles(all).slice(0, MAX_KEPT));
}

function withoutDoubles(all: readonly Kept[]): readonly Kept[] {
  const byId = Map.groupBy(all, ({ place, thing }) => `${place} ${idOf(thing, '', lastNoun(place)) ?? ''}`);
  return [...byId.values()].flatMap(([first]) => first ?? []);
}

/** A kept thing of any kind that is addressed by the text; null for none. */
export function shownCalled({ knowledge }: Pick<World, 'knowledge'>, text: string): Thing | null {
  const all = [...kept(knowledge).values()].flat();
  const isCalled = ({ place, thing }: Kept): boolean =>
    addressesOf(thing, '', lastNoun(place)).some(({ value }) => value === text);
  return all.find(isCalled)?.thing ?? null;
}

/** Answers that speak of the input. */
const OF_INPUT = [400, 404, 409, 422];
/** Methods whose bodies say what a thing holds. */
const WRITES = ['POST', 'PUT', 'PATCH'];

/**
 * The recipe with its body after a thing of its kind, in the order of `attempt` from 0: first what must be there, then, after the same
 * thing, all that it shows. Null where there are no more things, or this one has nothing that fits.
 */
export function asShown(world: World, recipe: Recipe, rejection: Exchange, attempt: number): Recipe | null {
  const { operation, description } = recipe;
  if (!OF_INPUT.includes(rejection.response?.status ?? 0) || !WRITES.includes(operation.method)) return null;
  const thing = likeliest(world, recipe)[Math.floor(attempt / 2)]?.thing;
  const bare: Recipe = { ...recipe, fullness: 'required', additions: {}, omitted: [] };
  const body = thing === undefined ? null : recipeBody(bare, drawFor(world, 'learn'));
  if (thing === undefined || !isObject(body)) return null;
  const { properties } = shapeOf(description, bodyType(operation)?.schema?.value);
  const described = attempt % 2 === 0 || !isObject(properties) ? [] : Object.keys(properties);
  const additions = shownOf(bare, thing, body, new Set([...Object.keys(body), ...described]));
  return Object.keys(additions).length === 0 ? null : { ...bare, additions };
}

/** The members of these names as the thing shows them, those alone that fit beside the others. */
function shownOf(
  { description, operation }: Recipe,
  thing: Thing,
  body: Record<string, unknown>,
  names: ReadonlySet<string>,
): Record<string, unknown> {
  const schema = bodyType(operation)?.schema ?? null;
  const found: Record<string, unknown> = {};
  for (const name of names) {
    if (namesThing(operation, thing, name) || isSecret(name) || fixesMember(operation, name)) continue;
    const forms = formsOf(memberIn(thing, name));
    const value = forms.find((form) => isValid(description, schema, { ...body, ...found, [name]: form }));
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** The things of the kind: the one that the path names, those of the same place, those that others made. */
function likeliest({ knowledge }: World, { operation, pathValues }: Recipe): readonly Kept[] {
  const own = subjectOf(operation.path).collection;
  const last = parameterNames(operation.path).at(-1) ?? '';
  const isNamed = ({ thing }: Kept): boolean => idOf(thing, last, lastNoun(own)) === pathValues[last];
  const rank = (one: Kept): number =>
    (isNamed(one) ? 0 : 4) + (one.place === own ? 0 : 2) + (Object.values(one.thing).some(isMadeUp) ? 1 : 0);
  return (kept(knowledge).get(kindOf(operation)) ?? []).toSorted((left, right) => rank(left) - rank(right));
}

/** Tells whether the member is what the thing itself is known by: a new one needs another. */
function namesThing(operation: Operation, thing: Thing, name: string): boolean {
  return (
    operation.method === 'POST' &&
    addressesOf(thing, '', nounAt(subjectOf(operation.path).collection)).some(({ member }) => member === normal(name))
  );
}

/** The member of that name, of the thing or of its parts, the outermost first; undefined for none. What is called `owner_id` may be shown as `owner`. */
export function memberIn(thing: Thing, name: string): unknown {
  const wanted = normal(name).replace(/(?<=.)id$/, '');
  let parts: readonly object[] = [thing];
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const members = parts.flatMap(membersOf).filter(([, value]) => value !== null);
    const found =
      members.find(([key]) => normal(key) === normal(name)) ??
      members.find(([key]) => normal(key).replace(/(?<=.)id$/, '') === wanted);
    if (found !== undefined) return found[1];
    parts = members.map(([, value]) => value).filter(isObject);
  }
  return undefined;
}

/** The value as it may be sent: as it is shown, with ids in place of the things in it, with their names. */
function formsOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value, withAddresses(value, 'id'), withAddresses(value, 'name')];
}

function withAddresses(value: unknown, member: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withAddresses(item, member));
  if (!isObject(value)) return value;
  const address = value[member];
  return isIdValue(address)
    ? address
    : Object.fromEntries(membersOf(value).map(([name, inner]) => [name, withAddresses(inner, member)]));
}
