// LIFE-02 on members whose names are those of a server's own, such as a state: that a client sets them is found out, not taken from the name.
// Where one writer of an item sets a state and another, which is described to take it, is answered a success and leaves it, it is lost; so
// it is where all are described to take it and none sets it.
//
// LIFE-02 (should): What was sent is what is read: each member that is accepted and not read-only has the value that was
//   sent. Tolerance: Normalised values are equal (case of emails and codes, trimmed text, number and date forms, order
//   of sets); write-only members are not compared; a documented default fills what was absent.
import { breached, type Judgement } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { type ItemFact, isSending, SENDING } from '../../facts/item-facts.ts';
import type { Episode, KindHistory } from '../../facts/item-history.ts';
import { describedMembers } from '../../facts/kind.ts';
import { type DescribedMembers, describesItem, isClientsOwn, isStateOfItem, isSteerable } from '../../facts/members.ts';
import { sameness } from '../../facts/same-value.ts';
import { type JsonObject, membersOf } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { exchangesOf, type ItemLaw, settledFrom, wrongMember } from './law.ts';

/** The effect of one write on a member that it sent. */
export interface Steered {
  readonly write: ItemFact;
  readonly name: string;
  readonly sent: unknown;
  /** Null: it was left, and nothing else shows whether the write has arrived. */
  readonly isKept: boolean | null;
}

/** A writer that leaves a member as it is, and another that sets it. */
export interface Suspect {
  readonly lost: Steered;
  /** Sets the member, where that is known to another value than was lost. */
  readonly kept: Steered;
  /** The write that sets the value which was lost. */
  readonly other: Steered;
}

/** The effects of the last write on such members. */
function steeredBy({ item, write, before, readings, shown }: Episode): readonly Steered[] {
  const is = shown.at(-1)?.shown ?? null;
  const was = before?.shown ?? null;
  if (write === null || !isSending(write) || is === null || (was === null && write.kind !== 'made')) return [];
  const members = item.members(write);
  const isSeen = write.kind === 'made' || showsChange(members, write.sent, was ?? {}, is) || isAtRest(write, readings);
  return membersOf(write.sent).flatMap(([name, sent]): readonly Steered[] => {
    if (!isSteerable(members, name) || typeof sent === 'object') return [];
    const arrived = arrivalOf(name, sent, was, is);
    if (arrived === 'kept') return [{ write, name, sent, isKept: true }];
    if (arrived === 'unclear') return [];
    if (isSeen) return [{ write, name, sent, isKept: false }];
    return typeof sent === 'boolean' ? [{ write, name, sent, isKept: null }] : [];
  });
}

/** Tells whether a value that is new to the member stands there now; unclear where it is not new, or a third one stands there. */
function arrivalOf(name: string, sent: unknown, was: JsonObject | null, is: JsonObject): 'kept' | 'left' | 'unclear' {
  if (was !== null && sameness(sent, was[name]) !== 'other') return 'unclear';
  const how = sameness(sent, is[name]);
  if (how === 'same') return 'kept';
  const isAsBefore = was === null || sameness(was[name], is[name]) === 'same';
  return how === 'other' && isAsBefore ? 'left' : 'unclear';
}

/** Tells whether the reading shows that the write has arrived: another member that it has changed. */
function showsChange(members: DescribedMembers, sent: JsonObject, was: JsonObject, is: JsonObject): boolean {
  return membersOf(sent).some(
    ([name, value]) =>
      isClientsOwn(members, name) && sameness(value, was[name]) === 'other' && sameness(value, is[name]) === 'same',
  );
}

function isAtRest({ exchange }: ItemFact, readings: readonly ItemFact[]): boolean {
  return (readings.at(-1)?.exchange.sentAt ?? 0) >= settledFrom(exchange);
}

/** A create sets what it kept of two values; one alone may be what all have. */
function sets(one: Steered, all: readonly Steered[]): boolean {
  if (one.isKept !== true || one.write.kind !== 'made') return one.isKept === true;
  const kept = all.filter(({ write, name, isKept }) => write.kind === 'made' && name === one.name && isKept === true);
  return new Set(kept.map(({ sent }) => sent)).size > 1;
}

/** The members that a writer of items is suspected to leave while another sets them. */
export function suspectsIn({ episodes }: KindHistory): readonly Suspect[] {
  const noted = episodes.flatMap(steeredBy);
  return (['replaced', 'amended'] as const).flatMap((kind) => {
    const own = noted.filter(({ write }) => write.kind === kind);
    const names = new Set(own.filter(({ isKept }) => isKept !== null).map(({ name }) => name));
    return [...names].flatMap((name) => {
      const all = own.filter((one) => one.name === name);
      const others = noted.filter((one) => one.name === name && one.write.kind !== kind && sets(one, noted));
      if (all.some(({ isKept }) => isKept === true)) return turnedOneWay(all, others);
      const lost = all.find(({ isKept }) => isKept === false);
      const kept = others.find(({ sent }) => sent !== lost?.sent) ?? others[0];
      return lost === undefined || kept === undefined ? [] : [{ lost, kept, other: kept }];
    });
  });
}

/** A flag that its writer turns one way and never the other, while another writer sets it so. Which states follow one another is the target's affair. */
function turnedOneWay(own: readonly Steered[], others: readonly Steered[]): readonly Suspect[] {
  const isFlag = ({ name, sent }: Steered): boolean => isStateOfItem(name) && typeof sent === 'boolean';
  const lost = own.find((one) => isFlag(one) && !own.some(({ sent, isKept }) => sent === one.sent && isKept === true));
  const kept = own.find((one) => one.isKept === true && isFlag(one) && one.sent !== lost?.sent);
  const other = others.find(({ sent }) => sent === lost?.sent);
  return lost === undefined || kept === undefined || other === undefined ? [] : [{ lost, kept, other }];
}

/** States that all writers are described to take and none has set, whatever was sent: of each what changes have sent. */
function ignoredIn({ episodes, kind }: KindHistory): readonly (readonly Steered[])[] {
  const noted = episodes.flatMap(steeredBy);
  const { description, reader } = kind;
  if (reader === null) return [];
  const membersOfWriter = (writer: Operation) => describedMembers(description, writer, reader);
  const names = new Set(noted.map(({ name }) => name).filter(isStateOfItem));
  return [...names].flatMap((name) => {
    const writers = [kind.creator, kind.replacer, kind.amender].filter((one) => one !== null);
    const takers = writers.filter((writer) => isSteerable(membersOfWriter(writer), name));
    const own = noted.filter((one) => one.name === name && one.isKept !== null);
    const isLost = takers.every((taker) => own.some(({ write, isKept }) => write.by === taker && !isKept));
    const isNone = own.every((one) => !sets(one, noted) && !describesItem(membersOfWriter(one.write.by)));
    const changes = own.filter(({ write, isKept }) => write.kind !== 'made' && !isKept);
    const values = new Set(own.map(({ sent }) => sent));
    return isLost && isNone && changes.length > 0 && values.size > 1 ? [changes] : [];
  });
}

/** LIFE-02: a writer leaves a member at rest, and right after it another sets it to the same value. */
export const steeredIsKept: ItemLaw = {
  clause: 'LIFE-02',
  needs: { any: SENDING, now: ['shown'] },
  judge(item, now) {
    const set = item.episode;
    const among = set.write?.kind === 'made' ? item.among.episodes : item.episodes;
    const left = among[among.indexOf(set) - 1];
    const [lost, kept, read] = [left?.write, set.write, left?.shown.at(-1)];
    if (left === undefined || lost == null || kept === null || read === undefined) return null;
    if (lost.by === kept.by || lost.kind === 'made' || !isSending(kept)) return null;
    if (set.writes.length > 1 || !isAtRest(lost, left.readings)) return null;
    const found = steeredBy(left).find(
      ({ name, sent, isKept }) =>
        isKept === false && sameness(sent, kept.sent[name]) === 'same' && sameness(sent, now.shown?.[name]) === 'same',
    );
    if (found === undefined) return null;
    const how = ['left', 'stays as it was, whatever is sent', `, as before; ${kept.by.key} sets it`] as const;
    const judgement = judgeLeft(how, [found], read.shown?.[found.name]);
    return { on: lost.by, judgement, evidence: exchangesOf(left.before, lost, read, kept) };
  },
};

/** LIFE-02: an item keeps the state that it began with, whatever it is sent. */
export const steeredIsTaken: ItemLaw = {
  clause: 'LIFE-02',
  needs: { any: ['amended', 'replaced'], now: ['shown'] },
  judge(item) {
    const [made, ...changes] = item.episodes;
    const last = changes.at(-1);
    const begun = made?.readings[0]?.shown ?? null;
    if (begun === null || made?.write?.kind !== 'made' || last?.write == null || changes.length > MOST_VALUES)
      return null;
    const tried = changes.flatMap((one) => steeredBy(one).filter(({ isKept }) => isKept === false));
    for (const ignored of ignoredIn(item.among)) {
      const [{ name } = { name: '' }] = ignored;
      const own = tried.filter((one) => one.name === name);
      const others = new Set(ignored.map(({ sent }) => sent).filter((sent) => sameness(sent, begun[name]) === 'other'));
      const isAll = own.length === changes.length && own.length === Math.min(others.size, MOST_VALUES);
      if (!isAll || !changes.every((one) => one.write !== null && isAtRest(one.write, one.readings))) continue;
      const evidence = exchangesOf(made.write, ...changes.flatMap(({ write, readings }) => [write, readings.at(-1)]));
      return { on: last.write.by, judgement: judgeLeft(IGNORED, own, begun[name]), evidence };
    }
    return null;
  },
};

/** Number of values that an item does not keep which show that it keeps none. */
const MOST_VALUES = 2;

/** How a member reads as before, whatever was sent: its part of a code, in words, and how it is known that clients are to set it. */
type Left = readonly [kind: string, cause: string, why: string];
const SHOULD_BE_SET = '; it is described to be written, and not as read-only';
const IGNORED: Left = ['ignored', 'is accepted by every writer, and set by none', SHOULD_BE_SET];

function judgeLeft([kind, cause, why]: Left, all: readonly Steered[], read: unknown): Judgement {
  const name = all[0]?.name ?? '';
  const [expected, actual] = [all.map(({ sent }) => shortened(sent)).join(', '), shortened(read ?? null)];
  const message = `${name} was sent as ${expected} and is read as ${actual}${why}`;
  return breached([wrongMember(['LIFE-02', kind, name], `${name} ${cause}`, message, expected, actual)]);
}
