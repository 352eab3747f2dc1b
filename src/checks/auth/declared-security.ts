// AUTH-01 to AUTH-03 by a description alone: what is declared as secured refuses who shows no valid credentials.
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { auth } from '../../wording/auth.ts';
import { answerOf } from '../answer.ts';
import type { SentInstead } from './refusals.ts';

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
