// Chooses filters under which a list shows some of its items, and not all: by a value that they have, or by a word.
import { singular } from '../../facts/nouns.ts';
import { type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { isObject } from '../../openapi/json.ts';
import type { Pairs } from '../reach/reading-lists.ts';
import type { ListOperation } from './list-operation.ts';
import type { Survey } from './survey.ts';

type Item = Readonly<Record<string, unknown>>;

/** Fewer items have no second page that is worth a look. */
export const LEAST_ITEMS = 4;

/** The first filter by a value and the first by a word, as far as the items show one. */
export function filtersOf({ reached, paging }: ListOperation, survey: Survey): readonly Pairs[number][] {
  const items = survey.walk
    .flatMap(({ page }) => page.items)
    .filter(isObject)
    .map(flattened);
  const { operation, description } = reached;
  const turning = [paging.size?.name, paging.turner?.name];
  const found = operation.parameters
    .filter(({ name, in: place }) => place === 'query' && !turning.includes(name))
    .map(({ name, schema }) => ({ name, shape: schema === null ? {} : shapeOf(description, schema.value) }))
    // A filter by a list of values is tried with one of them, in whatever way they are told apart.
    .map(({ name, shape }) => ({ name, shape: shape.type === 'array' ? shapeOf(description, shape.items) : shape }));
  const kinds = [valueFor, wordFor].map((among) =>
    found.flatMap(({ name, shape }): readonly Pairs[number][] => {
      const text = among(name, shape, items);
      return text === null ? [] : [[name, text]];
    }),
  );
  return kinds.flatMap((filters) => filters.slice(0, 1));
}

/** The item with the members of its objects as its own, as of `node` or `attributes`. */
function flattened(item: Item): Item {
  return Object.assign({}, ...Object.values(item).filter(isObject), item);
}

/** The member that a parameter filters by: `filter[state]` is of `state`. */
function filteredBy(name: string): string {
  return /^filters?\[(.+)\]$/.exec(name)?.[1] ?? name;
}

/** A value that some of the items have in the member of the parameter's name, in the plural or not, and not all: a listed one, or a text. */
function valueFor(name: string, { enum: values, type }: SchemaObject, items: readonly Item[]): string | null {
  const listed = type === 'boolean' ? [true, false] : values;
  const isTaken = (value: unknown): boolean =>
    Array.isArray(listed) ? listed.includes(value) : type === 'string' && typeof value === 'string' && value !== '';
  const of = (member: string): string | null =>
    commonest(items.map((item) => (isTaken(item[member]) ? [String(item[member])] : [])));
  const member = filteredBy(name);
  return of(member) ?? of(singular(member));
}

/** Parameters by which a list is searched for a text. */
const SEARCHES = /^(q|query|search|search_?(term|text|query)|term|keywords?)$/i;
/** Members that are searched first. */
const NAMING = /name|title|label|subject/i;
const WORD = /[\p{L}\p{N}]{3,}/gu;

/** A word that stands in a text of some of the items, and not of all. */
function wordFor(name: string, { type, enum: values }: SchemaObject, items: readonly Item[]): string | null {
  if (!SEARCHES.test(name) || type !== 'string' || values !== undefined) return null;
  const wordsWhere = (isSearched: (member: string) => boolean): string | null =>
    commonest(
      items.map((item) =>
        Object.entries(item).flatMap(([member, value]) =>
          typeof value === 'string' && isSearched(member) ? (value.match(WORD) ?? []) : [],
        ),
      ),
    );
  return wordsWhere((member) => NAMING.test(member)) ?? wordsWhere(() => true);
}

/** The text that most items have, and not all; null where it is too few for two pages. */
function commonest(texts: readonly (readonly string[])[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts.flatMap((ofItem) => [...new Set(ofItem)])) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [most] = [...counts]
    .filter(([, count]) => count >= LEAST_ITEMS && count < texts.length)
    .toSorted(([, left], [, right]) => right - left);
  return most?.[0] ?? null;
}
