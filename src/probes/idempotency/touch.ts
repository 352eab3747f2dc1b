// What a send made is changed or deleted before its key is sent again: the original response is due all the same.
import type { Exchange } from '../../exchange/exchange.ts';
import type { Send } from '../probe.ts';
import { planAt } from './items.ts';
import { type Ground, succeeded } from './keyed-operation.ts';

/** Whether the description offers to change or to delete what the operation makes. */
export function canTouch({ creates, neighbours }: Ground): boolean {
  return creates && (neighbours.changer !== null || neighbours.remover !== null);
}

/** Changes or deletes it by the id that the answer shows; whether that succeeded. */
export async function touch(
  ground: Ground,
  send: Send,
  original: Exchange,
  how: 'change' | 'remove',
): Promise<boolean> {
  const { changer, remover } = ground.neighbours;
  const reached = how === 'change' ? changer : remover;
  const id = ground.idOf(original);
  if (reached === null || id === null) return false;
  ground.calls += 1;
  return succeeded((await send(planAt(ground.world, reached, id, `idempotency touch ${ground.calls}`))).last);
}
