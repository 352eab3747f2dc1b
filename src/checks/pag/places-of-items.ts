// Where the items of a list stand in its answers: the body itself, or an array in an envelope of any name.
import { shortened } from '../answered.ts';

const USUAL_NAMES = ['data', 'items', 'results', 'records', 'rows', 'entries', 'list'];
const DEPTH = 3;

interface Candidate {
  readonly pointer: string;
  readonly name: string;
  readonly items: readonly unknown[];
}

/**
 * JSON pointer of the item array that the bodies (answers of one list, asked for pages of several sizes) have in common:
 * "" for a bare array, null where there is none. Of several arrays the one wins whose length follows the size asked
 * for, then the one with a usual name, then one of objects.
 */
export function placeOfItems(bodies: readonly unknown[]): string | null {
  const [first] = bodies;
  if (Array.isArray(first)) return '';
  const candidates = candidatesIn(first, '', 0);
  const lengths = (pointer: string): number =>
    new Set(bodies.map((body) => itemsAt(body, pointer)?.length).filter((length) => length !== undefined)).size;
  const weight = ({ pointer, name, items }: Candidate): number =>
    (lengths(pointer) > 1 ? 4 : 0) +
    (USUAL_NAMES.includes(name) ? 2 : 0) +
    (items.some((item) => typeof item === 'object') ? 1 : 0);
  const [best] = candidates.toSorted((left, right) => weight(right) - weight(left));
  return best?.pointer ?? null;
}

/** The array at the pointer; null where none stands there. */
export function itemsAt(body: unknown, pointer: string): readonly unknown[] | null {
  let value = body;
  for (const name of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return Array.isArray(value) ? value : null;
}

/** The place in words: "a bare array", "an array at /data". */
export function placeInWords(place: string | null): string {
  if (place === null) return 'no array of items';
  return place === '' ? 'a bare array' : `an array at ${shortened(place)}`;
}

function candidatesIn(value: unknown, pointer: string, depth: number): readonly Candidate[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= DEPTH) return [];
  const members = Object.entries(value).filter(([name]) => !/[/~]/.test(name));
  const own = members.flatMap(([name, items]) =>
    Array.isArray(items) ? [{ pointer: `${pointer}/${name}`, name, items }] : [],
  );
  return [...own, ...members.flatMap(([name, inner]) => candidatesIn(inner, `${pointer}/${name}`, depth + 1))];
}
