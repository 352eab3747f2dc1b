// Reads a list page by page until it shows what is looked for, or has no further page.
import { exactBody, jsonText } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { itemsOf } from '../../facts/items.ts';
import { valuesOf } from '../../facts/paths.ts';
import { isObject, membersOf } from '../../openapi/json.ts';
import type { Send } from '../probe.ts';
import { planOf, queryText } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

const PAGE = 100;
const MOST_PAGES = 12;
/** Lists without a described page parameter may be cut at sizes such as these. */
const ROUND_SIZES: readonly number[] = [5, 10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 75, 80, 90, 100];

/** The pages of a list that were read, and whether these are all. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly pages: readonly Exchange[];
  readonly isWhole: boolean;
}

/** Reads the list of the collection. `isEnough`: an item of which no further page is needed. Null where it is not answered. */
export async function readList(
  world: World,
  lister: Reached,
  collection: string,
  send: Send,
  isEnough: (item: unknown) => boolean,
): Promise<Listing | null> {
  const { operation, recipe } = lister;
  const named = valuesOf(operation.path, collection);
  // What is made below something else may have its place elsewhere: its list is the one that the recipe names.
  const isElsewhere = Object.values(named).includes('');
  const pathValues = isElsewhere ? recipe.pathValues : { ...recipe.pathValues, ...named };
  const noun = collection.slice(collection.lastIndexOf('/') + 1);
  const place = world.listPlace(operation.key);
  const items: unknown[] = [];
  const pages: Exchange[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < MOST_PAGES; index += 1) {
    const query = pageQuery(lister, index, items.length);
    if (query === null) return { items, pages, isWhole: isCertainlyWhole(pages, items.length) };
    const { last } = await send(planOf({ ...recipe, pathValues }, 'life/list', drawFor(world, 'list'), { query }));
    const body = exactBody(last);
    const status = last.response?.status ?? 599;
    if (status >= 300 || !body.ok) return index === 0 ? null : { items, pages, isWhole: false };
    pages.push(last);
    const shown = itemsOf(body.value, noun, place);
    const fresh = shown.filter((item) => !seen.has(jsonText(item)));
    for (const item of fresh) seen.add(jsonText(item));
    items.push(...fresh);
    if (fresh.some(isEnough)) return { items, pages, isWhole: false };
    if (fresh.length === 0) return { items, pages, isWhole: index > 0 || isCertainlyWhole(pages, 0) };
    if (isLast(body.value, items.length)) return { items, pages, isWhole: true };
  }
  return { items, pages, isWhole: false };
}

/** Whether no page follows: all items that the answer counts were seen. How long a page is tells nothing: it may be cut at any length. */
function isLast(body: unknown, seen: number): boolean {
  const total = totalOf(body);
  return !tellsOfMore(body) && total !== null && seen >= total;
}

/** The query of a page; null where the list has no further one. */
function pageQuery({ operation, recipe }: Reached, index: number, seen: number): string | null {
  const declared = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const turner = ['page', 'offset', 'skip'].find((name) => declared.includes(name));
  if (index > 0 && turner === undefined) return null;
  const size = ['limit', 'per_page', 'perPage', 'page_size', 'pageSize'].find((name) => declared.includes(name));
  const others = recipe.query.filter(([name]) => name !== size && name !== turner);
  const first: [string, string][] = size === undefined ? [] : [[size, String(PAGE)]];
  const turn: [string, string][] =
    turner === undefined || index === 0 ? [] : [[turner, String(turner === 'page' ? index + 1 : seen)]];
  return queryText([...others, ...first, ...turn]);
}

/** Whether the only page of a list shows all of it: nothing tells of more, and its length is no usual size of a page. */
function isCertainlyWhole(pages: readonly Exchange[], count: number): boolean {
  const [page] = pages;
  const body = page === undefined ? null : exactBody(page);
  if (page === undefined || body?.ok !== true || tellsOfMore(body.value)) return false;
  if (page.response?.headers.some(([name, value]) => name === 'link' && /next/i.test(value)) === true) return false;
  const total = totalOf(body.value);
  return total === null ? !ROUND_SIZES.includes(count) : total <= count;
}

const TOTAL = /^(total|total_?count|total_?items|total_?elements)$/i;
const MORE =
  /^(next|next_?(page|cursor|token|page_?token|url|link)|has_?(more|next)(_?page)?|cursor|continuation(_?token)?)$/i;

/** How many items the list has in all, as its answer says; null where it does not. */
function totalOf(body: unknown): number | null {
  const counts = envelopesOf(body).flatMap((one) => membersOf(one).filter(([name]) => TOTAL.test(name)));
  const [found] = counts.flatMap(([, value]) => (typeof value === 'number' ? [value] : []));
  return found ?? null;
}

/** Whether an answer tells of a further page. */
function tellsOfMore(body: unknown): boolean {
  return envelopesOf(body).some((one) =>
    membersOf(one).some(([name, value]) => MORE.test(name) && value !== null && value !== false && value !== ''),
  );
}

/** The body and the objects in it that may describe the page. */
function envelopesOf(body: unknown): readonly Record<string, unknown>[] {
  if (!isObject(body)) return [];
  return [body, ...membersOf(body).flatMap(([, value]) => (isObject(value) ? [value] : []))];
}
