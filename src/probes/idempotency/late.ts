// The first keys of the run once more at its end: IDEM-01, -02 and -05 after all that came between, and how long keys were
// known.

import { judgePaidOnce, judgeReplay } from '../../checks/idem/idem-01-and-05-replay.ts';
import { judgeOneEffect, type Shown } from '../../checks/idem/idem-02-to-04-effects.ts';
import { observeLifetime } from '../../checks/idem/idem-07-observed.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { outcome } from '../experiment.ts';
import { type Conversation, collected, type Outcome, type Send } from '../probe.ts';
import { lookFor, SECOND_LOOK_MS } from './effects.ts';
import type { Ground, Original } from './keyed-operation.ts';

const PROBE = 'idempotency/late';
const KEYS = 3;
/** Requests of the looks at the list, before and after. */
const LOOKS = 2;
/** Since its last key was first sent a key rests at least so long: what is forgotten after a second is. ms. */
const REST_MS = 1500;

interface Replayed {
  readonly mark: string | null;
  readonly original: Exchange;
  readonly replay: Exchange;
}

/**
 * Replays the oldest keys that this ground remembers. Few payments may be made, and where keys are forgotten every further send makes one:
 * then the oldest key is replayed before those sends as well.
 */
export function lateExperiments(ground: Ground): readonly Conversation[] {
  const last = lateExperiment(ground, { rank: 49, keys: KEYS });
  const isScarce = ground.pays && ground.shares && ground.world.isBrief !== true;
  return isScarce ? [lateExperiment(ground, { rank: 39, keys: 1 }), last] : [last];
}

interface Turn {
  readonly rank: number;
  /** How many keys are replayed. */
  readonly keys: number;
}

function lateExperiment(ground: Ground, { rank, keys }: Turn): Conversation {
  const { service, key } = ground.reached.operation;
  return {
    probe: PROBE,
    stage: 'quiet',
    rank,
    clauses: ground.isOnce ? ['IDEM-01', 'IDEM-02', 'IDEM-05', 'IDEM-07'] : ['IDEM-01', 'IDEM-02', 'IDEM-07'],
    service,
    operation: key,
    cost: keys + LOOKS,
    // What is shared was made before.
    ...(ground.shares ? { leaves: 0 } : {}),
    repeatable: false,
    converse: (send) => collected((outcomes) => replayAll(ground, keys, send, outcomes)),
  };
}

async function replayAll(ground: Ground, keys: number, send: Send, outcomes: Outcome[]): Promise<void> {
  const { service, key: operation } = ground.reached.operation;
  const on = { service, operation };
  const originals = ground.originals.slice(0, keys);
  const restMs = ground.world.restMs ?? REST_MS - restedMs(originals, ground.world.timing.now());
  if (restMs > 0) await ground.pause(restMs);
  const before = await lookFor(
    ground,
    send,
    originals.map(({ keyed }) => keyed.mark),
  );
  const replays: Replayed[] = [];
  let isKnown = false;
  for (const { keyed, answer: original, at } of originals) {
    const between = ground.calls - at;
    const replay = await ground.send(send, keyed);
    replays.push({ mark: keyed.mark, original, replay });
    const seconds = Math.round((replay.sentAt - original.sentAt) / 1000);
    const when = `a replay after ${between} other calls and ${seconds} s`;
    const judged = judgeReplay(original, replay, when);
    outcomes.push(outcome('IDEM-01', on, judged, [original, replay]));
    if (ground.isOnce) outcomes.push(outcome('IDEM-05', on, judgePaidOnce(original, replay, when), [original, replay]));
    if (judged.kind !== 'holds') continue;
    // The oldest comes first: it tells most.
    if (!isKnown) outcomes.push(outcome('IDEM-07', on, observeLifetime(between, seconds), [original, replay]));
    isKnown = true;
  }
  if (ground.creates) outcomes.push(...(await effects(ground, send, replays, before?.shown ?? null)));
}

/** IDEM-02: the replays added nothing. `before`: what the list showed of each key before them. */
async function effects(
  ground: Ground,
  send: Send,
  replays: readonly Replayed[],
  before: readonly Shown[] | null,
): Promise<readonly Outcome[]> {
  const { service, key: operation } = ground.reached.operation;
  const look = async () =>
    before === null
      ? null
      : lookFor(
          ground,
          send,
          replays.map(({ mark }) => mark),
        );
  const grownBy = (looked: Awaited<ReturnType<typeof look>>): readonly Shown[] =>
    replays.map((_, index) => grown(before?.[index] ?? null, looked?.shown[index] ?? null));
  let after = await look();
  if (grownBy(after).some((ids) => (ids?.length ?? 0) > 1)) {
    await ground.pause(SECOND_LOOK_MS);
    after = await look();
  }
  const shown = grownBy(after);
  return replays.map(({ original, replay }, index) => {
    const judged = judgeOneEffect(2, [original, replay], shown[index] ?? null);
    return outcome('IDEM-02', { service, operation }, judged, [original, replay, ...(after?.pages.slice(-1) ?? [])]);
  });
}

/** How long ago the youngest of the keys was first sent, ms. */
function restedMs(originals: readonly Original[], nowMs: number): number {
  return nowMs - Math.max(0, ...originals.map(({ answer }) => answer.sentAt));
}

/** One effect that was there, whatever else was blamed for more, and what the replay added; null where nothing can be told. */
function grown(before: Shown, after: Shown): Shown {
  if (before === null || after === null) return null;
  return [...before.slice(0, 1), ...after.filter((id) => !before.includes(id))];
}
