// Requests about one item of the list, by its id.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { parameterNames } from '../../facts/paths.ts';
import type { Send } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import type { Ground } from './keyed-operation.ts';

/** The operation's request, its last path parameter being the id. */
export function planAt(world: World, { operation, recipe }: Reached, id: string, label: string): RequestPlan {
  const name = parameterNames(operation.path).at(-1) ?? '';
  const pathValues = { ...recipe.pathValues, [name]: id };
  return planOf({ ...recipe, pathValues }, 'idempotency/item', drawFor(world, label));
}

/** Reads the item; null where no operation does. */
export async function readItem(
  { neighbours: { item }, world }: Ground,
  send: Send,
  id: string,
): Promise<Exchange | null> {
  return item === null ? null : (await send(planAt(world, item, id, 'item'))).last;
}
