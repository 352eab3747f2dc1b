// Finds what a request made whose answer was never seen: a list shows it by the text that only this request held.

import { stringsIn } from '../../checks/err/json-strings.ts';
import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { createdObject, idOf } from '../../facts/items.ts';
import type { PagesRead } from '../../facts/listing.ts';
import { lastNoun } from '../../facts/nouns.ts';
import { collectionOfListing, collectionOfMaking } from '../../facts/path-words.ts';
import { valuesOf } from '../../facts/paths.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { isObject } from '../../openapi/json.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { pagesOf } from '../../probes/life/listing.ts';
import type { Conversation, Send } from '../../probes/probe.ts';
import { firstRecipe } from '../../probes/reach/recipe.ts';
import { addressIn, deleterAt, describedPathIn, pathIn } from '../../probes/reach/undoing.ts';
import { drawFor, ordinaryCredential, type World } from '../../probes/world.ts';
import type { Creations } from '../books/creations.ts';
import type { CreationJournal } from '../books/journal.ts';
import type { Made } from '../books/made.ts';
import type { Session } from './session.ts';

const MOST_PAGES = 25;
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

/** A list, and the concrete path at which it shows a collection. */
interface ListAt {
  readonly described: Described;
  readonly at: string;
}

const lists = new WeakMap<Catalogue, Map<string, ListAt | null>>();

/**
 * The list of the collection at a concrete path, to which a request there adds: at this path, or one that says by a word that it lists
 * (GET /books.list, or a POST that asks for nothing); null for none. Sought once, however often it is asked.
 */
export function listAt(catalogue: Catalogue, path: string): ListAt | null {
  const known = lists.get(catalogue) ?? new Map<string, ListAt | null>();
  lists.set(catalogue, known);
  if (!known.has(path)) known.set(path, findList(catalogue, path));
  return known.get(path) ?? null;
}

function findList(catalogue: Catalogue, path: string): ListAt | null {
  const collection = collectionOfMaking(path) ?? path;
  const own = catalogue.match('GET', collection);
  if (own !== null) return { described: own, at: collection };
  const listings = catalogue.operations.flatMap((described) => {
    const template = collectionOfListing(described.operation.path);
    const at = template === null ? null : `${collection}${described.operation.path.slice(template.length)}`;
    const isThis = at !== null && catalogue.match(described.operation.method, at) === described;
    return isThis && asksForNothing(described) ? [{ described, at }] : [];
  });
  return listings[0] ?? null;
}

/** Tells whether a call of the operation needs no member of a body and nothing in its query, and so shows all there is. */
function asksForNothing({ operation, description }: Described): boolean {
  const media = bodyType(operation);
  const isBare = media === null || isValid(description, media.schema, {});
  return (
    ['GET', 'POST'].includes(operation.method) &&
    isBare &&
    !operation.parameters.some((one) => one.in === 'query' && one.required)
  );
}

/** The parts of a plan that ask for no choice among the items. */
function bareCallOf({ operation, description }: Described): Partial<RequestPlan> {
  const media = operation.method === 'GET' ? null : bodyType(operation);
  return media === null ? {} : { body: encodedBody(description, media, {}) };
}

/** Tells whether the list could be read to its end, or until everything sought was found. */
async function readList(search: StraySearch, list: ListAt, path: string, lost: readonly Lost[]): Promise<boolean> {
  let isRead = false;
  const reading = asideOf(PROBE, list.described.operation, async (send) => {
    isRead = await walk(search, list, path, lost, send);
  });
  await search.session.perform(reading);
  return isRead;
}

/** Calls of the operation that no clause is judged by. */
export function asideOf(
  probe: string,
  { service, key: operation }: Operation,
  work: (send: Send) => Promise<void>,
): Conversation {
  const about = { probe, stage: 'last', rank: 0, clauses: [], cost: 1, repeatable: false, service, operation } as const;
  return { ...about, converse: (send) => work(send).then(() => []) };
}

async function walk(
  search: StraySearch,
  { described: { description, operation }, at }: ListAt,
  path: string,
  lost: readonly Lost[],
  send: Send,
): Promise<boolean> {
  const { world } = search;
  const { mainKey } = world;
  const own = lost[0]?.credential;
  const credential = own?.kind === 'key' ? own : ordinaryCredential(world, operation);
  const usual =
    credential.kind === 'none' && mainKey !== null ? ({ kind: 'key', name: mainKey.name } as const) : credential;
  const recipe = firstRecipe(description, operation, valuesOf(operation.path, at), usual, drawFor(world, PROBE));
  const sought = new Set(lost);
  const maxPages = lost.some(({ isRepeated }) => isRepeated) ? MOST_PAGES_AFTER_LOAD : MOST_PAGES;
  const bare = bareCallOf({ operation, description });
  const ask = async (plan: RequestPlan): Promise<Exchange> =>
    (await send({ ...plan, ...bare, undoes: true, makes: 'nothing' })).last;
  let all: PagesRead | null = null;
  for await (const { fresh, read } of pagesOf(
    world,
    { description, operation, recipe },
    { at, maxPages, probe: PROBE },
    ask,
  )) {
    all = read;
    adopt(search, fresh.filter(isObject), path, sought);
    if (sought.size === 0) break;
  }
  const isWhole = sought.size === 0 || all?.listing.isWhole === true;
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
