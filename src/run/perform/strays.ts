// Finds what a request made whose answer was never seen: a list shows it by the text that only this request held.

import { stringsIn } from '../../checks/err/json-strings.ts';
import type { Credential } from '../../exchange/exchange.ts';
import { createdObject, idOf } from '../../facts/items.ts';
import { lastNoun } from '../../facts/nouns.ts';
import { collectionOfMaking } from '../../facts/path-words.ts';
import { isObject } from '../../openapi/json.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { addressIn, deleterAt, describedPathIn, pathIn } from '../../probes/reach/undoing.ts';
import type { World } from '../../probes/world.ts';
import type { Creations } from '../books/creations.ts';
import type { CreationJournal } from '../books/journal.ts';
import type { Made } from '../books/made.ts';
import { type ListAt, listAt, readAll } from './lists-at.ts';
import type { Session } from './session.ts';

/** Maximum number of pages that are read of a list in which load created. */
const MOST_PAGES_AFTER_LOAD = 500;
const MOST_LISTS = 20;
const PROBE = 'last/strays';

/** A request of which something may have come. */
export interface Lost {
  readonly service: string | null;
  readonly operation: string;
  readonly path: string;
  /** The text that only it held; null: it held none. */
  readonly mark: string | null;
  /** True where it was sent any number of times: then all that shows its mark came of it. */
  readonly isRepeated: boolean;
  readonly credential: Credential;
}

export interface StraySearch {
  readonly session: Session;
  readonly world: World;
  readonly catalogue: Catalogue;
  readonly creations: Creations;
  readonly journal: CreationJournal;
}

/**
 * Looks for what came of the requests, hands it to the creations and writes it down. Returns those of which nobody can tell.
 */
export async function adoptStrays(search: StraySearch, lost: readonly Lost[]): Promise<readonly Lost[]> {
  const untold: Lost[] = [];
  const lists = [...Map.groupBy(lost, ({ path }) => collectionOfMaking(path) ?? path).entries()];
  for (const [index, [path, own]] of lists.entries()) {
    const list = listAt(search.catalogue, path);
    const marked = own.filter(({ mark }) => mark !== null);
    untold.push(...own.filter(({ mark }) => mark === null));
    if (marked.length === 0) continue;
    const isRead = list !== null && index < MOST_LISTS && (await readList(search, list, path, marked));
    if (!isRead) untold.push(...marked);
  }
  return untold;
}

/** Tells whether the list could be read to its end, or until everything sought was found. */
async function readList(search: StraySearch, list: ListAt, path: string, lost: readonly Lost[]): Promise<boolean> {
  const sought = new Set(lost);
  const isRepeated = lost.some((one) => one.isRepeated);
  const listing = await readAll(search, list, {
    ...{ probe: PROBE, as: lost[0]?.credential, ...(isRepeated ? { maxPages: MOST_PAGES_AFTER_LOAD } : {}) },
    isEnough({ fresh }) {
      adopt(search, fresh.filter(isObject), path, sought);
      return sought.size === 0;
    },
  });
  const isWhole = sought.size === 0 || listing?.isWhole === true;
  if (isWhole) for (const { mark } of sought) if (mark !== null) search.journal.settle(mark, null);
  return isWhole;
}

/** Takes in the items that hold a mark that is sought. */
function adopt(
  { catalogue, creations, journal }: StraySearch,
  items: readonly Record<string, unknown>[],
  path: string,
  sought: Set<Lost>,
): void {
  for (const item of items) {
    const texts = [...stringsIn(item)].map(({ text }) => text.toLowerCase());
    const one = [...sought].find(({ mark }) => mark !== null && texts.some((text) => text.includes(mark)));
    if (one?.mark == null) continue;
    const id = idOf(createdObject(item) ?? item, addressIn(catalogue, path), lastNoun(path));
    // Two requests with one text made two things: the other may be known by now, below the call that made it where a word says so.
    const at = id === null ? '' : describedPathIn(catalogue, path, id);
    if (id === null || creations.isKnown(at) || creations.isKnown(pathIn(one.path, id))) continue;
    if (!one.isRepeated) sought.delete(one);
    const { service, operation, credential } = one;
    const place = { collection: path, id, path: at, deleter: deleterAt(catalogue, at) };
    const made: Made = { service, operation, credential, ...place, ours: true };
    creations.identify(made, one.isRepeated ? null : one.mark);
    journal.settle(one.mark, { path: made.path, undoable: made.deleter !== null });
  }
}
