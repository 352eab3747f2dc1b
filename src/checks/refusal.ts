// Compares an answer with the contract's terms for a refusal: its status, and the code of its error.
import type { ContractName } from '../contract/contract.ts';
import type { ErrorTerms, RefusalTerms, Terms } from '../contract/terms.ts';
import { isCode, placeName } from '../exchange/envelope.ts';
import type { Answer } from './answer.ts';

/** The contract as judges ask it. */
export interface Stated {
  readonly contract: ContractName;
  readonly terms: Terms;
}

/** Tells whether the answer has one of the statuses; any 4xx does where none is stated. */
export function hasStatus({ status }: Pick<Answer, 'status'>, { statuses }: RefusalTerms): boolean {
  return statuses.length === 0 ? status >= 400 && status <= 499 : statuses.includes(status);
}

/** "401", "400 or 422", "a 4xx". */
export function statusInWords({ statuses }: RefusalTerms): string {
  return statuses.length === 0 ? 'a 4xx' : statuses.join(' or ');
}

/** "401 with error.code unauthorized" */
export function refusalInWords(refusal: RefusalTerms, errors: ErrorTerms | null): string {
  const code = expectedCode(refusal, errors);
  return code === null ? statusInWords(refusal) : `${statusInWords(refusal)} with ${codeName(errors)} ${code}`;
}

/** The part of a code of a breach that tells that the status is another one: "not-401". */
export function statusKind({ statuses: [first, ...others] }: RefusalTerms): string {
  return first === undefined || others.length > 0 ? 'other-status' : `not-${first}`;
}

/** The code that the error has to have; null: any, or none that can be found. */
export function expectedCode({ code }: RefusalTerms, errors: ErrorTerms | null): string | null {
  return errors?.members.code === undefined ? null : code;
}

/** The name of the code in findings. */
export function codeName(errors: ErrorTerms | null): string {
  return placeName(errors?.members.code?.at ?? '');
}

/** Where the code stands in the body. */
export function codePointer(errors: ErrorTerms | null): string {
  return (errors?.members.code?.at ?? '').replaceAll('*', '0');
}

/**
 * How the error's code differs from the one that is expected: `none` where it has none, `other` where it has another one; null where it does
 * not, or none is expected.
 */
export function codeFlaw({ code }: Answer, refusal: RefusalTerms, errors: ErrorTerms | null): 'none' | 'other' | null {
  const expected = expectedCode(refusal, errors);
  if (expected === null) return null;
  if (code === null || code === '') return 'none';
  return isCode(code, expected) ? null : 'other';
}

/** Tells whether the contract lists the code with the status that was answered: an error of its own, rightly told. */
export function isListedWithStatus({ code, status }: Answer, errors: ErrorTerms | null): boolean {
  return Object.entries(errors?.codes ?? {}).some(
    ([listed, one]) => code !== null && isCode(code, listed) && one.status === status,
  );
}
