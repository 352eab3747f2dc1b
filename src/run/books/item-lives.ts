// Follows the items that calls of anybody make, read, change, list and delete.

import type { Exchange } from '../../exchange/exchange.ts';
import { type Item, KindHistory } from '../../facts/item-history.ts';
import { trimmed } from '../../facts/paths.ts';
import { listingIn } from '../../facts/walked-list.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { kindOf, lifecyclesAmong } from '../../probes/life/lifecycle.ts';

/** Others use the target, too: what was not looked at for so long, they may have changed. ms. */
const MAX_REST_MS = 60_000;
/** Parameters that leave no item of a list out. */
const PAGING = /^(page|offset|skip|limit|per_?page|page_?size|sort|order|order_?by)$/i;

export class ItemLives {
  readonly #histories: readonly KindHistory[];
  /** Where an operation's answers keep the items of a list, by its key. */
  readonly #places: (operation: string) => string | null;

  constructor(all: readonly Described[], byNoun: boolean, places: (operation: string) => string | null) {
    this.#histories = lifecyclesAmong(all, { byNoun }, () => true).map((cycle) => new KindHistory(kindOf(cycle)));
    this.#places = places;
  }

  /** The items that the call, of which the time is known, shows a new fact on. */
  observe(exchange: Exchange): readonly Item[] {
    return this.#histories.flatMap((history) => {
      if (isAmidWrite(history.itemAt(exchange.plan.path), exchange)) return [];
      const item = history.observe(exchange);
      const items = item === null ? this.#listed(history, exchange) : [item];
      return items.filter(isFollowed);
    });
  }

  #listed(history: KindHistory, exchange: Exchange): readonly Item[] {
    const { service, operation, path, query } = exchange.plan;
    const { lister } = history.kind;
    if (lister === null || lister.service !== service || lister.key !== operation) return [];
    const listing = listingIn(exchange, this.#places(lister.key));
    if (listing.pages.length === 0) return [];
    const isFiltered = [...new URLSearchParams(query).keys()].some((name) => !PAGING.test(name));
    history.noteList({ ...listing, isWhole: listing.isWhole && !isFiltered && isFirst(query) }, trimmed(path));
    return history.all.filter(({ newest }) => newest?.exchange === exchange);
  }
}

/** Tells whether it was sent before the last write was answered: it shows neither what was before that nor what is after it. */
function isAmidWrite(item: Item | null, { sentAt }: Exchange): boolean {
  const { exchange } = item?.episode.write ?? {};
  return exchange !== undefined && sentAt < exchange.sentAt + exchange.durationMs;
}

/** Tells whether the newest fact on the item follows the one before it soon; else the item's history begins anew with it. */
function isFollowed(item: Item): boolean {
  const [before, now] = item.facts.slice(-2);
  if (before === undefined || now === undefined) return true;
  if (now.exchange.sentAt - before.exchange.sentAt <= MAX_REST_MS) return true;
  item.add('touched', now.exchange, now.by);
  return false;
}

/** Tells whether the query asks for the first page. */
function isFirst(query: string): boolean {
  const asked = [...new URLSearchParams(query)].filter(([name]) => /^(page|offset|skip)$/i.test(name));
  return asked.every(([name, value]) => value === (name.toLowerCase() === 'page' ? '1' : '0'));
}
