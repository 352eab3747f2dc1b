// Judges whether what was sent is what is read: each member of a create, a replacement or a change against the next reading.
//
// LIFE-02 (should): What was sent is what is read: each member that is accepted and not read-only has the value that was
//   sent. Tolerance: Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order
//   of sets); write-only members are not compared; a documented default fills what was absent.
import { type Breach, breached, cannotTell, type Judgement, toldBreach } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { shortened, shortenedApart } from '../../facts/answered.ts';
import { lettersIn, textOf } from '../../facts/differences.ts';
import { type ItemFact, isSending, SENDING } from '../../facts/item-facts.ts';
import type { Episode, Item } from '../../facts/item-history.ts';
import {
  isClientsOwn,
  isLeftOut,
  isSecret,
  isServersOwn,
  isShown,
  memberShape,
  namelessShape,
  shapesOf,
} from '../../facts/members.ts';
import { idShown, resourceOf, showsId } from '../../facts/resource.ts';
import { mayBeDefault, notClearedIn, type Sameness, sameness } from '../../facts/same-value.ts';
import { readsAsGone } from '../../facts/states.ts';
import { type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { exchangesOf, type ItemLaw, settledFrom, wrongMember } from './law.ts';

/**
 * An item that could be read before it was changed, and not after it. An answer that shows an id made of what was sent has moved it, and what was
 * sent may have hidden it.
 */
function judgeStillRead({ exchange, sent }: ItemFact, reading: Exchange, id: string): Judgement {
  const { status = 0 } = reading.response ?? {};
  const shown = resourceOf(exchange);
  const isMoved = shown !== null && showsId(shown, id) === false && isMadeOf(idShown(shown) ?? '', sent);
  if (isMoved || membersOf(sent).some(([name, value]) => readsAsGone(name, value)))
    return cannotTell('precondition', 'no reading showed the resource after the write');
  const [expected, actual] = ['the item with what was sent', `${status}`];
  const kind = ['life-02.gone', 'what was changed can no longer be read'] as const;
  const message = `a change was answered ${exchange.response?.status ?? 0}, reading the item is answered ${status}; expected ${expected}`;
  return breached([toldBreach(kind, message, expected, actual, '')]);
}

const LETTERS_OF_SLUG = 8;

/** Tells whether the id holds the beginning of one of the texts that were sent, as a slug of a title does. */
function isMadeOf(id: string, sent: JsonObject): boolean {
  const texts = Object.values(sent).flatMap((value) => (typeof value === 'string' ? [lettersIn(value)] : []));
  return texts.some((text) => text !== '' && lettersIn(id).includes(text.slice(0, LETTERS_OF_SLUG)));
}

/** LIFE-02: each write against the first reading that shows it, or the last one that had the time to. */
export const sentIsRead: ItemLaw = {
  clause: 'LIFE-02',
  needs: { any: SENDING, now: ['shown', 'missing'] },
  judge(item, now) {
    const { write, before, readings, shown } = item.episode;
    if (write === null || !isSending(write)) return null;
    const evidence = exchangesOf(before, write, now);
    const [on, standsFrom] = [write.by, settledFrom(write.exchange)];
    if (now.kind === 'missing') {
      if (write.kind === 'made' || shown.length > 0 || readings[0]?.kind === 'unread') return null;
      return { on, judgement: judgeStillRead(write, now.exchange, item.id), evidence, standsFrom };
    }
    if (shown.some((one) => one !== now && isAsSent(item, write, before, one))) return null;
    const judge = (was: ItemFact | null): Judgement => judgeSentIsRead(item, write, now, was, item.among.restless);
    const name = doubtfullyKept(item, write, now, before);
    if (name === null || wasClearedBefore(item, write, before, name))
      return { on, judgement: judge(before), evidence, standsFrom };
    const lacks = { kind: 'other-value-between', write, name, was: now.shown?.[name] } as const;
    return { on, judgement: judge(null), evidence: [write.exchange, now.exchange], standsFrom, lacks };
  },
};

/** Tells whether the reading shows what the writes did, or would by now. */
export function isSettled(item: Item, { writes, write, before }: Episode, reading: ItemFact): boolean {
  const isEarly = (one: ItemFact): boolean => reading.exchange.sentAt < settledFrom(one.exchange);
  if (writes.some((one) => one.kind === 'touched' && isEarly(one))) return false;
  return write === null || !isSending(write) || !isEarly(write) || isAsSent(item, write, before, reading);
}

/** Members of the item that clients set, as writes before the place and what was read after them show; none that changes by itself. */
export function ownedBefore(item: Item, place: number): readonly string[] {
  const kept = item.episodes.flatMap(({ writes, shown }) => {
    const last = shown.findLast((one) => one.place < place);
    return last === undefined ? [] : writes.flatMap((write) => keptMembers(item, write, last));
  });
  return [...new Set(kept)].filter((name) => !item.among.restless.has(name));
}

/**
 * A member that was sent as null and is read as `before`, with a value that a default may well have by chance: it takes another value
 * before null to tell. Null for none.
 */
function doubtfullyKept(item: Item, write: ItemFact, { shown: is }: ItemFact, before: ItemFact | null): string | null {
  if (before?.shown == null || is === null) return null;
  const members = item.members(write);
  const isDoubtful = (name: string): boolean =>
    isClientsOwn(members, name) &&
    keptIn(write, before, name, is[name])?.length === 0 &&
    mayBeDefault(is[name], shapesOf(members, name)[0]?.enum !== undefined);
  return Object.keys(write.sent).find(isDoubtful) ?? null;
}

/** Tells whether an earlier write of this item has sent the same for the member, when it had another value. */
function wasClearedBefore(item: Item, write: ItemFact, before: ItemFact | null, name: string): boolean {
  const isAlike = (one: ItemFact): boolean =>
    one !== write && name in one.sent && textOf(one.sent[name]) === textOf(write.sent[name]);
  return item.episodes.some(
    (one) => one.writes.some(isAlike) && sameness(one.before?.shown?.[name], before?.shown?.[name]) === 'other',
  );
}

/** Members that were sent and are read as they were sent: they are the client's. */
function keptMembers(item: Item, write: ItemFact, { shown }: ItemFact): readonly string[] {
  if (shown === null) return [];
  return membersOf(write.sent)
    .filter(([name, sent]) => isClientsOwn(item.members(write), name) && sameness(sent, shown[name]) === 'same')
    .map(([name]) => name);
}

/** Tells whether the reading shows the values that the write sent, as far as can be told. */
export function isAsSent(item: Item, write: ItemFact, before: ItemFact | null, reading: ItemFact): boolean {
  return judgeSentIsRead(item, write, reading, before).kind !== 'breached';
}

/** A member as it was sent and as it is read. */
interface Compared {
  readonly name: string;
  readonly sent: unknown;
  readonly read: unknown;
  /** not-cleared: null or an empty value was sent, and changed nothing. lost-within: a member within this one is absent. */
  readonly how: Sameness | 'not-cleared' | 'lost-within';
  /** Where within this one that is. */
  readonly path: readonly string[];
}

/** `was`: a reading before the write, by which it is told whether null or an empty value has changed anything. */
function judgeSentIsRead(
  item: Item,
  write: ItemFact,
  { shown: resource }: ItemFact,
  was: ItemFact | null,
  restless: ReadonlySet<string> = new Set(),
): Judgement {
  if (resource === null) return cannotTell('precondition', 'no reading showed the resource after the write');
  const members = item.members(write);
  const { description } = members;
  const isCompared = (name: string): boolean =>
    isClientsOwn(members, name) && !restless.has(name) && (name in resource || isShown(members, name));
  const compared = membersOf(write.sent)
    .filter(([name]) => isCompared(name))
    .map(([name, sent]): Compared => {
      const { [name]: read } = resource;
      const kept = keptIn(write, was, name, read);
      if (kept !== null) return { name, sent, read, how: 'not-cleared', path: kept };
      const [, shape] = shapesOf(members, name);
      const absent = read === undefined ? null : absentIn(description, shape, sent, read);
      if (absent !== null) return { name, sent, read, how: 'lost-within', path: absent };
      return { name, sent, read, how: sameness(sent, read), path: [] };
    })
    .filter(({ how }) => how !== 'unsure');
  if (compared.length === 0) return cannotTell('precondition', 'no member that was sent is shown by the reading');
  return breached(compared.filter(({ how }) => how !== 'same').map(toldOf), compared.length);
}

/** Path within the member to where null or an empty value was sent, and changed nothing; null for none. A partial update may merge what it sends. */
function keptIn({ exchange, sent }: ItemFact, was: ItemFact | null, name: string, is: unknown) {
  const merges = exchange.plan.method === 'PATCH';
  return notClearedIn({ sent: sent[name], was: was?.shown?.[name], is }, { merges });
}

function toldOf({ name, how, path, ...whole }: Compared): Breach {
  const at = [name, ...path].join('.');
  const sent = path.reduce(memberOf, whole.sent);
  const read = how === 'lost-within' ? undefined : path.reduce(memberOf, whole.read);
  const [expected, actual] = read === undefined ? [shortened(sent), 'absent'] : shortenedApart(sent, read);
  const told = (kind: string, cause: string, more: string): Breach =>
    wrongMember(['LIFE-02', kind, name, ...path], cause, `${at} was sent as ${expected}${more}`, expected, actual);
  if (how === 'not-cleared') {
    const more = `, which is described as a value of it, and is read as ${actual} as before`;
    return told(how, `${expected} for ${at} is accepted and changes nothing`, more);
  }
  if (how === 'lost-within')
    return told(how, `a member of ${name} is not kept`, ` and is absent from the ${name} that is read`);
  const isLost = read === undefined || read === null;
  const cause = isLost ? `${name} is not kept` : `${name} is read otherwise than it was sent`;
  return told(isLost ? 'lost' : 'other', cause, ` and is read as ${actual}`);
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isObject(value) ? value[name] : undefined;
}

const MOST_LEVELS = 4;

/**
 * The path to the first member, within what was sent, that is described for the resource and absent where it is read: empty for what was sent
 * itself, null for none.
 */
function absentIn(
  description: Description,
  schema: SchemaObject | null,
  sent: unknown,
  read: unknown,
  level = 0,
): readonly string[] | null {
  if (schema === null) return null;
  if (read === undefined) return isLeftOut(sent) ? null : [];
  if (level > MOST_LEVELS) return null;
  if (Array.isArray(sent) && Array.isArray(read)) return absentInItems(description, schema, sent, read, level);
  if (!isObject(sent) || !isObject(read)) return null;
  for (const [name, value] of Object.entries(sent)) {
    const listed = memberShape(description, schema, name);
    const shape = visible(name, listed ?? namelessShape(description, schema));
    const within = absentIn(
      description,
      shape,
      value,
      valueUnder(read, { name, isDescribed: listed !== null }),
      level + 1,
    );
    if (within !== null) return [name, ...within];
  }
  return null;
}

/** The shape, unless the member may be hidden. */
function visible(name: string, shape: SchemaObject | null): SchemaObject | null {
  return shape?.writeOnly === true || isServersOwn(name) || isSecret(name) ? null : shape;
}

/** The value that is read under the name; names that clients give, and no description does, may be normalised. */
function valueUnder(read: JsonObject, { name, isDescribed }: { readonly name: string; readonly isDescribed: boolean }) {
  const letters = (one: string): string => lettersIn(one) || one;
  const isAlike = ([one]: readonly [string, unknown]): boolean =>
    isDescribed ? one === name : letters(one) === letters(name);
  return membersOf(read).find(isAlike)?.[1];
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
