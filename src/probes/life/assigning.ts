// Sends members that clients do not own, and has the readings judged.
import { judgeNotApplied } from '../../checks/life/life-07-mass-assignment.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { JsonObject } from '../../openapi/json.ts';
import type { Reached } from '../world.ts';
import type { Assignment } from './assignments.ts';
import { type Desk, isRead } from './desk.ts';

/** Sends all members, and where that is refused those alone that a reading shows. `look`: the reading, and controls. */
export async function assign(
  desk: Desk,
  on: Reached,
  { shown, madeUp }: Assignment,
  send: (members: JsonObject) => Promise<Exchange | null>,
  look: (write: Exchange) => Promise<readonly Exchange[]>,
): Promise<void> {
  const all = { ...shown, ...madeUp };
  if (Object.keys(all).length === 0) {
    desk.cannotTell(['LIFE-07'], on, 'nothing is known of members that clients do not own');
    return;
  }
  let [sent, write] = [all, await send(all)];
  const isPartly = Object.keys(shown).length > 0 && Object.keys(madeUp).length > 0;
  if (write !== null && !isRead(write) && isPartly) [sent, write] = [shown, await send(shown)];
  if (write === null) desk.cannotTell(['LIFE-07'], on, 'no request with such members could be sent');
  else {
    const [reading = null, ...controls] = isRead(write) ? await look(write) : [];
    const judgement = judgeNotApplied({ write, sent, reading, controls });
    desk.tell('LIFE-07', on, judgement, [write, ...(reading === null ? [] : [reading])]);
  }
}
