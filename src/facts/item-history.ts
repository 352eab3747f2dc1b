// Keeps the history of each item of a kind: what was sent to it, what it showed, and what lists showed of it, in the order of the exchanges,
// whoever caused them. Laws judge the newest fact in the light of those before it.

import { jsonText } from '../exchange/body.ts';
import { uriEncoded } from '../exchange/decoded.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { haveOneKey } from '../exchange/idempotency-key.ts';
import { isSafe } from '../exchange/methods.ts';
import type { JsonObject } from '../openapi/json.ts';
import type { Operation } from '../openapi/model/operation.ts';
import { isGone, isSuccess, isUnsure } from './answered.ts';
import { createdId } from './created.ts';
import { restlessMembers } from './differences.ts';
import { tagsNamed } from './etag.ts';
import { type FactKind, type ItemFact, isBetween, isReading, isWrite, type Placed, WRITES } from './item-facts.ts';
import { addressesOf } from './items.ts';
import { chosenName, describedMembers, itemPath, type Kind, ROLES, type Role, sentOf } from './kind.ts';
import type { DescribedMembers } from './members.ts';
import { nounsOf } from './nouns.ts';
import { collectionTemplate, fillPath, parameterNames, partedPath, trimmed, valuesOf } from './paths.ts';
import { idShown, isOneOf, resourceIn, resourceOf, showsId, showsItsId } from './resource.ts';
import { sameness } from './same-value.ts';
import type { Listing } from './walked-list.ts';

/** Writes that make an item, replace it or take it away: after them nothing that was written before matters. */
const BEGINNINGS: readonly FactKind[] = ['made', 'replaced', 'removed', 'removed-above', 'late'];

/** The writes of an item since it was last read, answered or not, and the readings after them. */
export class Episode {
  readonly item: Item;
  /** In order; none for readings before any write that is known. */
  readonly writes: ItemFact[] = [];
  /** In order. */
  readonly readings: ItemFact[] = [];
  readonly #before: ItemFact | null;

  constructor(item: Item, before: ItemFact | null) {
    this.item = item;
    this.#before = before;
  }

  /** The last write; null for readings before any that is known. */
  get write(): ItemFact | null {
    return this.writes.at(-1) ?? null;
  }

  /** The last reading that shows the item before the writes; null where something else may have changed it since. */
  get before(): ItemFact | null {
    return this.writes.some(({ kind }) => kind === 'touched') ? null : this.#before;
  }

  /** The readings that show the item. */
  get shown(): readonly ItemFact[] {
    return this.readings.filter(({ kind }) => kind === 'shown');
  }

  /** Tells whether the write is the next one of these: the item was not read since the last, and goes on as it is. */
  isContinuedBy({ kind }: ItemFact): boolean {
    return !BEGINNINGS.includes(kind) && this.readings.every((one) => one.kind === 'unread');
  }
}

/** One item: the facts on it, and the others of its kind. */
export class Item {
  readonly id: string;
  /** Concrete path of its collection. */
  readonly collection: string;
  /** Concrete path of the list that shows it. */
  readonly listedAt: string;
  readonly among: KindHistory;
  readonly facts: ItemFact[] = [];
  /** In order. */
  readonly episodes: Episode[] = [];
  /** True where what becomes of it is no matter any more. */
  isLetGo = false;
  /** Values of what made it that may address it. */
  readonly addresses: ReadonlySet<string>;

  constructor(
    id: string,
    place: { readonly collection: string; readonly listedAt: string },
    among: KindHistory,
    made: Exchange,
  ) {
    this.id = id;
    this.collection = place.collection;
    this.listedAt = place.listedAt;
    this.among = among;
    const [noun = ''] = nounsOf(this.collection);
    const known = [sentOf(among.kind, made), resourceOf(made) ?? {}]
      .flatMap((one) => addressesOf(one, '', noun))
      .map(({ value }) => value);
    this.addresses = new Set([id, ...known].map((value) => value.toLowerCase()));
  }

  /**
   * The id that it was answered with, and one that was sent for it, unless the answer shows that another was taken in its place, and no reading
   * shows that this one was all the same.
   */
  get ids(): readonly string[] {
    const [first] = this.facts;
    const sent = idShown(first?.sent ?? {});
    if (first === undefined || sent === null) return [this.id];
    const isOther = showsId(resourceOf(first.exchange) ?? {}, sent) === false;
    const isRead = this.facts.some(({ kind, shown }) => kind === 'shown' && showsId(shown ?? {}, sent) === true);
    return isOther && !isRead ? [this.id] : [this.id, sent];
  }

  /** The parameter of the path that names it; null: no operation takes one. */
  get parameter(): string | null {
    return parameterNames(itemPath(this.among.kind) ?? '').at(-1) ?? null;
  }

  /** Names of its kind, in the singular. */
  get nouns(): readonly string[] {
    return nounsOf(this.collection);
  }

  get newest(): ItemFact | null {
    return this.facts.at(-1) ?? null;
  }

  /** The last writes with their readings. */
  get episode(): Episode {
    return this.episodes.at(-1) ?? new Episode(this, null);
  }

  /** The item as the last reading shows it that does; null for none. */
  get shown(): JsonObject | null {
    return this.last('shown')?.shown ?? null;
  }

  /** The last of the facts of these kinds. */
  last(...kinds: readonly FactKind[]): ItemFact | null {
    return this.facts.findLast(({ kind }) => kinds.includes(kind)) ?? null;
  }

  has(...kinds: readonly FactKind[]): boolean {
    return this.facts.some(({ kind }) => kinds.includes(kind));
  }

  /** Description of the members that the write sends and reading shows. */
  members({ by }: ItemFact): DescribedMembers {
    const { kind } = this.among;
    return describedMembers(kind.description, by, kind.reader ?? by);
  }

  add(kind: FactKind, exchange: Exchange, by: Operation, more: Partial<ItemFact> = {}): ItemFact {
    const place = this.among.nextPlace();
    const fact = { kind, exchange, by, place, sent: sentOf(this.among.kind, exchange), shown: null, ...more };
    const shown = this.last('shown');
    const before = this.last('shown', 'touched') === shown ? shown : null;
    this.facts.push(fact);
    if (this.episodes.length === 0 || (isWrite(fact) && !this.episode.isContinuedBy(fact))) this.#begin(before);
    if (isWrite(fact)) {
      this.episode.writes.push(fact);
      this.among.writes.push({ item: this, write: fact });
    } else if (isReading(fact)) this.episode.readings.push(fact);
    const isTried = this.facts.some((one) => one.kind === 'refused' && one.place > (shown?.place ?? 0));
    if (kind === 'shown' && shown !== null && !isTried && this.among.isQuietSince(shown))
      for (const name of restlessMembers(shown.shown, fact.shown))
        if (this.firstReadings?.[1] === fact || this.#changesByItself(name, shown, fact)) this.among.restless.add(name);
    return fact;
  }

  #begin(before: ItemFact | null): void {
    const episode = new Episode(this, before);
    this.episodes.push(episode);
    this.among.episodes.push(episode);
  }

  /** The last write of these kinds between the two, on another item of the list that shows this one; null for none. */
  lastBeside(kinds: readonly FactKind[], since: Placed, until: Placed): ItemFact | null {
    const isBeside = ({ item, write }: Written): boolean =>
      item !== this && item.listedAt === this.listedAt && kinds.includes(write.kind) && isBetween(write, since, until);
    return this.among.writes.findLast(isBeside)?.write ?? null;
  }

  /**
   * Tells whether the later of two readings without a write in between shows that the member changes by itself: either
   * shows what neither a write before them sent nor the item showed before it. Where the earlier one still shows the value
   * before the writes, these have done it, late.
   */
  #changesByItself(name: string, { shown }: ItemFact, now: ItemFact): boolean {
    const { writes, before } = this.episode;
    const [was, is, earlier] = [shown?.[name], now.shown?.[name], before?.shown?.[name]];
    const isSent = (value: unknown): boolean =>
      writes.some(({ sent }) => name in sent && sameness(sent[name], value) !== 'other');
    const isEarlier = (value: unknown): boolean => earlier !== undefined && sameness(earlier, value) !== 'other';
    const isLate = isEarlier(was) && !isSent(was);
    return !isLate && sameness(was, is) === 'other' && [was, is].some((value) => !isSent(value) && !isEarlier(value));
  }

  /** The first two readings that showed it as it was made; null where there are none. */
  get firstReadings(): readonly [ItemFact, ItemFact] | null {
    const [made] = this.episodes;
    if (made?.write?.kind !== 'made') return null;
    const [first, second] = made.shown;
    return first === undefined || second === undefined ? null : [first, second];
  }
}

/** Facts of a collection beside the history. */
export interface Elsewhere {
  /** Ids of what was made there before. */
  madeAt(collection: string): readonly string[];
  /** Texts that only refused creates have carried there. */
  refusedAt(collection: string): readonly string[];
  /** The text by which an item can be found in a list; null for none. */
  markIn(text: string): string | null;
}

const NOTHING_KNOWN: Elsewhere = { madeAt: () => [], refusedAt: () => [], markIn: () => null };

/** A write, and the item that it is of. */
interface Written {
  readonly item: Item;
  readonly write: ItemFact;
}

/** A create that was refused for what is there. */
export type Conflict = Pick<ItemFact, 'exchange' | 'sent' | 'place'>;

/** Items of more than these of one kind are not remembered. */
const MAX_ITEMS = 500;

/** The histories of all items of one kind. */
export class KindHistory {
  readonly kind: Kind;
  readonly #roles: ReadonlyMap<string, Role>;
  /** In the order made, those that are no longer kept included. */
  readonly all: Item[] = [];
  /** Those of all items, in the order in which they began. */
  readonly episodes: Episode[] = [];
  /** Those of all items, in order. */
  readonly writes: Written[] = [];
  /** Members that change by themselves, as readings without a write in between show. */
  readonly restless = new Set<string>();
  readonly elsewhere: Elsewhere;
  /** Creates that were refused for what is there, in order. */
  readonly conflicts: Conflict[] = [];
  #place = 0;
  /** True where an item of the kind was ever read by its id: then ids of answers are what paths take. */
  wasRead = false;

  constructor(kind: Kind, elsewhere: Elsewhere = NOTHING_KNOWN) {
    this.kind = kind;
    this.elsewhere = elsewhere;
    this.#roles = new Map(ROLES.flatMap((role) => (kind[role] === null ? [] : [[nameOf(kind[role]), role] as const])));
  }

  /** Items that are still followed. */
  get #items(): readonly Item[] {
    return this.all.filter(({ isLetGo }) => !isLetGo);
  }

  /** Tells whether nothing of the kind was written, or refused for what is there, since. */
  isQuietSince({ place }: Placed): boolean {
    return [this.writes.at(-1)?.write, this.conflicts.at(-1)].every((one) => (one?.place ?? 0) < place);
  }

  nextPlace(): number {
    this.#place += 1;
    return this.#place;
  }

  /** Notes what the exchange shows; resolves with the item that it is about, null for none that is known. Lists are told by `noteList`. */
  observe(exchange: Exchange): Item | null {
    const { plan } = exchange;
    const role = this.#roles.get(`${plan.service} ${plan.operation}`);
    const by = role === undefined || isUnsure(exchange) ? null : this.kind[role];
    if (role === 'lister' || by === null || role === undefined) return this.#noteOther(exchange);
    if (role === 'creator') return this.#noteCreate(exchange);
    this.wasRead ||= role === 'reader' && showsItsId(exchange);
    const item = this.itemAt(plan.path);
    if (by === this.kind.creator && !isThere(item)) return this.#noteCreate(exchange);
    if (item !== null) this.#noteCall(item, exchange, role, by);
    return item !== null && isSameClient(item, exchange) ? item : null;
  }

  #noteCall(item: Item, exchange: Exchange, role: Exclude<Role, 'creator' | 'lister'>, by: Operation): void {
    const isServed = isSuccess(exchange.response?.status ?? 0);
    if (!isSameClient(item, exchange)) {
      if (role !== 'reader' && isServed) item.add('touched', exchange, by);
    } else if (role === 'reader') this.#noteReading(item, exchange, by);
    else if (item.has('removed')) item.add('late', exchange, by);
    else if (isServed) item.add(WRITES[role], exchange, by);
    else if (tagsNamed(exchange, 'if-match') !== null) item.add('refused', exchange, by);
  }

  #noteReading(item: Item, exchange: Exchange, by: NonNullable<Kind['reader']>): void {
    const status = exchange.response?.status ?? 0;
    const kind = isGone(exchange) ? 'missing' : isSuccess(status) ? 'shown' : status === 304 ? 'unchanged' : 'unread';
    this.wasRead ||= kind === 'shown';
    item.add(kind, exchange, by, { shown: kind === 'shown' ? resourceOf(exchange) : null });
  }

  /** Follows what was there before: a reading by its id stands for what made it. */
  adopt(reading: Exchange): Item {
    const [collection, id] = partedPath(reading.plan.path);
    const item = new Item(id, { collection, listedAt: collection }, this, reading);
    item.add('touched', reading, this.kind.creator);
    this.all.push(item);
    return item;
  }

  /** The item at a concrete path, by any of its addresses. */
  itemAt(path: string): Item | null {
    const [collection, segment] = partedPath(path);
    const among = this.#items.filter((item) => item.collection === collection);
    const byId = among.findLast(({ id }) => id.toLowerCase() === segment.toLowerCase());
    if (byId !== undefined) return byId;
    const others = among.filter(({ addresses }) => addresses.has(segment.toLowerCase()));
    return others.length === 1 ? (others[0] ?? null) : null;
  }

  /** Notes of each item that the list may show whether it does. */
  noteList(listing: Listing, at: string): void {
    const { lister } = this.kind;
    const last = listing.pages.at(-1);
    if (lister === null || last === undefined) return;
    for (const item of this.#items.filter(({ listedAt }) => listedAt === at)) {
      if (!isSameClient(item, last)) continue;
      const found = listing.items.find((one) => isOneOf(one, item.ids, item.nouns));
      const kind = found === undefined ? 'unlisted' : 'listed';
      item.add(kind, last, lister, { shown: found === undefined ? null : resourceIn(found), listing });
    }
  }

  #noteCreate(exchange: Exchange): Item | null {
    const { creator } = this.kind;
    const status = exchange.response?.status ?? 0;
    if (status === 409) this.conflicts.push({ exchange, sent: sentOf(this.kind, exchange), place: this.nextPlace() });
    const place = isSuccess(status) ? this.#placeOf(exchange) : null;
    if (place === null) return null;
    const known = this.itemAt(`${place.collection}/${uriEncoded(place.id)}`);
    // Sent again under its key, a create is answered as before, whatever became of what it made.
    const [made] = known?.facts ?? [];
    if (made?.kind === 'made' && haveOneKey(made.exchange, exchange)) return null;
    // A create that finds what is there has not made it.
    if (known !== null && isThere(known)) {
      known.add('touched', exchange, creator);
      return known;
    }
    if (known !== null) known.isLetGo = true;
    const item = new Item(place.id, place, this, exchange);
    // A PUT that says nothing of it may have changed what was there.
    const isMade = creator.method !== 'PUT' || status === 201 || exchange.plan.makes === 'named';
    item.add(isMade ? 'made' : 'touched', exchange, creator);
    if (this.all.length >= MAX_ITEMS) this.all.splice(1, 1);
    this.all.push(item);
    return item;
  }

  #placeOf(made: Exchange): { readonly id: string; readonly collection: string; readonly listedAt: string } | null {
    const { creator, lister } = this.kind;
    const path = itemPath(this.kind);
    if (path === null) return null;
    const parameter = parameterNames(path).at(-1) ?? '';
    const template = collectionTemplate(path, parameter);
    const at = trimmed(made.plan.path);
    if (chosenName(this.kind) !== null) {
      const [collection, id] = partedPath(at);
      return { id, collection, listedAt: collection };
    }
    const isBelow = trimmed(template) === trimmed(creator.path);
    const collection = isBelow ? at : fillPath(trimmed(template), valuesOf(creator.path, made.plan.path));
    const id = createdId(made, parameter, collection);
    const listedAt = lister !== null && trimmed(lister.path) === trimmed(creator.path) ? at : collection;
    return id === null ? null : { id, collection, listedAt };
  }

  /** A success elsewhere that changes something: at what an item stands below, or below it. */
  #noteOther(exchange: Exchange): null {
    const { method, path } = exchange.plan;
    if (isSafe(method) || !(isUnsure(exchange) || isSuccess(exchange.response?.status ?? 0))) return null;
    const at = `${trimmed(path)}/`;
    for (const item of this.#items) {
      const own = `${item.collection}/${uriEncoded(item.id)}/`;
      const isRemoved = own.startsWith(at) && method === 'DELETE';
      if (isRemoved) item.add(isUnsure(exchange) ? 'touched' : 'removed-above', exchange, this.kind.creator);
      else if (at.startsWith(own)) item.add('touched', exchange, this.kind.creator);
    }
    return null;
  }
}

/** Tells whether nothing has shown that the item is gone. */
function isThere(item: Item | null): boolean {
  return item !== null && !item.has('removed') && item.newest?.kind !== 'missing';
}

/** A client may see an item that another may not: an item is followed under the credentials that made it. */
function isSameClient({ facts: [made] }: Item, { plan: { credential } }: Exchange): boolean {
  return jsonText(made?.exchange.plan.credential) === jsonText(credential);
}

function nameOf({ service, key }: Operation): string {
  return `${service} ${key}`;
}
