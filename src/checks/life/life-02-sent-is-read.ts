// Judges whether what was sent is what is read: each member of a create, a replacement or a change against the next reading.
//
// LIFE-02 (should): What was sent is what is read: each member that is accepted and not read-only has the value that was
//   sent. Tolerance: Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order
//   of sets); write-only members are not compared; a documented default fills what was absent.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess, shortened } from '../../facts/answered.ts';
import { lettersIn } from '../../facts/differences.ts';
import {
  type DescribedMembers,
  isClientsOwn,
  isLeftOut,
  isNullable,
  isSecret,
  isServersOwn,
  isShown,
  memberShape,
  namelessShape,
  resourceSchema,
} from '../../facts/members.ts';
import { idShown, resourceOf, showsId } from '../../facts/resource.ts';
import { mayBeDefault, notClearedIn, sameness } from '../../facts/same-value.ts';
import { readsAsGone } from '../../facts/states.ts';
import { type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { appended, isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';

/** Members of the JSON object that an exchange sent; none for another body. */
export function sentMembers({ plan: { body } }: Exchange): JsonObject {
  return body.kind === 'json' && isObject(body.value) ? body.value : {};
}

/**
 * LIFE-02: a write that was answered with 2xx, and a reading after it. `restless`: members that change on their own. `before`: a reading
 * before the write, by which it is told whether null or an empty value has changed anything.
 */
export function judgeSentIsRead(
  write: Exchange,
  reading: Exchange,
  members: DescribedMembers,
  restless: readonly string[] = [],
  before: Exchange | null = null,
): Judgement {
  const resource = isSuccess(reading.response?.status ?? 0) ? resourceOf(reading) : null;
  if (resource === null) return cannotTell('precondition', 'no reading showed the resource after the write');
  const earlier = before === null ? null : resourceOf(before);
  const compared = membersOf(sentMembers(write))
    .filter(([name]) => isClientsOwn(members, name) && !restless.includes(name))
    .filter(([name]) => name in resource || isShown(members, name))
    .map(([name, sent]) => ({ name, sent, read: resource[name], how: sameness(sent, resource[name]) }))
    .map((one) => ({
      ...one,
      within: absentWithin(members, one.name, one.sent, one.read),
      kept: notClearedIn({ sent: one.sent, was: earlier?.[one.name], is: one.read }, isMerge(write)),
    }))
    .filter(({ how, within, kept }) => how !== 'unsure' || within !== null || kept !== null);
  if (compared.length === 0) return cannotTell('precondition', 'no member that was sent is shown by the reading');
  const lost = compared.filter(({ how, within, kept }) => how === 'other' || within !== null || kept !== null);
  return lost.length === 0 ? holds(compared.length) : breached(lost.map(toldOf), compared.length);
}

/** A member that one writer leaves as it is, and another sets. */
export interface SteeredCase {
  readonly name: string;
  readonly sent: unknown;
  readonly read: unknown;
  /** The operation that sets it. */
  readonly setBy: string;
}

/** LIFE-02: a member of a server's own name that clients set all the same, as another operation has shown around the write. */
export function judgeSteered({ name, sent, read, setBy }: SteeredCase): Judgement {
  const [expected, actual] = [shortened(sent), shortened(read ?? null)];
  const [code, cause] = [codeOf('LIFE-02', 'left', name), `${name} stays as it was, whatever is sent`];
  const message = `${name} was sent as ${expected} and is read as ${actual}, as before; ${setBy} sets it`;
  return breached([{ weight: 'breach', code, cause, message, expected, actual, pointer: appended('', name) }]);
}

/** LIFE-02: a state that every writer is described to take, and none sets. `values`: those that were sent. */
export function judgeIgnored(name: string, values: readonly unknown[], read: unknown): Judgement {
  const [expected, actual] = [values.map((value) => shortened(value)).join(', '), shortened(read ?? null)];
  const [code, cause] = [codeOf('LIFE-02', 'ignored', name), `${name} is accepted by every writer, and set by none`];
  const message = `${name} was sent as ${expected} and is read as ${actual}; it is described to be written, and not as read-only`;
  return breached([{ weight: 'breach', code, cause, message, expected, actual, pointer: appended('', name) }]);
}

/**
 * LIFE-02: whether an item that could be read before it was changed can be read after it. An answer that shows an id made of what was
 * sent has moved it, and what was sent may have hidden it.
 */
export function judgeStillRead(write: Exchange, reading: Exchange, id: string): Judgement {
  const { status = 0 } = reading.response ?? {};
  const shown = resourceOf(write);
  const isMoved = shown !== null && showsId(shown, id) === false && isMadeOf(idShown(shown) ?? '', sentMembers(write));
  const mayBeHidden = membersOf(sentMembers(write)).some(([name, value]) => readsAsGone(name, value));
  if ((status !== 404 && status !== 410) || isMoved || mayBeHidden)
    return cannotTell('precondition', 'no reading showed the resource after the write');
  const [expected, actual] = ['the item with what was sent', `${status}`];
  const cause = 'what was changed can no longer be read';
  const message = `a change was answered ${write.response?.status ?? 0}, reading the item is answered ${status}; expected ${expected}`;
  return breached([{ weight: 'breach', code: 'life-02.gone', cause, message, expected, actual, pointer: '' }]);
}

const LETTERS_OF_SLUG = 8;

/** Whether the id holds the beginning of one of the texts that were sent, as a slug of a title does. */
function isMadeOf(id: string, sent: JsonObject): boolean {
  const texts = Object.values(sent).flatMap((value) => (typeof value === 'string' ? [lettersIn(value)] : []));
  return texts.some((text) => text !== '' && lettersIn(id).includes(text.slice(0, LETTERS_OF_SLUG)));
}

/**
 * LIFE-02: what a create sent, as a list shows it. `item`: what reading by the id shows; only what is right there is compared. Lists may
 * leave members out or empty, at any depth, or shorten texts and lists within.
 */
export function judgeSentIsListed(
  write: Exchange,
  item: JsonObject,
  listed: JsonObject,
  members: DescribedMembers,
): Judgement {
  const compared = membersOf(sentMembers(write))
    .filter(([name, sent]) => isClientsOwn(members, name) && sameness(sent, item[name]) === 'same')
    .map(([name, sent]) => ({ name, sent, shown: listed[name], pairs: comparableIn(sent, listed[name]) }))
    .filter(({ pairs }) => pairs.length > 0);
  if (compared.length === 0) return cannotTell('precondition', 'the list shows no member that was sent');
  const other = compared.filter(({ pairs }) => pairs.some(([sent, shown]) => sameness(sent, shown) === 'other'));
  return breached(other.map(listedOtherwise), compared.length);
}

/** The values of what was sent that a list shows as values of the same type, beside them; texts that it shortens or masks aside. */
function comparableIn(sent: unknown, shown: unknown): readonly (readonly [unknown, unknown])[] {
  if (isObject(sent) && isObject(shown))
    return membersOf(sent)
      .filter(([name]) => !isServersOwn(name) && !isSecret(name))
      .flatMap(([name, value]) => comparableIn(value, shown[name]));
  if (typeof sent !== typeof shown || typeof sent === 'object') return [];
  return typeof sent === 'string' && typeof shown === 'string' && isAbridged(sent, shown) ? [] : [[sent, shown]];
}

function isAbridged(sent: string, shown: string): boolean {
  return sent.startsWith(shown) || /\*\*|…|\.\.\.$/.test(shown);
}

function listedOtherwise({ name, sent, shown }: { name: string; sent: unknown; shown: unknown }): Breach {
  const [expected, actual] = [shortened(sent), shortened(shown)];
  const [code, cause] = [codeOf('LIFE-02', 'other-in-list', name), `the list shows another ${name} than was sent`];
  const message = `${name} was sent as ${expected} and is read so by the id; the list shows ${actual}`;
  return { weight: 'breach', code, cause, message, expected, actual, pointer: appended('', name) };
}

/** What a partial update sends within an object may be merged into what is there. */
function isMerge({ plan }: Exchange): boolean {
  return plan.method === 'PATCH';
}

/**
 * A member that was sent as null and is read as `before`, with a value that a default may well have by chance: it takes another value
 * before null to tell. Null for none.
 */
export function doubtfullyKept(
  write: Exchange,
  reading: Exchange,
  members: DescribedMembers,
  before: Exchange | null,
): string | null {
  const [was, is] = [before === null ? null : resourceOf(before), resourceOf(reading)];
  if (was === null || is === null) return null;
  const { description, sent: schema } = members;
  const isDoubtful = ([name, sent]: readonly [string, unknown]): boolean =>
    isClientsOwn(members, name) &&
    notClearedIn({ sent, was: was[name], is: is[name] }, isMerge(write))?.length === 0 &&
    mayBeDefault(is[name], memberShape(description, schema?.value ?? true, name)?.enum !== undefined);
  return membersOf(sentMembers(write)).find(isDoubtful)?.[0] ?? null;
}

/**
 * A member that a body sent as null, as both sides are described to have it, and that is read with a value: it may be a default, or not. Null
 * for none.
 */
export function nullReadAsValue(
  write: Exchange,
  reading: Exchange,
  members: DescribedMembers,
  restless: readonly string[],
): string | null {
  const resource = isSuccess(reading.response?.status ?? 0) ? resourceOf(reading) : null;
  if (resource === null) return null;
  const { description, sent, shown } = members;
  const hasDefault = (name: string): boolean =>
    [sent?.value ?? true, resourceSchema(description, shown?.value ?? true)].some(
      (schema) => memberShape(description, schema, name)?.default !== undefined,
    );
  const isOther = ([name, value]: readonly [string, unknown]): boolean =>
    value === null &&
    !isLeftOut(resource[name] ?? null) &&
    isClientsOwn(members, name) &&
    isNullable(members, name) &&
    !restless.includes(name) &&
    !hasDefault(name);
  return membersOf(sentMembers(write)).find(isOther)?.[0] ?? null;
}

/** Readings after null was written, after the same without the member, which shows a default, and after null once more. */
export interface NullReadings {
  readonly first: Exchange;
  readonly without: Exchange;
  /** Null where it was not needed: without the member there is no value. */
  readonly again: Exchange | null;
}

/** Whether the first two leave open that null is given a value made anew for each write. */
export function mayBeMadeAnew(name: string, { first, without }: Omit<NullReadings, 'again'>): boolean {
  const [read, left] = [resourceOf(first)?.[name], resourceOf(without)?.[name]];
  return isSuccess(without.response?.status ?? 0) && !isLeftOut(left ?? null) && sameness(read, left) !== 'same';
}

/** LIFE-02: null that is read as a value, and always as the same one, which is not that of a member that is left out. */
export function judgeNullIsRead(name: string, { first, without, again }: NullReadings): Judgement {
  const [read, left] = [resourceOf(first)?.[name], resourceOf(without)?.[name]];
  const isDefault = !isSuccess(without.response?.status ?? 0) || sameness(read, left) === 'same';
  const isConstant =
    isLeftOut(left ?? null) || sameness(read, again === null ? null : resourceOf(again)?.[name]) === 'same';
  if (isDefault || !isConstant) return cannotTell('precondition', 'what is read in place of null may be a default');
  const [expected, actual] = ['null', shortened(read)];
  const cause = `${name} is read with a value where null was sent`;
  const message = `${name} was sent as null and is read as ${actual}; left out it is read as ${shortened(left ?? null)}`;
  return breached([
    {
      ...({
        weight: 'breach',
        code: codeOf('LIFE-02', 'null-otherwise', name),
        cause,
        message,
        expected,
        actual,
      } as const),
      pointer: appended('', name),
    },
  ]);
}

/** Members that were sent and are read as they were sent: they are the client's. */
export function keptMembers(write: Exchange, reading: Exchange, members: DescribedMembers): readonly string[] {
  const resource = resourceOf(reading);
  if (resource === null) return [];
  return membersOf(sentMembers(write))
    .filter(([name, sent]) => isClientsOwn(members, name) && sameness(sent, resource[name]) === 'same')
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
    const [code, cause] = [
      codeOf('LIFE-02', 'not-cleared', name),
      `${expected} for ${at} is accepted and changes nothing`,
    ];
    const message = `${at} was sent as ${expected}, which is described as a value of it, and is read as ${actual} as before`;
    return { weight: 'breach', code, cause, message, expected, actual, pointer: appended('', name, ...kept) };
  }
  if (within !== null) {
    const at = [name, ...within].join('.');
    const [expected, actual] = [shortened(within.reduce(memberOf, sent)), 'absent'];
    const message = `${at} was sent as ${expected} and is absent from the ${name} that is read`;
    const code = codeOf('LIFE-02', 'lost-within', name);
    const pointer = appended('', name, ...within);
    return { weight: 'breach', code, cause: `a member of ${name} is not kept`, message, expected, actual, pointer };
  }
  const [expected, actual] = [shortened(sent), read === undefined ? 'absent' : shortened(read)];
  const kind = read === undefined || read === null ? 'lost' : 'other';
  return {
    weight: 'breach',
    code: codeOf('LIFE-02', kind, name),
    cause: kind === 'lost' ? `${name} is not kept` : `${name} is read otherwise than it was sent`,
    message: `${name} was sent as ${expected} and is read as ${actual}`,
    expected,
    actual,
    pointer: appended('', name),
  };
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
  const shape = memberShape(description, resourceSchema(description, shown?.value ?? true), name);
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
    const listed = memberShape(description, schema, name);
    const shape = listed ?? namelessShape(description, schema);
    if (shape === null || shape.writeOnly === true || isServersOwn(name) || isSecret(name)) continue;
    const shown = listed === null ? keyIn(read, name) : name;
    if (!Object.hasOwn(read, shown)) {
      if (isLeftOut(value)) continue;
      return [name];
    }
    const within = absentIn(description, shape, value, read[shown], level + 1);
    if (within !== null) return [name, ...within];
  }
  return null;
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
