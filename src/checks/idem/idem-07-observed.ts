// IDEM-07 (discover): Same key with another body; the same key on the other operation or by another account; keys whose
//   first answer was an error; key lifetime beyond 10 minutes; the longest key and odd characters.

import { codeOf } from '../../contract/code.ts';
import type { Judgement, Observed } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { identityOf } from '../../facts/resource.ts';
import { answerOf, spoken } from '../answer.ts';
import { observation } from '../observation.ts';
import { bodyDifference } from './difference.ts';

/** In which other way a key is used again, by its part of a code, and in words. */
const REUSES = {
  'other-body': 'the same key with another body',
  'other-operation': 'the same key on another operation',
  'other-account': 'the same key by another account',
} as const;

/** Observes what a key brings that was used before in another way. */
export function observeReuse(reuse: keyof typeof REUSES, first: Exchange, second: Exchange): Judgement {
  const how = REUSES[reuse];
  const code = (kind: string): string => codeOf('IDEM-07', kind, reuse);
  const basis = 'sent after the first answer of the key had come';
  const row = (value: string): Observed => ({ subject: how, value, confidence: 'likely', calls: 2, basis });
  const seen = answerOf(second);
  if (!seen.ok) return unanswered(code('unanswered'), how, second);
  const actual = `answered ${spoken(seen.answer)}`;
  if (!isSuccess(seen.answer.status))
    return observation(code('refused'), `${how} is refused`, actual, row(`refused: ${spoken(seen.answer)}`));
  if (isSameEffect(first, second))
    return observation(
      code('first-response'),
      `${how} is answered the first response`,
      actual,
      row('the first response again'),
    );
  // Another id in the answer leaves no other explanation.
  const isProved = identityOf(first) !== null && identityOf(second) !== null;
  const own = row('an effect of its own');
  const told = isProved ? ({ ...own, confidence: 'sure' } as const) : own;
  return observation(code('own-effect'), `${how} has an effect of its own`, actual, told);
}

/** Tells whether both answers are of one effect: by their ids, else by their bodies. */
export function isSameEffect(first: Exchange, second: Exchange): boolean {
  const [one, two] = [identityOf(first), identityOf(second)];
  return one === null || two === null ? bodyDifference(first, second) === null : one === two;
}

/** An unusual form of key. */
export interface KeyForm {
  /** Its part of a code. */
  readonly name: string;
  /** "a key of 255 characters" */
  readonly inWords: string;
}

/** Tells whether a key of an unusual form is taken. */
export function observeForm({ name, inWords: form }: KeyForm, exchange: Exchange): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return unanswered(codeOf('IDEM-07', 'unanswered', name), form, exchange);
  const actual = `answered ${spoken(seen.answer)}`;
  const isTaken = isSuccess(seen.answer.status);
  const value = isTaken ? 'accepted' : `refused: ${spoken(seen.answer)}`;
  const basis = 'one new request with such a key';
  const row = { subject: form, value, confidence: 'likely', calls: 1, basis } as const;
  const outcome = isTaken ? 'accepted' : 'refused';
  return observation(codeOf('IDEM-07', outcome, name), `${form} is ${outcome}`, actual, row);
}

/** Tells whether a key is good for a valid request after a refused one. */
export function observeErrorFirst(refused: Exchange, second: Exchange): Judgement {
  const subject = 'a key whose first answer was an error';
  const status = second.response?.status ?? 599;
  if (!answerOf(second).ok) return unanswered('idem-07.unanswered.error-first', subject, second);
  const isFree = isSuccess(status);
  const value = isFree ? 'may be used again' : `stays refused: ${status}`;
  const basis = `a request answered ${refused.response?.status}, then a valid one`;
  const row = { subject, value, confidence: 'likely', calls: 2, basis } as const;
  const actual = `${refused.response?.status}, then ${status} for a valid request`;
  const [code, how] = isFree
    ? ['idem-07.usable-again.error-first', 'may be used again']
    : ['idem-07.refused.error-first', 'stays refused'];
  return observation(code, `${subject} ${how}`, actual, row);
}

/** How long a key is known at least, as a replay after so long shows. */
export function observeLifetime(calls: number, seconds: number): Judgement {
  const value = `at least ${calls} other calls and ${seconds} s`;
  const basis = 'the oldest keys of the run, sent again at its end';
  const row = { subject: 'key lifetime', value, confidence: 'cannot-tell', calls: 2, basis } as const;
  const [code, cause] = ['idem-07.still-known', 'keys are still known after the longest wait tried'];
  return observation(code, cause, `${calls} other calls and ${seconds} s later`, row);
}

function unanswered(code: string, subject: string, { response }: Exchange): Judgement {
  const actual = `status ${response?.status ?? 'none'}`;
  const row = { subject, value: 'unknown', confidence: 'cannot-tell', calls: 1, basis: actual } as const;
  return observation(code, `${subject} is not answered`, actual, row);
}
