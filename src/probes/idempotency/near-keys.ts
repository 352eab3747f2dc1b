// IDEM-04: keys that differ in one character, or in the case of one letter, are different keys, whatever they look like.

import * as fc from 'fast-check';
import { judgeRefused } from '../../checks/idem/idem-04-separate.ts';
import { cannotTell } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { succeeded } from '../../facts/answered.ts';
import { isOfFormat } from '../../openapi/schema/formats.ts';
import type { Conversation } from '../probe.ts';
import type { KeyedOperation } from './keyed-operation.ts';
import { admitsKey, changedAt, LONGEST_KEY, lettersOf, uuidOf } from './keys.ts';
import { type KeyLab, keyExperiment } from './lab.ts';
import { tryLaw } from './property.ts';

const PROBE = 'idempotency/near-keys';
const SHORTEST_KEY = 20;
/** The number of given pairs that are tried where few are. */
const FEW_PAIRS = 2;

/** A key and where another departs from it. */
interface Nearness {
  /**
   * Letters; digits, which a target may take for a number; a dash among letters, which it may leave out; or the form of a
   * UUID (of 36 characters) where it may ask for one.
   */
  readonly form: 'letters' | 'digits' | 'dash' | 'uuid';
  readonly length: number;
  readonly at: number;
  /** dashes: the other key has none, as a target keeps UUIDs that cuts them down to their digits. */
  readonly how: 'character' | 'case' | 'dashes';
}

const nearnesses: fc.Arbitrary<Nearness> = fc.record({
  form: fc.constantFrom('letters' as const, 'digits' as const, 'dash' as const, 'uuid' as const),
  length: fc.integer({ min: SHORTEST_KEY, max: LONGEST_KEY }),
  at: fc.nat(LONGEST_KEY - 1),
  how: fc.constantFrom('character' as const, 'case' as const),
});

const letters = (length: number, at: number, how: Nearness['how'] = 'character'): Nearness => ({
  form: 'letters',
  length,
  at,
  how,
});

/**
 * Pairs of keys, those first that show most: whoever tells keys apart by fewer characters than 80 shows at the first of
 * these, whatever the number.
 */
const GIVEN: readonly Nearness[] = [
  letters(80, 79),
  letters(40, 5, 'case'),
  letters(40, 0),
  { form: 'digits', length: 30, at: 29, how: 'character' },
  { form: 'uuid', length: 36, at: 8, how: 'dashes' },
  letters(40, 39),
  letters(80, 40),
  letters(255, 254),
  { form: 'uuid', length: 36, at: 35, how: 'character' },
  { form: 'dash', length: 40, at: 20, how: 'character' },
];
/** Beside the longest key that there is: what shows most comes first. */
const SHARED: readonly Nearness[] = [letters(LONGEST_KEY, LONGEST_KEY - 1), letters(80, 5, 'case'), letters(80, 0)];
/** The given pairs keep their places: a finding names its case by that. Where keys are shared, one of each pair was sent before. */
const AMOUNTS = {
  whole: { given: GIVEN, drawn: 2, keys: 2, stage: 'quiet' },
  brief: { given: GIVEN.slice(0, 5), drawn: 0, keys: 2, stage: 'quiet' },
  // The object that this makes is the last that may be made.
  shared: { given: SHARED, drawn: 0, keys: 1, stage: 'last' },
} as const;

/** The experiment; null where a send makes nothing of its own. */
export function nearKeyExperiment(on: KeyedOperation): Conversation | null {
  if (!on.creates) return null;
  const { reached, world } = on;
  const { given, drawn, keys, stage } = on.declared<(typeof AMOUNTS)[keyof typeof AMOUNTS]>(AMOUNTS);
  const cost = keys * (given.length + drawn);
  const about = { probe: PROBE, stage, rank: 42, clauses: ['IDEM-04'], cost, ...on.leaving } as const;
  let turn = 0;
  return keyExperiment(on, about, async (lab) => {
    const run = (one: KeyLab, nearness: Nearness): Promise<void> => {
      turn += 1;
      return tryPair(one, nearness, `${world.nonce} ${reached.operation.key} near ${turn}`);
    };
    await tryLaw(lab, { cases: nearnesses, given, drawn, inWords, run });
  });
}

function inWords({ form, length, at, how }: Nearness): string {
  const kind = { letters: 'characters', digits: 'digits', dash: 'characters', uuid: '' }[form];
  const size = form === 'uuid' ? 'UUIDs' : `keys of ${length} ${kind}`;
  if (how === 'dashes') return `a key of ${plural(length, 'character')} with dashes, and one without`;
  const place = Math.min(at, (form === 'uuid' ? 36 : length) - 1) + 1;
  return `two ${size} that differ in ${how === 'case' ? 'the case of ' : ''}character ${place}`;
}

async function tryPair(lab: KeyLab, nearness: Nearness, label: string): Promise<void> {
  const pair = await sendPair(lab, nearness, label);
  if (pair === null) lab.tell('IDEM-04', cannotTell('precondition', 'the description does not admit such a key'), []);
  else if (succeeded(pair.one) && !succeeded(pair.near) && pair.isDistinct)
    await lookAgain(lab, nearness, label, pair.one);
}

/** A refusal counts only where a second pair is refused, too, and a key unlike any other is accepted, which may make the last that may be made. */
async function lookAgain(lab: KeyLab, nearness: Nearness, label: string, one: Exchange): Promise<void> {
  const again = await sendPair(lab, nearness, `${label} again`);
  if (again === null || !succeeded(again.one) || succeeded(again.near)) return;
  const control = await lab.send(lab.on.fresh(PROBE, keyFor(nearness, `${label} control`)));
  if (succeeded(control)) lab.tell('IDEM-04', judgeRefused(again.near, `key-${nearness.how}`), [one, again.near]);
}

/** One send under a key, one under its near neighbour; null where the description admits no such keys. */
async function sendPair(
  lab: KeyLab,
  nearness: Nearness,
  label: string,
): Promise<{ readonly one: Exchange; readonly near: Exchange; readonly isDistinct: boolean } | null> {
  const { on } = lab;
  const shared = on.shares ? longest(on) : null;
  const pair = pairOf(on, nearness, label, shared?.key);
  if (pair === null) return null;
  const [key, other] = pair;
  const one = shared?.answer ?? (await lab.send(on.fresh(PROBE, key)));
  const keyed = on.fresh(PROBE, other);
  return { one, near: succeeded(one) ? await lab.send(keyed) : one, isDistinct: keyed.distinct };
}

/** Both keys, the first of them given or made; null where the description admits no such ones. */
function pairOf(
  { reached }: KeyedOperation,
  nearness: Nearness,
  label: string,
  given?: string,
): readonly [string, string] | null {
  const key = given ?? keyFor(nearness, label);
  const other = neighbour(key, nearness, { isSecond: given !== undefined && label.endsWith(' again') });
  return key === other || !admitsKey(reached, key) || !admitsKey(reached, other) ? null : [key, other];
}

/** A few pairs of keys, the first of those that the description admits. */
export function nearKeysOf(on: KeyedOperation, label: string): readonly (readonly [string, string])[] {
  const pairs = GIVEN.map((nearness, index) => pairOf(on, nearness, `${label} ${index}`));
  return pairs.filter((pair) => pair !== null).slice(0, FEW_PAIRS);
}

/** The longest key that has an original, without the quotes in which it was sent. */
function longest({ originals, reached }: KeyedOperation): { readonly key: string; readonly answer: Exchange } | null {
  const keys = originals.flatMap(({ plan, history: { original: answer } }) => {
    const key = keyIn(plan.headers, reached.operation.keyHeader)?.replace(/^"(.*)"$/, '$1');
    return answer === null || key === undefined ? [] : [{ key, answer }];
  });
  return keys.toSorted((left, right) => right.key.length - left.key.length)[0] ?? null;
}

function keyFor({ form, length, at }: Nearness, label: string): string {
  if (form === 'uuid') return uuidOf(label);
  const letters = lettersOf(label, length);
  if (form === 'letters') return letters;
  // The first digit is none that a number may lose.
  if (form === 'digits') return `7${letters.replaceAll(/./g, (letter) => String(letter.charCodeAt(0) % 10)).slice(1)}`;
  const index = Math.min(at, length - 1);
  return `${letters.slice(0, index)}-${letters.slice(index + 1)}`;
}

/**
 * A key near to it, for the second one the place before is another. The same key where it has none: UUIDs stay UUIDs (version, variant and dashes
 * are left alone), and digits have no case.
 */
function neighbour(key: string, { at, how }: Nearness, { isSecond }: { readonly isSecond: boolean }): string {
  if (how === 'dashes') return key.replaceAll('-', '');
  const index = Math.min(at, key.length - 1);
  const place = isSecond ? Math.abs(index - 1) : index;
  const isFixed = isOfFormat('uuid', key) && (how === 'case' || place === 14 || place === 19 || key[place] === '-');
  return isFixed ? key : changedAt(key, place, how);
}
