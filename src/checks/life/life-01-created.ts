// Judges whether what a create answered can be read by its id, and whether its list shows it.
//
// LIFE-01 (should): What a create answered with 2xx and an id can be read by that id, and its list shows it. Tolerance:
//   Lists that filter by state or do not show new items at once: the item read alone decides.

import { breached, cannotTell, holds, type Judgement, toldBreach } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { FactKind, ItemFact } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { isClientsOwn } from '../../facts/members.ts';
import { isOneOf, resourceIn, showsId } from '../../facts/resource.ts';
import { sameness } from '../../facts/same-value.ts';
import { isStateName, mayBeHidden, readsAsHidden } from '../../facts/states.ts';
import type { Listing } from '../../facts/walked-list.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { answerOf } from '../answer.ts';
import { exchangesOf, type ItemLaw, listedFrom, settledFrom } from './law.ts';

/** The last reading of what was made. `isAnId`: paths are known to take such ids. */
function judgeReadable({ exchange, shown }: ItemFact, id: string, isAnId: boolean): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  const expected = `the resource ${id}`;
  if (status === 404 || status === 410) {
    if (!isAnId) return cannotTell('precondition', `answered ${status}, and no id of this collection was ever read`);
    const kind = ['life-01.unreadable', 'what a create answered cannot be read'] as const;
    const message = `a create answered the id ${id}, reading it is answered ${status}; expected ${expected}`;
    return breached([toldBreach(kind, message, expected, String(status))]);
  }
  if (status >= 300) return cannotTell('precondition', `reading what was made is answered ${status}`);
  if (shown === null || showsId(shown, id) !== false || !isObjectWithOwnId(shown, id)) return holds();
  const actual = `the resource ${String(shown.id)}`;
  const kind = ['life-01.other-resource', 'reading what a create answered shows another resource'] as const;
  const message = `reading ${id}, which a create answered, shows ${actual}; expected ${expected}`;
  return breached([toldBreach(kind, message, expected, actual, '/id')]);
}

/** Tells whether its `id` is of the same kind as the id that was asked for, and another. */
function isObjectWithOwnId({ id: own }: JsonObject, id: string): boolean {
  if (typeof own === 'number') return /^\d+$/.test(id);
  return typeof own === 'string' && /^\d+$/.test(own) === /^\d+$/.test(id);
}

/** An item that could be read and was not deleted since, read once more. */
function judgeStillThere({ kind, exchange }: ItemFact, id: string): Judgement {
  if (kind === 'shown') return holds();
  const { status = 0 } = exchange.response ?? {};
  const [expected, actual] = [`the resource ${id}`, String(status)];
  const how = ['life-01.gone', 'what a create answered is gone, and nobody deleted it'] as const;
  const message = `${id} could be read and was not deleted; later reading it is answered ${status}, expected ${expected}`;
  return breached([toldBreach(how, message, expected, actual)]);
}

/** The code of a breach that only a list shows. */
export const NOT_LISTED = 'life-01.not-listed';

/** A list that does not show the item. `mayBeLate`: it shows what was made earlier. */
function judgeUnlisted(item: Item, { items, isWhole }: Listing, mayBeLate: boolean): Judgement {
  const untold = (reason: string): Judgement => cannotTell('precondition', reason);
  const shown = item.last('shown', 'missing')?.shown ?? null;
  if (shown === null) return untold('the item could not be read');
  if (!isWhole) return untold('the list is longer than the pages that were read');
  if (mayBeLate) return untold('the list shows what was made earlier, so it may show new items late');
  const filter = filteredBy(shown, items);
  if (filter !== null)
    return untold(`the list may filter by ${filter.name}, in which the item differs from all others`);
  const [expected, actual] = [`an item with the id ${item.id}`, plural(items.length, 'other')];
  const kind = [NOT_LISTED, 'what a create answered is not listed'] as const;
  const message = `a create answered the id ${item.id}, which can be read; the list shows ${actual}, expected ${expected}`;
  return breached([toldBreach(kind, message, expected, actual)]);
}

/** A state by which a list may filter. */
export interface Filter {
  readonly name: string;
  /** The state of what is listed; undefined where nothing is. */
  readonly listed: unknown;
}

/** The state in which the item differs from every listed one that has one, or which hides things; null for none. */
export function filteredBy(item: JsonObject, items: readonly unknown[]): Filter | null {
  const states = membersOf(item).filter(([name, value]) => isStateName(name) && typeof value !== 'object');
  const listed = items.flatMap((one) => resourceIn(one) ?? []);
  const found = states.find(([name, value]) => {
    if (listed.length === 0) return readsAsHidden(name, value);
    const known = listed.flatMap((one) => (isObject(one) && name in one ? [one[name]] : []));
    return known.length > 0 && !known.includes(value);
  });
  if (found === undefined) return null;
  const [name] = found;
  const first = listed.find((one) => isObject(one) && name in one);
  return { name, listed: isObject(first) ? first[name] : undefined };
}

/** LIFE-01: what a create made can be read by its id. */
export const createdIsReadable: ItemLaw = {
  clause: 'LIFE-01',
  needs: { any: ['made'], now: ['shown', 'missing', 'unread', 'listed', 'unlisted'] },
  judge(item, now) {
    const { among, id } = item;
    const { write, readings, shown } = item.episode;
    const reading = readings.at(-1);
    if (write?.kind !== 'made' || reading === undefined || shown.some((one) => one !== reading)) return null;
    // A list can only tell that the id is one that paths take.
    if (reading !== now && (reading.kind !== 'missing' || among.wasRead)) return null;
    if (reading.kind !== 'shown' && isLaterOne(item) && mayBeHidden(write.sent)) return null;
    const list = item.last('listed', 'unlisted');
    const isTelling = list?.kind === 'listed' || list?.listing?.isWhole === true;
    const { shown: resource } = reading;
    const asked = resource === null ? id : (item.ids.find((one) => showsId(resource, one) === true) ?? id);
    return {
      on: write.by,
      // Where nothing was ever read, the id of the answer may not be the one that paths take.
      judgement: judgeReadable(reading, asked, among.wasRead || isTelling),
      evidence: [write.exchange, reading.exchange],
      // Where something is shown, it is not late.
      ...(reading.kind === 'shown' ? {} : { standsFrom: settledFrom(write.exchange), isOpen: true }),
    };
  },
};

/** LIFE-01: what could be read goes only with its own end. What was sent may hide an item: then it takes two that went so. */
export const staysThere: ItemLaw = {
  clause: 'LIFE-01',
  isOfRuns: true,
  needs: { any: ['shown'], now: ['shown', 'missing'] },
  judge(item, now) {
    const { write, readings, shown } = item.episode;
    const before = shown.findLast((one) => one !== now);
    const made = item.last('made');
    if (before === undefined || made === null || write === null || ENDS.includes(write.kind)) return null;
    // Under another of its ids the item may never have been there.
    if (before.exchange.plan.path !== now.exchange.plan.path) return null;
    const beside = item.lastBeside(['removed'], before, now);
    if (
      now.kind === 'shown' &&
      (beside === null || item.lastBeside(['removed'], before, readings.at(-2) ?? before) !== null)
    )
      return null;
    const isDoubtful = now.kind === 'missing' && isLaterOne(item) && mayBeHidden(takenOf(item, made));
    if (isDoubtful && !wentSoAgain(item, beside)) return null;
    const standsFrom = settledFrom((beside ?? before).exchange);
    return {
      on: made.by,
      judgement: judgeStillThere(now, item.id),
      evidence: [before.exchange, now.exchange],
      standsFrom,
    };
  },
};

/** LIFE-01: the list shows what was made. */
export const createdIsListed: ItemLaw = {
  clause: 'LIFE-01',
  needs: { any: ['made'], now: ['listed', 'unlisted'] },
  judge(item, { exchange, by, listing, kind }) {
    const [made, reading] = [item.last('made'), item.last('shown', 'missing')];
    if (made === null || listing === undefined || item.has(...ENDS)) return null;
    if (kind === 'listed' && item.facts.filter((one) => one.kind === 'listed').length > 1) return null;
    const said = { on: by, evidence: [...exchangesOf(made, reading), exchange] };
    if (kind === 'listed') return { ...said, judgement: holds() };
    const { among, id, nouns } = item;
    const siblings = among.all.filter((one) => one !== item);
    const listed = siblings.filter(({ facts }) =>
      facts.some((one) => one.listing === listing && one.kind === 'listed'),
    );
    const earlier = among.elsewhere.madeAt(item.collection).filter((one) => one !== id);
    const showsEarlier = listing.items.some((one) => isOneOf(one, earlier, nouns));
    const isPrompt = listed.length > 0 || siblings.slice(0, 1).some(wasListedInTime);
    const mayBeLate = !isPrompt && (showsEarlier || isLaterOne(item));
    if (isLaterOne(item) && mayBeHidden(differing(takenOf(item, made), siblings)))
      return { ...said, judgement: cannotTell('precondition', 'what was sent may hide the item') };
    const judgement = judgeUnlisted(item, listing, mayBeLate);
    return { ...said, judgement, standsFrom: (mayBeLate ? settledFrom : listedFrom)(made.exchange), isOpen: mayBeLate };
  },
};

const ENDS: readonly FactKind[] = ['removed', 'removed-above', 'touched'];

/** Tells whether the item is not the first of its kind: a value that the first did not send may be what hides it. */
function isLaterOne(item: Item): boolean {
  return item.among.all[0] !== item;
}

/** Tells whether a list showed the item as it was made, as soon as readings are to show things: lists are not late then. */
export function wasListedInTime({ facts: [made, ...others], episodes: [, next] }: Item): boolean {
  const listed = others.find(({ kind }) => kind === 'listed');
  if (made?.kind !== 'made' || listed === undefined || listed.place > (next?.write?.place ?? listed.place))
    return false;
  return listed.exchange.sentAt <= settledFrom(made.exchange);
}

/** The values that the item was sent and an item which is listed was not. */
function differing(taken: JsonObject, siblings: readonly Item[]): JsonObject {
  const known = siblings.find((one) => one.has('listed'))?.last('made')?.sent ?? {};
  return Object.fromEntries(membersOf(taken).filter(([name, value]) => sameness(value, known[name]) !== 'same'));
}

/** The values sent for members that the client is to set, and those that the item shows as sent: all others were not taken. */
function takenOf(item: Item, made: ItemFact): JsonObject {
  const shown = item.shown ?? {};
  const members = item.members(made);
  return Object.fromEntries(
    membersOf(made.sent).filter(
      ([name, value]) => isClientsOwn(members, name) || sameness(value, shown[name]) === 'same',
    ),
  );
}

/** Tells whether another item is gone, too, since a later or an earlier one was deleted than beside this item. */
function wentSoAgain(item: Item, beside: ItemFact | null): boolean {
  return (
    beside !== null &&
    item.among.all.some((other) => {
      const [last, before] = [other.newest, other.last('shown')];
      if (other === item || last?.kind !== 'missing' || before === null || other.has(...ENDS)) return false;
      const own = other.lastBeside(['removed'], before, last);
      return own !== null && own !== beside && isBefore(item, other, own) === isBefore(item, item, beside);
    })
  );
}

/** Tells whether the item was made before the one that was deleted. */
function isBefore({ among }: Item, of: Item, end: ItemFact): boolean {
  return among.all.indexOf(of) < among.all.findIndex(({ facts }) => facts.includes(end));
}
