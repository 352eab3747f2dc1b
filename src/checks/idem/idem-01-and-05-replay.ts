// IDEM-01: the same key and request again gives the original response. IDEM-05: a payment resent gives the same result.
//
// IDEM-01 (must): The same key and request again → the original response: status and body equal, where the first answer
//   was 2xx; also after 50 and more other calls of any kind in between. Tolerance: Body compared as JSON; per-request
//   headers and, in errors, request_id and timestamp may differ.
// IDEM-05 (must): `process-payment` is never executed twice for one key: same payment result whenever, and however
//   often, and after however many other calls in between, it is resent. Tolerance: The source says both "never
//   replayed" and "returns the original response": read as never executed twice, the result returned. The harness
//   itself never resends a payment without its key.
import { type Breach, breached, cannotTell, holds, type Judgement, noting } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { identityOf } from '../../facts/identity.ts';
import { answerOf, spoken } from '../answer.ts';
import { seenOnce } from '../observation.ts';
import { bodyDifference } from './difference.ts';

/**
 * IDEM-01. `when` says where in the series the replay stood: "send 3 of the key, after 5 other calls". `isTokenValid`: a call
 * after the replay showed that the token had not run out.
 */
export function judgeReplay(original: Exchange, replay: Exchange, when: string, isTokenValid = false): Judgement {
  const pair = comparable(original, replay, isTokenValid);
  if ('judgement' in pair) return pair.judgement;
  const expected = `the original response: ${spoken(pair.first)} with its body`;
  if (pair.first.status !== pair.second.status) {
    const refused = pair.second.status >= 400;
    const [code, cause] = refused
      ? ['idem-01.refused', 'a replay is refused']
      : ['idem-01.other-status', 'a replay has another status than the original'];
    const actual = spoken(pair.second);
    return breached([
      { weight: 'breach', code, cause, message: `${when}: answered ${actual}, expected ${expected}`, expected, actual },
    ]);
  }
  const difference = bodyDifference(original, replay);
  if (difference === null) return holds(2);
  return breached([
    bodyBreach({ code: 'idem-01.other-body', cause: 'a replay has another body than the original' }, when, difference),
  ]);
}

/** No answer shows a charge that it does not tell of. */
const ANSWERED_ALIKE = seenOnce(
  'a payment resent under its key',
  'answered its result',
  'its answers; a second charge that they do not tell of is not seen from outside',
);

/** IDEM-05. Two results tell of two executions; which status carries them is IDEM-01's. */
export function judgePaidOnce(original: Exchange, resent: Exchange, when: string): Judgement {
  const pair = comparable(original, resent);
  if ('judgement' in pair) return pair.judgement;
  const [first, second] = [identityOf(original), identityOf(resent)];
  if (isSuccess(pair.second.status) && first !== null && second !== null && first !== second) {
    const [code, cause] = ['idem-05.executed-again', 'a payment is executed again under its key'];
    const message = `${when}: payment ${second} under the key of payment ${first}, expected payment ${first}`;
    return breached([{ weight: 'breach', code, cause, message, expected: first, actual: second }]);
  }
  if (!isSuccess(pair.second.status)) {
    const expected = 'the payment result that the key was first answered';
    const actual = spoken(pair.second);
    const message = `${when}: answered ${actual}, expected ${expected}`;
    const [code, cause] = ['idem-05.not-answered', 'a payment resent is not answered its result'];
    return breached([{ weight: 'breach', code, cause, message, expected, actual }]);
  }
  const difference = bodyDifference(original, resent);
  if (difference === null) return noting(holds(), [ANSWERED_ALIKE]);
  return breached([
    bodyBreach({ code: 'idem-05.other-result', cause: 'a payment resent has another result' }, when, difference),
  ]);
}

function comparable(
  original: Exchange,
  replay: Exchange,
  isTokenValid = false,
):
  | { readonly first: { status: number; code: string | null; envelope: null }; readonly second: Seen }
  | { readonly judgement: Judgement } {
  const [first, second] = [answerOf(original), answerOf(replay)];
  if (!first.ok || !isSuccess(first.answer.status)) {
    return { judgement: cannotTell('precondition', 'the first answer under the key was no success') };
  }
  if (!second.ok) return { judgement: second.judgement };
  if (original.response?.truncated === true || replay.response?.truncated === true) {
    return { judgement: cannotTell('precondition', 'the body is too long to compare') };
  }
  if (second.answer.status === 401 && !isTokenValid) {
    return { judgement: cannotTell('precondition', `answered ${spoken(second.answer)}, which other clauses judge`) };
  }
  return { first: { status: first.answer.status, code: null, envelope: null }, second: second.answer };
}

type Seen = Extract<ReturnType<typeof answerOf>, { ok: true }>['answer'];

function bodyBreach(
  kind: Pick<Breach, 'code' | 'cause'>,
  when: string,
  difference: { pointer: string; expected: string; actual: string },
): Breach {
  const { pointer, expected, actual } = difference;
  const where = pointer === '' ? 'the body' : pointer;
  const message = `${when}: ${where} is ${actual}, expected ${expected} as in the original`;
  return { weight: 'breach', ...kind, message, expected, actual, pointer };
}
