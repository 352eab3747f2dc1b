// Reads the list that sends lengthen: which of its items hold the mark of a request, and whether what a send made is nowhere.

import { exactBody, jsonText } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { nounsOf } from '../../facts/nouns.ts';
import { idIn } from '../../facts/resource.ts';
import { holdsMark } from '../reach/marked-body.ts';
import { readList } from '../reach/reading-lists.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor } from '../world.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';

const PROBE = 'idempotency/list';
const MAX_PAGES = 25;
/** A terse list is read item by item where no more than so many are new. */
const MAX_VISITS = 6;
/** Between the looks at what may come late; once an effect was lost, the first alone. ms. */
const PAUSES_MS = [400, 1000, 2000];

/** Ids that a list shows for each of several requests, and its pages. */
interface Shown {
  readonly ids: readonly (readonly string[])[];
  readonly pages: readonly Exchange[];
}

export class ListWatch {
  readonly #on: KeyedOperation;
  readonly #call: (plan: RequestPlan) => Promise<Exchange>;

  constructor(on: KeyedOperation, call: (plan: RequestPlan) => Promise<Exchange>) {
    this.#on = on;
    this.#call = call;
  }

  /** Ids of the resources that hold the mark of each request, and the pages that show it. Null where nothing shows effects. */
  async shown(all: readonly Keyed[]): Promise<Shown | null> {
    const { listed, details, neighbours } = this.#on;
    const listing = all.every(({ mark }) => mark === null) ? null : await this.#read();
    if (listing === null) return null;
    const { items, pages } = listing;
    const shown = new Map([...items].map(([id, item]) => [id, details.get(id) ?? item]));
    const found = (): Shown['ids'] =>
      all.map(({ mark }) => [...shown].flatMap(([id, item]) => (mark !== null && holdsMark(item, mark) ? [id] : [])));
    const isFound = (): boolean => found().some((ids) => ids.length > 0);
    const fresh = [...items.keys()].filter((id) => !listed.has(id));
    for (const id of items.keys()) listed.add(id);
    if (!isFound() && neighbours.item !== null && fresh.length <= MAX_VISITS)
      for (const id of fresh) {
        const answer = await this.#readItem(id);
        const body = answer === null ? null : exactBody(answer);
        if (answer === null || body?.ok !== true || !succeeded(answer)) continue;
        details.set(id, body.value);
        shown.set(id, body.value);
      }
    return isFound() ? { ids: found(), pages } : null;
  }

  /**
   * Evidence that what was made under the id is nowhere; null where it is somewhere, or nothing tells. A list may show what is new late, or
   * never; so the resource is read by its id until it must be there, and another one to see that ids are read so.
   */
  async lost(id: string): Promise<readonly Exchange[] | null> {
    const on = this.#on;
    if (!on.creates || on.losing === 'cannot-tell' || !(await this.#staysAway(id))) return null;
    const listing = await this.#read();
    if (listing === null || listing.items.has(id)) return null;
    const [another] = listing.items.keys();
    const other = another === undefined ? null : await this.#readItem(another);
    on.losing = other !== null && succeeded(other) ? 'seen' : 'cannot-tell';
    return other === null || on.losing === 'cannot-tell' ? null : [...listing.pages.slice(-1), other];
  }

  /** Items of the whole list by id; null where there is no list, or it is not answered. */
  async #read(): Promise<{ readonly items: ReadonlyMap<string, unknown>; readonly pages: readonly Exchange[] } | null> {
    const { world, neighbours, reached } = this.#on;
    const { list } = neighbours;
    if (list === null) return null;
    const { path: at } = planOf(list.recipe, PROBE, drawFor(world, PROBE));
    const listing = await readList(world, list, { at, maxPages: MAX_PAGES, probe: PROBE }, this.#call);
    const nouns = nounsOf(reached.operation.path);
    const items = listing?.items.map((item) => [idIn(item, nouns) ?? jsonText(item), item] as const);
    return listing && { items: new Map(items), pages: listing.pages };
  }

  async #staysAway(id: string): Promise<boolean> {
    const { losing, world } = this.#on;
    for (const ms of [0, ...(losing === 'seen' ? PAUSES_MS.slice(0, 1) : PAUSES_MS)]) {
      if (ms > 0) await world.timing.sleep(ms);
      if ((await this.#readItem(id))?.response?.status !== 404) return false;
    }
    return true;
  }

  async #readItem(id: string): Promise<Exchange | null> {
    const { item } = this.#on.neighbours;
    return item === null ? null : this.#call(this.#on.planAt(item, id, 'item'));
  }
}
