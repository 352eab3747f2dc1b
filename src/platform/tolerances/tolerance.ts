// How a tolerance case is written down: it uses an allowance of its clause and must raise nothing.

import { type Deviation, type Hooks, namedBy, type Surroundings } from '../deviation.ts';
import type { Answer, Call } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';

type Extras = Pick<Deviation, 'limits' | 'describe' | 'docsUrl'>;

export function tolerance(
  id: string,
  description: string,
  hooks: (around: Surroundings) => Hooks,
  extras: Extras = {},
): Deviation {
  return { ...namedBy(id), description, hooks, ...extras };
}

/** Changes every answer in place. */
export function onAnswer(change: (call: Call, answer: Answer) => void): () => Hooks {
  return () => ({
    answer: (call, answer) => {
      change(call, answer);
      return answer;
    },
  });
}

/** Changes the `error` object of every enveloped answer in place. */
export function onError(change: (error: JsonObject, call: Call, answer: Answer) => void): () => Hooks {
  return onAnswer((call, answer) => {
    const error = asObject(answer.body).error;
    if (answer.status >= 400 && isObject(error)) change(error, call, answer);
  });
}

/** Another code, and with it another documentation address. */
export function recode(error: JsonObject, code: string): void {
  error.code = code;
  error.doc_url = String(error.doc_url).replace(/[^/]*$/, code);
}
