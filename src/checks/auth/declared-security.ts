// AUTH-01 to AUTH-03 by a description alone: what is declared as secured refuses who shows no valid credentials.
import { breached, cannotTell, holds, type Judgement, type Weight } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { answerOf } from '../answer.ts';

const EXPECTED = '401 or 403';

/**
 * 401 or 403. `sent` says what was sent instead of valid credentials. `control`: whether the same operation succeeded with
 * valid ones; without it another refusal may have another ground.
 */
export function judgeSecured(exchange: Exchange, sent: string, control: boolean): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status === 401 || status === 403) return holds();
  const told = (weight: Weight, cause: string): Judgement =>
    breached([
      {
        weight,
        cause,
        message: `${cause}: answered ${status}, expected ${EXPECTED}`,
        expected: EXPECTED,
        actual: String(status),
      },
    ]);
  if (status < 300) return told('breach', `a request with ${sent} is accepted`);
  if (!control) {
    return cannotTell('precondition', `answered ${status}, and no request with valid credentials succeeded`);
  }
  return told('advisory', `a request with ${sent} is refused, but not as unauthorised`);
}
