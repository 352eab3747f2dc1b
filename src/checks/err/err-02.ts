// ERR-02 (must): `type`, `code`, `title`, `message`, `status`, `doc_url`, `request_id`, `instance`, `timestamp` are
//   always present; strings non-empty, `status` an integer. Tolerance: Further members inside `error` are allowed.
import { type Breach, breached } from '../../contract/judgement.ts';
import { ENVELOPE_MEMBERS } from '../../contract/platform.ts';
import { typeName } from '../../facts/answered.ts';
import type { JsonObject } from '../../openapi/json.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { integerMember, textMember } from './error-object.ts';

export const err02 = errorCheck({
  clause: 'ERR-02',
  title: 'The error object carries all its members, of their types',
  about: () => true,
  judge: (error) =>
    breached(
      ENVELOPE_MEMBERS.flatMap((name) => memberBreaches(error, name)),
      ENVELOPE_MEMBERS.length,
    ),
});

function memberBreaches(error: JsonObject, name: string): Breach[] {
  const isStatus = name === 'status';
  if (isStatus ? integerMember(error, name) !== null : textMember(error, name) !== null) return [];
  const expected = isStatus ? 'an integer' : 'a non-empty string';
  const actual = Object.hasOwn(error, name) ? inWords(error[name]) : 'absent';
  const kind = actual === 'absent' ? 'err-02.absent' : 'err-02.wrong-type';
  const told = err(kind, { subject: `error.${name}`, actual, expected }, name);
  return [{ weight: 'breach', ...told, expected, actual, pointer: `/error/${name}` }];
}

function inWords(value: unknown): string {
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return 'a string of blanks';
  return typeof value === 'number' ? `the number ${value}` : typeName(value);
}
