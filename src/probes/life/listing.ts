// Reads a list page by page.

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { type Listing, PagesRead } from '../../facts/listing.ts';
import { valuesOf } from '../../facts/paths.ts';
import { planOf, queryText } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

/** Items asked for at a time. */
export const PAGE = 100;

/** The list to read: where it stands, the maximum number of its pages that are read, and by which probe. */
interface ListRead {
  readonly at: string;
  readonly maxPages: number;
  readonly probe: string;
}

type Lister = Pick<Reached, 'operation' | 'recipe'>;

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
  const read = new PagesRead(world.listPlace(lister.operation.key));
  for (let index = 0; index < maxPages && !read.isEnded; index += 1) {
    const plan = pageAt(world, lister, at, index, read.listing.items.length, probe);
    const fresh = plan === null ? null : read.add(await send(plan));
    if (plan === null) read.endHere();
    if (fresh !== null) yield { fresh, read };
  }
}

/** A page of the list at the path, the first of which has the index 0; null where the list has no further one. `seen`: items before it. */
function pageAt(
  world: World,
  { operation, recipe }: Lister,
  listedAt: string,
  index: number,
  seen: number,
  probe: string,
): RequestPlan | null {
  const declared = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const turner = ['page', 'offset', 'skip'].find((name) => declared.includes(name));
  if (index > 0 && turner === undefined) return null;
  const size = ['limit', 'per_page', 'perPage', 'page_size', 'pageSize'].find((name) => declared.includes(name));
  const others = recipe.query.filter(([name]) => name !== size && name !== turner);
  const first: [string, string][] = size === undefined ? [] : [[size, String(PAGE)]];
  const turn: [string, string][] =
    turner === undefined || index === 0 ? [] : [[turner, String(turner === 'page' ? index + 1 : seen)]];
  const named = valuesOf(operation.path, listedAt);
  // An item that is made below something else may have its place elsewhere: its list is the one that the recipe names.
  const isElsewhere = Object.values(named).includes('');
  const pathValues = isElsewhere ? recipe.pathValues : { ...recipe.pathValues, ...named };
  const query = queryText([...others, ...first, ...turn]);
  return planOf({ ...recipe, pathValues }, probe, drawFor(world, 'list'), { query });
}
