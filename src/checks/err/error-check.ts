// How a check on members of the `error` object is defined: it speaks only where ERR-01 leaves such an object to judge.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { JsonObject } from '../../openapi/json.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { errorObjectOf } from './error-object.ts';

export interface ErrorCheckDefinition {
  readonly clause: string;
  readonly title: string;
  /** Whether the members that the clause speaks about are there and of the right type; what is not, ERR-02 or ERR-09 reports. */
  about(error: JsonObject, subject: Subject): boolean;
  judge(error: JsonObject, subject: Subject): Judgement;
}

/** The check that this definition makes: it applies to error answers with an `error` object that it is about. */
export function errorCheck({ clause, title, about, judge }: ErrorCheckDefinition): ExchangeCheck {
  return {
    clause,
    title,
    applies(subject) {
      const error = errorObjectOf(subject.exchange);
      return error !== null && about(error, subject);
    },
    judge(subject) {
      const error = errorObjectOf(subject.exchange);
      return error === null ? cannotTell('precondition', 'the answer has no error object') : judge(error, subject);
    },
  };
}
