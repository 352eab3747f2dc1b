// IDEM-04 (must): Different keys (and no key) → separate effects. Tolerance: A 409 for a duplicate of an equal body is
//   no breach; answering with the first resource is.
import { codeOf } from '../../contract/code.ts';
import { breached, cannotTell, holds, type Judgement, resting, wrong } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { KeyHistory } from '../../facts/key-history.ts';
import { answerOf, spoken } from '../answer.ts';
import { isUnclear } from './idem-03-together.ts';
import type { KeyLaw } from './law.ts';

/** How a send differs from an earlier one, by its part of a code, and in words. */
const DIFFERENCES = {
  'other-key': 'another key',
  'no-key': 'no key',
  'no-key-equal-body': 'no key and an equal body',
  'other-key-equal-body': 'another key and an equal body',
  'key-case': 'a key that differs in case',
  'key-character': 'a key that differs in one character',
  'key-dashes': 'a key that differs in its dashes',
  'other-key-at-once': 'another key at the same time',
} as const;

type KeyDifference = keyof typeof DIFFERENCES;

/** The first success of a key has an effect of its own. */
export const separateEffects: KeyLaw = {
  clause: 'IDEM-04',
  needs: { now: ['sent', 'together'] },
  judge(history, { exchanges }) {
    const { original, owner, identity, among } = history;
    const [answer] = exchanges;
    if (!among.creates || answer === undefined || isUnclear(history)) return null;
    const untold = `answered ${answer.response?.status ?? 'not at all'}: no second effect to compare`;
    if (original === null) return { judgement: cannotTell('precondition', untold), evidence: [answer] };
    if (!exchanges.includes(original)) return null;
    const evidence = owner === null ? [original] : [owner, original];
    if (identity === null)
      return {
        judgement: cannotTell('precondition', 'nothing in the answers tells one effect from another'),
        evidence,
      };
    if (owner !== null) return { judgement: breached([firstResource(history, owner, identity)]), evidence };
    return { judgement: resting(holds(), { comparisons: among.isCompared ? 1 : 0 }), evidence };
  },
};

/** The first success of a key changes the thing that such requests change. */
export const separateChange: KeyLaw = {
  clause: 'IDEM-04',
  needs: { now: ['watched'] },
  judge(history, now) {
    const { original } = history;
    const isOfBurst = history.all('together').some(({ exchanges }) => exchanges.some((one) => one === original));
    if (original === null || isOfBurst || !history.isNewAt(now)) return null;
    const evidence = [original, ...now.exchanges];
    const effects = history.effectsAt(now);
    if (effects === null) return { judgement: UNCOUNTED, evidence };
    if (effects.most > 0) return { judgement: resting(holds(), { comparisons: 1 }), evidence };
    const how = differenceNear(history, original);
    const kind = [codeOf('IDEM-04', 'no-effect', how), `${DIFFERENCES[how]} has no effect of its own`] as const;
    const expected = 'a separate effect';
    const told = wrong(kind, `a send with ${DIFFERENCES[how]}`, expected, effects.told, effects.member ?? undefined);
    return { judgement: breached([told]), evidence };
  },
};

const UNCOUNTED = cannotTell('precondition', 'the thing that sends change does not count them');

function firstResource(history: KeyHistory, owner: Exchange, identity: string): ReturnType<typeof wrong> {
  const { among, original } = history;
  const earlier = among.keyIn(owner);
  const how = differenceOf(history, original, earlier);
  const code = codeOf('IDEM-04', 'first-resource', how);
  const maker = earlier === null ? 'no key' : 'its own key';
  const actual = `answered ${identity}, which an earlier send with ${maker} made`;
  const kind = [code, `${DIFFERENCES[how]} is answered with the first resource`] as const;
  return wrong(kind, `a send with ${DIFFERENCES[how]}`, 'a separate effect', actual);
}

/** How the key of the answer differs from that of an earlier send. */
function differenceOf(
  { among, hasKnownBody }: KeyHistory,
  answer: Exchange | null,
  earlier: string | null,
): KeyDifference {
  const key = answer === null ? null : among.keyIn(answer);
  if (key === null) return hasKnownBody ? 'no-key-equal-body' : 'no-key';
  if (earlier !== null) {
    if (key.toLowerCase() === earlier.toLowerCase()) return 'key-case';
    if (key.replaceAll('-', '') === earlier.replaceAll('-', '')) return 'key-dashes';
    const others = [...key].filter((letter, at) => letter !== earlier[at]);
    if (key.length === earlier.length && others.length === 1) return 'key-character';
  }
  return hasKnownBody ? 'other-key-equal-body' : 'other-key';
}

/** The same for the key, of all that came before, that is most like it. */
function differenceNear(history: KeyHistory, answer: Exchange): KeyDifference {
  if (history.isBeside) return 'other-key-at-once';
  const others = history.among.keys.filter((key) => key !== history.among.keyIn(answer));
  const hows = others.map((earlier) => differenceOf(history, answer, earlier));
  return hows.find((how) => how.startsWith('key-')) ?? differenceOf(history, answer, null);
}

/** A send that differs so is refused again and again, though sends under unrelated keys are accepted, or under any where it has none. */
export function judgeRefused(refused: Exchange, how: KeyDifference): Judgement {
  const seen = answerOf(refused);
  if (!seen.ok) return seen.judgement;
  const [cause, accepted] =
    how === 'no-key'
      ? ['a send without a key is refused', 'sends with a key']
      : [`${DIFFERENCES[how]} is refused as if the key had been used`, 'unrelated keys'];
  const actual = `answered ${spoken(seen.answer)} again and again, while ${accepted} are accepted`;
  const kind = [codeOf('IDEM-04', 'refused', how), cause] as const;
  return breached([wrong(kind, `a send with ${DIFFERENCES[how]}`, 'a separate effect', actual)]);
}
