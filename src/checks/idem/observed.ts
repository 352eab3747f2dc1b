// IDEM-07: what the source leaves open about keys, found out and never judged.
import { breached, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { answerOf, spoken } from '../answer.ts';
import { isSuccess } from '../answered.ts';
import { bodyDifference } from './difference.ts';
import { identityOf } from './identity.ts';

/** An observation: `cause` is constant per kind of behaviour, `actual` says what was seen. */
export function observed(cause: string, actual: string): Judgement {
  return breached([{ weight: 'observation', cause, message: `${cause} (${actual})`, expected: 'not stated', actual }]);
}

/** What a key brought that had been used before in another way; `how`: "the same key with another body". */
export function observeReuse(how: string, first: Exchange, second: Exchange): Judgement {
  const seen = answerOf(second);
  if (!seen.ok) return observed(`${how} is not answered`, `status ${second.response?.status ?? 'none'}`);
  const actual = `answered ${spoken(seen.answer)}`;
  if (!isSuccess(seen.answer.status)) return observed(`${how} is refused`, actual);
  const [one, two] = [identityOf(first), identityOf(second)];
  const same = one === null || two === null ? bodyDifference(first, second) === null : one === two;
  return same
    ? observed(`${how} is answered the first response`, actual)
    : observed(`${how} has an effect of its own`, actual);
}

/** Whether a key of an unusual form is taken; `form`: "a key of 255 characters". */
export function observeForm(form: string, exchange: Exchange): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return observed(`${form} is not answered`, `status ${exchange.response?.status ?? 'none'}`);
  const actual = `answered ${spoken(seen.answer)}`;
  return observed(isSuccess(seen.answer.status) ? `${form} is accepted` : `${form} is refused`, actual);
}
