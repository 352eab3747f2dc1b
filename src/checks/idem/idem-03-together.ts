// IDEM-03 (must): The same key sent concurrently → at most one effect; each answer is the original or a 4xx with the
//   envelope (409 and the like), never 5xx.
import { codeOf } from '../../contract/code.ts';
import type { ContractName } from '../../contract/contract.ts';
import { type Breach, breached, cannotTell, type Judgement, resting, wrong } from '../../contract/judgement.ts';
import { envelopeOf } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess, succeeded } from '../../facts/answered.ts';
import { type Effects, effectsOf } from '../../facts/effects.ts';
import type { KeyFact, KeyHistory } from '../../facts/key-history.ts';
import { bodyDifference } from './difference.ts';
import { evidenceOf, idsOf, severalEffects, UNCOUNTED } from './idem-02-one-effect.ts';
import type { KeyLaw } from './law.ts';

const SEVERAL_AT_ONCE = ['idem-03.several-effects', 'sends at once have more than one effect'] as const;

export const togetherIsOne: KeyLaw = {
  clause: 'IDEM-03',
  needs: { now: ['together'] },
  judge: (history, now) => ({ judgement: judgeBurst(history, now, null), evidence: now.exchanges }),
};

/** Sound answers do not show that there was one effect: a list or a thing does. */
export const togetherIsShownOnce: KeyLaw = {
  clause: 'IDEM-03',
  needs: { now: ['looked', 'watched'] },
  judge(history, now) {
    const sent = history.sentBefore(now).filter(({ kind }) => kind === 'together');
    const [burst] = sent.toSorted((one, other) => other.exchanges.length - one.exchanges.length);
    const shown = history.effectsAt(now);
    if (burst === undefined || shown === null || !isKnown(history, burst)) return null;
    return { judgement: judgeBurst(history, burst, shown), evidence: evidenceOf(history.answers, now) };
  },
};

/** Tells whether sends at once were answered in vain, or contradict each other: what came first is not known then. */
export function isUnclear(history: KeyHistory): boolean {
  return history
    .all('together')
    .some(
      (burst) =>
        burst.exchanges.some(({ response }) => response === null) ||
        judgeBurst(history, burst, null).kind === 'breached',
    );
}

/** The last success of the key before; for sends at once that come first, their first one. A key that was forgotten meanwhile has a new one. */
export function latestBefore({ facts }: KeyHistory, now: KeyFact): Exchange | null {
  const before = facts.slice(0, facts.indexOf(now)).filter(({ kind }) => kind === 'sent');
  return before.flatMap(({ exchanges }) => exchanges).findLast(succeeded) ?? now.exchanges.find(succeeded) ?? null;
}

/** Tells whether the key was not forgotten since its first answer. */
function isKnown(history: KeyHistory, burst: KeyFact): boolean {
  const [original, latest] = [history.original, latestBefore(history, burst)];
  return original === null || latest === null || bodyDifference(original, latest) === null;
}

function judgeBurst(history: KeyHistory, burst: KeyFact, shown: Effects | null): Judgement {
  const seen = burst.exchanges.filter(
    ({ response }) => response !== null && response.status !== 429 && response.status !== 503,
  );
  if (seen.length < 2) return cannotTell('precondition', 'fewer than two of the sends at once were answered');
  const how = `${burst.exchanges.length} sends at once with one key`;
  const first = latestBefore(history, burst);
  const answered = effectsOf(idsOf([...(first === null ? [] : [first]), ...seen]));
  const effects = shown !== null && shown.least > answered.least ? shown : answered;
  if (effects.least > 1) return breached([severalEffects(SEVERAL_AT_ONCE, how, effects)], seen.length);
  const breaches = seen.flatMap((answer) => breachOf(first, answer, how, history.among.contract) ?? []);
  if (breaches.length === 0 && (shown === null || shown.least === 0)) return UNCOUNTED;
  return resting(breached(breaches.slice(0, 1), seen.length), { answers: seen.length, effects: shown?.least ?? 0 });
}

function breachOf(original: Exchange | null, answer: Exchange, how: string, contract: ContractName): Breach | null {
  const status = answer.response?.status ?? 0;
  const told = (kind: string, cause: string, actual: string, pointer?: string): Breach =>
    wrong([codeOf('IDEM-03', kind), cause], how, 'the original response, or a 4xx with the envelope', actual, pointer);
  const one = `one is answered ${status}`;
  if (status >= 500) return told('server-error', 'sends at once are answered a server error', one);
  const isBare = status >= 400 && contract === 'commerce' && envelopeOf(answer) === null;
  if (isBare)
    return told('no-envelope', 'sends at once are refused without the envelope', `${one} without an error object`);
  if (status >= 400) return null;
  if (!isSuccess(status)) return told('other-answer', 'sends at once are answered neither a success nor a 4xx', one);
  if (original === null || original === answer) return null;
  const first = original.response?.status;
  if (first !== status)
    return told('other-status', 'sends at once differ in their status', `one is answered ${first}, another ${status}`);
  const other = bodyDifference(original, answer);
  if (other === null) return null;
  const actual = `${other.where} is ${other.expected} in one, ${other.actual} in another`;
  return told('other-body', 'sends at once differ in their body', actual, other.pointer);
}
