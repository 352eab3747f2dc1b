// Makes the bodies that change an item in the course of its life: a replacement of all of it, an update of one member, null for one, and
// further ones that tell whether what null is read as is a default.
import type { PlannedBody, RequestPlan } from '../../exchange/exchange.ts';
import {
  type DescribedMembers,
  isClientsOwn,
  isCodeName,
  isLeftOut,
  isNullable,
  shapesOf,
} from '../../facts/members.ts';
import { sameness } from '../../facts/same-value.ts';
import { unwrapped, withMembersChanged, withSurroundings } from '../../facts/wrapper.ts';
import { isValid, jsonBodyType } from '../../generate/bodies.ts';
import { type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { markedBody } from '../reach/marked-body.ts';
import { recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** Every member described; null where no such body can be made. */
export function replacementBody(world: World, { recipe, ...replacer }: Reached): PlannedBody | null {
  const full = { ...replacer, recipe: { ...recipe, fullness: 'full' as const } };
  const { body } = markedBody(world, full, `life ${replacer.operation.key} replaced`, 7);
  return body?.kind === 'json' && isObject(body.value) ? body : null;
}

/** The body that changes these members of an item, and holds beside them what must stand around them alone. */
export function bodyWith(
  world: World,
  { operation, recipe }: Reached,
  { description, wrapper }: DescribedMembers,
  changed: JsonObject,
): JsonObject {
  if (wrapper.length === 0) return changed;
  const whole = recipeBody({ ...recipe, fullness: 'full' }, drawFor(world, `life ${operation.key} wrapped`));
  const schema = jsonBodyType(operation)?.schema?.value ?? true;
  return withSurroundings(description, schema, isObject(whole) ? whole : {}, wrapper, changed);
}

/** One member of the item with another value, and what the description requires beside it; null where nothing can be changed so. */
export function updatedMembers(
  world: World,
  { operation, recipe }: Reached,
  current: JsonObject,
  members: DescribedMembers,
): JsonObject | null {
  const { description, sent, wrapper } = members;
  const whole = recipeBody({ ...recipe, fullness: 'full' }, drawFor(world, `life ${operation.key} updated`));
  if (jsonBodyType(operation) === null || !isObject(whole)) return null;
  const drawn = unwrapped(whole, wrapper);
  const { required } = shapeOf(description, sent?.value ?? true);
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const candidates = Object.keys(drawn)
    .filter((name) => isClientsOwn(members, name) && name in current && !needed.includes(name))
    .filter((name) => sameness(drawn[name], current[name]) === 'other')
    .toSorted((left, right) => weight(left, drawn[left]) - weight(right, drawn[right]));
  for (const name of [...candidates, ...needed.slice(0, 1)]) {
    const names = [...new Set([name, ...needed])];
    const value = Object.fromEntries(names.filter((one) => one in drawn).map((one) => [one, drawn[one]]));
    if (isValid(description, sent, value) && Object.keys(value).length > 0) return value;
  }
  return null;
}

/** Null for one member which the resource shows with a value; null where none is described to take it. */
export function clearedMember(
  { operation, description }: Reached,
  current: JsonObject,
  members: DescribedMembers,
): JsonObject | null {
  const member = Object.keys(current).find(
    (name) =>
      !isLeftOut(current[name]) &&
      isClientsOwn(members, name) &&
      isNullable(members, name) &&
      isValid(description, members.sent, { [name]: null }),
  );
  return member === undefined || jsonBodyType(operation) === null ? null : { [member]: null };
}

/** A text is not filled beyond so many letters. */
const LONGEST_TEXT = 500;

/** Members of the update with the longest text and the empty list that the description allows where the resource shows others. */
export function extremesFor(current: JsonObject, members: DescribedMembers): JsonObject {
  const { description, sent } = members;
  const extremes = Object.entries(current).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const shape = shapesOf(members, name)[0] ?? {};
    if (!isClientsOwn(members, name) || isLeftOut(value)) return [];
    const extreme = Array.isArray(value) ? [] : typeof value === 'string' ? filled(value, name, shape) : null;
    return extreme !== null && isValid(description, sent, { [name]: extreme }) ? [[name, extreme]] : [];
  });
  return Object.fromEntries(extremes);
}

/** A text as long as it may be, of the words that are there; null where its form or its length is not the client's to choose. */
function filled(text: string, name: string, { maxLength, format, pattern, enum: listed }: SchemaObject): string | null {
  const isAny = [format, pattern, listed].every((one) => one === undefined) && !isCodeName(name);
  if (!isAny || typeof maxLength !== 'number' || maxLength > LONGEST_TEXT || text.length >= maxLength) return null;
  // It begins otherwise: a list that shows the earlier text does not shorten this one.
  return `Long ${`${text} `.repeat(maxLength)}`.slice(0, maxLength).replace(/ $/, 'x');
}

/** Plain texts first: a change of what others are computed of, or of what must be confirmed, tells less. */
function weight(name: string, value: unknown): number {
  if (/mail|phone|price|currency|quantity|(_id|Id)$/i.test(name)) return 4;
  if (typeof value === 'string') return /name|title/i.test(name) ? 1 : 0;
  return typeof value === 'object' ? 3 : 2;
}

/** The request with further members in its JSON body; null where it has none. */
export function withMembers(plan: RequestPlan, further: JsonObject, members: DescribedMembers): RequestPlan | null {
  return withMembersChanged(plan, members, (own) => ({ ...own, ...further }));
}

/** The write with another value of a member that has few than the item has and null stands for; null where none is described. */
export function withOtherValue(
  plan: RequestPlan,
  members: DescribedMembers,
  { name, was }: { readonly name: string; readonly was: unknown },
): RequestPlan | null {
  const { description, sent } = members;
  const listed = shapesOf(members, name)[0]?.enum;
  const others = [...(Array.isArray(listed) ? listed : []), ...othersThan(was)];
  return withMembersChanged(plan, members, (own) => {
    const all = others.filter((one) => one !== null && one !== was).map((one) => ({ ...own, [name]: one }));
    return all.find((one) => isValid(description, sent, one)) ?? null;
  });
}

/** Other values of the same kind. */
export function othersThan(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  return typeof value === 'number' ? [value + 1, value - 1, value / 2] : [];
}

/** The write without the member, and without what is not the client's to set where that must be; null where none is sound. */
export function withoutMember(plan: RequestPlan, members: DescribedMembers, name: string): RequestPlan | null {
  return withMembersChanged(plan, members, (own) => {
    const others = membersOf(own).filter(([one]) => one !== name);
    const clients = others.filter(([one]) => isClientsOwn(members, one));
    const bodies = [others, clients].map((one) => Object.fromEntries(one));
    return bodies.find((one) => isValid(members.description, members.sent, one)) ?? null;
  });
}

/** The recipe's request as it is sent to another item. */
export function changeOf({ query, headers, body }: RequestPlan): Partial<RequestPlan> {
  return { query, headers, body, makes: 'nothing' };
}
