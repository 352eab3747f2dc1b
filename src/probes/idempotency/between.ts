// The calls that stand between a send and its replay: other keys on the operation for the most part, reads, other changes.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Send } from '../probe.ts';
import { planOf } from '../recipe.ts';
import { drawFor, type Reached } from '../world.ts';
import type { Ground } from './ground.ts';
import { keyOf, takesKey, withKey } from './keys.ts';

const PROBE = 'idempotency/between';
const AT_ONCE = 8;
/** Of so many calls one reads and one changes something else: of 60, 52 bring other keys. */
const ROUND = 15;
const READ_AT = 7;

/** Makes the calls; gives the answers of those that sent other keys on the operation itself. */
export async function callOthers(ground: Ground, send: Send, calls: number): Promise<readonly Exchange[]> {
  const own: Exchange[] = [];
  ground.series += 1;
  const { series } = ground;
  for (let start = 0; start < calls; start += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, calls - start) }, (_, index) => start + index);
    await Promise.all(
      indexes.map(async (index) => {
        const other = otherPlan(ground, series, index);
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

/** A read or a change elsewhere; null for the operation itself under another key. */
function otherPlan({ world, neighbours }: Ground, series: number, index: number): RequestPlan | null {
  const { read, change, other } = neighbours;
  const turn = index % ROUND;
  const reached: Reached | null = turn === READ_AT ? read : turn === ROUND - 1 ? (change ?? other) : null;
  if (reached === null) return null;
  const label = `between ${series} ${index}`;
  const plan = planOf(reached.recipe, PROBE, drawFor(world, label));
  const key = keyOf(reached.operation, world.nonce, `${reached.operation.key} ${label}`);
  return takesKey(reached.operation) ? { ...plan, headers: withKey(plan.headers, key) } : plan;
}
