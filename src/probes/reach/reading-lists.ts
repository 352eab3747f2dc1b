// Asks for the pages of a list, as its contract or its description tells how it pages, and walks it page by page, whoever asks.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Ask } from '../../facts/list-history.ts';
import { lastNoun } from '../../facts/nouns.ts';
import { readingOf } from '../../facts/page-counts.ts';
import { valuesOf } from '../../facts/paths.ts';
import { type AskedPage, type Listing, listOfThings, WalkedList } from '../../facts/walked-list.ts';
import { BY_DESCRIPTION, type Paging, pagingOf } from '../../openapi/model/paging.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { planOf, queryText, type Recipe } from './recipe.ts';

/** Items asked for at a time, where the list takes so many. */
export const PAGE = 100;

export type Pairs = readonly (readonly [string, string])[];

/** How a list is asked for. */
export interface PageAsking {
  readonly paging: Paging;
  /** The value that asks for the first page; null: no parameter turns pages, or it is to be found out. */
  readonly first: number | null;
  /** Asked for with every page; absent: nothing. */
  readonly filter?: Pairs;
}

/** The value that asks for the first page. */
export function firstTurn({ paging: { turner }, first }: PageAsking): number | null {
  return turner === null ? null : (first ?? turner.assumed);
}

/** The query pairs of a page. What no page is answered without goes with the first one, too. */
export function pairsOf(list: PageAsking, ask: Ask): Pairs {
  const { size, turner } = list.paging;
  const limit = ask.limit ?? (size?.required === true ? size.usual : null);
  const turn = ask.turn ?? (turner?.required === true ? firstTurn(list) : null);
  return [
    ...(limit === null || size === null ? [] : [[size.name, String(limit)] as const]),
    ...(turn === null || turner === null ? [] : [[turner.name, String(turn)] as const]),
    ...(list.filter ?? []),
  ];
}

/** The page in words, by what asks for it: "limit=10&page=4". */
export function pageName(list: PageAsking, ask: Ask): string {
  return queryText(pairsOf(list, ask)) || 'no parameter';
}

/** The query that asks for a page by these pairs, beside what the recipe asks for. */
export function pageQuery({ query }: Recipe, { size, turner, stated }: Paging, pairs: Pairs): string {
  const { parameters } = stated ?? {};
  const named = [size?.name, turner?.name, parameters?.size, parameters?.turn, ...pairs.map(([name]) => name)];
  return queryText([...query.filter(([name]) => !named.includes(name)), ...pairs]);
}

type Lister = Pick<Reached, 'operation' | 'recipe' | 'description'>;

/** How the operation is asked for pages: by its contract, else by its description; null where neither tells. */
export function askingOf(lister: Lister, world: World): PageAsking | null {
  const paging = pagingOf(lister, world) ?? pagingOf(lister, BY_DESCRIPTION);
  return paging && { paging, first: paging.turner?.stated ?? null };
}

/** The query of a page of the operation. */
export function queryOfPage({ recipe }: Pick<Lister, 'recipe'>, asking: PageAsking, ask: Ask): string {
  return pageQuery(recipe, asking.paging, pairsOf(asking, ask));
}

const NO_PAGES: PageAsking = { paging: { size: null, turner: null, stated: null }, first: null };

/** A list of which no page is read yet. `size`: items that each page is asked for with. */
export function unreadList({ operation }: Lister, asking: PageAsking, world: World, size: number | null): WalkedList {
  const { stated } = asking.paging;
  const place = world.listPlace(operation.key) ?? stated?.items ?? null;
  const things = listOfThings(lastNoun(operation.path), place);
  const reading = readingOf(stated, world.terms);
  return new WalkedList({ ...things, paging: asking.paging, first: firstTurn(asking) ?? 0, reading }, size);
}

/** How far a list is walked. */
interface WalkTo {
  /** Asks for the first page that is to be added; null: nothing is to be asked for. */
  readonly from: AskedPage | null;
  readonly maxPages: number;
  isOver(walked: WalkedList): boolean;
}

/** Asks for page after page until it is over; false where a page was not answered. */
export async function walkOn(
  walked: WalkedList,
  ask: (asked: AskedPage) => Promise<Exchange | null>,
  { from, maxPages, isOver }: WalkTo,
): Promise<boolean> {
  for (let asked = from; asked !== null; asked = walked.asked) {
    const exchange = await ask(asked);
    if (exchange === null || walked.add(exchange) === null) return false;
    if (walked.links.length >= maxPages || isOver(walked)) return true;
  }
  return true;
}

/** The list to read: where it stands, the maximum number of its pages that are read, by which probe, and what of it is enough. */
export interface ListRead {
  readonly at: string;
  readonly maxPages: number;
  readonly probe: string;
  /** Absent: nothing is. */
  isEnough?(walked: WalkedList): boolean;
}

/** The list as far as is enough; null where its first page is not answered. */
export async function readList(
  world: World,
  lister: Lister,
  { at, maxPages, probe, isEnough = () => false }: ListRead,
  send: (plan: RequestPlan) => Promise<Exchange>,
): Promise<Listing | null> {
  const { operation, recipe } = lister;
  const asking = askingOf(lister, world) ?? NO_PAGES;
  const { size, stated } = asking.paging;
  const limit = Math.min(PAGE, stated?.size.maximum ?? size?.maximum ?? PAGE);
  const named = valuesOf(operation.path, at);
  // An item that is made below something else may have its place elsewhere: its list is the one that the recipe names.
  const isElsewhere = Object.values(named).includes('');
  const pathValues = isElsewhere ? recipe.pathValues : { ...recipe.pathValues, ...named };
  const ask = (asked: AskedPage): Promise<Exchange> =>
    send(planOf({ ...recipe, pathValues }, probe, drawFor(world, 'list'), asked));
  const from = { query: queryOfPage(lister, asking, { limit, turn: null }) };
  const walked = unreadList(lister, asking, world, size === null ? null : limit);
  let hasEnough = false;
  const isOver = (): boolean => {
    hasEnough = isEnough(walked);
    return hasEnough || walked.isEnded;
  };
  await walkOn(walked, ask, { from, maxPages, isOver });
  const { listing } = walked;
  if (listing.pages.length === 0) return null;
  return { ...listing, isWhole: listing.isWhole && !hasEnough };
}
