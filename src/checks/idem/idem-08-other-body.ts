// Judges a key that comes again with another body: the contract says how it is refused.
//
// IDEM-08 (must): The same key with another body is refused with the status that the contract states, and has no effect. Tolerance: Bound by a
//   contract file; under the commerce contract it stays an observation (IDEM-07).

import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement, wrong } from '../../contract/judgement.ts';
import type { ErrorTerms, RefusalTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess, succeeded } from '../../facts/answered.ts';
import { answerOf, spoken } from '../answer.ts';
import { codeFlaw, refusalInWords, statusInWords } from '../refusal.ts';
import { isSameEffect } from './idem-07-observed.ts';

export const EFFECT_OF_REFUSED = [
  'idem-08.effect',
  'another body under a known key is refused and has an effect',
] as const;

export interface Reuse {
  /** The first send under the key. */
  readonly original: Exchange;
  /** The other body under the same key. */
  readonly reused: Exchange;
  /** The other body under a key of its own; null where it was not sent. */
  readonly control: Exchange | null;
  /** Ids of what a list shows of the other body before that; null where no list shows it. */
  readonly shown: readonly string[] | null;
}

/** IDEM-08. `header`: the name of the one that carries keys. `errors`: where these have their code. */
export function judgeOtherBody(
  { original, reused, control, shown }: Reuse,
  stated: RefusalTerms,
  { header, errors }: { readonly header: string; readonly errors: ErrorTerms | null },
): Judgement {
  if (!succeeded(original)) return cannotTell('precondition', 'the first answer under the key was no success');
  const status = reused.response?.status ?? 0;
  if (status === 0 || [401, 429, 503].includes(status)) return cannotTell('precondition', `answered ${told(reused)}`);
  const expected = `${statusInWords(stated)}, and no effect`;
  const breach = (code: string, cause: string, actual: string): Breach =>
    wrong([code, cause], `${header} of an earlier request with another body`, expected, actual);
  if (isSuccess(status)) {
    const kind = isSameEffect(original, reused) ? 'first-response' : 'own-effect';
    const what = kind === 'first-response' ? 'the first response' : 'an effect of its own';
    const cause = `another body under a known key is answered ${what}`;
    return breached([breach(codeOf('IDEM-08', 'accepted', kind), cause, `answered ${told(reused)}, ${what}`)]);
  }
  if (shown !== null && shown.length > 0) {
    const actual = `answered ${told(reused)}, and a list shows ${shown.join(', ')}`;
    return breached([breach(...EFFECT_OF_REFUSED, actual)]);
  }
  if (control === null || !succeeded(control))
    return cannotTell('precondition', 'the other body was not accepted under a key of its own, either');
  if (isStated(status, stated)) return judgeCode(reused, stated, errors) ?? holds(2);
  const cause = 'another body under a known key is refused with another status';
  return breached([breach('idem-08.other-status', cause, `answered ${told(reused)}`)]);
}

/** The code of the refusal, where one is stated; null where it is that. */
function judgeCode(reused: Exchange, stated: RefusalTerms, errors: ErrorTerms | null): Judgement | null {
  const seen = answerOf(reused, errors);
  if (!seen.ok || codeFlaw(seen.answer, stated, errors) === null) return null;
  const cause = 'another body under a known key is refused with another code';
  const subject = 'the refusal of another body';
  return breached([
    wrong(['idem-08.other-code', cause], subject, refusalInWords(stated, errors), `answered ${spoken(seen.answer)}`),
  ]);
}

/** The status, and the code of an error where it has one. */
function told(exchange: Exchange): string {
  const seen = answerOf(exchange);
  return seen.ok ? spoken(seen.answer) : String(exchange.response?.status ?? 'not at all');
}

function isStated(status: number, { statuses }: RefusalTerms): boolean {
  return statuses.length === 0 ? status >= 400 && status < 500 : statuses.includes(status);
}
