// Tells whether two answers, of which one is about something that exists, can be told apart by who gets them.
//
// AUTH-07 (discover): Whether a 401 or 404 tells a stranger that an account or a resource exists (a registration that
//   is refused aside).
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import { auth } from '../../wording/auth.ts';
import { answerOf, spoken } from '../answer.ts';
import { observation } from '../observation.ts';

/** Two answers to questions about something that exists and something that does not, and the words for them. */
export interface Pair {
  /** About what exists, and about what does not. */
  readonly answers: readonly [existing: Exchange, missing: Exchange];
  /** The name of each. */
  readonly names?: readonly [string, string];
  /** Ids and addresses that were sent: an answer may repeat them. */
  readonly sent: readonly string[];
  readonly subject: string;
  readonly basis: string;
  /** Whose existence is told. */
  readonly of: '' | 'other-account-' | 'account-';
}

/** Tells the answers apart by status and code, or by the words beside them. Always an observation. */
export function observeToldApart({
  answers,
  names = ['existing', 'missing'],
  sent,
  subject,
  basis,
  of,
}: Pair): Judgement {
  const [left, right] = [answerOf(answers[0]), answerOf(answers[1])];
  if (!left.ok || !right.ok) return cannotTell('precondition', 'no pair of answers');
  const [one, other] = [spoken(left.answer), spoken(right.answer)];
  const byWords = one === other && wordsOf(answers[0], sent) !== wordsOf(answers[1], sent);
  const isTold = one !== other || byWords;
  const actual = `${names[0]}: ${one}; ${names[1]}: ${other}${byWords ? ', in other words' : ''}`;
  const { code, cause, message } = auth(`auth-07.${of}${isTold ? 'told-apart' : 'alike'}`, { actual });
  const value = byWords
    ? `told apart by the words of ${one}`
    : isTold
      ? `told apart: ${one}, ${other}`
      : `alike: ${one}`;
  return observation(code, cause, actual, { subject, value, confidence: 'sure', calls: 2, basis }, message);
}

/** Title and message of an error, without what was sent, and what is a number or an id in them. */
function wordsOf(exchange: Exchange, sent: readonly string[]): string {
  const body = jsonBody(exchange);
  const error = body.ok && isObject(body.value) ? body.value.error : null;
  const { title, message } = isObject(error) ? error : {};
  const texts = [title, message].map((text) => (typeof text === 'string' ? text : ''));
  const masked = sent.filter((one) => one !== '').reduce((text, one) => text.replaceAll(one, '#'), texts.join('\n'));
  return masked.replaceAll(/\b(?=\S*\d)[\w-]+/g, '#');
}
