// Makes a short list longer before its laws are looked at: an empty list breaks none of them. Only where the description says
// how an item is made and how it is taken away again; the run's clean-up does that.

import { FLOORS } from '../../contract/grounds.ts';
import { type Send, unlessNotSent } from '../probe.ts';
import { itemsShownBy } from '../reach/items.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import type { ListOperation } from './list-operation.ts';

/** So many items the laws need at least. */
const ENOUGH = Math.max(...Object.values(FLOORS).map(({ items = 0 }) => items));

/** What makes items of the list, and leaves none that cannot be deleted; null where nothing does. */
export function makerOf(world: World, { reached }: ListOperation, among: readonly Reached[]): Reached | null {
  const { service, path } = reached.operation;
  const maker = among.find(
    ({ operation, proof }) =>
      operation.method === 'POST' && operation.service === service && operation.path === path && proof !== null,
  );
  if (maker === undefined) return null;
  const { operation } = maker;
  return world.lasts(operation) || world.isPayment(operation) || world.refusal(operation) !== null ? null : maker;
}

/** How many items the list lacks, as it was last seen. */
export function lacking(list: ListOperation): number {
  const { operation, proof } = list.reached;
  const shown = proof === null ? null : itemsShownBy(proof, operation.path, list.place);
  return shown === null ? 0 : Math.max(0, ENOUGH - shown.length);
}

/** Creates what the list lacks, below the parent that the list is read under; stops where no more may be made. */
export async function lengthen(world: World, list: ListOperation, maker: Reached, send: Send): Promise<void> {
  const { pathValues } = list.reached.recipe;
  const recipe = { ...maker.recipe, pathValues };
  for (let count = lacking(list); count > 0; count -= 1) {
    const plan = planOf(recipe, 'pagination/lengthen', drawFor(world, `lengthen${count}`), { retry: 'contract' });
    const answered = await unlessNotSent(() => send(plan));
    if ((answered?.last.response?.status ?? 599) >= 400) return;
  }
}
