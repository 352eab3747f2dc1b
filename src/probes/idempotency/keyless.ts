// IDEM-04: sends without a key, and equal bodies under different keys, have separate effects. No payment is sent twice
// without a key: each has a body that no other had.
import { judgeSeparate } from '../../checks/idem/effects.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome, Send } from '../probe.ts';
import type { Ground, Keyed } from './ground.ts';
import { keyOf } from './keys.ts';

const PROBE = 'idempotency/separate';
const DISTINCT = 2;

/** The experiment; null where a send makes nothing of its own. */
export function keylessExperiment(ground: Ground): Conversation | null {
  if (!ground.creates) return null;
  const { service, key } = ground.reached.operation;
  return {
    probe: PROBE,
    stage: 'lean',
    rank: 87,
    clauses: ['IDEM-04'],
    service,
    operation: key,
    cost: DISTINCT + 3,
    repeatable: false,
    converse: (send) => converse(ground, send),
  };
}

async function converse(ground: Ground, send: Send): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const look = async (keyed: Keyed, how: string, equal: boolean): Promise<void> => {
    const answer = await ground.send(send, keyed);
    const identity = equal ? ground.idOf(answer) : ground.identity(answer);
    const owner = ground.claim(answer, identity);
    const { service, key } = ground.reached.operation;
    const judged = judgeSeparate(owner, answer, identity, how);
    outcomes.push(outcome('IDEM-04', { service, operation: key }, judged, owner === null ? [answer] : [owner, answer]));
  };
  for (let count = 0; count < DISTINCT; count += 1) {
    const keyed = ground.keyless(PROBE);
    if (keyed === null) break;
    await look(keyed, 'no key', !keyed.distinct);
    if (count === 0 && !ground.pays) await look(keyed, 'no key and an equal body', true);
  }
  const { keyed, answer } = await ground.first(send, PROBE);
  ground.claim(answer);
  const other = keyOf(ground.reached.operation, ground.world.nonce, `${JSON.stringify(keyed.plan.headers)} other`);
  await look(ground.rekeyed(keyed, other), 'another key and an equal body', true);
  return outcomes;
}
