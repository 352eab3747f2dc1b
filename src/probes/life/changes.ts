// Makes the bodies that change an item in the course of its life: a replacement of all of it, an update of one member, null for one, and
// further ones that tell whether what null is read as is a default.
import type { RequestPlan } from '../../exchange/exchange.ts';
import { describedMembers } from '../../facts/kind.ts';
import {
  type DescribedMembers,
  isClientsOwn,
  isCodeName,
  isLeftOut,
  isNullable,
  memberShape,
} from '../../facts/members.ts';
import { memberOf, normal } from '../../facts/nouns.ts';
import { sameness } from '../../facts/same-value.ts';
import { isValid, jsonBodyType } from '../../generate/bodies.ts';
import { isObject, type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { type JsonObject, membersOf } from '../../openapi/json.ts';
import { markedBody } from '../reach/marked-body.ts';
import { recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** The members described for the bodies that the writer takes and the reader shows. */
export function membersFor({ description, operation }: Reached, reader: Reached): DescribedMembers {
  return describedMembers(description, operation, reader.operation);
}

/** Every member described, for the item; null where no such body can be made. */
export function replacementBody(world: World, replacer: Reached, item: Named): JsonObject | null {
  const full = { ...replacer, recipe: { ...replacer.recipe, fullness: 'full' as const } };
  const { body } = markedBody(world, full, `life ${replacer.operation.key} replaced`, 7);
  if (body?.kind !== 'json' || !isObject(body.value)) return null;
  return underName(body.value, item);
}

/** An item, as the body that is sent to it names it. */
interface Named {
  readonly id: string;
  /** The parameter of its path; null: none is described. */
  readonly parameter: string | null;
}

/** The body under the name of the item: members that name it by what its path does hold the same. */
export function underName(value: JsonObject, { id, parameter }: Named): JsonObject {
  const naming = ['id', ...(parameter === null ? [] : [normal(parameter), memberOf(parameter)])];
  const named = membersOf(value).map(([name, one]) => [name, naming.includes(normal(name)) ? id : one]);
  return Object.fromEntries(named);
}

/** One member of the item, and what the description requires beside it; null where nothing can be changed so. */
export function updateBody(
  world: World,
  amender: Reached,
  current: JsonObject,
  members: DescribedMembers,
): JsonObject | null {
  const media = jsonBodyType(amender.operation);
  const recipe = { ...amender.recipe, fullness: 'full' as const };
  const drawn = recipeBody(recipe, drawFor(world, `life ${amender.operation.key} updated`));
  if (media === null || !isObject(drawn)) return null;
  const { required } = shapeOf(amender.description, media.schema?.value ?? true);
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const candidates = Object.keys(drawn)
    .filter((name) => isClientsOwn(members, name) && name in current && !needed.includes(name))
    .filter((name) => sameness(drawn[name], current[name]) === 'other')
    .toSorted((left, right) => weight(left, drawn[left]) - weight(right, drawn[right]));
  for (const name of [...candidates, ...needed.slice(0, 1)]) {
    const names = [...new Set([name, ...needed])];
    const value = Object.fromEntries(names.filter((one) => one in drawn).map((one) => [one, drawn[one]]));
    if (isValid(amender.description, media.schema, value) && Object.keys(value).length > 0) return value;
  }
  return null;
}

/** Null for one member which the resource shows with a value; null where none is described to take it. */
export function clearingBody(amender: Reached, current: JsonObject, members: DescribedMembers): JsonObject | null {
  const media = jsonBodyType(amender.operation);
  const member = Object.keys(current).find(
    (name) =>
      !isLeftOut(current[name]) &&
      isClientsOwn(members, name) &&
      isNullable(members, name) &&
      isValid(amender.description, media?.schema ?? null, { [name]: null }),
  );
  return member === undefined || media === null ? null : { [member]: null };
}

/** A text is not filled beyond so many letters. */
const LONGEST_TEXT = 500;

/** Members of the update with the longest text and the empty list that the description allows where the resource shows others. */
export function extremesFor(
  { operation, description }: Reached,
  current: Record<string, unknown>,
  members: DescribedMembers,
): JsonObject {
  const schema = jsonBodyType(operation)?.schema ?? null;
  const extremes = Object.entries(current).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const shape = memberShape(description, schema?.value ?? true, name) ?? {};
    if (!isClientsOwn(members, name) || isLeftOut(value)) return [];
    const extreme = Array.isArray(value) ? [] : typeof value === 'string' ? filled(value, name, shape) : null;
    return extreme !== null && isValid(description, schema, { [name]: extreme }) ? [[name, extreme]] : [];
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
export function withMembers(plan: RequestPlan, members: Record<string, unknown>): RequestPlan | null {
  const { body } = plan;
  if (body.kind !== 'json' || !isObject(body.value)) return null;
  return { ...plan, body: { ...body, value: { ...body.value, ...members } } };
}

/** The write with another value of a member that has few than the item has and null stands for; null where none is described. */
export function withOtherValue(
  { description, operation }: Reached,
  { sent }: DescribedMembers,
  plan: RequestPlan,
  { name, was }: { readonly name: string; readonly was: unknown },
): RequestPlan | null {
  const listed = memberShape(description, sent?.value ?? true, name)?.enum;
  const others = [...(Array.isArray(listed) ? listed : []), ...othersThan(was)];
  const plans = others.filter((one) => one !== null && one !== was).map((one) => withMembers(plan, { [name]: one }));
  const schema = jsonBodyType(operation)?.schema ?? null;
  return plans.find((one) => one?.body.kind === 'json' && isValid(description, schema, one.body.value)) ?? null;
}

function othersThan(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  return typeof value === 'number' ? [value + 1, value - 1, value / 2] : [];
}

/** The write without the member, and without what is not the client's to set where that must be; null where none is sound. */
export function withoutMember(
  { description, operation }: Reached,
  members: DescribedMembers,
  plan: RequestPlan,
  name: string,
): RequestPlan | null {
  const { body } = plan;
  if (body.kind !== 'json' || !isObject(body.value)) return null;
  const { [name]: _null, ...all } = body.value;
  const own = Object.fromEntries(Object.entries(all).filter(([member]) => isClientsOwn(members, member)));
  const schema = jsonBodyType(operation)?.schema ?? null;
  const value = [all, own].find((one) => isValid(description, schema, one));
  return value === undefined ? null : { ...plan, body: { ...body, value } };
}

/** The recipe's request as it is sent to another item: the same, under that item's id. */
export function changeOf({ query, headers, body }: RequestPlan, item: Named): Partial<RequestPlan> {
  const change: Partial<RequestPlan> = { query, headers, body, makes: 'nothing' };
  if (body.kind !== 'json' || !isObject(body.value)) return change;
  return { ...change, body: { ...body, value: underName(body.value, item) } };
}
