// ERR-06, a law over the run: `request_id` identifies the request, so two requests never share one. Every attempt is a
// request of its own; a replay of an idempotent original (same key, method and path) may repeat the original's id with its answer.
//
// ERR-06 (must): `request_id` identifies the request: two requests never share one. Tolerance: A replay of an
//   idempotent original (IDEM-01) may repeat it.
import { hash } from 'node:crypto';
import { breached, holds, resting } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { shortened } from '../../facts/answered.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { err } from '../../wording/err.ts';
import type { RunLaw } from '../run-law.ts';
import { errorObjectOf, textMember } from './error-object.ts';

export interface FirstUse {
  readonly exchange: string;
  /** What a replay of the request would share with it, its answer included; null when it carried no idempotency key. */
  readonly replayOf: string | null;
}

/** Who used an id first, by the id's digest. It grows with the run: whoever runs the law decides where it is kept. */
export interface FirstUses {
  get(digest: string): FirstUse | undefined;
  set(digest: string, use: FirstUse): unknown;
}

/** The law over one run, with its memory, which is empty at first. */
export function requestIdLaw(firstUses: FirstUses = new Map()): RunLaw {
  let hasOthers = false;
  return {
    clause: 'ERR-06',
    title: 'No two requests share an error.request_id',
    observe(exchange) {
      const error = errorObjectOf(exchange);
      const requestId = error === null ? null : textMember(error, 'request_id');
      if (error === null || requestId === null) return null;
      const digest = digestOf(requestId);
      const replayOf = replayIdentity(exchange, error);
      const first = firstUses.get(digest);
      if (first === undefined) {
        firstUses.set(digest, { exchange: exchange.id, replayOf });
        const comparisons = hasOthers ? 1 : 0;
        hasOthers = true;
        return { judgement: resting(holds(), { answers: 1, comparisons }), exchanges: [exchange.id] };
      }
      if (first.exchange === exchange.id) return null;
      const exchanges = [first.exchange, exchange.id];
      if (replayOf !== null && replayOf === first.replayOf) return { judgement: holds(), exchanges };
      return { judgement: shared(requestId, first.exchange), exchanges };
    },
  };
}

function shared(requestId: string, first: string) {
  const expected = 'an id that no other request of the run has';
  const actual = `${shortened(requestId)}, as in ${first}`;
  return breached([
    { weight: 'breach', ...err('err-06.shared', { actual, expected }), expected, actual, pointer: '/error/request_id' },
  ]);
}

/** A replay is answered what the original was: another error under the same key is the answer to another request. */
function replayIdentity({ plan, request, response }: Exchange, error: JsonObject): string | null {
  const key = keyIn(request.headers) ?? keyIn(plan.headers);
  if (key === null) return null;
  const answer = [response?.status, textMember(error, 'code'), textMember(error, 'param')];
  return digestOf(`${plan.method} ${plan.path}\n${key}\n${JSON.stringify(answer)}`);
}

/** 96 bits: short enough to remember many, long enough that no two ids meet by chance. */
function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}
