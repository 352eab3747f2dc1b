// ERR-10, first half: `param` is the top-level field of one of the listed errors. That it is the field which a probe
// spoiled is judged where the probe is known.
//
// ERR-10 (must): `param` is the top-level field that offended: it is the first path segment of one of `errors[].field`,
//   and for a probe that spoils exactly one known field, that field. Tolerance: `a.b`, `a[0]`, `/a/b` notations
//   accepted.
import { breached } from '../../contract/judgement.ts';
import { shortened } from '../../facts/answered.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { textMember } from './error-object.ts';
import { topLevelNames } from './validation-request.ts';

export const err10 = errorCheck({
  clause: 'ERR-10',
  title: 'error.param is the first path segment of a listed field',
  about: (error) =>
    textMember(error, 'type') === 'validation_error' &&
    textMember(error, 'param') !== null &&
    fieldsOf(error).length > 0,
  judge(error, subject) {
    const param = textMember(error, 'param') ?? '';
    const fields = fieldsOf(error);
    if (fields.some((field) => isTopOf(param, field))) return breached([]);
    // A name that holds a dot or a bracket is a top-level name all the same when it was sent or declared so.
    if (fields.includes(param) && topLevelNames(subject).has(param)) return breached([]);
    const actual = shortened(param);
    const tops = [...new Set(fields.map((field) => fieldSegments(field)[0] ?? ''))];
    const expected = `one of ${shortened(tops)}, the top-level fields of errors[].field`;
    return breached([
      {
        weight: 'breach',
        ...err('err-10.not-top-level', { actual, expected }),
        expected,
        actual,
        pointer: '/error/param',
      },
    ]);
  },
});

function fieldsOf(error: JsonObject): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(error.errors) ? error.errors : [];
  return entries.flatMap((entry) =>
    isObject(entry) && typeof entry.field === 'string' && entry.field !== '' ? [entry.field] : [],
  );
}

function isTopOf(param: string, field: string): boolean {
  const [top] = fieldSegments(field);
  const [own, ...below] = fieldSegments(param);
  return param === top || (below.length === 0 && own === top);
}

// Field paths as errors[].field writes them. Grammar, freely combined:
//   path     "a" | "a.b" | "a[0]" | "a[0].b" | 'a["b"]' | "/a/b" (JSON pointer, ~0 and ~1 escaped)

const SEGMENT = /\[(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\]]*))\]|([^.[\]/]+)/g;

/** A longer path is taken as one segment: reading the paths of hostile answers takes time with the square of their length. */
const LONGEST_PATH = 1000;

/** The segments of a field path, from the top level down; none for an empty path. */
export function fieldSegments(path: string): readonly string[] {
  if (path.length > LONGEST_PATH) return [path];
  if (path.startsWith('/')) {
    return path
      .slice(1)
      .split('/')
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return [...path.matchAll(SEGMENT)].map(
    ([, quoted, single, bracketed, plain]) => quoted ?? single ?? bracketed ?? plain ?? '',
  );
}
