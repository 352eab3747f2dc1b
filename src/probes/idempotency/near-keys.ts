// IDEM-04: keys that differ in one character, or in the case of one letter, are different keys, whatever they look like.
import * as fc from 'fast-check';
import { judgeRefusedKey, judgeSeparate, type KeyDifference } from '../../checks/idem/effects.ts';
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isValid } from '../../generate/bodies.ts';
import { outcome } from '../experiment.ts';
import type { Conversation, Outcome, Send } from '../probe.ts';
import { type Ground, type Keyed, succeeded } from './ground.ts';
import { changedAt, keyParameter, LONGEST_KEY, lettersOf, uuidOf } from './keys.ts';
import { tryLaw } from './property.ts';

const PROBE = 'idempotency/near-keys';
const SHORTEST_KEY = 20;
const DRAWN = 2;

/** A key and where another departs from it. */
interface Nearness {
  /**
   * Letters; digits, which a target may take for a number; a dash among letters, which it may leave out; or the form of a
   * UUID (of 36 characters) where it may ask for one.
   */
  readonly form: 'letters' | 'digits' | 'dash' | 'uuid';
  readonly length: number;
  readonly at: number;
  readonly how: 'character' | 'case';
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

const GIVEN: readonly Nearness[] = [
  letters(40, 5, 'case'),
  letters(40, 39),
  letters(40, 0),
  letters(80, 40),
  letters(80, 79),
  letters(255, 254),
  { form: 'uuid', length: 36, at: 35, how: 'character' },
  { form: 'digits', length: 30, at: 29, how: 'character' },
  { form: 'dash', length: 40, at: 20, how: 'character' },
];

/** The experiment; null where a send makes nothing of its own. */
export function nearKeyExperiment(ground: Ground): Conversation | null {
  if (!ground.creates) return null;
  const { service, key } = ground.reached.operation;
  let turn = 0;
  return {
    probe: PROBE,
    stage: 'quiet',
    rank: 42,
    clauses: ['IDEM-04'],
    service,
    operation: key,
    cost: (GIVEN.length + DRAWN) * 2,
    repeatable: false,
    converse: (send) =>
      tryLaw(ground, {
        probe: PROBE,
        cases: nearnesses,
        given: GIVEN,
        drawn: DRAWN,
        run: (nearness) => {
          turn += 1;
          return tryPair(ground, send, nearness, turn);
        },
        inWords,
      }),
  };
}

function inWords({ form, length, at, how }: Nearness): string {
  const kind = { letters: 'characters', digits: 'digits', dash: 'characters', uuid: '' }[form];
  const size = form === 'uuid' ? 'UUIDs' : `keys of ${length} ${kind}`;
  const place = Math.min(at, (form === 'uuid' ? 36 : length) - 1) + 1;
  return `two ${size} that differ in ${how === 'case' ? 'the case of ' : ''}character ${place}`;
}

async function tryPair(ground: Ground, send: Send, nearness: Nearness, turn: number): Promise<readonly Outcome[]> {
  const label = `${ground.world.nonce} ${ground.reached.operation.key} near ${turn}`;
  const first = await trySend(ground, send, nearness, label);
  if (first === null) return told(ground, cannotTell('precondition', 'the description does not admit such a key'), []);
  const { one, near } = first;
  if (!succeeded(one)) return told(ground, unsent(one), [one]);
  const owner = ground.claim(near.answer);
  const how = nearness.how === 'case' ? 'key-case' : 'key-character';
  if (succeeded(near.answer)) {
    const judged = judgeSeparate(owner, near.answer, ground.identity(near.answer), how);
    return told(ground, judged, [one, near.answer]);
  }
  return told(ground, await lookAgain(ground, send, nearness, label, near, how), [one, near.answer]);
}

/** A refusal counts only where a key unlike any other is accepted, and where a second pair is refused, too. */
async function lookAgain(
  ground: Ground,
  send: Send,
  nearness: Nearness,
  label: string,
  near: { readonly keyed: Keyed; readonly answer: Exchange },
  how: KeyDifference,
): Promise<Judgement> {
  if (!near.keyed.distinct) return unsent(near.answer);
  const control = await ground.send(send, ground.fresh(PROBE, keyFor(nearness, `${label} control`)));
  ground.claim(control);
  const again = succeeded(control) ? await trySend(ground, send, nearness, `${label} again`) : null;
  if (again === null || !succeeded(again.one) || succeeded(again.near.answer)) return unsent(near.answer);
  return judgeRefusedKey(again.near.answer, how);
}

/** One send under a key, one under its near neighbour; null where the description admits no such keys. */
async function trySend(
  ground: Ground,
  send: Send,
  nearness: Nearness,
  label: string,
): Promise<{ readonly one: Exchange; readonly near: { readonly keyed: Keyed; readonly answer: Exchange } } | null> {
  const key = keyFor(nearness, label);
  const other = neighbour(key, nearness);
  if (key === other || !admitted(ground, key) || !admitted(ground, other)) return null;
  const one = await ground.send(send, ground.fresh(PROBE, key));
  ground.claim(one);
  const keyed = ground.fresh(PROBE, other);
  return { one, near: { keyed, answer: succeeded(one) ? await ground.send(send, keyed) : one } };
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

/** The same key where it has none: UUIDs stay UUIDs (version, variant and dashes are left alone), and digits have no case. */
function neighbour(key: string, { form, at, how }: Nearness): string {
  if (form === 'letters') return changedAt(key, at, how);
  const index = Math.min(at, key.length - 1);
  const fixed = form === 'uuid' && (index === 14 || index === 19 || key[index] === '-');
  return how === 'case' || fixed ? key : changedAt(key, index, 'character');
}

function admitted({ reached }: Ground, key: string): boolean {
  const schema = keyParameter(reached.operation)?.schema ?? null;
  return isValid(reached.description, schema, key);
}

function unsent(answer: Exchange): Judgement {
  return cannotTell('precondition', `a new key was answered ${answer.response?.status ?? 'not at all'}`);
}

function told(ground: Ground, judgement: Judgement, evidence: readonly Exchange[]): readonly Outcome[] {
  const { service, key } = ground.reached.operation;
  return [outcome('IDEM-04', { service, operation: key }, judgement, evidence)];
}
