// The first keys of the run once more at its end: IDEM-01, -02 and -05 after all that came between, and how long keys were
// known.
import { observeLifetime } from '../../checks/idem/idem-07-observed.ts';
import type { Conversation } from '../probe.ts';
import { declared } from '../world.ts';
import type { KeyedOperation } from './keyed-operation.ts';
import { type KeyLab, keyExperiment } from './lab.ts';

const PROBE = 'idempotency/late';
const KEYS = 3;
/** Requests of the looks at the list, before and after. */
const LOOKS = 2;
/** Since its last key was first sent a key rests at least so long: what is forgotten after a second is. ms. */
const REST_MS = 1500;

/**
 * Replays the oldest keys of the operation. Few payments may be made, and where keys are forgotten every further send makes one:
 * then the oldest key is replayed before those sends as well.
 */
export function lateExperiments(on: KeyedOperation): readonly Conversation[] {
  const isEarly = declared(on.world, { whole: on.pays, brief: false }) && on.shares;
  return [...(isEarly ? [lateExperiment(on, 39, 1)] : []), lateExperiment(on, 49, KEYS)];
}

/** `keys`: how many are replayed. */
function lateExperiment(on: KeyedOperation, rank: number, keys: number): Conversation {
  const clauses = ['IDEM-01', 'IDEM-02', 'IDEM-05', 'IDEM-07'];
  const about = { probe: PROBE, stage: 'quiet', rank, clauses, cost: keys + LOOKS, ...on.leaving } as const;
  return keyExperiment(on, about, (lab) => replayAll(lab, keys));
}

async function replayAll(lab: KeyLab, keys: number): Promise<void> {
  const { on } = lab;
  const originals = on.originals.slice(0, keys);
  const youngest = Math.max(0, ...originals.map(({ history }) => history.original?.sentAt ?? 0));
  const restMs = on.world.restMs ?? REST_MS - (on.world.timing.now() - youngest);
  if (restMs > 0) await lab.pause(restMs);
  const isShown = await lab.look(originals);
  let isKnown = false;
  for (const keyed of originals) {
    const told = lab.outcomes.length;
    const replay = await lab.send(keyed);
    const { original, facts } = keyed.history;
    const now = facts.at(-1);
    const isReplay = lab.outcomes
      .slice(told)
      .some(({ clause, judgement }) => clause === 'IDEM-01' && judgement.kind === 'holds');
    // The oldest comes first: it tells most.
    if (isKnown || !isReplay || original === null || now === undefined) continue;
    isKnown = true;
    const seconds = Math.round((replay.sentAt - original.sentAt) / 1000);
    lab.tell('IDEM-07', observeLifetime(keyed.history.othersBefore(now), seconds), [original, replay]);
  }
  await lab.look(originals, isShown);
}
