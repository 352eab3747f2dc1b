// How errors of refused input name their fields in a drafted contract, where they do so by no member of a text: by lists of the segments of
// paths, or as the names of members.

import { nameOf, type Seen, scalar } from '../../facts/seen.ts';
import { isObject, membersOf } from '../../openapi/json.ts';
import { type Line, line } from './parts.ts';

const OF_SEGMENTS = ['loc', 'path', 'location'];
const OF_FIELDS = [
  'errors',
  'fields',
  'fieldErrors',
  'field_errors',
  'validationErrors',
  'validation_errors',
  'details',
];

/** The line of the first error that names fields so; none where no error does. */
export function fieldLine(errors: readonly Seen[]): readonly Line[] {
  for (const error of errors) {
    const found = segmentsIn(error.body) ?? keysIn(error.body);
    if (found === null) continue;
    const text = `    field: { at: ${scalar(found.at)}, optional: true, form: ${found.form} }`;
    return [line(text, `${nameOf(error)}: names what offended`)];
  }
  return [];
}

interface Found {
  readonly at: string;
  readonly form: 'segments' | 'keys';
}

/** A list of objects with a list of texts and indexes each: FastAPI's /detail. */
function segmentsIn(body: unknown): Found | null {
  for (const [list, value] of isObject(body) ? membersOf(body) : []) {
    const [entry] = Array.isArray(value) ? value : [];
    const name = OF_SEGMENTS.find((one) => isObject(entry) && isPath(entry[one]));
    if (name !== undefined) return { at: `/${list}/*/${name}`, form: 'segments' };
  }
  return null;
}

function isPath(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' || Number.isInteger(one))
  );
}

/** An object of lists of texts: /errors of ASP.NET, Laravel and Rails, at the top or within one object. */
function keysIn(body: unknown, above = ''): Found | null {
  if (!isObject(body)) return null;
  const name = OF_FIELDS.find((one) => isObject(body[one]) && listsTexts(body[one]));
  if (name !== undefined) return { at: `${above}/${name}`, form: 'keys' };
  const [only, ...others] = above === '' ? membersOf(body) : [];
  return only === undefined || others.length > 0 ? null : keysIn(only[1], `/${only[0]}`);
}

function listsTexts(value: Readonly<Record<string, unknown>>): boolean {
  const lists = Object.values(value);
  const isTexts = (one: unknown): boolean =>
    Array.isArray(one) && one.length > 0 && one.every((text) => typeof text === 'string');
  return lists.length > 0 && lists.every(isTexts);
}
