// Finds what came while the run was there and no answer told of: lists are compared with what they showed at first.

import { jsonText } from '../../exchange/body.ts';
import type { FirstLists } from '../../facts/first-lists.ts';
import { createdObject, idOf, isDrawn } from '../../facts/items.ts';
import { lastNoun, singular } from '../../facts/nouns.ts';
import { isOrLiesBelow } from '../../facts/paths.ts';
import type { Listing } from '../../facts/walked-list.ts';
import { markIn } from '../../generate/preferred.ts';
import { isObject } from '../../openapi/json.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { addressIn, deleterAt, describedPathIn, operationAt, readerAt } from '../../probes/reach/undoing.ts';
import { ordinaryCredential, type World } from '../../probes/world.ts';
import type { NamingCall } from '../books/claims.ts';
import type { Creations } from '../books/creations.ts';
import type { Made } from '../books/made.ts';
import { spotKey } from '../plan/clause-target.ts';
import { listAt, readAll } from './lists-at.ts';
import type { StraySearch } from './strays.ts';

const APPEARED = 'it came while the run was there, and nothing shows that the run made it';

export interface NewcomerSearch extends Omit<StraySearch, 'journal'> {
  readonly firstLists: FirstLists;
}

/** The paths of lists that the run may have added to and that showed all there was at first; a run with a budget has no requests for them. */
export function comparedLists({
  firstLists,
  catalogue,
  creations,
  world,
}: {
  readonly firstLists: FirstLists;
  readonly catalogue: Catalogue;
  readonly creations: Pick<Creations, 'isOurs' | 'facts'>;
  readonly world: Pick<World, 'isBrief'>;
}): readonly string[] {
  if (world.isBrief) return [];
  const isOwn = (path: string): boolean => isOrLiesBelow(path, (at) => creations.isOurs(at));
  const mayShow = (path: string): boolean => creations.facts.named.size > 0 || addedAt(catalogue, path) !== null;
  return firstLists.paths().filter((path) => mayShow(path) && !isOwn(path));
}

/** The path at which clients add to what the list at a path shows, be it in the singular: POST /tag for GET /tags; null for none. */
function addedAt(catalogue: Catalogue, path: string): string | null {
  return placesOf(path).find((at) => operationAt(catalogue, 'POST', at) !== null) ?? null;
}

/** The path of a list, and the same in the singular. */
function placesOf(path: string): readonly [string, string] {
  const cut = path.lastIndexOf('/') + 1;
  return [path, `${path.slice(0, cut)}${singular(path.slice(cut))}`];
}

/** Hands what is new in the lists to the creations: as this run's where evidence shows that, else as what may be somebody else's. */
export async function adoptNewcomers(search: NewcomerSearch): Promise<void> {
  for (const path of comparedLists(search)) {
    const list = listAt(search.catalogue, path);
    const listing = list === null ? null : await readAll(search, list, { probe: 'last/newcomers' });
    if (listing !== null) adopt(search, path, listing);
  }
}

/** An item of a list, its id and concrete path, and the calls elsewhere that answered this id. */
interface Shown {
  readonly item: Record<string, unknown>;
  readonly id: string | null;
  readonly at: string;
  readonly calls: readonly NamingCall[];
}

function shownIn({ catalogue, creations }: NewcomerSearch, path: string, { items }: Listing): readonly Shown[] {
  const collection = addedAt(catalogue, path);
  const places = collection === null ? placesOf(path) : ([collection] as const);
  return items.filter(isObject).map((item) => {
    const id = idOf(createdObject(item) ?? item, addressIn(catalogue, places[0]), lastNoun(path));
    const ways = id === null ? [] : places.map((place) => describedPathIn(catalogue, place, id));
    const isDescribed = (way: string): boolean => (deleterAt(catalogue, way) ?? readerAt(catalogue, way)) !== null;
    const at = ways.find(isDescribed) ?? ways[0] ?? places[0];
    return { item, id, at, calls: creations.facts.named.get(id ?? '') ?? [] };
  });
}

function adopt(search: NewcomerSearch, path: string, listing: Listing): void {
  const { world, catalogue, creations, firstLists } = search;
  const shown = shownIn(search, path, listing);
  const fresh = shown.filter(
    ({ item, id, at }) => firstLists.isNew(path, item) && (id === null || !creations.isKnown(at)),
  );
  const callOf = elsewhere(fresh);
  const own = makerAt(search, path);
  const unknown: Made[] = [];
  for (const one of fresh) {
    const [{ item, id, at }, call] = [one, callOf(one)];
    const maker = call ?? own;
    if (maker === null) continue;
    const made = { ...maker, id, path: at, deleter: null };
    const isOurs = id !== null && (call !== null || markIn(jsonText(item), world.nonce) !== null);
    if (!isOurs) unknown.push(made);
    else creations.add({ ...made, deleter: deleterAt(catalogue, at) }, { whose: 'listed' });
  }
  if (own === null || !listing.isWhole) return;
  // Where others live, what is new may be theirs: of as much nobody knows whether the run made it.
  const isAlone = world.environment === 'local';
  creations.endUnfound(own.collection, new Set(shown.map(({ at }) => at)), isAlone ? 0 : unknown.length);
  for (const made of isAlone ? unknown : []) creations.add(made, { whose: 'uncertain', why: APPEARED });
}

/** The operation that adds to what the list at the path shows, as the maker of what is new there; null for none. */
function makerAt({ world, catalogue }: NewcomerSearch, path: string): Omit<NamingCall, 'mark'> | null {
  const collection = addedAt(catalogue, path);
  const maker = collection === null ? null : operationAt(catalogue, 'POST', collection);
  if (collection === null || maker === null) return null;
  const { service, key: operation } = maker.operation;
  return { service, operation, credential: ordinaryCredential(world, maker.operation), ours: true, collection };
}

/** Ids by which stores count: things of two kinds have the same. */
const COUNTED = /^\d{1,15}$/;

/**
 * The call elsewhere that made a new item, by the id that it answered; null for none. One such item must show that its operation makes
 * things of the list: by an id that is drawn, by the text that was sent with it, or together with another by ids that nothing counts.
 */
function elsewhere(fresh: readonly Shown[]): (one: Shown) => Omit<NamingCall, 'mark'> | null {
  const named = fresh.flatMap(({ item, id, calls }) => calls.map((call) => ({ item, id: id ?? '', call })));
  const shows = ({ item, id, call: { mark } }: (typeof named)[number]): boolean =>
    isDrawn(id) || (mark !== null && jsonText(item).toLowerCase().includes(mark));
  const makers = [...Map.groupBy(named, ({ call }) => spotKey(call))].filter(
    ([, all]) => all.some(shows) || new Set(all.filter(({ id }) => !COUNTED.test(id)).map(({ id }) => id)).size > 1,
  );
  const sure = new Set(makers.map(([maker]) => maker));
  return ({ calls }) => {
    const found = calls.find((call) => sure.has(spotKey(call)));
    if (found === undefined) return null;
    const { mark, ...call } = found;
    return call;
  };
}
