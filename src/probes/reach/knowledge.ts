// Ids and objects that the target itself has shown in this run: what path parameters and references are filled with.

import { hash } from 'node:crypto';
import { jsonText } from '../../exchange/body.ts';
import { type Address, addressesOf, addressing, createdObject, idOf, isIdValue, itemsOf } from '../../facts/items.ts';
import { lastNoun, nounOf, singular } from '../../facts/nouns.ts';
import { trimmed } from '../../facts/paths.ts';
import { isMadeUp } from '../../generate/preferred.ts';
import { isObject, membersOf, normal } from '../../openapi/json.ts';
import type { Operation as Described } from '../../openapi/model/operation.ts';

/** An operation, by what tells it apart. */
type Operation = Pick<Described, 'service' | 'key' | 'path'>;

interface Pool {
  /** The last segment of the path, and that of one item. */
  readonly items: string;
  readonly item: string;
  readonly created: Record<string, unknown>[];
  readonly listed: Record<string, unknown>[];
  /** Those of `listed` that an earlier run wrote down as made by it. */
  readonly left: Set<Record<string, unknown>>;
  /** When an answer first showed the item of this id, epoch ms. */
  readonly seen: Map<string, number>;
  /** When it was first read, epoch ms; infinite: never. */
  readMs: number;
  /** The nouns of the items beside the last segment of the path. */
  readonly nouns: Set<string>;
}

/** Facts about a list that its body does not tell. */
interface ListFacts {
  /** Where the configuration says that the items stand. */
  readonly place?: string | null;
  /** Names of its items beside the last segment of its path. */
  readonly nouns?: readonly string[];
  /** When it was answered, epoch ms; absent: before all else. */
  readonly answeredMs?: number;
}

/** Texts of so many requests are remembered. */
const MARKS_LIMIT = 20_000;
/** Ids that mean something within their collection only. */
const COUNTED = /^\d{1,12}$/;
const POOL_LIMIT = 60;
const ITEMS_LOOKED_AT = 1000;
const LINKS_LIMIT = 5;

/** An id known of a collection: `created` by this run, or listed. */
export interface KnownId {
  readonly value: string;
  readonly created: boolean;
  /** True where this run made the object, or an earlier one, as its made-up names tell. */
  readonly own: boolean;
}

/** Tells whether the id may stand where it is wanted. */
type Admits = (value: string) => boolean;

export class Knowledge {
  #pools = new Map<string, Pool>();
  /** How many things that this run created are addressed by the value. */
  readonly #created = new Map<string, number>();
  readonly #linked = new Map<string, readonly string[]>();
  readonly #guessed = new Set<string>();
  /** The member that is taken in place of the id, by operation and parameter. */
  readonly #members = new Map<string, string>();
  /** The key that was served where the first was forbidden, by operation. */
  readonly #keys = new Map<string, string>();
  isShared = false;
  /** Texts that requests carried which were refused, by the path of the request. */
  readonly #refused = new Map<string, Set<string>>();
  /** Texts of requests that were not refused, or of which nobody knows: these may be there. */
  readonly #written = new Set<string>();
  #marks = 0;

  /** From now on what one resource showed is offered to others: not while they are reached side by side, in no order. */
  share(): void {
    this.isShared = true;
    this.#pools = new Map([...this.#pools].toSorted(([left], [right]) => shallowFirst(left, right)));
  }

  /**
   * Notes the items of a list answer under the concrete path of its collection, and what lies within an object below its
   * path.
   */
  noteListed(path: string, body: unknown, { place = null, nouns = [], answeredMs = 0 }: ListFacts = {}): void {
    this.#pool(path).readMs = Math.min(this.#pool(path).readMs, answeredMs);
    this.#noteItems(path, itemsOf(body, lastNoun(path), place), answeredMs);
    this.#name(path, nouns);
    if (!isObject(body)) return;
    const whole = createdObject(body) ?? body;
    for (const [name, member] of membersOf(whole))
      if (Array.isArray(member)) this.#noteItems(`${path}/${name}`, member, answeredMs);
  }

  #noteItems(path: string, items: readonly unknown[], answeredMs = 0): void {
    const pool = this.#pool(path);
    const noun = lastNoun(path);
    for (const item of items.slice(0, ITEMS_LOOKED_AT)) {
      if (!isObject(item)) continue;
      const isFull = pool.listed.length >= POOL_LIMIT;
      const id = idOf(item, '', noun) ?? (isFull ? null : hash('sha256', jsonText(item)));
      if (id === null || pool.seen.has(id)) continue;
      // Seen is all that stood there, also what is not offered to others: it is somebody else's.
      pool.seen.set(id, answeredMs);
      if (!isFull) pool.listed.push(addressing(item, noun));
    }
  }

  /**
   * Notes an object of the collection that an earlier run made, as it was read now: it counts as listed, and as this
   * program's own, whatever it is called.
   */
  noteLeft(path: string, id: string, body: unknown): void {
    const object = createdObject(body);
    const noun = lastNoun(path);
    const isShown = object !== null && idOf(object, '', noun) === id;
    this.#noteItems(path, [isShown ? object : { id }]);
    const pool = this.#pool(path);
    const item = pool.listed.find((one) => idOf(one, '', noun) === id);
    if (item !== undefined) pool.left.add(item);
  }

  /** Notes what a create answered under the concrete path of its collection. */
  noteCreated(path: string, body: unknown, nouns: readonly string[] = []): void {
    const created = createdObject(body);
    if (created !== null) {
      const item = addressing(created, lastNoun(path));
      this.#pool(path).created.push(item);
      this.#countCreated(path, item, 1);
    }
    this.#name(path, nouns);
  }

  /** Notes the text by which what a request wrote can be found, and whether the request was refused. */
  noteWritten(path: string, mark: string, isRefused: boolean): void {
    if (this.#marks >= MARKS_LIMIT) this.#refused.clear();
    else if (isRefused) this.#refusedAt(path).add(mark);
    else this.#written.add(mark);
    this.#marks += 1;
  }

  /** Texts that only refused requests to the path have carried. */
  refusedAt(path: string): readonly string[] {
    return [...this.#refusedAt(path)].filter((mark) => !this.#written.has(mark));
  }

  #refusedAt(path: string): Set<string> {
    const key = trimmed(path);
    const known = this.#refused.get(key) ?? new Set<string>();
    this.#refused.set(key, known);
    return known;
  }

  /** Notes what a link of the description hands to a parameter of the operations below a path template. */
  noteLinked(template: string, parameter: string, value: string): void {
    const key = `${template} ${parameter}`;
    this.#linked.set(key, [...new Set([value, ...(this.#linked.get(key) ?? [])])].slice(0, LINKS_LIMIT));
  }

  /** The values that links have handed to the parameter, newest first. */
  linked(template: string, parameter: string): readonly string[] {
    return this.#linked.get(`${template} ${parameter}`) ?? [];
  }

  #name(path: string, nouns: readonly string[]): void {
    for (const noun of nouns) this.#pool(path).nouns.add(noun);
  }

  /** Remembers by which member the operations of a path take things that they do not know by their id. */
  noteMember({ service, path }: Operation, parameter: string, member: string): void {
    this.#members.set(`${service} ${path} ${parameter}`, member);
  }

  /** Remembers which key the operation serves, where it forbids the one that ordinary calls use. */
  noteKey({ service, key }: Operation, name: string): void {
    this.#keys.set(`${service} ${key}`, name);
  }

  /** The key that was noted for the operation; null for none. */
  keyOf({ service, key }: Operation): string | null {
    return this.#keys.get(`${service} ${key}`) ?? null;
  }

  /** The value by which the operation takes the object with the id; the id itself unless another member was found to be it. */
  addressOf(
    { service, path }: Operation,
    parameter: string,
    object: Record<string, unknown> | null,
    id: string,
  ): string {
    const member = this.#members.get(`${service} ${path} ${parameter}`);
    const found =
      member === undefined || object === null ? [] : [...addressesOf(object, parameter, ''), ...idsIn(object)];
    return found.find((one) => one.member === member)?.value ?? id;
  }

  /** True where some operation was found to take things by another member than their id. */
  get takesMembers(): boolean {
    return this.#members.size > 0;
  }

  /** Tells whether the operation was found to take things by another member than their id. */
  takesMember({ service, path }: Operation, parameter: string): boolean {
    return this.#members.has(`${service} ${path} ${parameter}`);
  }

  /** The noted object with the id; null for none. */
  objectAt(path: string, parameter: string, id: string): Record<string, unknown> | null {
    const pool = this.#pools.get(poolKey(path));
    const items = pool === undefined ? [] : [...pool.created.toReversed(), ...pool.listed];
    return items.find((item) => idOf(item, parameter, lastNoun(path)) === id) ?? null;
  }

  /** Forgets a created object once it was deleted, by whichever of its texts it was addressed. */
  forget(path: string, id: string): void {
    const pool = this.#pool(path);
    for (const items of [pool.created, pool.listed]) {
      const known = items.findIndex((item) => idOf(item, '', lastNoun(path)) === id);
      const index = known >= 0 || COUNTED.test(id) ? known : items.findIndex((item) => isCalled(item, id));
      const [gone] = index < 0 ? [] : items.splice(index, 1);
      if (gone !== undefined && items === pool.created) this.#countCreated(path, gone, -1);
    }
  }

  /** Forgets an object that is gone, and all that was known below it. */
  forgetAll(path: string, id: string, place: string): void {
    this.forget(path, id);
    for (const known of this.#pools.keys()) if (known.startsWith(`${place}/`)) this.#pools.delete(known);
  }

  /** From now on values of its path that nothing shows may be guessed for the operation: it only reads, and nothing else is known. */
  guessFor(operation: string): void {
    this.#guessed.add(operation);
  }

  /** Tells whether values may be guessed for the operation. */
  isGuessed(operation: string): boolean {
    return this.#guessed.has(operation);
  }

  /** Ids of the collection at this concrete path, created ones first. */
  idsAt(path: string, parameter: string): readonly KnownId[] {
    const pool = this.#pools.get(poolKey(path));
    return pool === undefined ? [] : idsOf(pool, parameter, lastNoun(path));
  }

  /** Ids of the collections at all concrete paths of this template. */
  idsBelow(template: string, parameter: string): readonly KnownId[] {
    const wanted = poolKey(template).split('/');
    const isOne = (path: string): boolean => {
      const segments = path.split('/');
      return segments.length === wanted.length && wanted.every((one, i) => one.includes('{') || one === segments[i]);
    };
    return [...this.#pools].flatMap(([path, pool]) => (isOne(path) ? idsOf(pool, parameter, pool.items) : []));
  }

  /** Ids of any collection whose noun is that of the parameter or property: productId → …/products. */
  idsByNoun(parameter: string): readonly KnownId[] {
    const noun = nounOf(parameter);
    if (noun === '' || !this.isShared) return [];
    const found: KnownId[] = [];
    for (const pool of this.#pools.values()) {
      if (pool.item === noun) found.push(...idsOf(pool, parameter, pool.items));
    }
    return found.length > 0 ? found : this.#idsByProperty(parameter);
  }

  /** Ids of any collection of one of these nouns, the first noun that has some; by path or by what its items are called. */
  idsByNouns(nouns: readonly string[], parameter: string, isAdmitted: Admits = () => true): readonly KnownId[] {
    const found = this.idsInCollections(nouns, parameter, isAdmitted);
    return found.length > 0 || !this.isShared
      ? found
      : this.#idsByProperty(parameter).filter(({ value }) => isAdmitted(value));
  }

  /** The same, and nothing that other things only refer to. */
  idsInCollections(nouns: readonly string[], parameter: string, isAdmitted: Admits = () => true): readonly KnownId[] {
    if (!this.isShared) return [];
    for (const noun of nouns) {
      const found: KnownId[] = [];
      for (const pool of this.#pools.values())
        if (pool.item === noun || pool.nouns.has(noun)) found.push(...idsOf(pool, parameter, noun));
      const admitted = found.filter(({ value }) => isAdmitted(value));
      if (admitted.length > 0) return admitted;
    }
    return [];
  }

  /** Everything by which the things of collections of this noun may be addressed, what this run made first. */
  addressesOfNoun(noun: string): readonly Address[] {
    const pools = [...this.#pools.values()].filter((pool) => pool.item === noun || pool.nouns.has(noun));
    const items = pools.flatMap(({ created, listed }) => [...created.toReversed(), ...listed]);
    return this.isShared ? items.flatMap((item) => addressesOf(item, '', noun)) : [];
  }

  /**
   * Tells whether a list that was answered before `beforeMs` (epoch) showed the object with this id that an answer to the path
   * names: any list, or, where every collection counts from 1, the path's own or the one that it searches.
   */
  isShown(id: string, path: string, beforeMs: number): boolean {
    if (!COUNTED.test(id)) return [...this.#pools.values()].some((pool) => isSeen(pool, id, beforeMs));
    return this.isListed(path, id, beforeMs) || this.isListed(path.replace(/\/[^/]*\/?$/, ''), id, beforeMs);
  }

  /**
   * Tells whether a list that was answered before `beforeMs` (epoch; absent: now) showed this id: an object that was listed before the
   * request which names it was sent is not the run's own.
   */
  isListed(path: string, id: string, beforeMs = Number.POSITIVE_INFINITY): boolean {
    const pool = this.#pools.get(poolKey(path));
    return pool !== undefined && isSeen(pool, id, beforeMs);
  }

  /** Tells whether the collection was read before `beforeMs` (epoch): then it is known what stood there. */
  wasRead(path: string, beforeMs: number): boolean {
    return Math.floor(this.#pools.get(poolKey(path))?.readMs ?? Number.POSITIVE_INFINITY) <= beforeMs;
  }

  /** Tells whether the object of the collection is this program's: this run made it, or an earlier one, as its names tell. */
  isOwn(path: string, id: string): boolean {
    return this.idsAt(path, '').some(({ value, own }) => own && value === id);
  }

  /** Tells whether this run created something that is addressed by the value. */
  isCreated(value: string): boolean {
    return (this.#created.get(value) ?? 0) > 0;
  }

  #countCreated(path: string, item: Record<string, unknown>, change: number): void {
    const address = idOf(item, '', lastNoun(poolKey(path)));
    if (address !== null) this.#created.set(address, (this.#created.get(address) ?? 0) + change);
  }

  #idsByProperty(parameter: string): readonly KnownId[] {
    const wanted = normal(parameter);
    const found: KnownId[] = [];
    for (const pool of this.#pools.values()) {
      for (const item of [...pool.created, ...pool.listed]) {
        const entry = Object.entries(item).find(([key, value]) => normal(key) === wanted && isIdValue(value));
        if (entry !== undefined && wanted !== 'id') found.push({ value: String(entry[1]), created: false, own: false });
      }
    }
    return found;
  }

  #pool(path: string): Pool {
    const key = poolKey(path);
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const items = lastNoun(key);
    const pool: Pool = {
      items,
      item: singular(items),
      created: [],
      listed: [],
      left: new Set(),
      seen: new Map(),
      readMs: Number.POSITIVE_INFINITY,
      nouns: new Set(),
    };
    this.#pools.set(key, pool);
    return pool;
  }
}

/** Clocks tell whole milliseconds: what was seen within the same one was seen before. */
function isSeen({ seen }: Pool, id: string, beforeMs: number): boolean {
  const shownMs = seen.get(id);
  return shownMs !== undefined && Math.floor(shownMs) <= beforeMs;
}

/** Members are written line_items or lineItems where paths have line-items. */
function poolKey(path: string): string {
  const at = trimmed(path);
  const cut = at.lastIndexOf('/') + 1;
  return `${at.slice(0, cut)}${normal(at.slice(cut))}`;
}

/** An order of collections that does not tell which was read first. */
function shallowFirst(left: string, right: string): number {
  const byDepth = left.split('/').length - right.split('/').length;
  return byDepth !== 0 ? byDepth : left < right ? -1 : 1;
}

/** Texts beside the id by which the object may be addressed. */
export function addressesBeside(object: Record<string, unknown>, parameter: string, id: string): readonly Address[] {
  return addressesOf(object, parameter, '').filter(({ value }) => value !== id && !COUNTED.test(value));
}

/** Members that are called an id of something, which may be the object itself, as documentId is, or another: only a read can tell. */
export function idsIn(object: Record<string, unknown>): readonly Address[] {
  return membersOf(object).flatMap(([name, value]) =>
    /([a-z]I[dD]|[_-]id)$/.test(name) && isIdValue(value) ? [{ member: normal(name), value: String(value) }] : [],
  );
}

function isCalled(item: Record<string, unknown>, id: string): boolean {
  return addressesOf(item, '', '').some(({ value }) => value === id);
}

function idsOf(pool: Pool, parameter: string, noun: string): readonly KnownId[] {
  const pick = (items: readonly Record<string, unknown>[], created: boolean): KnownId[] =>
    items.flatMap((item) => {
      const value = idOf(item, parameter, noun);
      return value === null
        ? []
        : [{ value, created, own: created || pool.left.has(item) || Object.values(item).some(isMadeUp) }];
    });
  return [...pick(pool.created.toReversed(), true), ...pick(pool.listed, false)];
}
