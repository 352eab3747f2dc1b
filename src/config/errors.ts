// Defines the user's mistakes, told so that they can be put right: one class, its codes, one form of text.
import { plural } from '../contract/numbers.ts';
import { ToldError } from '../contract/told-error.ts';

/** Every way in which options, configuration or descriptions can be wrong. Exit 2; nothing was sent. */
export type UsageCode =
  | 'ASSAY_REPLAY_TARGET'
  | 'ASSAY_CONFIG_NOT_FOUND'
  | 'ASSAY_CONFIG_MISSING'
  | 'ASSAY_CONFIG_AMBIGUOUS'
  | 'ASSAY_CONFIG_UNREADABLE'
  | 'ASSAY_CONFIG_KEY_UNKNOWN'
  | 'ASSAY_CONFIG_KEY_MISSING'
  | 'ASSAY_CONFIG_VALUE_INVALID'
  | 'ASSAY_CONFIG_ENV_UNSET'
  | 'ASSAY_DESCRIPTION_UNREADABLE'
  | 'ASSAY_OPTION_INVALID'
  | 'ASSAY_CLAUSE_UNKNOWN'
  | 'ASSAY_SERVICE_UNKNOWN'
  | 'ASSAY_OPERATION_UNKNOWN'
  | 'ASSAY_REPORT_UNREADABLE'
  | 'ASSAY_HISTORY_UNREADABLE'
  | 'ASSAY_FILE_EXISTS'
  | 'ASSAY_LOAD_REFUSED'
  | 'ASSAY_CERTIFY_UNREADY'
  | 'ASSAY_DELIVERIES_UNREADABLE'
  | 'ASSAY_RECORDING_UNREADABLE'
  | 'ASSAY_PORT_REFUSED';

/** Wrong usage: the message names what and where, the hint can be typed. Never carries a token. */
export class UsageError extends ToldError<UsageCode, string> {}

/** The mistake of an option that is wrong, or that does not go with others. */
export function invalidOption(message: string, hint: string, cause?: unknown): UsageError {
  return new UsageError('ASSAY_OPTION_INVALID', message, hint, cause);
}

/** The mistake of a report, a journal or samples that are named and cannot be read, or are none. */
export function unreadableReport(message: string, hint: string, cause?: unknown): UsageError {
  return new UsageError('ASSAY_REPORT_UNREADABLE', message, hint, cause);
}

/** One thing wrong with a configuration file. */
export interface ConfigProblem {
  readonly code: UsageCode;
  /** `keys[0].token`; empty for the file as a whole. */
  readonly key: string;
  /** The same as a JSON pointer, where the file's lines can be told by it. */
  readonly pointer?: string;
  /** The expected and the found value in words, without the key. */
  readonly message: string;
}

const HOW_TO_CONFIGURE = '`assay init` writes a commented example; `assay doctor` checks a configuration';

/** All problems of one file as one error: a line each, in the order of the file where `lineOf` knows it. The code is the first problem's. */
export function configError(
  file: string,
  problems: readonly [ConfigProblem, ...ConfigProblem[]],
  hint = HOW_TO_CONFIGURE,
  lineOf: ((pointer: string) => number) | null = null,
): UsageError {
  const told = problems
    .map(({ key, pointer, message }) => ({
      line: lineOf === null || pointer === undefined ? null : lineOf(pointer),
      text: key === '' ? message : `${key}: ${message}`,
    }))
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const unset = problems.find(({ code }) => code === 'ASSAY_CONFIG_ENV_UNSET');
  const toSet = 'set the variable, or write the value into the configuration (tokens are better kept out of it)';
  return new UsageError(problems[0].code, toldTogether(file, told), unset ? toSet : hint);
}

function toldTogether(file: string, told: readonly { readonly line: number | null; readonly text: string }[]): string {
  const [only] = told;
  if (told.length === 1 && only !== undefined)
    return `${only.line === null ? file : `${file}:${only.line}`}: ${only.text}`;
  const lines = told.map(({ line, text }) => (line === null ? text : `line ${line}, ${text}`));
  return `${file} has ${plural(told.length, 'problem')}:\n  ${lines.join('\n  ')}`;
}
