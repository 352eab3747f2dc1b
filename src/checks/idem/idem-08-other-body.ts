// Judges a key that comes again with another body: the contract says how it is refused.
//
// IDEM-08 (must): The same key with another body is refused with the status that the contract states, and has no effect. Tolerance: Bound by a
//   contract file; under the commerce contract it stays an observation (IDEM-07).

import { codeOf } from '../../contract/code.ts';
import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import { breached, cannotTell, holds, type Judgement, wrong } from '../../contract/judgement.ts';
import type { ErrorTerms, RefusalTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { effectsOf } from '../../facts/effects.ts';
import type { KeyFact, KeyHistory } from '../../facts/key-history.ts';
import { answerOf } from '../answer.ts';
import { codeFlaw, hasStatus, refusalInWords } from '../refusal.ts';
import { isSameEffect } from './idem-07-observed.ts';
import { type KeyLaw, told } from './law.ts';

export const otherBodyIsRefused: KeyLaw = {
  clause: 'IDEM-08',
  needs: { now: ['reused'] },
  judge(history, now) {
    const stated = history.among.terms.idempotency?.otherBody ?? null;
    if (stated === null) return null;
    const evidence = [...history.answers.slice(0, 1), ...now.exchanges];
    return { judgement: judgeReuse(history, now, stated), evidence };
  },
};

function judgeReuse({ original, among }: KeyHistory, reuse: KeyFact, stated: RefusalTerms): Judgement {
  const { terms, operation } = among;
  const [reused, control] = reuse.exchanges;
  if (original === null) return cannotTell('precondition', 'the first answer under the key was no success');
  const status = reused?.response?.status ?? 0;
  if (reused === undefined || [0, 401, 429, 503].includes(status))
    return cannotTell('precondition', `answered ${told(reused)}`);
  const isComparable = control !== undefined && succeeded(control);
  const flaw =
    effectIn(original, reused, reuse.shown) ?? (isComparable ? refusalFlaw(reused, stated, terms.errors) : null);
  if (flaw !== null) {
    const subject = `${operation.keyHeader ?? USUAL_KEY_HEADER} of an earlier request with another body`;
    const expected = `${refusalInWords(stated, terms.errors)}, and no effect`;
    return breached([wrong(flaw.kind, subject, expected, `answered ${told(reused)}${flaw.andWhat}`, flaw.member)]);
  }
  const unaccepted = 'the other body was not accepted under a key of its own, either';
  return isComparable ? holds(2) : cannotTell('precondition', unaccepted);
}

interface Flaw {
  readonly kind: readonly [string, string];
  readonly andWhat: string;
  readonly member?: string;
}

/** How another body has an effect, or is answered as if it had; null where neither is seen. */
function effectIn(original: Exchange, reused: Exchange, shown: KeyFact['shown']): Flaw | null {
  if (succeeded(reused)) {
    const [name, what] = isSameEffect(original, reused)
      ? (['first-response', 'the first response'] as const)
      : (['own-effect', 'an effect of its own'] as const);
    const cause = `another body under a known key is answered ${what}`;
    return { kind: [codeOf('IDEM-08', 'accepted', name), cause], andWhat: `, ${what}` };
  }
  const effects = shown === null || 'least' in shown ? shown : effectsOf(shown);
  if (effects === null || effects.least === 0) return null;
  const kind = ['idem-08.effect', 'another body under a known key is refused and has an effect'] as const;
  return effects.member === null
    ? { kind, andWhat: `, and a list shows ${effects.told}` }
    : { kind, andWhat: `, and ${effects.told}`, member: effects.member };
}

/** How the status or the code of the refusal is another one than is stated; null where it is not. */
function refusalFlaw(reused: Exchange, stated: RefusalTerms, errors: ErrorTerms | null): Flaw | null {
  const cause = 'another body under a known key is refused with another';
  if (!hasStatus({ status: reused.response?.status ?? 0 }, stated))
    return { kind: ['idem-08.other-status', `${cause} status`], andWhat: '' };
  const seen = answerOf(reused, errors);
  const isOther = seen.ok && codeFlaw(seen.answer, stated, errors) !== null;
  return isOther ? { kind: ['idem-08.other-code', `${cause} code`], andWhat: '' } : null;
}
