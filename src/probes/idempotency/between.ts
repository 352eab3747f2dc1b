// Makes calls between a send and its replay: other keys on the operation for the most part, reads, other changes, or a change of
// what the send made.

import type { RequestPlan } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import type { KeyHistory } from '../../facts/key-history.ts';
import { identityOf } from '../../facts/resource.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached } from '../world.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { keyOf, takesKey, withKey } from './keys.ts';
import type { KeyLab } from './lab.ts';

const PROBE = 'idempotency/between';
const AT_ONCE = 8;
/** Calls of which one reads and one changes something else: of 60, 52 bring other keys. */
const ROUND = 15;
const READ_AT = 7;
/** No JSON. */
const BROKEN = '{"assay": ';

/** Makes the calls, several at once. */
export async function callOthers(lab: KeyLab, calls: number): Promise<void> {
  const { on } = lab;
  const { calls: before } = on.history;
  for (let start = 0; start < calls; start += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, calls - start) }, (_, index) => start + index);
    await Promise.all(
      indexes.map(async (index) => {
        const other = otherPlan(on, index, `between ${before + index}`) ?? (on.shares ? harmlessPlan(on, index) : null);
        await (other === null ? lab.send(on.fresh(PROBE)) : lab.call(other));
      }),
    );
  }
}

/** Where little may be made, the other calls are reads, and requests under other keys that are refused. */
function harmlessPlan(on: KeyedOperation, index: number): RequestPlan {
  const { read } = on.neighbours;
  return read !== null && index % 2 === 0
    ? planOf(read.recipe, PROBE, drawFor(on.world, `between ${index}`))
    : refusedPlan(on.fresh(PROBE));
}

/** The request with a body that is no JSON: it is refused. */
export function refusedPlan({ plan }: Keyed): RequestPlan {
  return { ...plan, body: { kind: 'raw', text: BROKEN, contentType: 'application/json' }, makes: 'nothing' };
}

/** A read or a change elsewhere; null for the operation itself under another key. */
function otherPlan({ world, neighbours }: KeyedOperation, index: number, label: string): RequestPlan | null {
  const { read, change, other } = neighbours;
  const turn = index % ROUND;
  const free = other === null || world.lasts(other.operation) ? null : other;
  const reached: Reached | null = turn === READ_AT ? read : turn === ROUND - 1 ? (change ?? free) : null;
  if (reached === null) return null;
  const plan = planOf(reached.recipe, PROBE, drawFor(world, label));
  const key = keyOf(reached, world.nonce, `${reached.operation.key} ${label}`);
  return takesKey(reached.operation) ? { ...plan, headers: withKey(reached.operation, plan.headers, key) } : plan;
}

// The effect of a send is changed or deleted before its key is sent again: the original response is due all the same.

/** Tells whether the description offers to change or to delete what the operation makes. */
export function canTouch({ creates, neighbours }: KeyedOperation): boolean {
  return creates && (neighbours.changer !== null || neighbours.remover !== null);
}

/** Changes or deletes it by the id that the answer shows. */
export async function touch(lab: KeyLab, history: KeyHistory, how: 'change' | 'remove'): Promise<void> {
  const { changer, remover } = lab.on.neighbours;
  const reached = how === 'change' ? changer : remover;
  const id = history.original === null ? null : identityOf(history.original);
  if (reached === null || id === null) return;
  const answer = await lab.call(lab.on.planAt(reached, id, `idempotency touch ${lab.on.history.calls}`));
  if (succeeded(answer) && how === 'remove') history.add('removed', [answer]);
}
