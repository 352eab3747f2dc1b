// Judges whether a partial update leaves alone what it did not send, by the readings before and after it.
//
// LIFE-03 (should): A partial update changes the members that were sent and no other. Tolerance: Timestamps, versions,
//   computed totals may change: members that change on their own between two reads are not compared.
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess, shortened } from '../../facts/answered.ts';
import { isTime, lettersIn, textOf } from '../../facts/differences.ts';
import type { Episode, Item, ItemFact } from '../../facts/item-history.ts';
import { isLeftOut, isSecret, isServersOwn, isStateOfItem, isSteerable } from '../../facts/members.ts';
import { resourceOf } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { exchangesOf, type ItemLaw, settledFrom, wrongMember } from './law.ts';
import { isSettled, ownedBefore } from './life-02-sent-is-read.ts';

const MOST_LEVELS = 4;

export interface PartialUpdate {
  readonly before: Exchange;
  readonly update: Exchange;
  readonly after: Exchange;
  /** Members that clients have set and that were read as they were sent: of others nobody knows who changes them. */
  readonly owned: readonly string[];
  /** Members that differed between two readings without a write in between. */
  readonly restless: readonly string[];
}

/** LIFE-03: the readings around one update that was answered with 2xx. */
export function judgePartialUpdate({ before, update, after, owned, restless }: PartialUpdate): Judgement {
  const [earlier, later] = [shownBy(before), shownBy(after)];
  if (earlier === null || later === null)
    return cannotTell('precondition', 'the resource could not be read before and after the update');
  const sent = sentMembers(update);
  const others = owned.filter((name) => !(name in sent) && !restless.includes(name) && name in earlier);
  if (others.length === 0)
    return cannotTell('precondition', 'no member beside those that the update sent is known to be set by clients');
  const changed = others.filter((name) => {
    const [was, is] = [earlier[name], later[name]];
    if (textOf(was) === textOf(is)) return false;
    if (sameness(was, is) !== 'other' && !hasLost(was, is)) return false;
    return !isTime({ pointer: '', name, before: was, after: is }) && !isComputed(is, Object.values(sent));
  });
  return breached(
    changed.map((name) => {
      const [expected, actual] = [shortened(earlier[name]), shortened(later[name] ?? null)];
      const cause = `a partial update changes ${name}, which it did not send`;
      const message = `${name} was ${expected} before an update of ${Object.keys(sent).join(', ')} and is ${actual} after it`;
      return wrongMember(['LIFE-03', 'changed', name], cause, message, expected, actual);
    }),
    others.length,
  );
}

/**
 * LIFE-03: the readings of another item around an update that was not meant for it. Of flags nothing is said: of several items only one may
 * have one.
 */
export function judgeOtherItem({ before, update, after, owned, restless }: PartialUpdate): Judgement {
  const [earlier, later] = [shownBy(before), shownBy(after)];
  if (earlier === null || later === null)
    return cannotTell('precondition', 'the other item could not be read before and after the update');
  const looked = owned.filter((name) => name in earlier && !restless.includes(name) && !isFlag(earlier[name]));
  if (looked.length === 0)
    return cannotTell('precondition', 'no member of the other item is known to be set by clients');
  const sent = Object.keys(sentMembers(update)).join(', ');
  const changed = looked.filter((name) => sameness(earlier[name], later[name]) === 'other');
  return breached(
    changed.map((name) => {
      const [expected, actual] = [shortened(earlier[name]), shortened(later[name] ?? null)];
      const cause = `an update of one item changes ${name} of another`;
      const message = `${name} of another item was ${expected} before an update of ${sent} and is ${actual} after it`;
      return wrongMember(['LIFE-03', 'other-item', name], cause, message, expected, actual);
    }),
    looked.length,
  );
}

/** LIFE-03: a state is the client's where a client's write sets it, whatever its name. */
function judgeStateKept(name: string, update: Exchange, was: unknown, is: unknown): Judgement {
  if (sameness(was, is) !== 'other') return holds();
  const [expected, actual] = [shortened(was), shortened(is ?? null)];
  const cause = `a partial update changes ${name}, which it did not send`;
  const sent = Object.keys(sentMembers(update)).join(', ');
  const message = `${name} was set to ${expected}, and each time it is ${actual} after an update of ${sent}`;
  return breached([wrongMember(['LIFE-03', 'changed', name], cause, message, expected, actual)]);
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** The resource that a reading shows; null where it failed: an error is no resource. */
function shownBy(reading: Exchange): JsonObject | null {
  return isSuccess(reading.response?.status ?? 0) ? resourceOf(reading) : null;
}

/** Tells whether the value is made of one that was sent: a title of a name, say. */
function isComputed(value: unknown, sent: readonly unknown[]): boolean {
  const text = typeof value === 'string' ? lettersIn(value) : '';
  return sent.some((one) => typeof one === 'string' && lettersIn(one).length > 3 && text.includes(lettersIn(one)));
}

/** Tells whether the object lacks a member that an earlier reading showed: a member that was readable once is no secret. */
function hasLost(was: unknown, is: unknown, level = 0): boolean {
  if (level > MOST_LEVELS || !isObject(was) || !isObject(is)) return false;
  return membersOf(was).some(([name, value]) => {
    if (name in is) return hasLost(value, is[name], level + 1);
    return !isLeftOut(value) && !isServersOwn(name) && !isSecret(name);
  });
}

/** LIFE-03: each update of an item, by what it showed before and shows after it. */
export const updateIsPartial: ItemLaw = {
  clause: 'LIFE-03',
  needs: { any: ['amended'], now: ['shown'] },
  judge(item, now) {
    const { write, before, readings } = item.episode;
    if (write?.kind !== 'amended' || before === null || !isSettled(item, item.episode, now)) return null;
    if (readings.some((one) => one !== now && one.kind === 'shown' && isSettled(item, item.episode, one))) return null;
    const owned = [...ownedBefore(item, write.place)];
    const around = { before: before.exchange, update: write.exchange, after: now.exchange };
    const judgement = judgePartialUpdate({ ...around, owned, restless: [...item.among.restless] });
    return { on: write.by, judgement, evidence: Object.values(around) };
  },
};

/** LIFE-03: an update of one item leaves the others of its kind as they were. */
export const othersAreKept: ItemLaw = {
  clause: 'LIFE-03',
  isOfRuns: true,
  needs: { any: ['made'], now: ['shown'] },
  judge(item, now) {
    const { among, episode, listedAt } = item;
    const made = item.last('made');
    const isUpdate = (one: Episode): boolean => one.write?.kind === 'amended' || one.write?.kind === 'replaced';
    const isBeside = (one: Episode): boolean => isUpdate(one) && one.item !== item && one.item.listedAt === listedAt;
    const update = among.episodes.findLast(isBeside)?.write ?? null;
    const shown = episode.readings.filter(({ kind }) => kind === 'shown');
    const before = shown.findLast(({ place }) => place < (update?.place ?? 0));
    if (update === null || before === undefined || made === null) return null;
    const owned = [...ownedBefore(item, now.place)];
    const judge = (after: ItemFact): Judgement => {
      const around = { before: before.exchange, update: update.exchange, after: after.exchange };
      return judgeOtherItem({ ...around, owned, restless: [...among.restless] });
    };
    if (shown.some((one) => one !== now && one.place > update.place && judge(one).kind !== 'breached')) return null;
    const standsFrom = settledFrom(update.exchange);
    return { on: update.by, judgement: judge(now), evidence: exchangesOf(before, update, now), standsFrom };
  },
};

/** LIFE-03: a state that a client has set stays where an update does not send it; that it does not is seen twice. */
export const stateIsKept: ItemLaw = {
  clause: 'LIFE-03',
  isOfRuns: true,
  needs: { any: ['amended'], now: ['shown'] },
  judge(item, now) {
    const { write, before } = item.episode;
    if (write?.kind !== 'amended' || before === null) return null;
    const [found] = statesSetBefore(item, write.place).filter(({ name }) => !(name in write.sent));
    if (found === undefined) return null;
    const { name, set } = found;
    const judgement = judgeStateKept(name, write.exchange, before.shown?.[name], now.shown?.[name]);
    const standsFrom = settledFrom(write.exchange);
    const said = { on: write.by, judgement, evidence: exchangesOf(before, write, now), standsFrom };
    if (judgement.kind === 'holds' || wasLostBefore(item, name, write)) return said;
    const lacks = { kind: 'state-once-more', set, name } as const;
    if (now.exchange.sentAt < standsFrom) return { ...said, lacks };
    const reason = 'a state changes by an update that did not send it, which was seen once';
    return { ...said, judgement: cannotTell('precondition', reason), lacks };
  },
};

/** States that the last write but one has set, as two readings after it show: nothing else changed them. */
function statesSetBefore(item: Item, place: number): readonly { readonly name: string; readonly set: ItemFact }[] {
  const at = item.episodes.findLast(({ write }) => write !== null && write.place < place);
  const set = at?.write ?? null;
  const shown = at?.readings.filter(({ kind }) => kind === 'shown') ?? [];
  if (set === null || set.kind === 'made' || shown.length < 2) return [];
  const members = item.members(set);
  const isSet = (name: string): boolean =>
    shown.slice(-2).every((one) => sameness(set.sent[name], one.shown?.[name]) === 'same');
  return Object.keys(set.sent)
    .filter((name) => isStateOfItem(name) && isSteerable(members, name) && isSet(name))
    .map((name) => ({ name, set }));
}

/** Tells whether an earlier update of the item that did not send the state has changed it, too. */
function wasLostBefore(item: Item, name: string, { place }: ItemFact): boolean {
  return item.episodes.some(({ write, before, readings }) => {
    if (write?.kind !== 'amended' || write.place >= place || name in write.sent || before === null) return false;
    const last = readings.findLast(({ kind }) => kind === 'shown');
    const isSetBefore = statesSetBefore(item, write.place).some((one) => one.name === name);
    return isSetBefore && last !== undefined && sameness(before.shown?.[name], last.shown?.[name]) === 'other';
  });
}
