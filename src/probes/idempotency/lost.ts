// IDEM-02 from the other side: a send was answered a success, and what it made is nowhere. A list may show what is new late,
// or never; so the resource is read by its id until it must be there, and another one to see that ids are read so.
import { judgeLost } from '../../checks/idem/idem-02-to-04-effects.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Send } from '../probe.ts';
import { walk } from './effects.ts';
import { readItem } from './items.ts';
import { type Ground, succeeded } from './keyed-operation.ts';

/** Between the looks at what may come late; once an effect was lost, the first alone. */
const PAUSES_MS = [400, 1000, 2000];

/** The breach and what shows it; null where what the original tells of is there, or may be. */
export async function lookForLost(
  ground: Ground,
  send: Send,
  original: Exchange,
): Promise<{ readonly judgement: Judgement; readonly evidence: readonly Exchange[] } | null> {
  const id = ground.idOf(original);
  if (id === null || !ground.creates || ground.losing === 'cannot-tell') return null;
  for (const ms of [0, ...(ground.losing === 'seen' ? PAUSES_MS.slice(0, 1) : PAUSES_MS)]) {
    if (ms > 0) await ground.pause(ms);
    if ((await readItem(ground, send, id))?.response?.status !== 404) return null;
  }
  const walked = await walk(ground, send);
  if (walked === null || walked.items.has(id)) return null;
  const [another] = walked.items.keys();
  const other = another === undefined ? null : await readItem(ground, send, another);
  ground.losing = other !== null && succeeded(other) ? 'seen' : 'cannot-tell';
  if (other === null || ground.losing === 'cannot-tell') return null;
  return { judgement: judgeLost(id), evidence: [original, ...walked.pages.slice(-1), other] };
}
