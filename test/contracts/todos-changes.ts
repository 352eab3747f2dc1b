// Changes of what an API of to-dos answers, of which its cases are made.
import type { ContractCase } from './cases.ts';
import type { Answer, Asked } from './in-memory.ts';
import type { Manner, Refusal, Ways } from './todos.ts';

export interface TodoCase extends ContractCase<Ways> {
  readonly manner: Manner;
}

export type Members = Record<string, unknown>;

export const make =
  (is: ContractCase<Ways>['is'], style: string, manner: Manner) =>
  (clause: string, text: string, ways: Ways, contract?: readonly string[]): TodoCase => ({
    ...{ clause, is, text, ways, style, manner },
    ...(contract === undefined ? {} : { contract }),
  });

/** An error whose body is another one. */
export function body(change: (body: Members, refusal: Refusal) => unknown): Ways {
  return { error: (answer, refusal) => ({ ...answer, body: change(answer.body as Members, refusal) }) };
}

/** An error with other members; undefined leaves one out. */
export function members(change: (refusal: Refusal, body: Members) => Members): Ways {
  return body((own, refusal) => ({ ...own, ...change(refusal, own) }));
}

/** The same of the one object in an envelope, and of each error of a JSON:API document. */
export function inFault(change: (refusal: Refusal, fault: Members) => Members): Ways {
  return body((own, refusal) => ({ fault: { ...(own.fault as Members), ...change(refusal, own.fault as Members) } }));
}
export function inErrors(change: (refusal: Refusal, error: Members) => Members): Ways {
  return body((own, refusal) => ({
    ...own,
    errors: (own.errors as Members[]).map((error) => ({ ...error, ...change(refusal, error) })),
  }));
}

/** Errors of this status alone, others are as they are. */
export function of(status: number, ways: Ways): Ways {
  return {
    error: (answer, refusal) => (refusal.status === status ? (ways.error?.(answer, refusal) ?? answer) : answer),
  };
}

export function refused(code: string, change: (refusal: Refusal) => Refusal | null): Ways {
  return { refuse: (refusal) => (refusal.code === code ? change(refusal) : refusal) };
}

export function answered(isMeant: (asked: Asked, answer: Answer) => boolean, change: (answer: Answer) => Answer): Ways {
  return { answer: (answer, asked) => (isMeant(asked, answer) ? change(answer) : answer) };
}

export const withType =
  (type: string) =>
  (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, 'content-type': type } });
export const without = (lines: readonly string[], ...starts: readonly string[]): readonly string[] =>
  lines.filter((line) => !starts.some((start) => line.trim().startsWith(start)));
export const hasFields = ({ fields }: Refusal): boolean => fields.length > 0;

/** Whether the answer shows one to-do. */
export function isTodo({ status, body: shown }: Answer): boolean {
  return status < 300 && typeof shown === 'object' && shown !== null && ('title' in shown || 'data' in shown);
}
