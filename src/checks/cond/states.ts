// The states of an item as its history shows them: which reading shows the present one, and whether two readings show the same.
import { differencesOf, isTime } from '../../facts/differences.ts';
import { areSameWeakly, tagOf } from '../../facts/etag.ts';
import { type ItemFact, isWrite } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import { isObject, membersOf, tokensOf } from '../../openapi/json.ts';
import { settledFrom } from '../life/law.ts';

/** The last reading before this fact that shows the state which it met: nothing is known to have been written since. Null for none. */
export function presentBefore(item: Item, now: ItemFact): ItemFact | null {
  const before = item.facts.slice(0, item.facts.indexOf(now));
  const at = before.findLastIndex(({ kind }) => kind === 'shown');
  return before.slice(at + 1).some(isWrite) ? null : (before[at] ?? null);
}

/** The same; none where a copy that does not know of the last write yet may have answered: soon after it, with the tag of before. */
export function surelyPresentBefore(item: Item, now: ItemFact): ItemFact | null {
  const known = presentBefore(item, now);
  const before = known === null ? [] : item.facts.slice(0, item.facts.indexOf(known));
  const at = before.findLastIndex(isWrite);
  const write = before[at];
  if (known === null || write === undefined || known.exchange.sentAt >= settledFrom(write.exchange)) return known;
  const former = before.slice(0, at).findLast(({ kind }) => kind === 'shown');
  const [tagBefore, tag] = [former, known].map((fact) => (fact === undefined ? null : tagOf(fact.exchange)));
  return tagBefore && tag && areSameWeakly(tagBefore, tag) ? null : known;
}

/** The last reading before this fact, and the writes in between. */
export function shownBefore(
  item: Item,
  now: ItemFact,
): { readonly shown: ItemFact; readonly writes: readonly ItemFact[] } | null {
  const before = item.facts.slice(0, item.facts.indexOf(now));
  const at = before.findLastIndex(({ kind }) => kind === 'shown');
  const shown = before[at];
  return shown === undefined ? null : { shown, writes: before.slice(at + 1).filter(isWrite) };
}

/** Names of members that differ between the readings and do not change by themselves: those aside are times as well. */
export function changedMembers(item: Item, one: ItemFact, other: ItemFact): readonly string[] {
  if (one.shown === null || other.shown === null) return [];
  return differencesOf(one.shown, other.shown)
    .filter((difference) => !isTime(difference) && !item.among.restless.has(tokensOf(difference.pointer)[0] ?? ''))
    .map(({ name }) => name);
}

/** Names of all members of a body, on every level down to `levels`. */
export function namesIn(value: unknown, levels = 4): readonly string[] {
  if (!isObject(value) || levels === 0) return [];
  return membersOf(value).flatMap(([name, member]) => [name, ...namesIn(member, levels - 1)]);
}
