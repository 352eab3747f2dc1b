// Finds what came while the run was there and no answer told of: lists are compared with what they showed at first.

import { jsonText } from '../../exchange/body.ts';
import type { FirstLists } from '../../facts/first-lists.ts';
import { createdObject, idOf } from '../../facts/items.ts';
import { lastNoun, singular } from '../../facts/nouns.ts';
import { isOrLiesBelow } from '../../facts/paths.ts';
import type { Listing } from '../../facts/walked-list.ts';
import { markIn } from '../../generate/preferred.ts';
import { isObject } from '../../openapi/json.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { addressIn, deleterAt, describedPathIn, operationAt, readerAt } from '../../probes/reach/undoing.ts';
import { ordinaryCredential, type World } from '../../probes/world.ts';
import type { Creations } from '../books/creations.ts';
import { type Made, originOf } from '../books/made.ts';
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

/** Hands what is new in the lists to the creations: as this run's where it shows a text of the run, else as what may be somebody else's. */
export async function adoptNewcomers(search: NewcomerSearch): Promise<void> {
  for (const path of comparedLists(search)) {
    const list = listAt(search.catalogue, path);
    const listing = list === null ? null : await readAll(search, list, { probe: 'last/newcomers' });
    if (listing === null) continue;
    adoptNamed(search, path, listing);
    if (listing.isWhole) adopt(search, path, listing);
  }
}

/** A new item whose id a call elsewhere has answered was made by that call. */
function adoptNamed({ catalogue, creations, firstLists }: NewcomerSearch, path: string, { items }: Listing): void {
  for (const item of items.filter(isObject)) {
    const id = idOf(item, '', lastNoun(path)) ?? '';
    const plan = creations.facts.named.get(id);
    if (plan === undefined || !firstLists.isNew(path, item)) continue;
    const ways = placesOf(path).map((place) => describedPathIn(catalogue, place, id));
    const at = ways.find((way) => (deleterAt(catalogue, way) ?? readerAt(catalogue, way)) !== null) ?? ways[0] ?? path;
    const made = { ...originOf(plan), collection: plan.path, id, path: at, deleter: deleterAt(catalogue, at) };
    creations.add(made, { whose: 'listed' });
  }
}

function adopt({ world, catalogue, creations, firstLists }: NewcomerSearch, path: string, { items }: Listing): void {
  const collection = addedAt(catalogue, path);
  const maker = collection === null ? null : operationAt(catalogue, 'POST', collection);
  if (collection === null || maker === null) return;
  const { service, key: operation } = maker.operation;
  const origin = { service, operation, credential: ordinaryCredential(world, maker.operation), ours: true };
  const shown = items.filter(isObject).map((item) => {
    const id = idOf(createdObject(item) ?? item, addressIn(catalogue, collection), lastNoun(path));
    return { item, id, at: id === null ? collection : describedPathIn(catalogue, collection, id) };
  });
  const unknown: Made[] = [];
  for (const { item, id, at } of shown.filter((one) => firstLists.isNew(path, one.item))) {
    if (id !== null && creations.isKnown(at)) continue;
    const made = { ...origin, collection, id, path: at, deleter: null };
    if (id === null || markIn(jsonText(item), world.nonce) === null) unknown.push(made);
    else creations.add({ ...made, deleter: deleterAt(catalogue, at) }, { whose: 'listed' });
  }
  // Where others live, what is new may be theirs: of as much nobody knows whether the run made it.
  const isAlone = world.environment === 'local';
  creations.endUnfound(collection, new Set(shown.map(({ at }) => at)), isAlone ? 0 : unknown.length);
  for (const made of isAlone ? unknown : []) creations.add(made, { whose: 'uncertain', why: APPEARED });
}
