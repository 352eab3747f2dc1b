// How a check on members of an error is defined: it speaks only where ERR-01 leaves an error to judge.
import { cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { type ToldError, toldError } from './error-object.ts';

export interface ErrorCheckDefinition {
  readonly clause: string;
  readonly title: string;
  /** Tells whether the members that the clause speaks of are there, and of the right type; else ERR-02 or ERR-09 reports them. */
  about(error: ToldError, subject: Subject): boolean;
  judge(error: ToldError, subject: Subject): Judgement;
}

/** The check that this definition makes: it applies to answers with an error that it is about. */
export function errorCheck({ clause, title, about, judge }: ErrorCheckDefinition): ExchangeCheck {
  return {
    clause,
    title,
    applies(subject) {
      const error = toldError(subject);
      return error !== null && about(error, subject);
    },
    judge(subject) {
      const error = toldError(subject);
      return error === null ? cannotTell('precondition', 'the answer has no error object') : judge(error, subject);
    },
  };
}
