// IDEM-02 for a send that the limiter refused: it had no effect, and sent again under its key it has one, and once. Only where something
// else keeps the key limited; alone it would take the limit to be spent.

import { judgePaidOnce, judgeReplay } from '../../checks/idem/idem-01-and-05-replay.ts';
import { type Between, judgeOneEffect, judgeRefusedForGood } from '../../checks/idem/idem-02-to-04-effects.ts';
import { observeErrorFirst } from '../../checks/idem/idem-07-observed.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome, Send } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor } from '../world.ts';
import { lookFor } from './effects.ts';
import { type Ground, type Keyed, succeeded } from './keyed-operation.ts';

const PROBE = 'idempotency/limited';
/** Reads sent to find out when the key is refused, and sends under keys of their own then. */
const READS = 250;
const SENDS = 8;
const PAUSE_MS = 25;
const AGAIN = 2;
const TURNS = 2;

/** Sends once while the key is refused, and again under the same Idempotency-Key when it is admitted. */
export function limitedExperiment(ground: Ground): Conversation {
  const { service, key } = ground.reached.operation;
  const clauses = ['IDEM-01', 'IDEM-02', 'IDEM-07', ...(ground.isOnce ? ['IDEM-05'] : [])];
  return {
    ...{ probe: PROBE, stage: 'lean', rank: 80, clauses, service, operation: key, cost: READS, repeatable: false },
    converse: (send) => converse(ground, send),
  };
}

async function converse(ground: Ground, send: Send): Promise<readonly Outcome[]> {
  const { service, key: operation } = ground.reached.operation;
  const book = (clause: string, judged: Outcome['judgement'], evidence: readonly Exchange[]): Outcome =>
    outcome(clause, { service, operation }, judged, evidence);
  const refused = await refusedSend(ground, send);
  if (refused === null)
    return [book('IDEM-02', cannotTell('precondition', 'no send under a key was answered 429'), [])];
  const { keyed, answer: refusal } = refused;
  const original = await untilAdmitted(ground, send, keyed);
  const told = book('IDEM-07', observeErrorFirst(refusal, original), [refusal, original]);
  if (original.response?.status === 429) {
    const turns = await betweenFreshKeys(ground, send, keyed);
    return [
      told,
      book('IDEM-02', judgeRefusedForGood(turns), [
        refusal,
        ...turns.flatMap(({ old, fresh }) => [fresh[0], old, fresh[1]]),
      ]),
    ];
  }
  if (!succeeded(original)) return [told];
  ground.remember(keyed, original);
  // A key must outlast that its sender is refused once more.
  await untilRefused(ground, send);
  const replay = await untilAdmitted(ground, send, keyed);
  const evidence = [refusal, original, replay];
  const when = 'a replay of a send that was refused with 429 at first';
  const looked = await lookFor(ground, send, [keyed.mark]);
  return [
    told,
    book('IDEM-01', judgeReplay(original, replay, when), evidence),
    ...(ground.isOnce ? [book('IDEM-05', judgePaidOnce(original, replay, when), evidence)] : []),
    ...(ground.creates
      ? [book('IDEM-02', judgeOneEffect(evidence.length, [original, replay], looked?.shown[0] ?? null), evidence)]
      : []),
  ];
}

/** The first send of a fresh key that is refused; null where none is. Reads tell when it is worth trying. */
async function refusedSend(ground: Ground, send: Send): Promise<{ keyed: Keyed; answer: Exchange } | null> {
  for (let sends = 0; sends < SENDS; sends += 1) {
    if (!(await untilRefused(ground, send))) return null;
    const keyed = ground.fresh(PROBE);
    const answer = await ground.send(send, { ...keyed, plan: { ...keyed.plan, retry: 'once' } });
    if (answer.response?.status === 429) return { keyed, answer };
  }
  return null;
}

/** Reads until the key is refused; false where it is not for long, true at once where there is nothing to read. */
async function untilRefused(ground: Ground, send: Send): Promise<boolean> {
  const { world, neighbours } = ground;
  if (neighbours.read === null) return true;
  const plan = planOf(neighbours.read.recipe, PROBE, drawFor(world, PROBE), { retry: 'once' });
  for (let read = 0; read < READS; read += 1) {
    if ((await send(plan)).last.response?.status === 429) return true;
    await ground.pause(PAUSE_MS);
  }
  return false;
}

/** As the contract has a refused request sent again, and again where the limiter goes on. */
async function untilAdmitted(ground: Ground, send: Send, keyed: Keyed): Promise<Exchange> {
  let answer = await ground.send(send, keyed);
  for (let turn = 1; turn < AGAIN && answer.response?.status === 429; turn += 1)
    answer = await ground.send(send, keyed);
  return answer;
}

/** The refused key between fresh ones, turn by turn: whether it is the limiter that refuses it. */
async function betweenFreshKeys(ground: Ground, send: Send, { plan, ...keyed }: Keyed): Promise<readonly Between[]> {
  const once = { ...keyed, plan: { ...plan, retry: 'once' } } as const;
  const turns: Between[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = await ground.send(send, ground.fresh(PROBE));
    const old = await ground.send(send, once);
    turns.push({ old, fresh: [before, await ground.send(send, ground.fresh(PROBE))] });
  }
  return turns;
}
