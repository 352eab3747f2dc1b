// IDEM-04: sends without a key, and equal bodies under different keys, have separate effects. No payment is sent twice
// without a key: each has a body that no other had.

import { judgeRefusedKeyless } from '../../checks/idem/idem-04-separate.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { type Conversation, unlessNotSent } from '../probe.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { keyParameter } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/separate';
/**
 * Bodies of their own, and where nothing is paid: the send of an equal body is one more. `thenPlain`: a plain one follows where one fails.
 * `more`: sends beside them under keys.
 */
const AMOUNTS = {
  whole: { distinct: 2, unpaid: 2, thenPlain: false, more: 3 },
  brief: { distinct: 2, unpaid: 1, thenPlain: true, more: 3 },
  shared: { distinct: 2, unpaid: 1, thenPlain: true, more: 0 },
};
/** The key's rights, what exists already, limits. */
const OTHER_REASONS = [401, 403, 409, 429];

/** The experiment; null where a send makes nothing of its own. */
export function keylessExperiment(on: KeyedOperation): Conversation | null {
  if (!on.creates) return null;
  const declared = on.declared(AMOUNTS);
  const amount = { ...declared, distinct: on.pays ? declared.distinct : declared.unpaid };
  const cost = amount.more === 0 ? declared.distinct : amount.distinct + amount.more;
  return keyExperiment(on, { probe: PROBE, stage: 'lean', rank: 87, clauses: ['IDEM-04'], cost }, (lab) =>
    sendKeyless(lab, amount),
  );
}

type Amount = (typeof AMOUNTS)['whole'];

async function sendKeyless(lab: KeyLab, amount: Amount): Promise<void> {
  const { on } = lab;
  if (amount.more === 0) {
    // A new key is tried elsewhere.
    await unlessNotSent(() => sendDistinct(lab, amount));
    return;
  }
  const refused = await sendDistinct(lab, amount);
  const keyed = await lab.first();
  await lab.send(on.rekeyed(keyed, on.keyFor(`${JSON.stringify(keyed.plan.headers)} other`)));
  const again = refused === null || keyed.history.original === null ? null : on.keyless(PROBE);
  if (refused === null || again === null) return;
  const second = await lab.send(again);
  if (isForLackOfKey(on, second))
    lab.tell('IDEM-04', judgeRefusedKeyless(second), [refused, ...keyed.history.answers, second]);
}

/** Sends without a key, the first body twice unless it pays; resolves with the first answer where it may refuse for lack of one. */
async function sendDistinct(lab: KeyLab, amount: Amount): Promise<Exchange | null> {
  const { on } = lab;
  let refused: Exchange | null = null;
  for (let count = 0; count < amount.distinct; count += 1) {
    const accepted = await sendAccepted(lab, count, amount);
    if (accepted === null) break;
    if (count > 0) continue;
    if (!on.pays) await lab.send(on.rekeyed(accepted.keyed, null));
    if (isForLackOfKey(on, accepted.answer)) refused = accepted.answer;
  }
  return refused;
}

/**
 * A send without a key; null where none may be sent. Where its input is one that other calls leave out and it fails, that may be to blame, and
 * a plain one follows.
 */
async function sendAccepted(
  lab: KeyLab,
  round: number,
  { thenPlain }: Amount,
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
