// IDEM-01 to -05 by series of sends: replays, sends at once, calls in between, and whatever fast-check mixes of them.
import type * as fc from 'fast-check';
import { isValid } from '../../generate/bodies.ts';
import type { Conversation, Outcome, Stage } from '../probe.ts';
import { callOthers, canTouch, touch } from './between.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { keyParameter, LONGEST_KEY, lettersOf } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';
import { tryLaw } from './property.ts';
import {
  change,
  inWords,
  others,
  remove,
  type Script,
  type Step,
  scripts,
  send,
  shortScripts,
  together,
} from './script.ts';

interface Kind {
  readonly name: string;
  readonly stage: Stage;
  readonly rank: number;
  readonly clauses: readonly string[];
  readonly given: readonly Script[];
  /** Number of `given`, from the first on, that are tried within a budget. Absent: all. A finding names its case by its place. */
  readonly brief?: number;
  /** Set: between two sends it changes or deletes what they made. */
  readonly touches?: true;
  /** In place of `given` where keys are shared; absent: the same. Empty, and nothing drawn: none. */
  readonly shared?: readonly Script[];
  readonly drawn?: { readonly cases: fc.Arbitrary<Step[]>; readonly runs: number; readonly costEach: number };
}

const ONE_AFTER_ANOTHER = ['IDEM-01', 'IDEM-02', 'IDEM-04', 'IDEM-05'];
const AT_ONCE = ['IDEM-03', 'IDEM-05'];
const APART_MS = 3;

const times = (count: number): readonly Step[] => Array.from({ length: count }, () => send());

const KINDS: readonly Kind[] = [
  {
    name: 'replays',
    stage: 'lean',
    rank: 85,
    clauses: ONE_AFTER_ANOTHER,
    given: [[send(0), send(0), send(1), send(0)]],
  },
  // Where keys are shared a burst under a new one is an experiment of its own.
  { name: 'together', stage: 'lean', rank: 86, clauses: AT_ONCE, given: [[together(3), send()]], shared: [] },
  {
    name: 'many-together',
    stage: 'quiet',
    rank: 40,
    clauses: AT_ONCE,
    // Many at once show most of what fewer do.
    given: [
      [together(16), send()],
      [together(2, 0, APART_MS)],
      [together(2), send()],
      [together(2)],
      [together(5), send()],
      [together(8)],
    ],
    brief: 2,
    shared: [[together(5), send()]],
  },
  {
    name: 'many-replays',
    stage: 'quiet',
    rank: 41,
    clauses: ONE_AFTER_ANOTHER,
    given: [[send(0), send(1), send(2), ...times(6), send(2), send(1), send(0)]],
  },
  {
    name: 'touched',
    stage: 'quiet',
    rank: 42,
    clauses: ONE_AFTER_ANOTHER,
    touches: true,
    given: [
      [send(), change(), send()],
      [send(), remove(), send()],
    ],
    shared: [[send(), change(), send()]],
  },
  {
    name: 'mixed',
    stage: 'quiet',
    rank: 44,
    clauses: [...new Set([...ONE_AFTER_ANOTHER, ...AT_ONCE])],
    given: [],
    drawn: { cases: shortScripts, runs: 3, costEach: 8 },
  },
  {
    name: 'calls-between',
    stage: 'quiet',
    rank: 45,
    clauses: ONE_AFTER_ANOTHER,
    // The first keys of the run are sent once more after as many calls of others.
    given: [
      [send(), others(1), send(), others(5), send()],
      [send(), others(60), send()],
    ],
  },
];

/** Every series on the operation, in the order they should come. */
export function seriesExperiments(on: KeyedOperation): readonly Conversation[] {
  return KINDS.filter(({ touches }) => touches !== true || canTouch(on))
    .map(({ brief, shared, ...kind }) => {
      const amounts = { whole: kind.given, brief: kind.given.slice(0, brief) };
      return { ...kind, given: on.declared(shared === undefined ? amounts : { ...amounts, shared }) };
    })
    .filter(({ given, drawn }) => given.length > 0 || drawn !== undefined)
    .map((kind) => seriesExperiment(on, kind));
}

function seriesExperiment(on: KeyedOperation, kind: Omit<Kind, 'shared' | 'brief'>): Conversation {
  const { name, stage, rank, clauses, touches, given, drawn } = kind;
  const probe = `idempotency/${name}`;
  const cost = given.reduce((total, script) => total + costOf(script), 0) + (drawn?.runs ?? 0) * (drawn?.costEach ?? 0);
  const companions = touches === true ? 'item' : 'keyed';
  return keyExperiment(on, { probe, companions, stage, rank, clauses, cost, ...on.leaving }, async (lab, letGo) => {
    const cases = {
      cases: drawn?.cases ?? scripts,
      given: given.map((script) => [...script]),
      drawn: drawn?.runs ?? 0,
    };
    const run = (script: Script): ReturnType<typeof play> => play(lab.anew(), script).finally(letGo);
    lab.outcomes.push(...(await tryLaw(on, { probe, ...cases, run, inWords })));
  });
}

/** Requests of a series, the look at the list included. */
function costOf(script: Script): number {
  const requests = script.map((step) =>
    step.act === 'others' ? step.calls : step.act === 'together' ? step.times : 1,
  );
  return requests.reduce((total, count) => total + count, 1);
}

/** Plays the series, without the steps before its first send and after its last. */
function play(lab: KeyLab, script: Script): Promise<readonly Outcome[]> {
  const keys = new Map<number, Keyed>();
  const isSend = ({ act }: Step): boolean => act === 'send' || act === 'together';
  return lab.seenIn(async () => {
    for (const step of script.slice(script.findIndex(isSend), script.findLastIndex(isSend) + 1))
      await take(lab, step, keys);
    await lab.end([...keys.values()]);
  });
}

async function take(lab: KeyLab, step: Step, keys: Map<number, Keyed>): Promise<void> {
  if (step.act === 'others') return callOthers(lab, step.calls);
  const known = keys.get(step.key);
  if (step.act === 'change' || step.act === 'remove') return known && touch(lab, known.history, step.act);
  const shared = known === undefined ? lab.on.shared(step.key) : null;
  const isFirst = known === undefined && shared === null;
  // A key that was sent long ago is sent once more before it is sent at once: a key that is forgotten shows by itself.
  if (shared !== null || (known !== undefined && step.act === 'send'))
    await lab.send(known ?? shared ?? lab.on.fresh(lab.probe));
  const keyed =
    known ?? shared ?? (step.act === 'send' ? await lab.first() : lab.on.fresh(lab.probe, undefined, 'experiment'));
  keys.set(step.key, keyed);
  if (step.act === 'together') await lab.together(keyed, step.times, step.apartMs);
  if (isFirst && keyed.history.original !== null) lab.on.remember(keyed);
}

/** The key so many times at once, and once more: what its first sends show. */
async function playBurst(lab: KeyLab, keyed: Keyed, times: number): Promise<void> {
  await lab.together(keyed, times);
  if (keyed.history.original === null) return;
  lab.on.remember(keyed);
  await lab.send(keyed);
  await lab.end([keyed]);
}

// Where little may be made, one new key stands for many. Its body is that of an earlier request (IDEM-04), it is sent several
// times at once (IDEM-03, -05), and it is long, so that a key near to it can be tried when all else has been (near-keys.ts).

const BURST_PROBE = 'idempotency/together';
/** Should the target execute each of them, that is what it makes. */
const BURST_TIMES = 3;
/** Longer than what keys are cut to, and, where that is refused, than what they are usually cut to. */
const LONG_KEYS = [LONGEST_KEY, 80];

/** The experiment where keys are shared. */
export function sparingExperiment(on: KeyedOperation): Conversation {
  const clauses = ['IDEM-01', 'IDEM-03', 'IDEM-04', 'IDEM-05'];
  const about = { probe: BURST_PROBE, stage: 'lean', rank: 86, clauses, cost: BURST_TIMES + 1 } as const;
  return keyExperiment(on, about, async (lab) => {
    lab.outcomes.push(...(await burst(lab)));
  });
}

/** A target may refuse a long key, or an equal body: what is refused makes nothing, and the next is tried. */
async function burst(lab: KeyLab): Promise<KeyLab['outcomes']> {
  let one = lab;
  for (const keyed of burstKeys(lab.on)) {
    one = lab.anew();
    await playBurst(one, keyed, BURST_TIMES);
    if (keyed.history.original !== null) break;
  }
  return one.outcomes;
}

function* burstKeys(on: KeyedOperation): Generator<Keyed> {
  const { world, reached, originals } = on;
  const [original] = originals;
  if (original !== undefined) {
    const label = `${world.nonce} ${reached.operation.key} shared`;
    const schema = keyParameter(reached.operation)?.schema ?? null;
    const long = LONG_KEYS.map((length) => lettersOf(label, length));
    for (const key of long.filter((one) => isValid(reached.description, schema, one))) yield on.rekeyed(original, key);
    yield on.rekeyed(original, on.keyFor(label));
  }
  yield on.fresh(BURST_PROBE);
}
