// Defines a law over the history of an idempotency key, and which answers under one key can be compared.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import type { KeyFact, KeyHistory } from '../../facts/key-history.ts';
import { type Answer, answerOf, spoken } from '../answer.ts';
import type { Law } from '../law.ts';

/** A law's word on the newest fact. */
export interface KeySaid {
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

export type KeyLaw = Law<KeyHistory, KeyFact, KeySaid>;

/** Statuses of two answers that can be laid side by side, or why they cannot. `isTokenValid`: a 401 is not for a token that ran out. */
export function comparable(
  original: Exchange,
  replay: Exchange,
  { isTokenValid }: { readonly isTokenValid: boolean },
): { readonly first: Answer; readonly second: Answer } | { readonly judgement: Judgement } {
  const untold = (reason: string) => ({ judgement: cannotTell('precondition', reason) });
  const [first, second] = [answerOf(original), answerOf(replay)];
  if (!first.ok || !isSuccess(first.answer.status)) return untold('the first answer under the key was no success');
  if (!second.ok) return { judgement: second.judgement };
  if ([original, replay].some(({ response }) => response?.truncated === true))
    return untold('the body is too long to compare');
  if (second.answer.status === 401 && !isTokenValid)
    return untold(`answered ${spoken(second.answer)}, which other clauses judge`);
  return { first: first.answer, second: second.answer };
}
