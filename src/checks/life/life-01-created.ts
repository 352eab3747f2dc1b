// Judges whether what a create answered can be read by its id, and whether its list shows it.
//
// LIFE-01 (should): What a create answered with 2xx and an id can be read by that id, and its list shows it. Tolerance:
//   Lists that filter by state or do not show new items at once: the item read alone decides.
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isItem, resourceIn, resourceOf, showsId } from '../../facts/resource.ts';
import { isStateName, readsAsHidden } from '../../facts/states.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { answerOf } from '../answer.ts';

/** What is known of the id, and of what reads by it. */
export interface IdCase {
  readonly id: string;
  /** Whether the operation that reads has answered a success for another id: then ids are what it takes. */
  readonly isProven: boolean;
  /** Whether the list shows the id; null where that is not known. */
  readonly isListed: boolean | null;
}

/** LIFE-01: the last reading of what was made. */
export function judgeReadable(reading: Exchange, { id, isProven, isListed }: IdCase): Judgement {
  const seen = answerOf(reading);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  const expected = `the resource ${id}`;
  if (status === 404 || status === 410) {
    // Where nothing was ever read, the id of the answer may not be the one that paths take.
    if (!isProven && isListed === null)
      return cannotTell('precondition', `answered ${status}, and no id of this collection was ever read`);
    const actual = String(status);
    const [code, cause] = ['life-01.unreadable', 'what a create answered cannot be read'];
    const message = `a create answered the id ${id}, reading it is answered ${status}; expected ${expected}`;
    return breached([{ weight: 'breach', code, cause, message, expected, actual }]);
  }
  if (status >= 300) return cannotTell('precondition', `reading what was made is answered ${status}`);
  const resource = resourceOf(reading);
  const isOther = resource !== null && showsId(resource, id) === false && isObjectWithOwnId(resource, id);
  if (!isOther) return holds();
  const actual = `the resource ${String(resource.id)}`;
  const [code, cause] = ['life-01.other-resource', 'reading what a create answered shows another resource'];
  const message = `reading ${id}, which a create answered, shows ${actual}; expected ${expected}`;
  return breached([{ weight: 'breach', code, cause, message, expected, actual, pointer: '/id' }]);
}

/** Whether its `id` is of the same kind as the id that was asked for, and another. */
function isObjectWithOwnId({ id: own }: JsonObject, id: string): boolean {
  if (typeof own === 'number') return /^\d+$/.test(id);
  return typeof own === 'string' && /^\d+$/.test(own) === /^\d+$/.test(id);
}

/** LIFE-01: an item that could be read and was not deleted since, read once more. */
export function judgeStillThere(reading: Exchange, id: string): Judgement {
  const { status = 0 } = reading.response ?? {};
  const [expected, actual] = [`the resource ${id}`, String(status)];
  if (status !== 404 && status !== 410)
    return status < 300 ? holds() : cannotTell('precondition', `reading the item again is answered ${status}`);
  const [code, cause] = ['life-01.gone', 'what a create answered is gone, and nobody deleted it'];
  const message = `${id} could be read and was not deleted; later reading it is answered ${status}, expected ${expected}`;
  return breached([{ weight: 'breach', code, cause, message, expected, actual }]);
}

/** What a look at the list has shown. */
export interface ListedCase {
  readonly id: string;
  /** What the items are called, in the singular. */
  readonly nouns: readonly string[];
  /** What reading the item showed; null where it could not be read. */
  readonly item: JsonObject | null;
  /** Items of the list. */
  readonly items: readonly unknown[];
  /** Whether these are all: each page was read, and nothing tells of further ones. */
  readonly isWhole: boolean;
  /** Whether the list shows what the same operation made earlier in this run; null where it made nothing else. */
  readonly showsEarlier: boolean | null;
}

/** LIFE-01: the list, which was looked at until it had had the time to show the item. */
export function judgeListed({ id, nouns, item, items, isWhole, showsEarlier }: ListedCase): Judgement {
  if (items.some((listed) => isItem(listed, id, nouns))) return holds();
  if (item === null) return cannotTell('precondition', 'the item could not be read');
  if (!isWhole) return cannotTell('precondition', 'the list is longer than the pages that were read');
  if (showsEarlier === true)
    return cannotTell('precondition', 'the list shows what was made earlier, so it may show new items late');
  const filter = filteredBy(item, items);
  if (filter !== null)
    return cannotTell(
      'precondition',
      `the list may filter by ${filter.name}, in which the item differs from all others`,
    );
  const [expected, actual] = [`an item with the id ${id}`, `${items.length} others`];
  const [code, cause] = ['life-01.not-listed', 'what a create answered is not listed'];
  const message = `a create answered the id ${id}, which can be read; the list shows ${actual}, expected ${expected}`;
  return breached([{ weight: 'breach', code, cause, message, expected, actual }]);
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
