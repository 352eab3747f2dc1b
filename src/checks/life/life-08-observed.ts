// Tells what a target does where nothing is prescribed: with a delete, an update and a create that come too late.
//
// LIFE-08 (discover): What a second delete, an update of a deleted id, and a create with a known name answer.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import { jsonText } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import type { Item } from '../../facts/item-history.ts';
import { sentOf } from '../../facts/kind.ts';
import { answerOf, spoken } from '../answer.ts';
import { observation, seenOnce } from '../observation.ts';
import type { ItemLaw, RequestLaw } from './law.ts';

const SUBJECTS = {
  'second-delete': 'a second delete of one resource',
  'update-of-deleted': 'an update of a deleted resource',
  'known-name': 'a create with the body of one that is there',
} as const;

/** LIFE-08: the answer to one such request. */
function observeLate(kind: keyof typeof SUBJECTS, exchange: Exchange): Judgement {
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

/** LIFE-08: what a delete and an update of a deleted item are answered. */
export const lateIsObserved: ItemLaw = {
  clause: 'LIFE-08',
  needs: { any: ['removed'], now: ['late'] },
  judge: (_item, { exchange, by }) => ({
    on: by,
    judgement: observeLate(by.method === 'DELETE' ? 'second-delete' : 'update-of-deleted', exchange),
    evidence: [exchange],
  }),
};

/** LIFE-08: what a create with the body of an item that is there is answered. */
export const knownNameIsObserved: RequestLaw = {
  clause: 'LIFE-08',
  judge({ kind, all }, exchange) {
    const { creator } = kind;
    const sent = jsonText(sentOf(kind, exchange));
    const isSame = ({ facts: [made] }: Item): boolean =>
      made?.kind === 'made' && made.exchange !== exchange && jsonText(made.sent) === sent;
    if (exchange.plan.operation !== creator.key || sent === '{}' || !all.some(isSame)) return null;
    return { on: creator, judgement: observeLate('known-name', exchange), evidence: [exchange] };
  },
};
