// IDEM-08: a key that was answered is sent with another body, what a list then shows of that body, and the body under a key of its own.

import { cannotTell } from '../../contract/judgement.ts';
import { jsonText } from '../../exchange/body.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { succeeded } from '../../facts/answered.ts';
import type { Conversation } from '../probe.ts';
import type { KeyedOperation } from './keyed-operation.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/other-body';
/** A first send, the same key again, a look at the list, and the other body under a key of its own. */
const COST = 4;

/** The experiment; null where the contract does not say how such a request is refused. */
export function otherBodyExperiment(on: KeyedOperation): Conversation | null {
  if (on.world.terms.idempotency?.otherBody == null) return null;
  const about = { probe: PROBE, stage: 'lean', rank: 87, clauses: ['IDEM-08'], cost: COST, ...on.leaving } as const;
  return keyExperiment(on, about, reuse);
}

async function reuse(lab: KeyLab): Promise<void> {
  const { on } = lab;
  const { operation } = on.reached;
  const shared = on.shared(0);
  const keyed = shared ?? (await lab.first());
  const { history } = keyed;
  if (shared === null && history.original !== null) on.remember(keyed);
  const other = on.fresh(PROBE, keyIn(keyed.plan.headers, operation.keyHeader));
  if (jsonText(other.plan.body) === jsonText(keyed.plan.body))
    return lab.tell('IDEM-08', cannotTell('precondition', 'no other body could be made'), []);
  const reused = await lab.reuse(other);
  if (succeeded(reused)) return lab.note(history, 'reused', [reused]);
  const looked = await lab.list.shown([keyed, other]);
  // Where little may be made, the original shows that bodies are accepted.
  const own = on.rekeyed(other, on.keyFor(`${operation.key} control ${on.history.calls}`));
  const control = (on.shares ? history.original : null) ?? (await lab.send(own));
  lab.note(history, 'reused', [reused, control, ...(looked?.pages.slice(-1) ?? [])], looked?.ids[1]);
}
