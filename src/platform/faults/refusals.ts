// Hooks that turn refusals into something else.

import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { defectNamed } from '../../defects/defect.ts';
import { retold } from '../../defects/errors.ts';
import { CODE_DEFECTS } from '../../defects/refusals.ts';
import type { Deviation, Hooks } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject, isObject } from '../json.ts';
import { exampleOf } from '../schema/example.ts';
import { altered, fault, type More, on } from './fault.ts';

type Which = (call: Call, answer: Answer) => boolean;

/** Instead of the refusals that `which` picks: a success as declared, made up. */
export function accepting(which: Which): Hooks {
  return {
    answer: (call, answer) => (call.route !== null && which(call, answer) ? madeUp(call.route, answer) : answer),
  };
}

/** The same for the calls of one operation alone. */
export function acceptingOn(need: string, fits: (route: Route) => boolean, which: Which) {
  return on(need, fits, (route) => accepting((call, answer) => call.route === route && which(call, answer)));
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

/** Another code, with its documentation address, in the refusals that `which` picks; another status, too, when given. */
export function recoding(which: Which, code: string, status: number | null = null): Hooks {
  const { errors } = COMMERCE_TERMS;
  return {
    answer: (call, answer) => {
      const { body } = answer;
      if (errors === null || !isObject(body) || !isObject(body.error) || !which(call, answer)) return answer;
      return altered(answer, retold({ body, headers: Object.entries(answer.headers), errors }, status, code));
    },
  };
}

/** The same for the calls of one operation alone. */
export function recodingOn(
  need: string,
  fits: (route: Route) => boolean,
  which: Which,
  ...told: [code: string, status?: number]
) {
  return on(need, fits, (route) => recoding((call, answer) => call.route === route && which(call, answer), ...told));
}

/** A fault that is a defect of the catalogue, in the refusals that `which` picks. */
export function codeFault(id: string, description: string, which: Which, more?: More): Deviation {
  const { code } = defectNamed(CODE_DEFECTS, id);
  return fault(id, description, () => recoding(which, code), more);
}

/** The code that an error answer tells. */
export function codeOf(body: unknown): unknown {
  return asObject(asObject(body).error).code;
}
