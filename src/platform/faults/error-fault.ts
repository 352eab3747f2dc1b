// Faults that change the `error` object of some error answers and leave everything else as it is.

import type { Deviation, Hooks } from '../deviation.ts';
import type { Answer, Call } from '../http/call.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import { fault } from './fault.ts';

type Change = (error: JsonObject, call: Call, answer: Answer) => void;
type Which = (call: Call, answer: Answer) => boolean;

export const any: Which = () => true;
export const status =
  (...statuses: readonly number[]): Which =>
  (_call, answer) =>
    statuses.includes(answer.status);
export const invalid: Which = (_call, answer) => asObject(asObject(answer.body).error).type === 'validation_error';

/** Changes the `error` object of the answers that `which` picks. `make` gives fresh state to each start. */
export function err(
  clause: string,
  name: string,
  description: string,
  which: Which,
  make: () => Change,
  alsoBreaks?: readonly string[],
): Deviation {
  const hooks = (): Hooks => {
    const change = make();
    return {
      answer: (call, answer) => {
        const error = asObject(answer.body).error;
        if (answer.status >= 400 && isObject(error) && which(call, answer)) change(error, call, answer);
        return answer;
      },
    };
  };
  return fault(clause, name, description, hooks, alsoBreaks);
}

/** The same change at every start. */
export const fixed = (change: Change) => () => change;
export const set = (member: string, value: unknown) =>
  fixed((error) => {
    error[member] = value;
  });
export const drop = (member: string) =>
  fixed((error) => {
    delete error[member];
  });
/** An envelope that a description declares is judged by its schema, too. */
export const DECLARED = ['SCH-01'];
