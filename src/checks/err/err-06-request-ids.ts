// ERR-06, a law over the run: the id of a request identifies it, so two requests never share one. Every attempt is a
// request of its own; a replay of an idempotent original (same key, method and path) may repeat the original's id with its answer.
//
// ERR-06 (must): The id of the request identifies it: two requests never share one. Tolerance: A replay of an
//   idempotent original (IDEM-01) may repeat it.
import { hash } from 'node:crypto';
import { breached, holds, type Judgement, resting } from '../../contract/judgement.ts';
import type { ErrorTerms } from '../../contract/terms.ts';
import { placeName } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import type { RunLaw } from '../run-law.ts';
import { type PlacedText, type ToldError, textIn, textsIn, toldError } from './error-object.ts';

export interface FirstUse {
  readonly exchange: string;
  /** The parts of the request, with its answer, that a replay would share with it; null when it carried no idempotency key. */
  readonly replayOf: string | null;
}

/** Who used an id first, by the id's digest. It grows with the run: whoever runs the law decides where it is kept. */
export interface FirstUses {
  get(digest: string): FirstUse | undefined;
  set(digest: string, use: FirstUse): unknown;
}

/** The law over one run, with its memory, which is empty at first. */
export function requestIdLaw(errors: ErrorTerms, firstUses: FirstUses = new Map()): RunLaw {
  let hasOthers = false;
  return {
    clause: 'ERR-06',
    title: 'No two requests share the id that errors give a request',
    observe(exchange) {
      const told = idIn(exchange, errors);
      if (told === null) return null;
      const { error, placed } = told;
      const digest = digestOf(placed.text);
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
      return { judgement: shared(placed, placeName(errors.members.requestId?.at ?? ''), first.exchange), exchanges };
    },
  };
}

/** The error, and the id that it gives its request; null where it gives none. */
function idIn(
  exchange: Exchange,
  errors: ErrorTerms,
): { readonly error: ToldError; readonly placed: PlacedText } | null {
  const error = toldError({ exchange, terms: { errors } });
  const [placed] = error === null ? [] : textsIn(error, 'requestId');
  return error === null || placed === undefined ? null : { error, placed };
}

function shared({ pointer, text }: PlacedText, subject: string, first: string): Judgement {
  const expected = 'an id that no other request of the run has';
  const actual = `${shortened(text)}, as in ${first}`;
  return breached([
    { weight: 'breach', ...err('err-06.shared', { subject, actual, expected }), expected, actual, pointer },
  ]);
}

/** A replay is answered what the original was: another error under the same key is the answer to another request. */
function replayIdentity({ plan, request, response }: Exchange, error: ToldError): string | null {
  const key = keyIn(request.headers) ?? keyIn(plan.headers);
  if (key === null) return null;
  const answer = [response?.status, textIn(error, 'code'), textIn(error, 'param')];
  return digestOf(`${plan.method} ${plan.path}\n${key}\n${JSON.stringify(answer)}`);
}

/** 96 bits: short enough to remember many, long enough that no two ids meet by chance. */
function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}
