// The first keys of the run once more at its end: IDEM-01 and -05 after all that came between, and how long keys were known.
import { observeLifetime } from '../../checks/idem/observed.ts';
import { judgePaidOnce, judgeReplay } from '../../checks/idem/replay.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome, Send } from '../probe.ts';
import type { Ground } from './ground.ts';

const PROBE = 'idempotency/late';
const KEYS = 3;

/** Replays the oldest keys that this ground remembers. */
export function lateExperiment(ground: Ground): Conversation {
  const { service, key } = ground.reached.operation;
  return {
    probe: PROBE,
    stage: 'quiet',
    rank: 49,
    clauses: ground.pays ? ['IDEM-01', 'IDEM-05', 'IDEM-07'] : ['IDEM-01', 'IDEM-07'],
    service,
    operation: key,
    cost: KEYS,
    repeatable: false,
    converse: (send) => converse(ground, send),
  };
}

async function converse(ground: Ground, send: Send): Promise<readonly Outcome[]> {
  const { service, key: operation } = ground.reached.operation;
  const on = { service, operation };
  const outcomes: Outcome[] = [];
  let isKnown = false;
  if (ground.world.restMs !== undefined) await ground.pause(ground.world.restMs);
  for (const { keyed, answer: original, at } of ground.originals.slice(0, KEYS)) {
    const between = ground.calls - at;
    const replay = await ground.send(send, keyed);
    const seconds = Math.round((replay.sentAt - original.sentAt) / 1000);
    const when = `a replay after ${between} other calls and ${seconds} s`;
    const judged = judgeReplay(original, replay, when);
    outcomes.push(outcome('IDEM-01', on, judged, [original, replay]));
    if (ground.pays) outcomes.push(outcome('IDEM-05', on, judgePaidOnce(original, replay, when), [original, replay]));
    if (judged.kind !== 'holds') continue;
    // The oldest comes first: it tells most.
    if (!isKnown) outcomes.push(outcome('IDEM-07', on, observeLifetime(between, seconds), [original, replay]));
    isKnown = true;
  }
  return outcomes;
}
