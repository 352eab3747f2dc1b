// IDEM-04: sends without a key, and equal bodies under different keys, have separate effects. No payment is sent twice
// without a key: each has a body that no other had.

import { judgeRefused } from '../../checks/idem/idem-04-separate.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { type Conversation, unlessNotSent } from '../probe.ts';
import type { KeyedOperation } from './keyed-operation.ts';
import { keyParameter } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/separate';
/** Bodies of their own, and where nothing is paid: then that of the first is sent twice. `keyed`: sends beside them under keys, and one more without. */
const PAID = 2;
const AMOUNTS = {
  whole: { unpaid: 2, keyed: 3 },
  brief: { unpaid: 1, keyed: 3 },
  // New keys are tried elsewhere.
  shared: { unpaid: 1, keyed: 0 },
};
/** The key's rights, what exists already, limits. */
const OTHER_REASONS = [401, 403, 409, 429];

/** The experiment; null where a send makes nothing of its own. */
export function keylessExperiment(on: KeyedOperation): Conversation | null {
  if (!on.creates) return null;
  const { unpaid, keyed } = on.declared(AMOUNTS);
  const bodies = on.pays ? PAID : unpaid;
  const cost = keyed === 0 ? PAID : bodies + keyed;
  return keyExperiment(on, { probe: PROBE, stage: 'lean', rank: 87, clauses: ['IDEM-04'], cost }, async (lab) => {
    const keyless = await unlessNotSent(() => sendBodies(lab, bodies));
    if (keyed > 0) await sendUnderKeys(lab, keyless);
  });
}

/** Sends so many bodies without a key, the first twice unless it pays; resolves with the answer of the first, null where none may be sent. */
async function sendBodies(lab: KeyLab, bodies: number): Promise<Exchange | null> {
  const { on } = lab;
  let first: Exchange | null = null;
  for (let round = 0; round < bodies; round += 1) {
    let keyed = on.keyless(PROBE, round);
    let answer = keyed && (await lab.send(keyed));
    // Its input may be to blame, which other calls leave out: a plain one follows.
    if (answer !== null && !succeeded(answer)) {
      keyed = on.keyless(PROBE);
      answer = keyed && (await lab.send(keyed));
    }
    if (keyed === null || answer === null) break;
    if (round === 0 && !on.pays) await lab.send(on.rekeyed(keyed, null));
    first ??= answer;
  }
  return first;
}

/** Sends one body under two keys; where these are accepted and a send without a key was not, that is sent once more. */
async function sendUnderKeys(lab: KeyLab, keyless: Exchange | null): Promise<void> {
  const { on } = lab;
  const keyed = await lab.first();
  await lab.send(on.rekeyed(keyed, on.keyFor(`${JSON.stringify(keyed.plan.headers)} other`)));
  if (keyless === null || !isForLackOfKey(on, keyless) || keyed.history.original === null) return;
  const again = on.keyless(PROBE);
  const second = again === null ? null : await lab.send(again);
  if (second !== null && isForLackOfKey(on, second))
    lab.tell('IDEM-04', judgeRefused(second, 'no-key'), [keyless, ...keyed.history.answers, second]);
}

/** Tells whether the refusal may be for lack of a key, where none is asked for. The source calls it optional on all but payments. */
function isForLackOfKey({ pays, reached: { operation } }: KeyedOperation, { response }: Exchange): boolean {
  if (pays || keyParameter(operation)?.required === true || response === null) return false;
  return response.status >= 400 && response.status < 500 && !OTHER_REASONS.includes(response.status);
}
