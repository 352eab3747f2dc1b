// Judges whether a partial update leaves alone what it did not send, by the readings before and after it.
//
// LIFE-03 (should): A partial update changes the members that were sent and no other. Tolerance: Timestamps, versions,
//   computed totals may change: members that change on their own between two reads are not compared.
import { breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { isTime, lettersIn, textOf } from '../../facts/differences.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { isLeftOut, isSecret, isServersOwn, isStateOfItem, isSteerable } from '../../facts/members.ts';
import { sameness } from '../../facts/same-value.ts';
import { isObject, membersOf } from '../../openapi/json.ts';
import { exchangesOf, type ItemLaw, settledFrom, wrongMember } from './law.ts';
import { isSettled, ownedBefore } from './life-02-sent-is-read.ts';

const MOST_LEVELS = 4;

/** An update that was answered with 2xx, and the readings around it. */
interface Around {
  readonly before: ItemFact;
  readonly update: ItemFact;
  readonly after: ItemFact;
}

/** How a change is told of the item that is updated, and of one that the update was not meant for. */
const OWN = {
  ...{ kind: 'changed', whose: '', what: 'the resource' },
  cause: (name: string) => `a partial update changes ${name}, which it did not send`,
};
const OTHERS = {
  ...{ kind: 'other-item', whose: ' of another item', what: 'the other item' },
  cause: (name: string) => `an update of one item changes ${name} of another`,
};

/** `names`: the members that clients have set and that do not change by themselves: of others nobody knows who changes them. */
function judgeKept(
  { before: { shown: earlier }, update: { sent }, after: { shown: later } }: Around,
  names: readonly string[],
  isChanged: (name: string, was: unknown, is: unknown) => boolean,
  { kind, whose, what, cause }: typeof OWN,
): Judgement {
  if (earlier === null || later === null)
    return cannotTell('precondition', `${what} could not be read before and after the update`);
  const looked = names.filter((name) => name in earlier);
  if (looked.length === 0)
    return cannotTell(
      'precondition',
      `no member of ${what} that the update did not send is known to be set by clients`,
    );
  const breaches = looked.map((name) => {
    if (!isChanged(name, earlier[name], later[name])) return [];
    const [expected, actual] = [shortened(earlier[name]), shortened(later[name] ?? null)];
    const message = `${name}${whose} was ${expected} before an update of ${Object.keys(sent).join(', ')} and is ${actual} after it`;
    return [wrongMember(['LIFE-03', kind, name], cause(name), message, expected, actual)];
  });
  return breached(breaches.flat(), looked.length);
}

function isAnother(_name: string, was: unknown, is: unknown): boolean {
  return sameness(was, is) === 'other';
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
    const { writes, write, before, shown } = item.episode;
    if (write === null || writes.some(({ kind }) => kind !== 'amended')) return null;
    if (before === null || !isSettled(item, item.episode, now)) return null;
    if (shown.some((one) => one !== now && isSettled(item, item.episode, one))) return null;
    const names = ownedBefore(item, write.place).filter((name) => !writes.some(({ sent }) => name in sent));
    const isChanged = (name: string, was: unknown, is: unknown): boolean =>
      textOf(was) !== textOf(is) &&
      (sameness(was, is) === 'other' || hasLost(was, is)) &&
      !isTime({ pointer: '', name, before: was, after: is }) &&
      !isComputed(is, Object.values(write.sent));
    const judgement = judgeKept({ before, update: write, after: now }, names, isChanged, OWN);
    return { on: write.by, judgement, evidence: exchangesOf(before, write, now) };
  },
};

/** LIFE-03: an update of one item leaves the others of its kind as they were. */
export const othersAreKept: ItemLaw = {
  clause: 'LIFE-03',
  isOfRuns: true,
  needs: { any: ['made'], now: ['shown'] },
  judge(item, now) {
    const { shown } = item.episode;
    const [first = now] = shown;
    const update = item.lastBeside(['amended', 'replaced'], first, now);
    const before = shown.findLast((one) => one.place < (update?.place ?? 0) && isSettled(item, item.episode, one));
    if (update === null || before === undefined || !item.has('made')) return null;
    // Only one of several items may have a flag.
    const names = ownedBefore(item, now.place).filter((name) => typeof before.shown?.[name] !== 'boolean');
    const judge = (after: ItemFact): Judgement => judgeKept({ before, update, after }, names, isAnother, OTHERS);
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
    const name = statesSetBefore(item, write.place).find((one) => !(one in write.sent));
    if (name === undefined) return null;
    const judgement = judgeKept({ before, update: write, after: now }, [name], isAnother, OWN);
    const standsFrom = settledFrom(write.exchange);
    const said = { on: write.by, judgement, evidence: exchangesOf(before, write, now), standsFrom };
    if (judgement.kind === 'holds' || now.exchange.sentAt < standsFrom || wasLostBefore(item, name, write)) return said;
    const reason = 'a state changes by an update that did not send it, which was seen once';
    return { ...said, judgement: cannotTell('precondition', reason) };
  },
};

/** States that the last write but one has set, as two readings after it show: nothing else changed them. */
function statesSetBefore(item: Item, place: number): readonly string[] {
  const at = item.episodes.findLast(({ write }) => write !== null && write.place < place);
  const set = at?.write ?? null;
  const { shown = [] } = at ?? {};
  if (set === null || set.kind === 'made' || shown.length < 2) return [];
  const members = item.members(set);
  const isSet = (name: string): boolean =>
    shown.slice(-2).every((one) => sameness(set.sent[name], one.shown?.[name]) === 'same');
  return Object.keys(set.sent).filter((name) => isStateOfItem(name) && isSteerable(members, name) && isSet(name));
}

/** Tells whether an earlier update of the item that did not send the state has changed it, too. */
function wasLostBefore(item: Item, name: string, { place }: ItemFact): boolean {
  return item.episodes.some(({ write, before, shown }) => {
    if (write?.kind !== 'amended' || write.place >= place || name in write.sent || before === null) return false;
    const last = shown.at(-1);
    const isSetBefore = statesSetBefore(item, write.place).includes(name);
    return isSetBefore && last !== undefined && sameness(before.shown?.[name], last.shown?.[name]) === 'other';
  });
}
