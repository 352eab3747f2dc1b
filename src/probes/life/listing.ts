// Plans the requests that read a list page by page.

import type { RequestPlan } from '../../exchange/exchange.ts';
import { valuesOf } from '../../facts/paths.ts';
import { planOf, queryText } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';

const PAGE = 100;

/** A page of the list at the path, the first of which has the index 0; null where the list has no further one. `seen`: items before it. */
export function pageAt(
  world: World,
  { operation, recipe }: Reached,
  listedAt: string,
  index: number,
  seen: number,
  probe = 'life/list',
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
