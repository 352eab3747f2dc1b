// AUTH-01 to AUTH-03 by a description alone: what is declared as secured refuses who shows no valid credentials.
import { codeOf } from '../../contract/code.ts';
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
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
  const cause = `a request with ${sent.inWords} is accepted`;
  const message = `${cause}: answered ${status}, expected ${EXPECTED}`;
  const code = codeOf(sent.clause, 'accepted', sent.name);
  return breached([{ weight: 'breach', code, cause, message, expected: EXPECTED, actual: String(status) }]);
}
