// Defines a law over the history of an idempotency key: data on what it needs, and a pure judge of the newest fact in the light of those before.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import type { KeyFact, KeyFactKind, KeyHistory } from '../../facts/key-history.ts';
import { type Answer, answerOf, spoken } from '../answer.ts';

/** A law's word on the newest fact. */
export interface KeySaid {
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

export interface KeyLaw {
  readonly clause: string;
  /** It speaks of such facts alone. */
  readonly needs: readonly KeyFactKind[];
  /** Null: it says nothing of the newest fact. */
  judge(history: KeyHistory, now: KeyFact): KeySaid | null;
}

/** Judges the newest fact on the key by the laws that speak of it. */
export function judgeNewest(laws: readonly KeyLaw[], history: KeyHistory): readonly (KeySaid & { clause: string })[] {
  const now = history.facts.at(-1);
  if (now === undefined) return [];
  return laws.flatMap(({ clause, needs, judge }) => {
    const said = needs.includes(now.kind) ? judge(history, now) : null;
    return said === null ? [] : [{ clause, ...said }];
  });
}

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
