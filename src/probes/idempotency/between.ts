// What stands between a send and its replay: other keys on the operation for the most part, reads, other changes, or a change of
// what the send made.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Send } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached } from '../world.ts';
import { planAt } from './items.ts';
import { type Ground, succeeded } from './keyed-operation.ts';
import { keyOf, takesKey, withKey } from './keys.ts';

const PROBE = 'idempotency/between';
const AT_ONCE = 8;
/** Of so many calls one reads and one changes something else: of 60, 52 bring other keys. */
const ROUND = 15;
const READ_AT = 7;
/** No JSON. */
const BROKEN = '{"assay": ';

/** Makes the calls; gives the answers of those that sent other keys on the operation itself. */
export async function callOthers(ground: Ground, send: Send, calls: number): Promise<readonly Exchange[]> {
  const own: Exchange[] = [];
  ground.series += 1;
  const { series } = ground;
  for (let start = 0; start < calls; start += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, calls - start) }, (_, index) => start + index);
    await Promise.all(
      indexes.map(async (index) => {
        const other = otherPlan(ground, series, index) ?? (ground.shares ? harmlessPlan(ground, index) : null);
        if (other === null) own.push(await ground.send(send, ground.fresh(PROBE)));
        else {
          ground.calls += 1;
          await send(other);
        }
      }),
    );
  }
  return own;
}

/** Where little may be made, the other calls are reads, and requests under other keys that are refused. */
function harmlessPlan(ground: Ground, index: number): RequestPlan {
  const { read } = ground.neighbours;
  if (read !== null && index % 2 === 0) return planOf(read.recipe, PROBE, drawFor(ground.world, `between ${index}`));
  const { plan } = ground.fresh(PROBE);
  return { ...plan, body: { kind: 'raw', text: BROKEN, contentType: 'application/json' }, makes: 'nothing' };
}

/** A read or a change elsewhere; null for the operation itself under another key. */
function otherPlan({ world, neighbours }: Ground, series: number, index: number): RequestPlan | null {
  const { read, change, other } = neighbours;
  const turn = index % ROUND;
  const free = other === null || world.lasts(other.operation) ? null : other;
  const reached: Reached | null = turn === READ_AT ? read : turn === ROUND - 1 ? (change ?? free) : null;
  if (reached === null) return null;
  const label = `between ${series} ${index}`;
  const plan = planOf(reached.recipe, PROBE, drawFor(world, label));
  const key = keyOf(reached.operation, world.nonce, `${reached.operation.key} ${label}`);
  return takesKey(reached.operation) ? { ...plan, headers: withKey(reached.operation, plan.headers, key) } : plan;
}

// What a send made is changed or deleted before its key is sent again: the original response is due all the same.

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
