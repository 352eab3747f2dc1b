// REQ-07 (must): An email is registered once: a second registration of it is refused, and so is one that lacks a
//   required member.
import { codeOf } from '../../contract/code.ts';
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { RegistrationTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { answerOf, spoken } from '../answer.ts';

/**
 * The first registration of an email. The status of a taken email calls it registered, which it is not; any other refusal may come of a rule
 * that no description states: a captcha, the strength of a password.
 */
export function judgeRegistered(exchange: Exchange, stated: RegistrationTerms): Judgement {
  const { status = 0 } = exchange.response ?? {};
  if (status >= 400 && status <= 499 && status !== stated.taken && status !== 429)
    return cannotTell('precondition', `a first registration was refused with ${status}, maybe by a rule of its own`);
  return judgeStatus(exchange, stated.status, 'a first registration');
}

/** The second registration of the same email. */
export function judgeRegisteredAgain(exchange: Exchange, { taken }: RegistrationTerms): Judgement {
  return judgeStatus(exchange, taken, 'a second registration of one email');
}

function judgeStatus(exchange: Exchange, status: number, what: string): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  if (seen.answer.status === status) return holds();
  const cause = `${what} is not answered ${status}`;
  const actual = spoken(seen.answer);
  const code = codeOf('REQ-07', `not-${status}`);
  return breached([
    { weight: 'breach', code, cause, message: `${cause}: answered ${actual}`, expected: String(status), actual },
  ]);
}
