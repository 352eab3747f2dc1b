// ERR-02 (must): The members that errors always have are present; strings non-empty, the status an integer.
//   Tolerance: Further members are allowed.
import { type Breach, breached } from '../../contract/judgement.ts';
import { ERROR_WIDE_ROLES, type ErrorRole } from '../../contract/terms.ts';
import { lastName, type Placed, placeName } from '../../exchange/envelope.ts';
import { typeName } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { membersIn, statusesIn, type ToldError, textsIn } from './error-object.ts';

export const err02 = errorCheck({
  clause: 'ERR-02',
  title: 'The error carries all its members, of their types',
  about: () => true,
  judge(error) {
    const roles = ERROR_WIDE_ROLES.filter((role) => error.terms.members[role] !== undefined);
    return breached(
      roles.flatMap((role) => memberBreaches(error, role)),
      Math.max(1, roles.length),
    );
  },
});

function memberBreaches(error: ToldError, role: ErrorRole): Breach[] {
  const member = error.terms.members[role];
  if (member === undefined) return [];
  const sound: readonly { readonly pointer: string }[] = role === 'status' ? statusesIn(error) : textsIn(error, role);
  const pointers = new Set(sound.map(({ pointer }) => pointer));
  const kind = role !== 'status' ? 'a non-empty string' : member.form === 'integer' ? 'an integer' : 'an HTTP status';
  return membersIn(error, role)
    .filter(({ pointer, value }) => !pointers.has(pointer) && !(member.isOptional && (value == null || value === '')))
    .map((placed) => breachOf(member.at, kind, placed));
}

function breachOf(at: string, expected: string, { pointer, value }: Placed): Breach {
  const actual = value === undefined ? 'absent' : inWords(value);
  const kind = actual === 'absent' ? 'err-02.absent' : 'err-02.wrong-type';
  const told = err(kind, { subject: placeName(at), actual, expected }, lastName(at));
  return { weight: 'breach', ...told, expected, actual, pointer };
}

function inWords(value: unknown): string {
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return value.trim() === '' ? 'a string of blanks' : 'a string';
  return typeof value === 'number' ? `the number ${value}` : typeName(value);
}
