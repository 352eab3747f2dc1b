// The stored resources: one collection per account and concrete path, seeded when it is first looked at.

import type { JsonObject } from '../json.ts';
import { fixtureId, idFrom } from './ids.ts';
import type { Resource } from './resource.ts';

export interface Item {
  readonly id: string;
  /** Text from which its example values are drawn. */
  readonly seed: string;
  /** Members of its path's ancestors: { storeId: "store_1" }. */
  readonly parents: Readonly<Record<string, string>>;
  /** Members that requests gave it. */
  fields: JsonObject;
  /** Bodies shown so far, by operation; emptied on a change. */
  readonly shown: Map<string, unknown>;
}

/** With one of ten ids left, one create in 30,000 does not find it. */
const MOST_TRIES = 100;
/** Items that are there at first leave some of few ids to those that are made. */
const MOST_TRIES_AT_FIRST = 2;

export class Collection {
  private readonly resource: Resource;
  private readonly seed: string;
  private readonly parents: Readonly<Record<string, string>>;
  private readonly items = new Map<string, Item>();
  /** Values of unique members → the id that holds them. */
  private readonly claims = new Map<string, string>();
  /** Names that items are found by → their ids. */
  private readonly names = new Map<string, string>();
  private made = 0;
  private listed: readonly Item[] | null = null;

  /** `seed` names the collection: seed number, account and path. */
  constructor(resource: Resource, seed: string, parents: Readonly<Record<string, string>>, fixture: string | null) {
    this.resource = resource;
    this.seed = seed;
    this.parents = parents;
    if (fixture !== null) this.put(fixture, {});
    else this.seedWith(resource.seeds);
  }

  /** Makes so many items, or fewer where the description admits few ids. */
  private seedWith(count: number): void {
    for (let at = 0; at < count; at++) {
      const id = this.freeId(MOST_TRIES_AT_FIRST);
      if (id === null) return;
      this.put(id, {});
    }
  }

  /** An id that no item has; null where so many that are drawn are taken. */
  private freeId(mostTries: number): string | null {
    for (let tries = 0; tries < mostTries; tries++) {
      const id = idFrom(this.resource, `${this.seed} ${this.made++}`);
      if (!this.items.has(id)) return id;
    }
    return null;
  }

  /** All items, oldest first. */
  all(): readonly Item[] {
    this.listed ??= [...this.items.values()];
    return this.listed;
  }

  /** Looks while the hidden items are in no list. They can be read all the same, and what they claim stays claimed. */
  hiding<T>(isHidden: (item: Item) => boolean, look: () => T): T {
    this.listed = this.all().filter((item) => !isHidden(item));
    const seen = look();
    this.listed = null;
    return seen;
  }

  get(id: string): Item | undefined {
    return this.items.get(id) ?? this.items.get(this.names.get(id) ?? '');
  }

  /** From now on the item is found by the name, too. */
  call(item: Item, name: string): void {
    this.names.set(name, item.id);
  }

  /** Where all ids of the description are taken, one beyond them. */
  create(fields: JsonObject): Item {
    let id = this.freeId(MOST_TRIES);
    while (id === null || this.items.has(id)) id = String(this.made++);
    return this.put(id, fields);
  }

  /** An item under an id that the caller chose. */
  put(id: string, fields: JsonObject): Item {
    const item = { id, seed: `${this.seed} ${id}`, parents: this.parents, fields, shown: new Map() };
    this.items.set(id, item);
    this.listed = null;
    return item;
  }

  change(item: Item, fields: JsonObject): void {
    item.fields = fields;
    item.shown.clear();
  }

  delete(id: string): void {
    this.items.delete(id);
    this.listed = null;
    for (const [claim, holder] of this.claims) if (holder === id) this.claims.delete(claim);
  }

  /** The first of the members whose value another item holds; null when all are free. */
  clash(members: readonly string[], fields: JsonObject, own: string | null): string | null {
    const taken = (member: string) => {
      const holder = this.claims.get(claim(member, fields[member]));
      return fields[member] !== undefined && holder !== undefined && holder !== own;
    };
    return members.find(taken) ?? null;
  }

  /** Holds the members' values for the item from now on. */
  claim(members: readonly string[], item: Item): void {
    for (const member of members) {
      if (item.fields[member] !== undefined) this.claims.set(claim(member, item.fields[member]), item.id);
    }
  }
}

function claim(member: string, value: unknown): string {
  return `${member} ${JSON.stringify(value).toLowerCase()}`;
}

export class Collections {
  private readonly seed: number;
  private readonly held = new Map<string, Collection>();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** The account's collection of the resource at the concrete path. */
  at(resource: Resource, account: string, path: string, parents: Readonly<Record<string, string>>): Collection {
    const owner = resource.shared ? 'everyone' : account;
    const name = `${owner} ${path}`;
    let collection = this.held.get(name);
    if (collection === undefined) {
      const fixture = resource.discoverable ? null : fixtureId(resource, this.seed);
      collection = new Collection(resource, `${this.seed} ${name}`, parents, resource.shared ? null : fixture);
      this.held.set(name, collection);
    }
    return collection;
  }
}
