// Chooses filters under which a list shows some of its items, and not all: by a value that they have, by two of them, or by a word.
import { singular } from '../../facts/nouns.ts';
import { type SchemaObject, shapeOf } from '../../generate/schema-shape.ts';
import { isObject } from '../../openapi/json.ts';
import type { Pairs } from '../reach/reading-lists.ts';
import type { ListOperation } from './list-operation.ts';
import type { Survey } from './survey.ts';

type Item = Readonly<Record<string, unknown>>;

/** Fewer items have no second page that is worth a look. */
export const LEAST_ITEMS = 4;

/** The first filter by a value, by two values of one parameter, and by a word, as far as the items show one. */
export function filtersOf({ reached, paging }: ListOperation, survey: Survey): readonly Pairs[] {
  const items = survey.walk
    .flatMap(({ page }) => page.items)
    .filter(isObject)
    .map(flattened);
  const { operation, description } = reached;
  const turning = [paging.size?.name, paging.turner?.name];
  const found = operation.parameters
    .filter(({ name, in: place }) => place === 'query' && !turning.includes(name))
    .map(({ schema, ...asked }) => ({ ...asked, shape: schema === null ? {} : shapeOf(description, schema.value) }))
    .map(({ shape, explode, ...asked }) => {
      // A filter by a list of values is tried with one of them, in whatever way they are told apart.
      const isList = shape.type === 'array';
      return { ...asked, most: isList && explode ? 2 : 1, shape: isList ? shapeOf(description, shape.items) : shape };
    });
  const filterBy = (among: typeof valuesFor, count: number): Pairs | undefined =>
    found
      .filter(({ most }) => most >= count)
      .map(({ name, shape }) => among(name, shape, items).map((text) => [name, text] as const))
      .map((pairs) => pairs.slice(0, count))
      .find(({ length }) => length === count);
  // A link that is made of the parameters by name keeps one of those that stand twice.
  return [filterBy(valuesFor, 1), filterBy(valuesFor, 2), filterBy(wordsFor, 1)].filter((pairs) => pairs !== undefined);
}

/** The item with the members of its objects as its own, as of `node` or `attributes`. */
function flattened(item: Item): Item {
  return Object.assign({}, ...Object.values(item).filter(isObject), item);
}

/** The member that a parameter filters by: `filter[state]` is of `state`. */
function filteredBy(name: string): string {
  return /^filters?\[(.+)\]$/.exec(name)?.[1] ?? name;
}

/** Values that some of the items have in the member of the parameter's name, in the plural or not, and not all: listed ones, or texts. */
function valuesFor(name: string, { enum: values, type }: SchemaObject, items: readonly Item[]): readonly string[] {
  const listed = type === 'boolean' ? [true, false] : values;
  const isTaken = (value: unknown): boolean =>
    Array.isArray(listed) ? listed.includes(value) : type === 'string' && typeof value === 'string' && value !== '';
  const of = (member: string): readonly string[] =>
    commonest(items.map((item) => (isTaken(item[member]) ? [String(item[member])] : [])));
  const member = filteredBy(name);
  return [of(member), of(singular(member))].find((found) => found.length > 0) ?? [];
}

/** Parameters by which a list is searched for a text. */
const SEARCHES = /^(q|query|search|search_?(term|text|query)|term|keywords?)$/i;
/** Members that are searched first. */
const NAMING = /name|title|label|subject/i;
const WORD = /[\p{L}\p{N}]{3,}/gu;

/** Words that stand in a text of some of the items, and not of all. */
function wordsFor(name: string, { type, enum: values }: SchemaObject, items: readonly Item[]): readonly string[] {
  if (!SEARCHES.test(name) || type !== 'string' || values !== undefined) return [];
  const wordsWhere = (isSearched: (member: string) => boolean): readonly string[] =>
    commonest(
      items.map((item) =>
        Object.entries(item).flatMap(([member, value]) =>
          typeof value === 'string' && isSearched(member) ? (value.match(WORD) ?? []) : [],
        ),
      ),
    );
  return [(member: string) => NAMING.test(member), () => true].map(wordsWhere).find((found) => found.length > 0) ?? [];
}

/** Texts that items have, and not all, commonest first; without those of too few items for two pages. */
function commonest(texts: readonly (readonly string[])[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts.flatMap((ofItem) => [...new Set(ofItem)])) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= LEAST_ITEMS && count < texts.length)
    .toSorted(([, left], [, right]) => right - left)
    .map(([text]) => text);
}
