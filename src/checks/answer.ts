// Answers the first question of probes' judges: is there an answer that this clause can be judged on at all? 5xx
// answers are SCH-06's, missing answers REQ-09's, refusals by a limit the limiter's: no other clause is blamed for them.
import { cannotTell, type Judgement } from '../contract/judgement.ts';
import { type EnvelopeView, type ErrorPlaces, envelopeOf } from '../exchange/envelope.ts';
import type { Exchange } from '../exchange/exchange.ts';

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly envelope: EnvelopeView | null;
}

/** The answer's status and code, or why nothing can be said. `places`: of the contract; absent: where errors customarily have their code. */
export function answerOf(
  exchange: Exchange,
  places?: ErrorPlaces | null,
): { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly judgement: Judgement } {
  const { response } = exchange;
  if (response === null) {
    return { ok: false, judgement: cannotTell('precondition', `no answer: ${exchange.failure?.message ?? 'unknown'}`) };
  }
  if (exchange.limited === true || response.status === 429 || response.status >= 500) {
    return {
      ok: false,
      judgement: cannotTell('precondition', `answered ${response.status}, which other clauses judge`),
    };
  }
  const envelope = response.status >= 400 ? envelopeOf(exchange, places) : null;
  return { ok: true, answer: { status: response.status, code: envelope?.code ?? null, envelope } };
}

/** "401 unauthorized", for findings. */
export function spoken(answer: Answer): string {
  return answer.code === null ? String(answer.status) : `${answer.status} ${answer.code}`;
}
