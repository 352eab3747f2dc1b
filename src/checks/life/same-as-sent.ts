// Compares each member that a write has sent with what is read of the item afterwards (LIFE-02).

import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { shortened, shortenedApart } from '../../facts/answered.ts';
import { lettersIn } from '../../facts/differences.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import {
  type DescribedMembers,
  isClientsOwn,
  isLeftOut,
  isSecret,
  isServersOwn,
  isShown,
  memberShape,
  namelessShape,
} from '../../facts/members.ts';
import { notClearedIn, sameness } from '../../facts/same-value.ts';
import { type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { wrongMember } from './law.ts';

/** `was`: a reading before the write, by which it is told whether null or an empty value has changed anything. */
export function judgeSentIsRead(
  item: Item,
  write: ItemFact,
  reading: ItemFact,
  was: ItemFact | null,
  restless: readonly string[] = [],
): Judgement {
  const { shown: resource } = reading;
  if (resource === null) return cannotTell('precondition', 'no reading showed the resource after the write');
  const members = item.members(write);
  const compared = membersOf(write.sent)
    .filter(([name]) => isClientsOwn(members, name) && !restless.includes(name))
    .filter(([name]) => name in resource || isShown(members, name))
    .map(([name, sent]) => ({ name, sent, read: resource[name], how: sameness(sent, resource[name]) }))
    .map((one) => ({
      ...one,
      within: absentWithin(members, one.name, one.sent, one.read),
      kept: notClearedIn({ sent: one.sent, was: was?.shown?.[one.name], is: one.read }, { merges: isMerge(write) }),
    }))
    .filter(({ how, within, kept }) => how !== 'unsure' || within !== null || kept !== null);
  if (compared.length === 0) return cannotTell('precondition', 'no member that was sent is shown by the reading');
  const lost = compared.filter(({ how, within, kept }) => how === 'other' || within !== null || kept !== null);
  return lost.length === 0 ? holds(compared.length) : breached(lost.map(toldOf), compared.length);
}

/** Tells whether the write may merge what it sends within an object into what is there: a partial update. */
export function isMerge({ exchange }: ItemFact): boolean {
  return exchange.plan.method === 'PATCH';
}

/** Members that were sent and are read as they were sent: they are the client's. */
export function keptMembers(item: Item, write: ItemFact, { shown }: ItemFact): readonly string[] {
  if (shown === null) return [];
  return membersOf(write.sent)
    .filter(([name, sent]) => isClientsOwn(item.members(write), name) && sameness(sent, shown[name]) === 'same')
    .map(([name]) => name);
}

interface Lost {
  readonly name: string;
  readonly sent: unknown;
  readonly read: unknown;
  /** Path of the member within this one that is absent; null: this one differs itself. */
  readonly within: readonly string[] | null;
  /** Path within this one to where null or an empty value was sent, and changed nothing; null for none. */
  readonly kept: readonly string[] | null;
}

function toldOf({ name, sent, read, within, kept }: Lost): Breach {
  if (kept !== null) {
    const at = [name, ...kept].join('.');
    const [expected, actual] = [shortened(kept.reduce(memberOf, sent)), shortened(kept.reduce(memberOf, read))];
    const cause = `${expected} for ${at} is accepted and changes nothing`;
    const message = `${at} was sent as ${expected}, which is described as a value of it, and is read as ${actual} as before`;
    return wrongMember(['LIFE-02', 'not-cleared', name, ...kept], cause, message, expected, actual);
  }
  if (within !== null) {
    const at = [name, ...within].join('.');
    const expected = shortened(within.reduce(memberOf, sent));
    const message = `${at} was sent as ${expected} and is absent from the ${name} that is read`;
    const cause = `a member of ${name} is not kept`;
    return wrongMember(['LIFE-02', 'lost-within', name, ...within], cause, message, expected, 'absent');
  }
  const [expected, actual] = read === undefined ? [shortened(sent), 'absent'] : shortenedApart(sent, read);
  const kind = read === undefined || read === null ? 'lost' : 'other';
  const cause = kind === 'lost' ? `${name} is not kept` : `${name} is read otherwise than it was sent`;
  const message = `${name} was sent as ${expected} and is read as ${actual}`;
  return wrongMember(['LIFE-02', kind, name], cause, message, expected, actual);
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isObject(value) ? value[name] : undefined;
}

const MOST_LEVELS = 4;

/**
 * The first of the members within an object that were sent, are described for the resource, and are absent where it is read: its
 * path below the member. Null for none.
 */
function absentWithin({ description, shown }: DescribedMembers, name: string, sent: unknown, read: unknown) {
  const shape = memberShape(description, shown?.value ?? true, name);
  return absentIn(description, shape, sent, read, 0);
}

function absentIn(
  description: Description,
  schema: SchemaObject | null,
  sent: unknown,
  read: unknown,
  level: number,
): readonly string[] | null {
  if (schema === null || level > MOST_LEVELS) return null;
  if (Array.isArray(sent) && Array.isArray(read)) return absentInItems(description, schema, sent, read, level);
  if (!isObject(sent) || !isObject(read)) return null;
  for (const [name, value] of Object.entries(sent)) {
    const within = absentAt(description, schema, name, value, read, level);
    if (within !== null) return [name, ...within];
  }
  return null;
}

/** The path below the member to the first one that is absent: empty for the member itself. */
function absentAt(
  description: Description,
  schema: SchemaObject,
  name: string,
  value: unknown,
  read: JsonObject,
  level: number,
): readonly string[] | null {
  const listed = memberShape(description, schema, name);
  const shape = listed ?? namelessShape(description, schema);
  if (shape === null || mayBeHidden(name, shape)) return null;
  const shown = listed === null ? keyIn(read, name) : name;
  if (Object.hasOwn(read, shown)) return absentIn(description, shape, value, read[shown], level + 1);
  return isLeftOut(value) ? null : [];
}

function mayBeHidden(name: string, shape: SchemaObject): boolean {
  return shape.writeOnly === true || isServersOwn(name) || isSecret(name);
}

/** The name under which it is shown: names that clients give may be normalised. */
function keyIn(read: JsonObject, name: string): string {
  const letters = (one: string): string => lettersIn(one) || one;
  return Object.keys(read).find((one) => letters(one) === letters(name)) ?? name;
}

/** The same for the items of a list, which may come in another order: of one that was sent, each item that may be it lacks the member. */
function absentInItems(
  description: Description,
  { items }: SchemaObject,
  sent: readonly unknown[],
  read: readonly unknown[],
  level: number,
): readonly string[] | null {
  const schema = isObject(items) ? shapeOf(description, items) : null;
  for (const [index, item] of sent.entries()) {
    const alike = read.filter((other) => sameness(item, other) !== 'other');
    const lacking = alike.map((other) => absentIn(description, schema, item, other, level + 1));
    const [first = null] = lacking;
    if (first !== null && lacking.every((one) => one !== null)) return [String(index), ...first];
  }
  return null;
}

/** Tells whether the reading shows the values that the write sent, as far as can be told. */
export function isAsSent(item: Item, write: ItemFact, before: ItemFact | null, reading: ItemFact): boolean {
  return judgeSentIsRead(item, write, reading, before).kind !== 'breached';
}
