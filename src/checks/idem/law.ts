// Defines a law over the history of an idempotency key, which answers under one key can be compared, and how they differ.
import { type Breach, cannotTell, type Judgement, wrong } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import type { KeyFact, KeyHistory } from '../../facts/key-history.ts';
import { answerOf, spoken } from '../answer.ts';
import type { Law } from '../law.ts';
import { bodyDifference } from './difference.ts';

/** A law's word on the newest fact. */
export interface KeySaid {
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

export type KeyLaw = Law<KeyHistory, KeyFact, KeySaid>;

/** Why two answers cannot be laid side by side; null where they can. `isTokenValid`: a 401 is not for a token that ran out. */
export function incomparable(
  original: Exchange,
  replay: Exchange,
  { isTokenValid = false }: { readonly isTokenValid?: boolean } = {},
): Judgement | null {
  const untold = (reason: string): Judgement => cannotTell('precondition', reason);
  const [first, second] = [answerOf(original), answerOf(replay)];
  if (!first.ok || !isSuccess(first.answer.status)) return untold('the first answer under the key was no success');
  if (!second.ok) return second.judgement;
  if ([original, replay].some(({ response }) => response?.truncated === true))
    return untold('the body is too long to compare');
  if (second.answer.status === 401 && !isTokenValid)
    return untold(`answered ${spoken(second.answer)}, which other clauses judge`);
  return null;
}

/** The body of an answer that differs from the original's; null where it does not. `when`: in words, when it was sent. */
export function otherBody(
  kind: readonly [code: string, cause: string],
  when: string,
  [original, answer]: readonly [Exchange, Exchange],
): Breach | null {
  const other = bodyDifference(original, answer);
  if (other === null) return null;
  const { where, expected, actual, pointer } = other;
  return wrong(kind, `${when}: ${where}`, `${expected} as in the original`, actual, pointer);
}

/** The status, and the code of an error where it has one: "409 conflict". */
export function told(exchange: Exchange | undefined): string {
  const seen = exchange === undefined ? null : answerOf(exchange);
  return seen?.ok === true ? spoken(seen.answer) : String(exchange?.response?.status ?? 'not at all');
}
