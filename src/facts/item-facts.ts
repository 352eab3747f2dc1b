// Defines the facts on an item: what was sent to it, what it showed, and what lists showed of it.
import type { Exchange } from '../exchange/exchange.ts';
import type { JsonObject } from '../openapi/json.ts';
import type { Operation } from '../openapi/model/operation.ts';
import type { Listing } from './walked-list.ts';

/** The facts that successes of an operation of each role tell. */
export const WRITES = { creator: 'made', amender: 'amended', replacer: 'replaced', remover: 'removed' } as const;

/**
 * `touched`: changed by what is not known, `late`: written after it was removed, `removed-above`: something that it stands below was,
 * `unread`: a reading was answered by neither a success nor that there is no such thing,
 * `unchanged`: one that named a state was answered 304, `refused`: a write that named a state was answered no success.
 */
export type FactKind =
  | (typeof WRITES)[keyof typeof WRITES]
  | 'touched'
  | 'late'
  | 'removed-above'
  | 'shown'
  | 'missing'
  | 'unread'
  | 'unchanged'
  | 'refused'
  | 'listed'
  | 'unlisted';

export interface ItemFact extends Placed {
  readonly kind: FactKind;
  readonly exchange: Exchange;
  /** The operation that the exchange called. */
  readonly by: Operation;
  /** Members of the item that were sent, without what wraps them. */
  readonly sent: JsonObject;
  /** The item as a reading or a list shows it; null for none, and for a write. */
  readonly shown: JsonObject | null;
  /** The list of a fact `listed` or `unlisted`. */
  readonly listing?: Listing;
}

const READINGS: readonly FactKind[] = ['shown', 'missing', 'unread'];
const LOOKS: readonly FactKind[] = [...READINGS, 'unchanged', 'refused', 'listed', 'unlisted'];

export function isReading({ kind }: ItemFact): boolean {
  return READINGS.includes(kind);
}

/** Writes that send members of the item. */
export const SENDING: readonly FactKind[] = ['made', 'amended', 'replaced'];

export function isSending({ kind }: ItemFact): boolean {
  return SENDING.includes(kind);
}

/** Tells whether the fact tells of a change of the item, by a success. */
export function isWrite({ kind }: ItemFact): boolean {
  return !LOOKS.includes(kind);
}

/** Tells whether it was seen after the first and before the last. */
export function isBetween(one: Placed, first: Placed, last: Placed): boolean {
  return one.place > first.place && one.place < last.place;
}

export interface Placed {
  /** Among all facts on items of the kind, in the order seen. */
  readonly place: number;
}
