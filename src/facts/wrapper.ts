// Knows in which objects a body wraps the members of a resource, by its schema and by that of the answer which shows the resource: laws and
// courses know members alone.
import type { RequestPlan } from '../exchange/exchange.ts';
import { type SchemaObject, shapeOf } from '../generate/schema-shape.ts';
import { appended, isObject, type JsonObject, normal } from '../openapi/json.ts';
import type { Description, SchemaHandle } from '../openapi/model/operation.ts';
import { singular } from './nouns.ts';
import { isOwnIdName, isResource, isResourceObject, isWrapperName, MAX_ENVELOPES } from './resource.ts';

/** Names of the objects around the members, the outermost first. Empty: the members stand at the top. */
export type Wrapper = readonly string[];

/** A schema within another one, as deep as the wrapper says. */
interface Level {
  readonly wrapper: Wrapper;
  readonly schema: unknown;
}

/** The schema of the resource within that of an answer, as `resourceIn` takes it out of the answer itself. */
export function shownWithin(description: Description, shown: SchemaHandle): SchemaHandle {
  return handleAt(shown, shownLevel(description, shown));
}

function shownLevel(description: Description, { value }: SchemaHandle): Level {
  const opens = (names: readonly string[], shapeAt: ShapeAt): string | undefined => {
    const objects = names.filter((name) => isObjectShape(shapeAt(name)));
    const [only = '', ...others] = objects;
    const isAlone = others.length === 0 && namesIn(shapeAt(only)).some(isOwnIdName);
    return objects.find(isWrapperName) ?? (isAlone ? only : undefined);
  };
  return levelsIn(description, value, opens).at(-1) ?? { wrapper: [], schema: value };
}

/**
 * The wrapper of what is sent to the path, and the schema within it: the outermost that holds a member which the answer shows. Where the answer
 * shows none, or is not described, it wraps as the answer does, or as is usual: what else is an object alone may be a member itself.
 */
export function sentWithin(
  description: Description,
  path: string,
  sent: SchemaHandle,
  shown: SchemaHandle | null,
): { readonly sent: SchemaHandle; readonly wrapper: Wrapper } {
  const answer = shown === null ? { wrapper: [], schema: true } : shownLevel(description, shown);
  const isNamed = (name: string): boolean => answer.wrapper.includes(name) || isNounOf(path, name);
  // A number or a text stands beside members, and around them is none.
  const opens = (names: readonly string[], shapeAt: ShapeAt): string | undefined =>
    names.every((name) => isObjectShape(shapeAt(name)))
      ? names.find((name) => isWrapperName(name) || isNamed(name))
      : undefined;
  const levels = levelsIn(description, sent.value, opens);
  const isRead = new Set(namesIn(shapeOf(description, answer.schema)).filter((name) => !isOwnIdName(name)));
  const isUsual = (name: string): boolean => isRead.size === 0 && (isNamed(name) || /^(data|attributes)$/.test(name));
  const found =
    levels.find(({ schema }) => namesIn(shapeOf(description, schema)).some((name) => isRead.has(name))) ??
    levels.findLast(({ wrapper }) => wrapper.every((name) => answer.wrapper.includes(name) || isUsual(name)));
  const level = found ?? { wrapper: [], schema: sent.value };
  return { sent: handleAt(sent, level), wrapper: level.wrapper };
}

type ShapeAt = (name: string) => SchemaObject;

/** The schema and those that it may wrap, the outermost first. `opens`: the name of the member that wraps. */
function levelsIn(
  description: Description,
  schema: unknown,
  opens: (names: readonly string[], shapeAt: ShapeAt) => string | undefined,
  wrapper: Wrapper = [],
): readonly Level[] {
  const { properties } = shapeOf(description, schema);
  const level = { wrapper, schema };
  if (!isObject(properties) || wrapper.length > MAX_ENVELOPES) return [level];
  const names = Object.keys(properties);
  const shapeAt: ShapeAt = (name) => shapeOf(description, properties[name]);
  if (isResourceObject(names) && isObjectShape(shapeAt('attributes')))
    return [level, { wrapper: [...wrapper, 'attributes'], schema: properties.attributes }];
  const name = opens(names, shapeAt);
  return name === undefined || isResource(names, namesIn(shapeAt(name)))
    ? [level]
    : [level, ...levelsIn(description, properties[name], opens, [...wrapper, name])];
}

/** An object without described members is one of free form. */
function isObjectShape({ type, properties }: SchemaObject): boolean {
  return isObject(properties) || type === 'object';
}

function namesIn({ properties }: SchemaObject): readonly string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Tells whether things at the path are called so: book, of /books/{id}. */
function isNounOf(path: string, name: string): boolean {
  const noun = path.split('/').findLast((segment) => segment !== '' && !segment.includes('{'));
  return noun !== undefined && singular(normal(noun)) === singular(normal(name));
}

function handleAt({ pointer, value }: SchemaHandle, { wrapper, schema }: Level): SchemaHandle {
  return wrapper.length === 0
    ? { pointer, value }
    : { pointer: wrapper.reduce((at, name) => appended(at, 'properties', name), pointer), value: schema };
}

/** The members in the wrapper; the body itself where it wraps none. */
export function unwrapped(body: JsonObject, wrapper: Wrapper): JsonObject {
  const inner = wrapper.reduce<unknown>((object, name) => (isObject(object) ? object[name] : undefined), body);
  return isObject(inner) ? inner : body;
}

/** The request with the members of its JSON body changed, and what is around them as it is; null where it sends none, or nothing is changed. */
export function withMembersChanged(
  plan: RequestPlan,
  { wrapper }: { readonly wrapper: Wrapper },
  change: (members: JsonObject) => JsonObject | null,
): RequestPlan | null {
  const { body } = plan;
  if (body.kind !== 'json' || !isObject(body.value)) return null;
  const own = unwrapped(body.value, wrapper);
  const changed = change(own);
  if (changed === null) return null;
  return { ...plan, body: { ...body, value: own === body.value ? changed : rewrapped(body.value, wrapper, changed) } };
}

function rewrapped(body: JsonObject, [name, ...inner]: Wrapper, members: JsonObject): JsonObject {
  if (name === undefined) return members;
  const { [name]: below } = body;
  return { ...body, [name]: rewrapped(isObject(below) ? below : {}, inner, members) };
}

/** The members with what must stand around them alone: what is required of this body, and what names a resource object. */
export function withSurroundings(
  description: Description,
  schema: unknown,
  body: JsonObject,
  [name, ...inner]: Wrapper,
  members: JsonObject,
): JsonObject {
  if (name === undefined) return members;
  const { required, properties } = shapeOf(description, schema);
  const isNeeded = (one: string): boolean =>
    (Array.isArray(required) && required.includes(one)) || (name === 'attributes' && /^(type|id)$/.test(one));
  const { [name]: below } = body;
  const within = isObject(properties) ? properties[name] : true;
  return {
    ...Object.fromEntries(Object.entries(body).filter(([one]) => isNeeded(one))),
    [name]: withSurroundings(description, within, isObject(below) ? below : {}, inner, members),
  };
}
