// Walks a list from its first page on, by the cursor or the address that each page tells of the next.
import type { PagingTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { keyOf } from '../../facts/item-keys.ts';
import { type Page, pageOf } from '../../facts/page.ts';
import {
  type Address,
  addressOf,
  type Chain,
  isByAddress,
  type Link,
  linkOf,
  sizeApplied,
} from '../../facts/page-links.ts';
import type { ListLab } from './lab.ts';
import { type ListOperation, type Pairs, pairsOf } from './list-operation.ts';
import type { Survey } from './survey.ts';

/** A longer chain is left before its end. */
const MOST_PAGES = 60;
const PROBE = 'follow';

export class Follower {
  readonly list: ListOperation;
  readonly stated: PagingTerms;
  readonly survey: Survey;
  readonly #lab: ListLab;

  constructor(list: ListOperation, stated: PagingTerms, survey: Survey, lab: ListLab) {
    this.list = list;
    this.stated = stated;
    this.survey = survey;
    this.#lab = lab;
  }

  /** The chain of pages of this size; null where a page was not answered at all, or the requests for the list were spent. */
  async walk(size: number | null, { again, filter = [] }: { again: boolean; filter?: Pairs }): Promise<Chain | null> {
    const pairs = pairsOf({ ...this.list, filter }, { limit: size, turn: null });
    const links: Link[] = [];
    const seen = new Set<string>();
    let exchange = await this.#ask(pairs, again);
    while (exchange !== null) {
      const link = this.#linkOf(exchange, size);
      if (link === null) return null;
      links.push(link);
      const isRound = link.keys.length > 0 && link.keys.every((key) => seen.has(key));
      for (const key of link.keys) seen.add(key);
      const isOver = link.next === null || link.elsewhere !== undefined || link.page.status >= 300;
      if (isOver || isRound || links.length >= MOST_PAGES) return this.#chain(links, size, { isWhole: isOver });
      exchange = await this.#next(exchange, link.next, pairs, again);
    }
    return null;
  }

  /** The page at an address that a page told; null where it was not answered. */
  async pageAt(address: Extract<Address, { kind: 'here' }>, again: boolean): Promise<Link | null> {
    const exchange = await this.#lab.askAt(address, PROBE, { again });
    return exchange === null ? null : this.#linkOf(exchange, null);
  }

  /** The keys of the answer's items; null where it is no page. */
  keysOf(exchange: Exchange): readonly string[] | null {
    const page = this.#pageOf(exchange);
    return page === null || page.place === null ? null : this.#keysIn(page);
  }

  #chain(links: readonly Link[], size: number | null, { isWhole }: Pick<Chain, 'isWhole'>): Chain {
    const isDistinct = this.survey.identity.member !== null;
    return { size: this.#sizeApplied(links[0], size), links, isDistinct, isWhole };
  }

  /** A first page that is shorter than asked for while others follow is one of the maximum size, unless the contract states a larger one. */
  #sizeApplied(first: Link | undefined, size: number | null): number | null {
    const { maximum } = this.stated.size;
    const isPromised = size !== null && (size <= this.survey.bare.keys.length || (maximum !== null && size <= maximum));
    return first === undefined || isPromised ? size : sizeApplied(first, size);
  }

  #ask(pairs: Pairs, again: boolean): Promise<Exchange | null> {
    return again ? this.#lab.lookAgain(pairs, PROBE) : this.#lab.ask(pairs, PROBE);
  }

  async #next(from: Exchange, told: string, pairs: Pairs, again: boolean): Promise<Exchange | null> {
    const { turn } = this.stated.parameters;
    if (!isByAddress(this.stated) && turn !== null) return this.#ask([...pairs, [turn, told]], again);
    const address = addressOf(from, told);
    return address.kind === 'here' ? this.#lab.askAt(address, PROBE, { again }) : null;
  }

  #linkOf(exchange: Exchange, size: number | null): Link | null {
    const page = this.#pageOf(exchange);
    if (page === null) return null;
    return linkOf(page, this.#keysIn(page), this.stated, size);
  }

  #pageOf(exchange: Exchange): Page | null {
    return pageOf(exchange, this.survey.rules.place, this.list.reading);
  }

  #keysIn({ items }: Page): readonly string[] {
    return items.map((item) => keyOf(this.survey.identity, item));
  }
}
