// Keeps what lists showed at first: what is in them later, and was not, came while the run was there, whatever the answers of its calls showed.

import { jsonText } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isObject } from '../openapi/json.ts';
import { idOf } from './items.ts';
import { lastNoun } from './nouns.ts';
import { trimmed } from './paths.ts';
import { listingIn } from './walked-list.ts';

/** Maximum number of lists that are remembered. */
const MAX_LISTS = 60;

export class FirstLists {
  /** The items by concrete path of the list; null where its first answer did not show all of them. */
  readonly #items = new Map<string, ReadonlySet<string> | null>();

  /** Notes the first answer of a list that chose nothing among its items. `place`: where its answers keep them, null where that is not known. */
  observe(exchange: Exchange, place: string | null): void {
    const { method, query, path } = exchange.plan;
    const at = trimmed(path);
    if (method !== 'GET' || query !== '' || this.#items.has(at) || this.#items.size >= MAX_LISTS) return;
    const { items, pages, isWhole } = listingIn(exchange, place);
    if (pages.length === 0) return;
    this.#items.set(at, isWhole ? new Set(items.map((item) => nameOf(item, at))) : null);
  }

  /** The paths of the lists of which all was shown. */
  paths(): readonly string[] {
    return [...this.#items].flatMap(([path, items]) => (items === null ? [] : [path]));
  }

  /** Tells whether the item was not in the list at first. */
  isNew(path: string, item: unknown): boolean {
    return this.#items.get(path)?.has(nameOf(item, path)) === false;
  }
}

function nameOf(item: unknown, path: string): string {
  return (isObject(item) ? idOf(item, '', lastNoun(path)) : null) ?? jsonText(item);
}
