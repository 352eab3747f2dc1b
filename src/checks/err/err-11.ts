// ERR-11 (must): A listed code comes with its type and status: auth_token_invalid/authentication_error/401,
//   resource_not_found/invalid_request_error/404, validation_failed/validation_error/400. Tolerance: validation_failed
//   with 422: advisory. Unlisted codes and types are allowed and never judged; they are collected as observations.
import { type Breach, breached, noting, type Observed } from '../../contract/judgement.ts';
import { LISTED_CODES } from '../../contract/platform.ts';
import { shortened } from '../../facts/answered.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { err } from '../../wording/err.ts';
import { seenOnce } from '../observation.ts';
import { errorCheck } from './error-check.ts';
import { integerMember, isSnakeCase, textMember } from './error-object.ts';

type ListedCode = keyof typeof LISTED_CODES;
type Listed = (typeof LISTED_CODES)[ListedCode];

const LISTED_TYPES: ReadonlySet<string> = new Set(Object.values(LISTED_CODES).map(({ type }) => type));
/** Longer names are not collected: no catalogue has them. */
const LONGEST_NAME = 64;

export const err11 = errorCheck({
  clause: 'ERR-11',
  title: 'A listed error code comes with its type and status',
  about: (error) => isListed(textMember(error, 'code') ?? '') || unlisted(error).length > 0,
  judge(error, { exchange }) {
    const code = textMember(error, 'code') ?? '';
    const type = textMember(error, 'type');
    const status = exchange.response?.status ?? 0;
    if (!isListed(code)) return noting(breached(unlisted(error), 0), rowOf(code, type, status));
    const listed = LISTED_CODES[code];
    return breached(
      [...typeBreaches(code, listed, type), ...statusBreaches(code, listed, status, integerMember(error, 'status'))],
      2,
    );
  },
});

function isListed(code: string): code is ListedCode {
  return Object.hasOwn(LISTED_CODES, code);
}

function typeBreaches(code: ListedCode, listed: Listed, type: string | null): Breach[] {
  if (type === null || type === listed.type) return [];
  const actual = shortened(type);
  const told = err('err-11.other-type', { code, actual, expected: listed.type }, code);
  return [{ weight: 'breach', ...told, expected: listed.type, actual, pointer: '/error/type' }];
}

function statusBreaches(code: ListedCode, listed: Listed, status: number, stated: number | null): Breach[] {
  // Where the body states the listed status and HTTP another one, the two differ: ERR-04 has it.
  if (status === listed.status || stated === listed.status) return [];
  const [actual, expected] = [String(status), String(listed.status)];
  const weight = code === 'validation_failed' && status === 422 ? 'advisory' : 'breach';
  const told = err('err-11.other-status', { code, actual, expected }, code);
  return [{ weight, ...told, expected, actual, pointer: '/error/code' }];
}

/** The row of an unlisted code: which type and status it comes with. */
function rowOf(code: string, type: string | null, status: number): readonly Observed[] {
  if (!isCollected(code)) return [];
  const value = `${status} ${type !== null && isCollected(type) ? type : 'with no type that is a snake_case name'}`;
  return [seenOnce(`the code ${code}`, value, 'error answers')];
}

function isCollected(name: string): boolean {
  return name.length <= LONGEST_NAME && isSnakeCase(name);
}

/** Observations of an unlisted code and of the type it comes with. */
function unlisted(error: JsonObject): Breach[] {
  const code = textMember(error, 'code');
  return code === null ? [] : [...collected('code', code), ...collected('type', textMember(error, 'type'))];
}

/** The observation of a name that the source does not list. The name is its cause: each is listed once. */
function collected(member: 'code' | 'type', name: string | null): Breach[] {
  if (name === null || !isCollected(name) || LISTED_TYPES.has(name)) return [];
  return [
    {
      weight: 'observation',
      ...err(`err-11.unlisted-${member}`, { name }, name),
      expected: 'any: unlisted codes and types are allowed',
      actual: name,
      pointer: `/error/${member}`,
    },
  ];
}
