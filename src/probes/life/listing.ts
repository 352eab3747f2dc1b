// Reads a list page by page, as far as its contract or its description tells how it pages.

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { type Listing, PagesRead } from '../../facts/listing.ts';
import { pageOf } from '../../facts/page.ts';
import { readingOf } from '../../facts/page-counts.ts';
import { askForNext, followClause, nextTold } from '../../facts/page-links.ts';
import { valuesOf } from '../../facts/paths.ts';
import { BY_DESCRIPTION, type Paging, pagingOf } from '../../openapi/model/paging.ts';
import { firstTurn, pageQuery, pairsOf } from '../pagination/list-operation.ts';
import { planOf } from '../reach/recipe.ts';
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
  let asked: Asked | null = { query: queryAt(lister, paging, null) };
  for (let index = 1; index <= maxPages && asked !== null && !read.isEnded; index += 1) {
    const page = await send(planOf({ ...recipe, pathValues }, probe, drawFor(world, 'list'), asked));
    const fresh = read.add(page);
    if (fresh !== null) yield { fresh, read };
    const past = paging.turner?.by === 'page' ? index : read.listing.items.length;
    asked = paging.turner === null ? askAfter(page, paging, world) : { query: queryAt(lister, paging, past) };
    if (asked === null) read.endHere({ isLast: followClause(paging.stated) !== null });
  }
}

type Asked = Partial<Pick<RequestPlan, 'path' | 'query'>>;

/** Asks for the next page as its page tells it; null where it tells none, or nobody knows how it would. */
function askAfter(page: Exchange, { stated, size }: Paging, { terms }: World): Asked | null {
  if (stated === null || followClause(stated) === null) return null;
  const shown = pageOf(page, stated.items, readingOf(stated, terms));
  const told = shown && nextTold(shown, stated, size === null ? null : sizeIn({ size, stated }));
  return told === null ? null : askForNext(page, told, stated);
}

/** The query of a page; `past`: pages or items before it, null for the first one. */
function queryAt({ recipe }: Lister, paging: Paging, past: number | null): string {
  const list = { paging, first: paging.turner?.stated ?? null };
  const turn = past === null ? null : (firstTurn(list) ?? 0) + past;
  return pageQuery(recipe, paging, pairsOf(list, { limit: sizeIn(paging), turn }));
}

function sizeIn({ size, stated }: Pick<Paging, 'size' | 'stated'>): number {
  return Math.min(PAGE, stated?.size.maximum ?? size?.maximum ?? PAGE);
}
