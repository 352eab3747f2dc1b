// IDEM-07: what the source leaves open about keys, found out and never judged.
import type { Judgement, Observed } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { answerOf, spoken } from '../answer.ts';
import { isSuccess } from '../answered.ts';
import { observation } from '../observation.ts';
import { bodyDifference } from './difference.ts';
import { identityOf } from './identity.ts';

/** What a key brought that had been used before in another way; `how`: "the same key with another body". */
export function observeReuse(how: string, first: Exchange, second: Exchange): Judgement {
  const basis = 'sent after the first answer of the key had come';
  const row = (value: string): Observed => ({ subject: how, value, confidence: 'likely', calls: 2, basis });
  const seen = answerOf(second);
  if (!seen.ok) return unanswered(how, second);
  const actual = `answered ${spoken(seen.answer)}`;
  if (!isSuccess(seen.answer.status))
    return observation(`${how} is refused`, actual, row(`refused: ${spoken(seen.answer)}`));
  const [one, two] = [identityOf(first), identityOf(second)];
  const same = one === null || two === null ? bodyDifference(first, second) === null : one === two;
  if (same) return observation(`${how} is answered the first response`, actual, row('the first response again'));
  // Another id in the answer leaves no other explanation.
  const isProved = one !== null && two !== null;
  const own = row('an effect of its own');
  return observation(`${how} has an effect of its own`, actual, isProved ? { ...own, confidence: 'sure' } : own);
}

/** Whether a key of an unusual form is taken; `form`: "a key of 255 characters". */
export function observeForm(form: string, exchange: Exchange): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return unanswered(form, exchange);
  const actual = `answered ${spoken(seen.answer)}`;
  const isTaken = isSuccess(seen.answer.status);
  const value = isTaken ? 'accepted' : `refused: ${spoken(seen.answer)}`;
  const basis = 'one new request with such a key';
  const row = { subject: form, value, confidence: 'likely', calls: 1, basis } as const;
  return observation(`${form} is ${isTaken ? 'accepted' : 'refused'}`, actual, row);
}

/** Whether a key is good for a valid request after a refused one. */
export function observeErrorFirst(refused: Exchange, second: Exchange): Judgement {
  const subject = 'a key whose first answer was an error';
  const status = second.response?.status ?? 599;
  if (!answerOf(second).ok) return unanswered(subject, second);
  const isFree = isSuccess(status);
  const row = {
    subject,
    value: isFree ? 'may be used again' : `stays refused: ${status}`,
    confidence: 'likely',
    calls: 2,
    basis: `a request answered ${refused.response?.status}, then a valid one`,
  } as const;
  const actual = `${refused.response?.status}, then ${status} for a valid request`;
  return observation(`${subject} ${isFree ? 'may be used again' : 'stays refused'}`, actual, row);
}

/** How long a key is known at least, as a replay after so long shows. */
export function observeLifetime(calls: number, seconds: number): Judgement {
  const row = {
    subject: 'key lifetime',
    value: `at least ${calls} other calls and ${seconds} s`,
    confidence: 'cannot-tell',
    calls: 2,
    basis: 'the oldest keys of the run, sent again at its end',
  } as const;
  return observation('keys are known as long as was looked', `${calls} other calls and ${seconds} s later`, row);
}

function unanswered(subject: string, { response }: Exchange): Judgement {
  const actual = `status ${response?.status ?? 'none'}`;
  const row = { subject, value: 'unknown', confidence: 'cannot-tell', calls: 1, basis: actual } as const;
  return observation(`${subject} is not answered`, actual, row);
}
