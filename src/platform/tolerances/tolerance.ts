// How a tolerance case is written down: it uses an allowance of its clause and must raise nothing.

import type { Hooks } from '../deviation.ts';
import type { Answer, Call } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';

export { fault as tolerance } from '../faults/fault.ts';

/** Changes every answer in place. */
export function onAnswer(change: (call: Call, answer: Answer) => void): () => Hooks {
  return () => ({
    answer: (call, answer) => {
      change(call, answer);
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

/** Errors have these members, too, or in place of their own. */
export function telling(members: (error: JsonObject, call: Call, answer: Answer) => JsonObject): () => Hooks {
  return onError((error, call, answer) => void Object.assign(error, members(error, call, answer)));
}

/** Answers that fit carry these headers, too. */
export function carrying(
  headers: Readonly<Record<string, string>>,
  fits: (call: Call, answer: Answer) => boolean = () => true,
): () => Hooks {
  return onAnswer((call, answer) => {
    if (fits(call, answer)) Object.assign(answer.headers, headers);
  });
}

/** Another code, and with it another documentation address. */
export function recode(error: JsonObject, code: string): void {
  error.code = code;
  error.doc_url = String(error.doc_url).replace(/[^/]*$/, code);
}
