// Reads a list page by page, as far as its contract or its description tells how it pages.

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { type Listing, PagesRead } from '../../facts/listing.ts';
import { pageOf } from '../../facts/page.ts';
import { readingOf } from '../../facts/page-counts.ts';
import { askForNext, followClause, nextTold } from '../../facts/page-links.ts';
import { valuesOf } from '../../facts/paths.ts';
import { BY_DESCRIPTION, type Paging, pagingOf } from '../../openapi/model/paging.ts';
import { planOf, queryText } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** Items asked for at a time, where the list takes so many. */
export const PAGE = 100;

/** The list to read: where it stands, the maximum number of its pages that are read, and by which probe. */
interface ListRead {
  readonly at: string;
  readonly maxPages: number;
  readonly probe: string;
}

type Lister = Pick<Reached, 'operation' | 'recipe' | 'description'>;

/** The list as far as is enough; null where its first page is not answered. */
export async function readList(
  world: World,
  lister: Lister,
  { isEnough = () => false, ...look }: ListRead & { readonly isEnough?: (listing: Listing) => boolean },
  send: (plan: RequestPlan) => Promise<Exchange>,
): Promise<Listing | null> {
  let all: PagesRead | null = null;
  for await (const { read } of pagesOf(world, lister, look, send)) {
    if (isEnough(read.listing)) return { ...read.listing, isWhole: false };
    all = read;
  }
  return all?.listing ?? null;
}

/** Reads the list page by page: the items of each that no page before it showed, and all that was read. */
export async function* pagesOf(
  world: World,
  lister: Lister,
  { at, maxPages, probe }: ListRead,
  send: (plan: RequestPlan) => Promise<Exchange>,
): AsyncGenerator<{ readonly fresh: readonly unknown[]; readonly read: PagesRead }> {
  const { operation, recipe } = lister;
  const paging = pagingOf(lister, world) ??
    pagingOf(lister, BY_DESCRIPTION) ?? { size: null, turner: null, stated: null };
  const read = new PagesRead(world.listPlace(operation.key));
  const named = valuesOf(operation.path, at);
  // An item that is made below something else may have its place elsewhere: its list is the one that the recipe names.
  const isElsewhere = Object.values(named).includes('');
  const pathValues = isElsewhere ? recipe.pathValues : { ...recipe.pathValues, ...named };
  let asked: Asked | null = { query: pageQuery(paging, recipe.query, null) };
  for (let index = 1; index <= maxPages && asked !== null && !read.isEnded; index += 1) {
    const page = await send(planOf({ ...recipe, pathValues }, probe, drawFor(world, 'list'), asked));
    const fresh = read.add(page);
    if (fresh !== null) yield { fresh, read };
    asked = nextOf(world, paging, recipe.query, [page, index, read]);
    if (asked === null) read.endHere({ isLast: followClause(paging.stated) !== null });
  }
}

type Asked = Partial<Pick<RequestPlan, 'path' | 'query'>>;

/** Asks for the page behind those that were read, so many pages; null where nothing tells how. */
function nextOf(
  world: World,
  paging: Paging,
  query: Query,
  [page, index, { listing }]: readonly [page: Exchange, index: number, read: PagesRead],
): Asked | null {
  const { turner, stated, size } = paging;
  if (turner !== null) {
    const past = turner.by === 'page' ? index : listing.items.length;
    return { query: pageQuery(paging, query, (turner.stated ?? turner.assumed) + past) };
  }
  if (stated === null || followClause(stated) === null) return null;
  const shown = pageOf(page, stated.items, readingOf(stated, world.terms));
  const told = shown === null ? null : nextTold(shown, stated, size === null ? null : sizeIn(paging));
  return told === null ? null : askForNext(page, told, stated);
}

type Query = Reached['recipe']['query'];

/** The query of a page; `turn`: the value that turns to it, null for the first one. */
function pageQuery(paging: Paging, query: Query, turn: number | null): string {
  const { size, turner, stated } = paging;
  const turns = [turner?.name, stated?.parameters.turn];
  const others = query.filter(([name]) => name !== size?.name && !turns.includes(name));
  const first = turner?.required === true ? (turner.stated ?? turner.assumed) : null;
  const value = turn ?? first;
  return queryText([
    ...others,
    ...(size === null ? [] : [[size.name, String(sizeIn(paging))] as const]),
    ...(turner === null || value === null ? [] : [[turner.name, String(value)] as const]),
  ]);
}

function sizeIn({ size, stated }: Paging): number {
  return Math.min(PAGE, stated?.size.maximum ?? size?.maximum ?? PAGE);
}
