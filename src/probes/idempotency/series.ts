// IDEM-01 to -05 and -08 by series of sends: replays, sends at once, calls in between, another body, and whatever fast-check mixes of them.

import * as fc from 'fast-check';
import { cannotTell } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { jsonText } from '../../exchange/body.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { succeeded } from '../../facts/answered.ts';
import { isValid } from '../../generate/bodies.ts';
import type { Conversation } from '../probe.ts';
import { callOthers, canTouch, touch } from './between.ts';
import type { Keyed, KeyedOperation } from './keyed-operation.ts';
import { keyParameter, LONGEST_KEY, lettersOf } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';
import { tryLaw } from './property.ts';

/** A command of a series, as fast-check draws and shrinks it. Keys of a series are numbered; each has a body of its own. */
type Step =
  | { readonly act: 'send'; readonly key: number }
  /** The key so many times at once, each `apartMs` after the one before. */
  | { readonly act: 'together'; readonly key: number; readonly times: number; readonly apartMs: number }
  /** A number of calls of other kinds: other keys, reads, other changes. */
  | { readonly act: 'others'; readonly calls: number }
  /** The effect of the key's first send is changed, or deleted. */
  | { readonly act: 'change'; readonly key: number }
  | { readonly act: 'remove'; readonly key: number };

type Script = readonly Step[];

const send = (key = 0): Step => ({ act: 'send', key });
const together = (times: number, apartMs = 0): Step => ({ act: 'together', key: 0, times, apartMs });
const others = (calls: number): Step => ({ act: 'others', calls });

const KEYS = 3;
const MAX_APART_MS = 4;
const APART_MS = 3;

function onKey<A extends Step['act']>(act: A) {
  return fc.record({ act: fc.constant(act), key: fc.nat(KEYS - 1) });
}

/** Sends, bursts of at most so many, and at most so many calls of others. */
function stepsOf(maxTogether: number, maxOthers: number) {
  const apartMs = fc.integer({ min: 0, max: MAX_APART_MS });
  const times = fc.integer({ min: 2, max: maxTogether });
  const key = fc.nat(KEYS - 1);
  return [
    { weight: 4, arbitrary: onKey('send') },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('together' as const), key, times, apartMs }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('others' as const), calls: fc.nat(maxOthers) }) },
  ];
}

/** Any series within the bounds: given ones may go to these. */
const SCRIPTS: fc.Arbitrary<Step[]> = fc.array(fc.oneof(...stepsOf(16, 60), onKey('change'), onKey('remove')), {
  maxLength: 40,
});
/** Those that are drawn. */
const SHORT_SCRIPTS: fc.Arbitrary<Step[]> = fc.array(fc.oneof(...stepsOf(3, 3)), { minLength: 4, maxLength: 8 });
/** Requests that a drawn one takes. */
const COST_OF_DRAWN = 8;

interface Kind extends Pick<Conversation, 'stage' | 'rank' | 'clauses'> {
  readonly name: string;
  readonly given: readonly Script[];
  /** Number of `given`, from the first on, that are tried within a budget. Absent: all. A finding names its case by its place. */
  readonly brief?: number;
  /** Set: between two sends it changes or deletes what they made. */
  readonly touches?: true;
  /** In place of `given` where keys are shared; absent: the same. */
  readonly shared?: readonly Script[];
  /** How many are drawn. Absent: none. */
  readonly drawn?: number;
}

const ONE_AFTER_ANOTHER = ['IDEM-01', 'IDEM-02', 'IDEM-04', 'IDEM-05'];
const AT_ONCE = ['IDEM-03', 'IDEM-05'];

const times = (count: number): Script => Array.from({ length: count }, () => send());

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
      [together(2, APART_MS)],
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
      [send(), { act: 'change', key: 0 }, send()],
      [send(), { act: 'remove', key: 0 }, send()],
    ],
    shared: [[send(), { act: 'change', key: 0 }, send()]],
  },
  {
    name: 'mixed',
    stage: 'quiet',
    rank: 44,
    clauses: [...new Set([...ONE_AFTER_ANOTHER, ...AT_ONCE])],
    given: [],
    drawn: 3,
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
  const kinds = KINDS.filter(({ touches }) => touches !== true || canTouch(on));
  return kinds.flatMap((kind) => seriesExperiment(on, kind) ?? []);
}

function seriesExperiment(
  on: KeyedOperation,
  { name, given: whole, brief, shared = on.shares ? whole : [], touches, drawn = 0, ...about }: Kind,
): Conversation | null {
  const given = on.declared({ whole, brief: whole.slice(0, brief), shared });
  if (given.length + drawn === 0) return null;
  const probe = `idempotency/${name}`;
  const cost = given.reduce((total, script) => total + costOf(script), drawn * COST_OF_DRAWN);
  const companions = touches === true ? ({ companions: 'item' } as const) : {};
  return keyExperiment(on, { ...about, ...companions, probe, cost, ...on.leaving }, async (lab, letGo) => {
    const cases = drawn === 0 ? SCRIPTS : SHORT_SCRIPTS;
    const run = (one: KeyLab, script: Script): Promise<void> => play(one, script).finally(letGo);
    await tryLaw(lab, { cases, given: given.map((script) => [...script]), drawn, run, inWords });
  });
}

/** Requests of a series, the look at the list included. */
function costOf(script: Script): number {
  const requests = script.map((step) =>
    step.act === 'others' ? step.calls : step.act === 'together' ? step.times : 1,
  );
  return requests.reduce((total, count) => total + count, 1);
}

/** The series in words: "send A, 12 other calls, send A". */
function inWords(script: Script): string {
  const steps = script.map((step) => {
    if (step.act === 'others') return plural(step.calls, 'other call');
    const name = String.fromCharCode(65 + step.key);
    if (step.act === 'send') return `send ${name}`;
    if (step.act !== 'together') return `${step.act} what ${name} made`;
    return `send ${name} ${step.times} times at once${step.apartMs === 0 ? '' : `, ${step.apartMs} ms apart`}`;
  });
  return steps.join(', ');
}

/** Plays the series, without the steps before its first send and after its last. */
async function play(lab: KeyLab, script: Script): Promise<void> {
  const keys = new Map<number, Keyed>();
  const isSend = ({ act }: Step): boolean => act === 'send' || act === 'together';
  for (const step of script.slice(script.findIndex(isSend), script.findLastIndex(isSend) + 1))
    await take(lab, step, keys);
  await lab.end([...keys.values()]);
}

async function take(lab: KeyLab, step: Step, keys: Map<number, Keyed>): Promise<void> {
  if (step.act === 'others') return callOthers(lab, step.calls);
  const begun = keys.get(step.key);
  if (step.act === 'change' || step.act === 'remove') return begun && touch(lab, begun.history, step.act);
  const known = begun ?? lab.on.shared(step.key);
  // A key that was sent long ago is sent once more before it is sent at once: a key that is forgotten shows by itself.
  if (known !== null && (begun === undefined || step.act === 'send')) await lab.send(known);
  const keyed = known ?? (step.act === 'send' ? await lab.first() : lab.on.fresh(lab.probe, undefined, 'experiment'));
  keys.set(step.key, keyed);
  if (step.act === 'together') await lab.together(keyed, step.times, step.apartMs);
  if (known === null && keyed.history.original !== null) lab.on.remember(keyed);
}

// Where little may be made, one new key stands for many. Its body is that of an earlier request (IDEM-04), it is sent several
// times at once (IDEM-03, -05), and it is long, so that a key near to it can be tried when all else has been (near-keys.ts).

const BURST_PROBE = 'idempotency/together';
/** Should the target execute each of them, that is what it makes. */
const BURST_TIMES = 3;
/** Longer than what keys are cut to, and, where that is refused, than what they are usually cut to. */
const LONG_KEYS = [LONGEST_KEY, 80];

/** The experiment where keys are shared. A target may refuse a long key, or an equal body: what is refused makes nothing, and the next is tried. */
export function sparingExperiment(on: KeyedOperation): Conversation {
  const clauses = ['IDEM-01', 'IDEM-03', 'IDEM-04', 'IDEM-05'];
  const about = { probe: BURST_PROBE, stage: 'lean', rank: 86, clauses, cost: BURST_TIMES + 1 } as const;
  return keyExperiment(on, about, async (lab) => {
    for (const keyed of burstKeys(on)) {
      lab.outcomes.length = 0;
      await lab.together(keyed, BURST_TIMES);
      if (keyed.history.original === null) continue;
      on.remember(keyed);
      // Once more: what its first sends show.
      await lab.send(keyed);
      return lab.end([keyed]);
    }
  });
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

// IDEM-08: a key that was answered is sent with another body, what a list then shows of that body, and the body under a key of its own.

/** A first send, the same key again, a look at the list, and the other body under a key of its own. */
const REUSE_COST = 4;

/** The experiment; null where the contract does not say how such a request is refused. */
export function otherBodyExperiment(on: KeyedOperation): Conversation | null {
  if (on.world.terms.idempotency?.otherBody == null) return null;
  const about = { probe: 'idempotency/other-body', stage: 'lean', rank: 87, clauses: ['IDEM-08'] } as const;
  return keyExperiment(on, { ...about, cost: REUSE_COST, ...on.leaving }, reuse);
}

async function reuse(lab: KeyLab): Promise<void> {
  const { on, probe } = lab;
  const { operation } = on.reached;
  const shared = on.shared(0);
  const keyed = shared ?? (await lab.first());
  const { history } = keyed;
  if (shared === null && history.original !== null) on.remember(keyed);
  const other = on.fresh(probe, keyIn(keyed.plan.headers, operation.keyHeader));
  if (jsonText(other.plan.body) === jsonText(keyed.plan.body))
    return lab.tell('IDEM-08', cannotTell('precondition', 'no other body could be made'), []);
  const reused = await lab.reuse(other);
  if (succeeded(reused)) return lab.note(history, 'reused', [reused]);
  const looked = await lab.list.shown([keyed, other]);
  // Where little may be made, the original shows that bodies are accepted.
  const own = on.rekeyed(other, on.keyFor(`${operation.key} control ${on.history.calls}`));
  const control = (on.shares ? history.original : null) ?? (await lab.send(own));
  lab.note(history, 'reused', [reused, control, ...(looked?.pages.slice(-1) ?? [])], looked?.ids[1]);
}
