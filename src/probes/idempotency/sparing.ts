// Where little may be made: one new key stands for many. Its body is that of an earlier request (IDEM-04), it is sent several
// times at once (IDEM-03, -05), and it is long, so that a key near to it can be tried when all else has been (near-keys.ts).

import { isValid } from '../../generate/bodies.ts';
import type { Conversation, Outcome, Send } from '../probe.ts';
import type { Ground, Keyed } from './keyed-operation.ts';
import { keyOf, keyParameter, lettersOf } from './keys.ts';
import { playBurst } from './play.ts';

const PROBE = 'idempotency/together';
/** Should the target execute each of them, that is what it makes. */
const TIMES = 3;
/** Longer than what keys are usually cut to. */
const LONG_KEY = 80;

/** The experiment; null where keys are not shared. */
export function sparingExperiment(ground: Ground): Conversation | null {
  if (!ground.shares) return null;
  const { service, key } = ground.reached.operation;
  return {
    ...{ probe: PROBE, stage: 'lean', rank: 86, service, operation: key, cost: TIMES + 1, repeatable: false },
    clauses: ['IDEM-01', 'IDEM-03', 'IDEM-04', ...(ground.pays ? ['IDEM-05'] : [])],
    converse: (send) => converse(ground, send),
  };
}

/** A target may refuse a long key, or an equal body: what is refused makes nothing, and the next is tried. */
async function converse(ground: Ground, send: Send): Promise<readonly Outcome[]> {
  let told: readonly Outcome[] = [];
  for (const keyed of candidates(ground)) {
    const { outcomes, isRefused } = await playBurst(ground, send, keyed, TIMES, PROBE);
    told = outcomes;
    if (!isRefused) break;
  }
  return told;
}

function* candidates(ground: Ground): Generator<Keyed> {
  const { world, reached } = ground;
  const { operation, description } = reached;
  const [original] = ground.originals;
  if (original !== undefined) {
    const label = `${world.nonce} ${operation.key} shared`;
    const long = lettersOf(label, LONG_KEY);
    if (isValid(description, keyParameter(operation)?.schema ?? null, long)) yield ground.rekeyed(original.keyed, long);
    yield ground.rekeyed(original.keyed, keyOf(operation, world.nonce, label));
  }
  yield ground.fresh(PROBE);
}
