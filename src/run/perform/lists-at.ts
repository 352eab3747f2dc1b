// Finds the list that shows a collection at a concrete path, and reads it to its end, whoever asks.

import type { Credential, Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { collectionOfListing, collectionOfMaking } from '../../facts/path-words.ts';
import { valuesOf } from '../../facts/paths.ts';
import type { Listing, WalkedList } from '../../facts/walked-list.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Conversation, Send } from '../../probes/probe.ts';
import { type ListRead, readList } from '../../probes/reach/reading-lists.ts';
import { firstRecipe } from '../../probes/reach/recipe.ts';
import { drawFor, ordinaryCredential, type World } from '../../probes/world.ts';
import type { Session } from './session.ts';

const PROBE = 'last/strays';
/** Maximum number of pages that are read of a list. */
const MOST_PAGES = 25;

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

/**
 * The list as far as it can be read, or as is enough, unjudged and without any choice among its items; null where nothing is answered. `as`: absent
 * for whoever ordinary calls of the list are sent by.
 */
export async function readAll(
  { world, session }: { readonly world: World; readonly session: Pick<Session, 'perform'> },
  { described: { description, operation }, at }: ListAt,
  {
    probe,
    as,
    maxPages = MOST_PAGES,
    isEnough = () => false,
  }: Partial<ListRead> & { readonly probe: string; readonly as?: Credential | undefined },
): Promise<Listing | null> {
  const { mainKey } = world;
  const credential = as?.kind === 'key' ? as : ordinaryCredential(world, operation);
  const usual =
    credential.kind === 'none' && mainKey !== null ? ({ kind: 'key', name: mainKey.name } as const) : credential;
  const recipe = firstRecipe(description, operation, valuesOf(operation.path, at), usual, drawFor(world, PROBE));
  const bare = bareCallOf({ operation, description });
  let read: Listing | null = null;
  const look = {
    ...{ at, maxPages, probe: PROBE },
    isEnough(walked: WalkedList) {
      // As far as it was read, should its next page not be sent.
      read = walked.listing;
      return isEnough(walked);
    },
  };
  const looking = asideOf(probe, operation, async (send) => {
    const ask = async (plan: RequestPlan): Promise<Exchange> =>
      (await send({ ...plan, ...bare, undoes: true, makes: 'nothing' })).last;
    await readList(world, { description, operation, recipe }, look, ask);
  });
  await session.perform(looking);
  return read;
}
