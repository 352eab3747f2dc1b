// REQ-07 (must): `POST /api/v1/auth/register`: 201 once; 400 `validation_failed` when `email` or `password` is missing;
//   409 when the email is registered.
import { codeOf } from '../../contract/code.ts';
import { breached, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { answerOf, spoken } from '../answer.ts';

/** The first registration of an email. */
export function judgeRegistered(exchange: Exchange): Judgement {
  return judgeStatus(exchange, 201, 'a first registration');
}

/** The second registration of the same email. */
export function judgeRegisteredAgain(exchange: Exchange): Judgement {
  return judgeStatus(exchange, 409, 'a second registration of one email');
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
