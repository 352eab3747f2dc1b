// Plans what changes an item in the course of its life: a replacement of all of it, an update of one member, and null for one, which is
// sent once more where it cannot be told from a default.

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import {
  type DescribedMembers,
  isClientsOwn,
  isCodeName,
  isLeftOut,
  isNullable,
  memberShape,
} from '../../facts/members.ts';
import { resourceOf } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { isValid, jsonBodyType } from '../../generate/bodies.ts';
import { isObject, type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { markedBody } from '../idempotency/bodies.ts';
import { recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { type Desk, isRead, PROBE, patienceAfter, readUntil } from './desk.ts';
import { planAt, type Subject } from './lifecycle.ts';

/** What is described of the bodies that the writer takes and the reader shows. */
export function membersFor(writer: Reached, reader: Reached): DescribedMembers {
  const { responses } = reader.operation;
  const success = responses.find(({ status }) => status === '200') ?? responses.find(({ status }) => /^2/.test(status));
  const shown = success?.content.find(({ mediaType }) => isJson(mediaType))?.schema ?? null;
  return { description: writer.description, sent: jsonBodyType(writer.operation)?.schema ?? null, shown };
}

/** Replaces the item with every member described; null where no such body can be made. */
export function replacementOf(world: World, replacer: Reached, subject: Subject): RequestPlan | null {
  const full = { ...replacer, recipe: { ...replacer.recipe, fullness: 'full' as const } };
  const { body } = markedBody(world, full, `life ${replacer.operation.key} replaced`, 7);
  if (body?.kind !== 'json' || !isObject(body.value)) return null;
  const value = 'id' in body.value ? { ...body.value, id: subject.id } : body.value;
  return planAt(world, replacer, subject, PROBE, { body: { ...body, value }, makes: 'nothing' });
}

/** Changes one member of the item, and what the description requires beside it; null where nothing can be changed so. */
export function updateOf(
  world: World,
  amender: Reached,
  subject: Subject,
  current: Record<string, unknown>,
  members: DescribedMembers,
): RequestPlan | null {
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
    if (isValid(amender.description, media.schema, value) && Object.keys(value).length > 0)
      return planAt(world, amender, subject, PROBE, { body: { kind: 'json', value } });
  }
  return null;
}

/** An update that sends null for one member which the resource shows with a value; null where none is described to take it. */
export function clearingOf(
  world: World,
  amender: Reached,
  subject: Subject,
  current: Record<string, unknown>,
  members: DescribedMembers,
): RequestPlan | null {
  const media = jsonBodyType(amender.operation);
  const member = Object.keys(current).find(
    (name) =>
      !isLeftOut(current[name]) &&
      isClientsOwn(members, name) &&
      isNullable(members, name) &&
      isValid(amender.description, media?.schema ?? null, { [name]: null }),
  );
  if (member === undefined || media === null) return null;
  return planAt(world, amender, subject, PROBE, { body: { kind: 'json', value: { [member]: null } } });
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

/** A write, with the readings around it. */
export interface Around {
  readonly before: Exchange;
  readonly write: Exchange;
  readonly reading: Exchange;
}

/**
 * LIFE-02: whether null is answered by a default, which may be the value that was there by chance: the write once more, after the member was given another
 * value than `was`. A default is the same again, and what null does not change is the other value. Null where that could not be done.
 */
export async function clearedAgain(
  desk: Desk,
  {
    writer,
    reader,
    members,
  }: { readonly writer: Reached; readonly reader: Reached; readonly members: DescribedMembers },
  {
    write,
    subject,
    name,
    was,
  }: { readonly write: Exchange; readonly subject: Subject; readonly name: string; readonly was: unknown },
): Promise<Around | null> {
  const { plan } = write;
  if (plan.body.kind !== 'json' || !isObject(plan.body.value)) return null;
  const other = withOther(writer, members, plan.body.value, name, was);
  if (other === null) return null;
  const body = { ...plan.body, value: other };
  const set = await desk.write({ ...plan, body } satisfies RequestPlan);
  if (set === null || !isRead(set)) return null;
  const shows = (one: Exchange): boolean => sameness(other[name], resourceOf(one)?.[name]) === 'same';
  const readAfter = (after: Exchange, isDone: (one: Exchange) => boolean): Promise<Exchange> => {
    const since = { from: desk.world.timing.now(), patienceMs: patienceAfter(after) };
    return readUntil(desk.world, since, () => desk.read(reader, subject), isDone);
  };
  const before = await readAfter(set, shows);
  const again = shows(before) ? await desk.write(plan) : null;
  if (again === null || !isRead(again)) return null;
  return { before, write: again, reading: await readAfter(again, (one) => !shows(one)) };
}

function withOther(
  { description, operation }: Reached,
  { sent }: DescribedMembers,
  body: JsonObject,
  name: string,
  was: unknown,
): JsonObject | null {
  const listed = memberShape(description, sent?.value ?? true, name)?.enum;
  const others = [...(Array.isArray(listed) ? listed : []), ...othersThan(was)];
  const bodies = others.filter((one) => one !== null && one !== was).map((one) => ({ ...body, [name]: one }));
  return bodies.find((one) => isValid(description, jsonBodyType(operation)?.schema ?? null, one)) ?? null;
}

function othersThan(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  return typeof value === 'number' ? [value + 1, value - 1, value / 2] : [];
}

/** What is sent to another item than the recipe's: the same, under that item's id. */
export function changeOf({ query, headers, body }: RequestPlan, { id }: Subject): Partial<RequestPlan> {
  const change: Partial<RequestPlan> = { query, headers, body, makes: 'nothing' };
  if (body.kind !== 'json' || !isObject(body.value) || !('id' in body.value)) return change;
  return { ...change, body: { ...body, value: { ...body.value, id } } };
}
