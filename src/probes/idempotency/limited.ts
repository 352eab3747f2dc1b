// IDEM-02 for a send that the limiter refused: it had no effect, and sent again under its key it has one, and once. Only where something
// else keeps the key limited; alone it would take the limit to be spent.
import { type Between, judgeRefusedForGood } from '../../checks/idem/idem-02-one-effect.ts';
import { observeErrorFirst } from '../../checks/idem/idem-07-observed.ts';
import { cannotTell } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isRefusal, refusedStatus } from '../../limiters/reading.ts';
import type { Conversation } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor } from '../world.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/limited';
/** Reads sent to find out when the key is refused, and sends under keys of their own then. */
const READS = 250;
const SENDS = 8;
const PAUSE_MS = 25;
const TURNS = 2;

/** Sends once while the key is refused, and again under the same key when it is admitted. */
export function limitedExperiment(on: KeyedOperation): Conversation {
  const clauses = ['IDEM-01', 'IDEM-02', 'IDEM-07', 'IDEM-05'];
  return keyExperiment(on, { probe: PROBE, stage: 'lean', rank: 80, clauses, cost: READS }, sendLimited);
}

async function sendLimited(lab: KeyLab): Promise<void> {
  const keyed = await refusedSend(lab);
  if (keyed === null)
    return lab.tell(
      'IDEM-02',
      cannotTell('precondition', `no send under a key was answered ${refusedStatus(lab.on.world.terms.rateLimits)}`),
      [],
    );
  const { history } = keyed;
  const [refusal] = history.answers;
  const answer = await untilAdmitted(lab, keyed);
  if (refusal !== undefined) lab.tell('IDEM-07', observeErrorFirst(refusal, answer), [refusal, answer]);
  if (refusal !== undefined && isRefused(lab, answer)) {
    const { judgement, evidence } = judgeRefusedForGood(refusal, await betweenFreshKeys(lab, keyed));
    return lab.tell('IDEM-02', judgement, evidence);
  }
  if (history.original === null) return;
  lab.on.remember(keyed);
  // A key must outlast that its sender is refused once more.
  await untilRefused(lab);
  await untilAdmitted(lab, keyed);
  await lab.look([keyed]);
}

/** Tells whether a limiter refused the request. */
function isRefused({ on }: KeyLab, { response }: Exchange): boolean {
  return response !== null && isRefusal(response, on.world.terms.rateLimits);
}

/** The first request under a fresh key that is refused; null where none is. Reads tell when it is worth trying. */
async function refusedSend(lab: KeyLab): Promise<Keyed | null> {
  for (let sends = 0; sends < SENDS; sends += 1) {
    if (!(await untilRefused(lab))) return null;
    const keyed = lab.on.fresh(PROBE);
    const answer = await lab.send(keyed, { retry: 'once' });
    if (isRefused(lab, answer)) return keyed;
  }
  return null;
}

/** Reads until the key is refused; false where it is not for long, true at once where there is nothing to read. */
async function untilRefused(lab: KeyLab): Promise<boolean> {
  const { world, neighbours } = lab.on;
  if (neighbours.read === null) return true;
  const plan = planOf(neighbours.read.recipe, PROBE, drawFor(world, PROBE), { retry: 'once' });
  for (let read = 0; read < READS; read += 1) {
    if (isRefused(lab, await lab.call(plan))) return true;
    await lab.pause(PAUSE_MS);
  }
  return false;
}

/** As the contract has a refused request sent again, and again where the limiter goes on. */
async function untilAdmitted(lab: KeyLab, keyed: Keyed): Promise<Exchange> {
  const answer = await lab.send(keyed);
  return isRefused(lab, answer) ? lab.send(keyed) : answer;
}

/** The refused key between fresh ones, turn by turn: whether it is the limiter that refuses it. */
async function betweenFreshKeys(lab: KeyLab, keyed: Keyed): Promise<readonly Between[]> {
  const turns: Between[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = await lab.send(lab.on.fresh(PROBE));
    const old = await lab.send(keyed, { retry: 'once' });
    turns.push({ old, fresh: [before, await lab.send(lab.on.fresh(PROBE))] });
  }
  return turns;
}
