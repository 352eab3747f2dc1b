// ERR-09 (must): Errors of type `validation_error` carry `param` (string) and a non-empty `errors[]` of `{field, code,
//   message}`, strings, `code` snake_case. Tolerance: Malformed JSON may answer without `param`/`errors` when its code
//   is not `validation_failed`.
import { type Breach, breached } from '../../contract/judgement.ts';
import { shortened, typeName } from '../../facts/answered.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { isSnakeCase, textMember } from './error-object.ts';
import { mayBlameWholeBody } from './validation-request.ts';

/** Breaches of one exchange that are reported: a list of a thousand bad entries is one defect. */
const MOST_BREACHES = 10;

export const err09 = errorCheck({
  clause: 'ERR-09',
  title: 'A validation error carries param and a list of errors with field, code and message',
  about: (error) => textMember(error, 'type') === 'validation_error',
  judge(error, subject) {
    const mayBeEmpty = mayBlameWholeBody(subject);
    const mayLack = mayBeEmpty && textMember(error, 'code') !== 'validation_failed';
    const breaches = [
      ...(mayLack && isAbsent(error.param) ? [] : textBreaches(error, 'param', '/error/param', mayBeEmpty)),
      ...(mayLack && isAbsent(error.errors) ? [] : listBreaches(error.errors, mayBeEmpty)),
    ];
    return breached(breaches.slice(0, MOST_BREACHES), 2);
  },
});

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function listBreaches(errors: unknown, mayBeEmpty: boolean): Breach[] {
  const pointer = '/error/errors';
  if (!Array.isArray(errors) || errors.length === 0) {
    const actual = Array.isArray(errors) ? 'an empty list' : typeName(errors);
    return [breachAt(pointer, 'errors', 'error.errors', 'a non-empty list', actual)];
  }
  return errors.flatMap((entry, index) => entryBreaches(entry, `${pointer}/${index}`, mayBeEmpty));
}

function entryBreaches(entry: unknown, pointer: string, mayBeEmpty: boolean): Breach[] {
  if (!isObject(entry))
    return [breachAt(pointer, 'entry', 'error.errors[]', 'an object of field, code, message', typeName(entry))];
  const breaches = textBreaches(entry, 'field', `${pointer}/field`, mayBeEmpty);
  if (typeof entry.code !== 'string' || !isSnakeCase(entry.code)) {
    const actual = typeof entry.code === 'string' ? shortened(entry.code) : typeName(entry.code);
    breaches.push(breachAt(`${pointer}/code`, 'code', 'error.errors[].code', 'a snake_case string', actual));
  }
  if (typeof entry.message !== 'string') {
    const actual = typeName(entry.message);
    breaches.push(breachAt(`${pointer}/message`, 'message', 'error.errors[].message', 'a string', actual));
  }
  return breaches;
}

/** A name: a string, empty only when there is no field to name. */
function textBreaches(owner: JsonObject, member: 'param' | 'field', pointer: string, mayBeEmpty: boolean): Breach[] {
  const value = owner[member];
  if (typeof value === 'string' && (value !== '' || mayBeEmpty)) return [];
  const subject = member === 'param' ? 'error.param' : 'error.errors[].field';
  const actual = value === '' ? 'an empty string' : typeName(value);
  return [breachAt(pointer, member, subject, 'a non-empty string', actual)];
}

function breachAt(pointer: string, member: string, subject: string, expected: string, actual: string): Breach {
  const kind = actual === 'absent' ? 'err-09.absent' : 'err-09.malformed';
  return { weight: 'breach', ...err(kind, { subject, actual, expected }, member), expected, actual, pointer };
}
