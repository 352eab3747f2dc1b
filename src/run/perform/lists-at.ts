// Finds the list that shows a collection at a concrete path, and reads it to its end, whoever asks.

import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Listing, PagesRead } from '../../facts/listing.ts';
import { collectionOfListing, collectionOfMaking } from '../../facts/path-words.ts';
import { valuesOf } from '../../facts/paths.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { pagesOf } from '../../probes/life/listing.ts';
import type { Conversation, Send } from '../../probes/probe.ts';
import { firstRecipe } from '../../probes/reach/recipe.ts';
import { drawFor, ordinaryCredential, type World } from '../../probes/world.ts';
import type { Session } from './session.ts';

const PROBE = 'last/strays';
/** Maximum number of pages that are read of a list. */
export const MOST_PAGES = 25;

/** A list, and the concrete path at which it shows a collection. */
export interface ListAt {
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

/** Calls of the operation that no clause is judged by. */
export function asideOf(
  probe: string,
  { service, key: operation }: Operation,
  work: (send: Send) => Promise<void>,
): Conversation {
  const about = { probe, stage: 'last', rank: 0, clauses: [], cost: 1, repeatable: false, service, operation } as const;
  return { ...about, converse: (send) => work(send).then(() => []) };
}

interface Walk {
  readonly maxPages: number;
  /** Absent: whoever ordinary calls of the list are sent by. */
  readonly as?: Credential | undefined;
}

/** Reads the list page by page, unjudged and without any choice among its items. */
export async function* pagesAt(
  world: World,
  { described: { description, operation }, at }: ListAt,
  { maxPages, as }: Walk,
  send: Send,
): AsyncGenerator<{ readonly fresh: readonly unknown[]; readonly read: PagesRead }> {
  const { mainKey } = world;
  const credential = as?.kind === 'key' ? as : ordinaryCredential(world, operation);
  const usual =
    credential.kind === 'none' && mainKey !== null ? ({ kind: 'key', name: mainKey.name } as const) : credential;
  const recipe = firstRecipe(description, operation, valuesOf(operation.path, at), usual, drawFor(world, PROBE));
  const bare = bareCallOf({ operation, description });
  const ask = async (plan: RequestPlan): Promise<Exchange> =>
    (await send({ ...plan, ...bare, undoes: true, makes: 'nothing' })).last;
  yield* pagesOf(world, { description, operation, recipe }, { at, maxPages, probe: PROBE }, ask);
}

/** The list as far as it can be read, unjudged; null where its first page is not answered. */
export async function readAll(
  { world, session }: { readonly world: World; readonly session: Pick<Session, 'perform'> },
  list: ListAt,
  probe: string,
): Promise<Listing | null> {
  let read: PagesRead | null = null;
  const looking = asideOf(probe, list.described.operation, async (send) => {
    for await (const page of pagesAt(world, list, { maxPages: MOST_PAGES }, send)) read = page.read;
  });
  await session.perform(looking);
  return (read as PagesRead | null)?.listing ?? null;
}
