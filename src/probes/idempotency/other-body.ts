// IDEM-08: a key that was answered is sent with another body, what a list then shows of that body, and the body under a key of its own.
import { judgeOtherBody } from '../../checks/idem/idem-08-other-body.ts';
import { cannotTell } from '../../contract/judgement.ts';
import { jsonText } from '../../exchange/body.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome, Send } from '../probe.ts';
import { lookFor } from './effects.ts';
import { type Ground, type Keyed, succeeded } from './keyed-operation.ts';
import { keyHeaderOf, keyOf } from './keys.ts';

const PROBE = 'idempotency/other-body';
/** A first send, the same key again, a look at the list, and the other body under a key of its own. */
const COST = 4;

/** The experiment; null where the contract does not say how such a request is refused. */
export function otherBodyExperiment(ground: Ground): Conversation | null {
  const { service, key } = ground.reached.operation;
  if (ground.world.terms.idempotency?.otherBody == null) return null;
  return {
    ...{ probe: PROBE, stage: 'lean', rank: 87, clauses: ['IDEM-08'], service, operation: key, cost: COST },
    // What is shared was made before.
    ...(ground.shares ? { leaves: 0 } : {}),
    repeatable: false,
    converse: (send) => reuse(ground, send),
  };
}

async function reuse(ground: Ground, send: Send): Promise<readonly Outcome[]> {
  const { operation } = ground.reached;
  const { otherBody } = ground.world.terms.idempotency ?? {};
  const on = { service: operation.service, operation: operation.key };
  if (otherBody == null) return [];
  const { keyed, answer: original } = ground.shared(0) ?? (await ground.first(send, PROBE));
  if (!ground.shares && succeeded(original)) {
    ground.remember(keyed, original);
    ground.claim(original);
  }
  const other = ground.fresh(PROBE, keyIn(keyed.plan.headers, operation.keyHeader));
  if (jsonText(other.plan.body) === jsonText(keyed.plan.body))
    return [outcome('IDEM-08', on, cannotTell('precondition', 'no other body could be made'), [])];
  const reused = await ground.send(send, other);
  const looked = succeeded(reused) ? null : await lookFor(ground, send, [keyed.mark, other.mark]);
  const control = succeeded(reused) ? null : await controlOf(ground, send, other);
  const judgement = judgeOtherBody(
    { original, reused, control: control ?? (ground.shares ? original : null), shown: looked?.shown[1] ?? null },
    otherBody,
    keyHeaderOf(operation),
  );
  const evidence = [original, reused, ...(looked?.pages.slice(-1) ?? []), ...(control === null ? [] : [control])];
  return [outcome('IDEM-08', on, judgement, evidence)];
}

/** The other body under a key of its own; null where little may be made. */
async function controlOf(
  ground: Ground,
  send: Send,
  other: Keyed,
): Promise<Awaited<ReturnType<Ground['send']>> | null> {
  if (ground.shares) return null;
  const { operation } = ground.reached;
  const own = ground.rekeyed(other, keyOf(operation, ground.world.nonce, `${operation.key} control ${ground.calls}`));
  const answer = await ground.send(send, own);
  ground.claim(answer);
  return answer;
}
