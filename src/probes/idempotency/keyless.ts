// IDEM-04: sends without a key, and equal bodies under different keys, have separate effects. No payment is sent twice
// without a key: each has a body that no other had.
import { judgeRefusedKeyless, judgeSeparate, type KeyDifference } from '../../checks/idem/idem-02-to-04-effects.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { outcome } from '../experiment.ts';
import { type Conversation, collected, NotSent, type Outcome, type Send } from '../probe.ts';
import { type Ground, type Keyed, succeeded } from './keyed-operation.ts';
import { keyOf, keyParameter } from './keys.ts';

const PROBE = 'idempotency/separate';
const DISTINCT = 2;
/** Where a budget bounds the run and nothing is paid: the send of an equal body beside it is a second one. */
const DISTINCT_BRIEFLY = 1;
/** Requests where little may be made. */
const FEW = 2;
/** The key's rights, what exists already, limits. */
const OTHER_REASONS = [401, 403, 409, 429];

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
    cost: ground.shares ? FEW : distinctOn(ground) + 3,
    repeatable: false,
    converse: (send) => collected((outcomes) => sendKeyless(ground, send, outcomes)),
  };
}

async function sendKeyless(ground: Ground, send: Send, outcomes: Outcome[]): Promise<void> {
  const { service, key } = ground.reached.operation;
  const book = (judgement: Outcome['judgement'], evidence: readonly Exchange[]): void => {
    outcomes.push(outcome('IDEM-04', { service, operation: key }, judgement, evidence));
  };
  const look = async (keyed: Keyed, how: KeyDifference, equal: boolean): Promise<Exchange> => {
    const answer = await ground.send(send, keyed);
    const identity = equal ? ground.idOf(answer) : ground.identity(answer);
    const owner = ground.claim(answer, identity);
    book(judgeSeparate(owner, answer, identity, how), owner === null ? [answer] : [owner, answer]);
    return answer;
  };
  if (ground.shares) return few(ground, look);
  const refused = await distinct(ground, look);
  const { keyed, answer } = await ground.first(send, PROBE);
  ground.claim(answer);
  const other = keyOf(ground.reached.operation, ground.world.nonce, `${JSON.stringify(keyed.plan.headers)} other`);
  await look(ground.rekeyed(keyed, other), 'other-key-equal-body', true);
  const again = refused === null || !succeeded(answer) ? null : ground.keyless(PROBE);
  if (refused === null || again === null) return;
  const second = await ground.send(send, again);
  if (isForLackOfKey(ground, second)) book(judgeRefusedKeyless(second), [refused, answer, second]);
}

/** Sends without a key; resolves with the first answer where it may refuse for lack of one. */
async function distinct(ground: Ground, look: Look): Promise<Exchange | null> {
  let refused: Exchange | null = null;
  for (let count = 0; count < distinctOn(ground); count += 1) {
    const { keyed, answer } = await accepted(ground, look, count);
    if (keyed === null || answer === null) break;
    if (count > 0) continue;
    if (!ground.pays) await look(keyed, 'no-key-equal-body', true);
    if (isForLackOfKey(ground, answer)) refused = answer;
  }
  return refused;
}

function distinctOn({ world, pays }: Ground): number {
  return world.isBrief === true && !pays ? DISTINCT_BRIEFLY : DISTINCT;
}

type Look = (keyed: Keyed, how: KeyDifference, equal: boolean) => Promise<Exchange>;

/** Where little may be made: two sends without a key, of equal bodies unless they pay. A new key is tried elsewhere. */
async function few(ground: Ground, look: Look): Promise<void> {
  try {
    const { keyed } = await accepted(ground, look, 0);
    if (keyed === null) return;
    if (ground.pays) await accepted(ground, look, 1);
    else await look(keyed, 'no-key-equal-body', true);
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
  }
}

interface Accepted {
  /** Null where none may be sent. */
  readonly keyed: Keyed | null;
  readonly answer: Exchange | null;
}

/** A send without a key. Where its input is one that other calls leave out and it fails, that may be to blame, and a plain one follows. */
async function accepted(ground: Ground, look: Look, round: number): Promise<Accepted> {
  const varied = ground.keyless(PROBE, round);
  if (varied === null) return { keyed: null, answer: null };
  const answer = await look(varied, 'no-key', !varied.distinct);
  const mayBeOther = ground.shares || ground.world.isBrief === true;
  if (succeeded(answer) || !mayBeOther) return { keyed: varied, answer };
  const plain = ground.keyless(PROBE);
  return { keyed: plain, answer: plain === null ? null : await look(plain, 'no-key', !plain.distinct) };
}

/** Whether the refusal may be for lack of a key, where none is asked for. The source calls it optional on all but payments. */
function isForLackOfKey({ pays, reached: { operation } }: Ground, { response }: Exchange): boolean {
  if (pays || keyParameter(operation)?.required === true || response === null) return false;
  return response.status >= 400 && response.status < 500 && !OTHER_REASONS.includes(response.status);
}
