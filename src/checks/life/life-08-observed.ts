// Tells what a target does where nothing is prescribed: with a delete, an update and a create that come too late.
//
// LIFE-08 (discover): What a second delete, an update of a deleted id, and a create with a known name answer.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { answerOf, spoken } from '../answer.ts';
import { observation, seenOnce } from '../observation.ts';

const SUBJECTS = {
  'second-delete': 'a second delete of one resource',
  'update-of-deleted': 'an update of a deleted resource',
  'known-name': 'a create with the body of one that is there',
} as const;

/** LIFE-08: the answer to one such request. */
export function observeLate(kind: keyof typeof SUBJECTS, exchange: Exchange): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status < 200 || (status >= 300 && status < 400)) return cannotTell('precondition', `answered ${status}`);
  const subject = SUBJECTS[kind];
  const value = `${isSuccess(status) ? 'accepted' : 'refused'}: ${spoken(seen.answer)}`;
  return observation(
    `life-08.${kind}`,
    `${subject} is answered`,
    value,
    seenOnce(subject, value, `${subject} was sent`),
  );
}
