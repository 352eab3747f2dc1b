// How a list pages, as its query parameters say: by which name the size of a page is asked for, and by which a page is turned to. The
// contract `commerce` has three names; by a description alone the names are those that frameworks give.
import type { ContractName } from '../../contract/contract.ts';
import { isObject, membersOf } from '../json.ts';
import type { Description, Operation, Parameter } from './operation.ts';

/** The parameter that turns pages. */
export interface Turner {
  readonly name: string;
  /** page: it counts pages. item: it counts the items before the page. */
  readonly by: 'page' | 'item';
  /** The value that asks for the first page, as the contract or the description says; null: neither does. */
  readonly stated: number | null;
  /** The same where answers do not tell it, either. */
  readonly assumed: number;
  /** True where no page is answered without it. */
  readonly required: boolean;
}

export interface Paging {
  /** The parameter that says how many items a page holds; null: the list decides that. */
  readonly size: { readonly name: string; readonly required: boolean; readonly usual: number } | null;
  /** null: all that is shown is one page. */
  readonly turner: Turner | null;
}

/** Names as they are compared: without case and punctuation ("page[size]" and "pageSize" are one). `true`: the name is a usual word, too, so its schema must be a number. */
type Names = Readonly<Record<string, { readonly isWord: boolean }>>;
const NAMED = { isWord: false } as const;
const WORD = { isWord: true } as const;

const SIZES: Names = {
  ...{ limit: NAMED, pagesize: NAMED, perpage: NAMED, pagelimit: NAMED, itemsperpage: NAMED, resultsperpage: NAMED },
  ...{ maxresults: NAMED, maxitems: NAMED, maxpagesize: NAMED, limitperpage: NAMED, recordsperpage: NAMED },
  ...{ size: WORD, take: WORD, top: WORD, count: WORD, rows: WORD, num: WORD },
};
const PAGES: Names = {
  ...{ page: NAMED, pagenumber: NAMED, pageno: NAMED, pagenum: NAMED, pageindex: NAMED, currentpage: NAMED },
  ...{ p: WORD, pg: WORD },
};
const OFFSETS: Names = {
  ...{ offset: NAMED, startindex: NAMED, startat: NAMED, pageoffset: NAMED, firstresult: NAMED, rowoffset: NAMED },
  ...{ skip: WORD, start: WORD, from: WORD },
};
/** Some of the names, for whoever is told that a list has none. */
export const PAGING_NAMES =
  'limit, size, per_page, pageSize, page[size], take; page, pageNumber, offset, skip, startIndex';
/** Parameter that counts items from 1 where nobody says otherwise. Source: RFC 7644, 3.4.2.4. */
const FROM_ONE = 'startindex';

const OF_COMMERCE = { size: 'limit', item: 'offset', page: 'page' } as const;
/** A size that is within all usual bounds. */
const USUAL_SIZE = 20;

/** One query parameter, those of an object that is written as several among them. */
interface Named {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

type Described = { readonly operation: Operation; readonly description: Description };

/** How the operation pages under the contract; null for what is no list that pages. */
export function pagingOf({ operation, description }: Described, contract: ContractName): Paging | null {
  if (operation.method !== 'GET') return null;
  return contract === 'commerce' ? commercePaging(operation) : ofDescription(queryNames(operation, description));
}

/** The names of all query parameters, an object's members by themselves. */
export function queryNames(operation: Operation, description: Description): readonly Named[] {
  return operation.parameters.filter((one) => one.in === 'query').flatMap((one) => namesIn(one, description));
}

/** The same by the three names of the contract `commerce`. */
export function commercePaging({ method, parameters }: Operation): Paging | null {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  if (method !== 'GET' || !names.includes(OF_COMMERCE.size)) return null;
  const by = (['item', 'page'] as const).find((one) => names.includes(OF_COMMERCE[one]));
  const first = by === 'page' ? 1 : 0;
  const turner =
    by === undefined ? null : { name: OF_COMMERCE[by], by, stated: first, assumed: first, required: false };
  return { size: { name: OF_COMMERCE.size, required: false, usual: USUAL_SIZE }, turner };
}

function ofDescription(parameters: readonly Named[]): Paging | null {
  const size = found(parameters, SIZES);
  const item = found(parameters, OFFSETS);
  const page = item === null ? found(parameters, PAGES) : null;
  if (size === null && item === null && page === null) return null;
  return { size: size === null ? null : sizeOf(size), turner: item === null ? page && pages(page) : items(item) };
}

function sizeOf({ name, required, schema }: Named): Paging['size'] {
  const { default: usual, minimum, maximum } = schema;
  const within = Math.max(numberOr(minimum, 1), Math.min(numberOr(maximum, USUAL_SIZE), USUAL_SIZE));
  return { name, required, usual: numberOr(usual, within) };
}

function pages(one: Named): Turner {
  const { name, required, schema } = one;
  const least = leastOf(schema);
  // Whoever admits page 0 need not begin there; who admits none below 1 does not.
  return {
    name,
    by: 'page',
    stated: startIn(schema.default) ?? (least === 1 ? 1 : null),
    assumed: least ?? 1,
    required,
  };
}

function items({ name, required, schema }: Named): Turner {
  const assumed = plain(name) === FROM_ONE ? 1 : 0;
  const said = startIn(schema.default) ?? leastOf(schema);
  return { name, by: 'item', stated: said ?? (assumed === 0 ? 0 : null), assumed, required };
}

/** 0 or 1, where the schema admits no less. */
function leastOf({ minimum, exclusiveMinimum }: Named['schema']): number | null {
  return startIn(minimum) ?? startIn(typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : null);
}

/** Number that may be the first of its kind. */
function startIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^[01]$/.test(value) ? Number(value) : value;
  return number === 0 || number === 1 ? number : null;
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : other;
}

/** The parameter whose name stands first in the table, and whose schema may be one of such numbers. */
function found(parameters: readonly Named[], names: Names): Named | null {
  for (const [name, { isWord }] of Object.entries(names)) {
    const one = parameters.find((parameter) => plain(parameter.name) === name && countsBy(parameter, isWord));
    if (one !== undefined) return one;
  }
  return null;
}

const NUMBERS = ['integer', 'number'];

function countsBy({ schema: { type, enum: values, anyOf, format } }: Named, isWord: boolean): boolean {
  const types = [type, ...(Array.isArray(anyOf) ? anyOf.map((one) => (isObject(one) ? one.type : null)) : [])].flat();
  if (types.some((one) => NUMBERS.some((number) => number === one))) return true;
  const isText = types.every((one) => one === undefined || one === 'string') && values === undefined;
  return !isWord && isText && format === undefined;
}

function plain(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase();
}

/** An object in the query is written member by member, under their own names or, as a deep object, under its own. */
function namesIn({ name, required, schema, style, explode }: Parameter, description: Description): readonly Named[] {
  const read = description.deref(schema?.value);
  const own = isObject(read) ? read : {};
  const properties = isObject(own.properties) ? membersOf(own.properties) : [];
  const isDeep = style === 'deepObject';
  if (properties.length === 0 || !(isDeep || (style === 'form' && explode))) return [{ name, required, schema: own }];
  return properties.map(([member, value]) => {
    const inner = description.deref(value);
    return { name: isDeep ? `${name}[${member}]` : member, required: false, schema: isObject(inner) ? inner : {} };
  });
}
