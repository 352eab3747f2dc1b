// IDEM-07 (discover): Same key with another body; the same key on the other operation or by another account; keys whose
//   first answer was an error; key lifetime beyond 10 minutes; the longest key and odd characters.

import { codeOf } from '../../contract/code.ts';
import type { Judgement, Observed } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { identityOf } from '../../facts/resource.ts';
import { answerOf, spoken } from '../answer.ts';
import { observation } from '../observation.ts';
import { bodyDifference } from './difference.ts';

/** A use of a key that the source leaves open. */
export interface Use {
  /** Its part of a code. */
  readonly name: string;
  /** "a key of 255 characters" */
  readonly inWords: string;
}

/** In which other way a key is used again, by its part of a code, and in words. */
const REUSES = {
  'other-body': 'the same key with another body',
  'other-operation': 'the same key on another operation',
  'other-account': 'the same key by another account',
} as const;

/** Observes what a key brings that was used before in another way. */
export function observeReuse(reuse: keyof typeof REUSES, first: Exchange, second: Exchange): Judgement {
  const basis = 'sent after the first answer of the key had come';
  // Another id in the answer leaves no other explanation.
  const isProved = identityOf(first) !== null && identityOf(second) !== null;
  const success: Success = isSameEffect(first, second)
    ? { kind: 'first-response', how: 'is answered the first response', value: 'the first response again' }
    : { kind: 'own-effect', how: 'has an effect of its own', value: 'an effect of its own', isSure: isProved };
  return observed({ name: reuse, inWords: REUSES[reuse] }, second, success, { calls: 2, basis });
}

/** Tells whether both answers are of one effect: by their ids, else by their bodies. */
export function isSameEffect(first: Exchange, second: Exchange): boolean {
  const [one, two] = [identityOf(first), identityOf(second)];
  return one === null || two === null ? bodyDifference(first, second) === null : one === two;
}

/** Tells whether a key of an unusual form is taken. */
export function observeForm(form: Use, answer: Exchange): Judgement {
  const success = { kind: 'accepted', how: 'is accepted', value: 'accepted' };
  return observed(form, answer, success, { calls: 1, basis: 'one new request with such a key' });
}

/** Tells whether a key is good for a valid request after a refused one. */
export function observeErrorFirst({ response }: Exchange, second: Exchange): Judgement {
  const use = { name: 'error-first', inWords: 'a key whose first answer was an error' };
  const success = { kind: 'usable-again', how: 'may be used again', value: 'may be used again' };
  return observed(use, second, success, {
    calls: 2,
    basis: `a request answered ${response?.status}, then a valid one`,
  });
}

/** How long a key is known at least, as a replay after so long shows. */
export function observeLifetime(calls: number, seconds: number): Judgement {
  const value = `at least ${plural(calls, 'other call')} and ${seconds} s`;
  const basis = 'the oldest keys of the run, sent again at its end';
  const row = { subject: 'key lifetime', value, confidence: 'cannot-tell', calls: 2, basis } as const;
  const [code, cause] = ['idem-07.still-known', 'keys are still known after the longest wait tried'];
  return observation(code, cause, `${plural(calls, 'other call')} and ${seconds} s later`, row);
}

/** A use that succeeds: its part of a code, and what it shows, in words. */
interface Success {
  readonly kind: string;
  readonly how: string;
  readonly value: string;
  readonly isSure?: boolean;
}

/** The use as its answer shows it: unanswered, refused, or a success that shows this. */
function observed(
  { name, inWords }: Use,
  exchange: Exchange,
  success: Success,
  rest: Pick<Observed, 'calls' | 'basis'>,
): Judgement {
  const seen = answerOf(exchange);
  const code = (kind: string): string => codeOf('IDEM-07', kind, name);
  const row = { subject: inWords, confidence: 'likely', ...rest } as const;
  if (!seen.ok) {
    const actual = `status ${exchange.response?.status ?? 'none'}`;
    const unknown = { ...row, value: 'unknown', confidence: 'cannot-tell', calls: 1, basis: actual } as const;
    return observation(code('unanswered'), `${inWords} is not answered`, actual, unknown);
  }
  const answer = spoken(seen.answer);
  const { kind, how, value, isSure } = isSuccess(seen.answer.status)
    ? success
    : { kind: 'refused', how: 'is refused', value: `refused: ${answer}`, isSure: false };
  const told = { ...row, value, ...(isSure === true ? { confidence: 'sure' as const } : {}) };
  return observation(code(kind), `${inWords} ${how}`, `answered ${answer}`, told);
}
