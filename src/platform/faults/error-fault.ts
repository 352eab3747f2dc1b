// Faults in errors: a defect of the catalogue, or one that the platform alone has, in the errors that are picked.
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { defectNamed } from '../../defects/defect.ts';
import type { ErrorDefect } from '../../defects/errors.ts';
import type { Deviation, Hooks } from '../deviation.ts';
import type { Answer, Call } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import { altered } from './fault.ts';

type Which = (call: Call, answer: Answer) => boolean;

export const any: Which = () => true;
export const status =
  (...statuses: readonly number[]): Which =>
  (_call, answer) =>
    statuses.includes(answer.status);
export const invalid: Which = (_call, answer) => errorIn(answer).type === 'validation_error';
export const coded =
  (...codes: readonly string[]): Which =>
  (_call, answer) =>
    codes.includes(String(errorIn(answer).code));

/** The `error` object of an answer; an empty one where it has none. */
function errorIn({ body }: Answer): JsonObject {
  return asObject(asObject(body).error);
}

interface More {
  /** Name and words of the fault; absent: those of the defect. */
  readonly id?: string;
  readonly says?: string;
  readonly alsoBreaks?: readonly string[];
  /** Made anew for each start, and asked for each error that is picked. */
  readonly due?: () => () => boolean;
}

const { errors, requests } = COMMERCE_TERMS;

/** Makes faults of these defects, by their ids. */
export function errorFaults(defects: readonly ErrorDefect[]) {
  return (name: string, which: Which, { due = () => () => true, ...more }: More = {}): Deviation => {
    const defect = defectNamed(defects, name);
    const { id = defect.id, says: description = defect.says, ...beside } = more;
    return { id, clause: defect.clause, description, ...beside, hooks: () => hooksOf(defect, which, due()) };
  };
}

function hooksOf(defect: ErrorDefect, which: Which, isDue: () => boolean): Hooks {
  let earlierId: string | null = null;
  return {
    answer(call, answer) {
      const { status, body } = answer;
      if (status < 400 || errors === null || !isObject(body) || !isObject(body.error) || !which(call, answer))
        return answer;
      const { path, body: sent, route } = call;
      const difference = isDue()
        ? defect.change({
            ...{ status, headers: Object.entries(answer.headers), body, errors, requests },
            ...{ path, sent, template: route?.operation.path ?? null, earlierId },
            authorization: call.headers.authorization ?? '',
          })
        : null;
      const given = difference === null ? answer : altered(answer, difference);
      earlierId = String(errorIn(given).request_id);
      return given;
    },
  };
}
