// AUTH-01 to AUTH-03 by a description alone: what is declared as secured refuses who shows no valid credentials.
//
// AUTH-01 (must): On every operation that requires authentication, a request without a token is answered 401 with code
//   `auth_token_invalid`. Tolerance: 429 first: retried.
// AUTH-02 (must): The same for an invalid token: random, altered signature, `alg: none`, wrong scheme (Basic), token in
//   the query only, empty. Tolerance: One or more of these per operation, all of them on some; configurable.
// AUTH-03 (must): The same for an expired token. Tolerance: With a configured expired token; else a token crafted as
//   expired counts under AUTH-02 and this is "not tested".
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { auth } from '../../wording/auth.ts';
import { answerOf } from '../answer.ts';
import type { SentInstead } from './auth-01-to-06-refusals.ts';

const EXPECTED = '401 or 403';

/**
 * 401 or 403. Another refusal may hide what there is (404), or find
 * the request itself wrong first: of that a description says nothing.
 */
export function judgeSecured(exchange: Exchange, sent: SentInstead): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status === 401 || status === 403) return holds();
  if (status >= 300) {
    return cannotTell('precondition', `answered ${status}, which need not be for want of valid credentials`);
  }
  const actual = String(status);
  const told = auth(`${sent.clause}.accepted`, { sent: sent.inWords, actual, expected: EXPECTED }, sent.name);
  return breached([{ weight: 'breach', ...told, expected: EXPECTED, actual }]);
}
