// Defines a law over the history of an item: what it says of the newest fact, which facts it may lack, and how long the target has time.
import { codeOf } from '../../contract/code.ts';
import { type Breach, type Judgement, toldBreach } from '../../contract/judgement.ts';
import { answeredMs, type Exchange } from '../../exchange/exchange.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Item, KindHistory } from '../../facts/item-history.ts';
import { appended, type JsonObject } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Law } from '../law.ts';

/** The judgement of a law on the newest fact. */
export interface Said {
  /** The operation that is judged. */
  readonly on: Operation;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
  /** From when on a breach stands: until then the target has time. Epoch ms; absent: at once. */
  readonly standsFrom?: number;
  /** Set: so long it is not told either that nothing can be said. */
  readonly isOpen?: boolean;
  /** The missing fact that would decide it: the judgement stands where that fact cannot be had. */
  readonly lacks?: Lack;
}

/** Facts that are not there, as an experiment makes them. */
export type Lack =
  /** The item as it is read by its id now. */
  | { readonly kind: 'reading' }
  /** Readings of another item that rested: two at once, and after a rest two more. */
  | { readonly kind: 'control' }
  /** The write once more, after the member was given another value. */
  | { readonly kind: 'other-value-between'; readonly write: ItemFact; readonly name: string; readonly was: unknown }
  /** The write once more, as it was or without a member. */
  | { readonly kind: 'once-more'; readonly write: ItemFact; readonly without?: string }
  /** A further item that is made with these members, or without them. */
  | { readonly kind: 'made-with'; readonly members: JsonObject };

export interface ItemLaw extends Law<Item, ItemFact, Said> {
  /** Set: what others write to the target would look like a breach, so that it is judged only where a run is alone. */
  readonly isOfRuns?: true;
}

/** A law over one request of a kind and the items that are there. */
export interface RequestLaw {
  readonly clause: string;
  judge(among: KindHistory, exchange: Exchange): Said | null;
}

/** Source: LIFE, "Reads after a write are repeated for up to 5 s"; 30 s where the write was answered 202. ms. */
const PATIENCE_MS = 5_000;
const PATIENCE_AFTER_202_MS = 30_000;
/** A list that does not show a new item, or its new values, for so long does not show them at all. ms. */
const PATIENCE_WITH_LISTS_MS = 30_000;

/** From when on readings show what the write did. Epoch ms. */
export function settledFrom(write: Exchange): number {
  return answeredMs(write) + (write.response?.status === 202 ? PATIENCE_AFTER_202_MS : PATIENCE_MS);
}

/** From when on lists show it. Epoch ms. */
export function listedFrom(write: Exchange): number {
  return answeredMs(write) + PATIENCE_WITH_LISTS_MS;
}

/** A breach of a member of the item, or of one within that, told in a sentence of its own. */
export function wrongMember(
  [clause, kind, name, ...within]: readonly [clause: string, kind: string, name: string, ...within: string[]],
  cause: string,
  message: string,
  expected: string,
  actual: string,
): Breach {
  return toldBreach([codeOf(clause, kind, name), cause], message, expected, actual, appended('', name, ...within));
}

/** The answers that show the facts, without those that are not there. */
export function exchangesOf(...facts: readonly (ItemFact | null | undefined)[]): readonly Exchange[] {
  return facts.flatMap((fact) => fact?.exchange ?? []);
}

/** The judgement of a law, with its clause. */
export interface Told extends Said {
  readonly clause: string;
}

/** Tells whether the judgement may be another one a little later: it is not told before. */
export function isPending(
  { judgement: { kind }, standsFrom = 0, isOpen = false }: Said,
  { exchange }: ItemFact,
): boolean {
  return (kind === 'breached' || (isOpen && kind === 'cannot-tell')) && exchange.sentAt < standsFrom;
}
