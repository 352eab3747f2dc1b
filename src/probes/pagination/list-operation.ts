// Tells which operations are lists that page, by their parameters and never by their paths, and how a page is asked for.

import type { Exchange } from '../../exchange/exchange.ts';
import type { Ask } from '../../facts/list-history.ts';
import { lastNoun } from '../../facts/nouns.ts';
import { type Reading, readingOf } from '../../facts/page-counts.ts';
import type { AskedPage } from '../../facts/walked-list.ts';
import { pagingOf } from '../../openapi/model/paging.ts';
import { isCounted } from '../../openapi/model/stated-paging.ts';
import { firstTurn, type PageAsking, type Pairs } from '../reach/reading-lists.ts';
import type { Reached, World } from '../world.ts';
import { type Closeness, type Look, lookAt, usualCloseness } from './looks.ts';

export interface ListOperation extends PageAsking {
  readonly reached: Reached;
  /** How many items each page has, where no parameter says so; absent: one does, or it is to be found out. */
  readonly fixedSize?: number;
  /** How its answers are read. */
  readonly reading: Reading;
  /** True where the contract counts its items: of such a list it says most. */
  readonly isCounted: boolean;
  /** A word for what it holds: "currencies". */
  readonly noun: string;
  /** Where the configuration says that the items stand; null where it says nothing. */
  readonly place: string | null;
  /** How much is looked at of it. */
  readonly look: Look;
}

/** The operation as a list that pages; null for any other, and for one that never answered with success. */
export function listOperation(
  world: World,
  reached: Reached,
  closeness: Closeness = usualCloseness(world),
): ListOperation | null {
  const { operation, proof } = reached;
  const paging = proof === null ? null : pagingOf(reached, world);
  if (paging === null) return null;
  const { stated, turner } = paging;
  const counted = { isCounted: isCounted(stated) };
  return {
    ...{ reached, paging, first: turner?.stated ?? null, ...counted },
    look: lookAt(counted, closeness),
    reading: readingOf(stated, world.terms),
    place: world.listPlace(operation.key),
    noun: lastNoun(operation.path),
  };
}

/** Whoever asks for pages, within an allowance. */
export interface Asking {
  /** Null when the allowance is spent or the run has ended. */
  ask(pairs: Pairs, probe: string): Promise<Exchange | null>;
  /** The same by a query of its own, or at an address that a page told. */
  askAt(asked: AskedPage, probe: string): Promise<Exchange | null>;
}

/** Asks for the page that holds the item at index `at`; `applied` is the limit that counts, where the list does not fix one. */
export function askFor(list: ListOperation, asked: number, applied: number, at: number): Ask {
  const { fixedSize, paging } = list;
  const first = firstTurn(list) ?? 0;
  const limit = fixedSize ?? asked;
  if (paging.turner === null) return { limit, turn: null };
  return { limit, turn: first + (paging.turner.by === 'item' ? at : Math.floor(at / (fixedSize ?? applied))) };
}

/** Index of the first item of the page. */
export function offsetOf(list: ListOperation, ask: Ask, applied: number): number {
  const { turner } = list.paging;
  if (turner === null || ask.turn === null) return 0;
  const turned = ask.turn - (firstTurn(list) ?? 0);
  return turner.by === 'item' ? turned : turned * applied;
}
