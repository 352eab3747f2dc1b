// IDEM-04: sends without a key, and equal bodies under different keys, have separate effects. No payment is sent twice
// without a key: each has a body that no other had.

import { judgeRefused } from '../../checks/idem/idem-04-separate.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { type Conversation, unlessNotSent } from '../probe.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { keyParameter } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/separate';
/**
 * Bodies of their own where something is paid, and where nothing is: then that of the first is sent twice. `thenPlain`: a plain one follows where
 * one fails. `keyed`: sends beside them under keys, and one more without.
 */
const AMOUNTS = {
  whole: { paid: 2, unpaid: 2, thenPlain: false, keyed: 3 },
  brief: { paid: 2, unpaid: 1, thenPlain: true, keyed: 3 },
  // New keys are tried elsewhere.
  shared: { paid: 2, unpaid: 1, thenPlain: true, keyed: 0 },
};
/** The key's rights, what exists already, limits. */
const OTHER_REASONS = [401, 403, 409, 429];

/** The experiment; null where a send makes nothing of its own. */
export function keylessExperiment(on: KeyedOperation): Conversation | null {
  if (!on.creates) return null;
  const { paid, unpaid, thenPlain, keyed } = on.declared(AMOUNTS);
  const bodies = on.pays ? paid : unpaid;
  const cost = keyed === 0 ? paid : bodies + keyed;
  return keyExperiment(on, { probe: PROBE, stage: 'lean', rank: 87, clauses: ['IDEM-04'], cost }, async (lab) => {
    const send = (): Promise<Exchange | null> => sendBodies(lab, bodies, thenPlain);
    if (keyed === 0) await unlessNotSent(send);
    else await sendUnderKeys(lab, await send());
  });
}

/** Sends so many bodies without a key, the first twice unless it pays; resolves with the answer of the first, null where none may be sent. */
async function sendBodies(lab: KeyLab, bodies: number, thenPlain: boolean): Promise<Exchange | null> {
  let first: Exchange | null = null;
  for (let round = 0; round < bodies; round += 1) {
    const sent = await sendAccepted(lab, round, thenPlain);
    if (sent === null) break;
    if (round === 0 && !lab.on.pays) await lab.send(lab.on.rekeyed(sent.keyed, null));
    first ??= sent.answer;
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

/**
 * A send without a key; null where none may be sent. Where its input is one that other calls leave out and it fails, that may be to blame, and
 * a plain one follows.
 */
async function sendAccepted(
  lab: KeyLab,
  round: number,
  thenPlain: boolean,
): Promise<{ readonly keyed: Keyed; readonly answer: Exchange } | null> {
  const { on } = lab;
  const varied = on.keyless(PROBE, round);
  if (varied === null) return null;
  const answer = await lab.send(varied);
  if (succeeded(answer) || !thenPlain) return { keyed: varied, answer };
  const plain = on.keyless(PROBE);
  return plain === null ? null : { keyed: plain, answer: await lab.send(plain) };
}

/** Tells whether the refusal may be for lack of a key, where none is asked for. The source calls it optional on all but payments. */
function isForLackOfKey({ pays, reached: { operation } }: KeyedOperation, { response }: Exchange): boolean {
  if (pays || keyParameter(operation)?.required === true || response === null) return false;
  return response.status >= 400 && response.status < 500 && !OTHER_REASONS.includes(response.status);
}
