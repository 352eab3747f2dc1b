// ERR-10, first half: `param` is the top-level field of one of the listed errors. That it is the field which a probe
// spoiled is judged where the probe is known.
//
// ERR-10 (must): The member that an error names is the one that offended: for a probe that spoils exactly one known
//   field, that field. Tolerance: `a.b`, `a[0]`, `/a/b` notations accepted.
import { breached } from '../../contract/judgement.ts';
import { placeName } from '../../exchange/envelope.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { membersIn, type ToldError, textIn, textsIn } from './error-object.ts';
import { fieldSegments } from './field-names.ts';
import { isValidationError, topLevelNames } from './validation-request.ts';

export const err10 = errorCheck({
  clause: 'ERR-10',
  title: 'The param is the first path segment of a listed field',
  about: (error, subject) =>
    isValidationError(error, subject) && textIn(error, 'param') !== null && fieldsOf(error).length > 0,
  judge(error, subject) {
    const [{ pointer, text: param } = { pointer: '', text: '' }] = textsIn(error, 'param');
    const fields = fieldsOf(error);
    if (fields.some((field) => isTopOf(param, field))) return breached([]);
    // A name that holds a dot or a bracket is a top-level name all the same when it was sent or declared so.
    if (fields.includes(param) && topLevelNames(subject).has(param)) return breached([]);
    const { members } = error.terms;
    const [name, listed] = [placeName(members.param?.at ?? ''), placeName(members.field?.at ?? '')];
    const actual = shortened(param);
    const tops = [...new Set(fields.map((field) => fieldSegments(field)[0] ?? ''))];
    const expected = `one of ${shortened(tops)}, the top-level fields of ${listed}`;
    const told = err('err-10.not-top-level', { subject: name, actual, expected });
    return breached([{ weight: 'breach', ...told, expected, actual, pointer }]);
  },
});

function fieldsOf(error: ToldError): readonly string[] {
  return membersIn(error, 'field').flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []));
}

function isTopOf(param: string, field: string): boolean {
  const [top] = fieldSegments(field);
  const [own, ...below] = fieldSegments(param);
  return param === top || (below.length === 0 && own === top);
}
