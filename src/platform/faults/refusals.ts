// Hooks that turn refusals into something else.

import type { Hooks } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject } from '../json.ts';
import { exampleOf } from '../schema/example.ts';

/** Instead of the refusals that `which` picks: a success as declared, made up. */
export function accepting(which: (call: Call, answer: Answer) => boolean): Hooks {
  return {
    answer: (call, answer) => (call.route !== null && which(call, answer) ? madeUp(call.route, answer) : answer),
  };
}

function madeUp({ operation, role }: Route, answer: Answer): Answer {
  const { success } = role;
  const body = success.mediaType === null ? undefined : exampleOf(operation.document, success.schema, 'made up');
  const headers: Record<string, string> = { ...answer.headers };
  delete headers['content-type'];
  for (const [name, header] of success.response?.headers ?? []) {
    if (header.required) headers[name] = String(exampleOf(operation.document, header.schema, 'made up'));
  }
  return {
    status: success.status,
    headers: success.mediaType === null ? headers : { ...headers, 'content-type': success.mediaType },
    body,
  };
}

/** Changes code, and with it the documentation address, of the refusals that `which` picks; `status` too when given. */
export function recoding(
  which: (call: Call, answer: Answer) => boolean,
  code: string,
  type: string,
  status?: number,
): Hooks {
  return {
    answer: (call, answer) => {
      const error = asObject(answer.body).error;
      if (!isObject(error) || !which(call, answer)) return answer;
      Object.assign(error, { code, type, doc_url: String(error.doc_url).replace(/[^/]*$/, code) });
      delete error.errors;
      delete error.param;
      if (status !== undefined) {
        answer.status = status;
        error.status = status;
      }
      return answer;
    },
  };
}

/** The code that an error answer tells. */
export function codeOf(body: unknown): unknown {
  return asObject(asObject(body).error).code;
}
