// How a list pages: by which name the size of a page is asked for, and by which a page is turned to. The contract names the
// parameters; by a description alone the names are those that frameworks give.
import type { ContractName } from '../../contract/contract.ts';
import { NO_TERMS, type PagingTerms, type Terms } from '../../contract/terms.ts';
import { asString, isObject, membersOf, normal } from '../json.ts';
import type { Description, Operation, Parameter } from './operation.ts';
import { statedPaging } from './stated-paging.ts';

/** The parameter that turns pages. */
export type TurnedBy = 'page' | 'item';

export interface Turner {
  readonly name: string;
  /** page: it counts pages. item: it counts the items before the page. */
  readonly by: TurnedBy;
  /** The value that asks for the first page, as the contract or the description says; null: neither does. */
  readonly stated: number | null;
  /** The same where answers do not tell it, either. */
  readonly assumed: number;
  /** True where no page is answered without it. */
  readonly required: boolean;
}

/** The parameter that says how many items a page holds. */
export interface PageSize {
  readonly name: string;
  readonly required: boolean;
  readonly usual: number;
  /** The largest that its description lets one ask for. Absent: it does not say. */
  readonly maximum?: number;
  /** Values that its description says to ask for all items. Absent: none. */
  readonly unlimited?: readonly string[];
}

export interface Paging {
  /** The parameter that says how many items a page holds; null: the list decides that. */
  readonly size: PageSize | null;
  /** null: all that is shown is one page, or pages follow one another by what the one before says. */
  readonly turner: Turner | null;
  /** Terms of the contract for the list; null: its description alone tells how it pages. */
  readonly stated: PagingTerms | null;
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

/** A size that is within all usual bounds. */
const USUAL_SIZE = 20;

/** One query parameter, those of an object that is written as several among them. */
interface Named {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The sentences that describe it beside its schema. */
  readonly prose?: string | undefined;
}

type Described = { readonly operation: Operation; readonly description: Description };

/** The contract, and what it states. */
export interface Stating {
  readonly contract: ContractName;
  readonly terms: Terms;
}

/** Nothing is known beside the description. */
export const BY_DESCRIPTION: Stating = { contract: 'openapi', terms: NO_TERMS };

/** How the operation pages under the contract, or where that has none for it by its description; null for what is no list that pages. */
export function pagingOf({ operation, description }: Described, { contract, terms }: Stating): Paging | null {
  if (operation.method !== 'GET') return null;
  const stated = statedPaging(operation, terms);
  const names = queryNames(operation, description);
  if (stated !== null) return ofContract(stated, names);
  return contract === 'commerce' ? null : ofDescription(names);
}

/** The names of all query parameters, an object's members by themselves. */
export function queryNames(operation: Operation, description: Description): readonly Named[] {
  return operation.parameters.filter((one) => one.in === 'query').flatMap((one) => namesIn(one, description));
}

/** The parameters that the contract names, whether the description declares them or not. */
function ofContract(stated: PagingTerms, declared: readonly Named[]): Paging {
  const named = (name: string): Named =>
    declared.find((one) => one.name === name) ?? { name, required: false, schema: {} };
  const { parameters, style } = stated;
  const size = parameters.size === null ? null : sizeOf(named(parameters.size));
  if (parameters.turn === null || (style !== 'page' && style !== 'offset')) return { size, turner: null, stated };
  const { name, required } = named(parameters.turn);
  const by = style === 'page' ? 'page' : 'item';
  const first = stated.first ?? (by === 'page' ? 1 : 0);
  return { size, turner: { name, by, stated: first, assumed: first, required }, stated };
}

function ofDescription(parameters: readonly Named[]): Paging | null {
  const size = found(parameters, SIZES);
  const item = found(parameters, OFFSETS);
  const page = item === null ? found(parameters, PAGES) : null;
  if (size === null && item === null && page === null) return null;
  const turner = item === null ? page && pages(page) : items(item);
  return { size: size === null ? null : sizeOf(size), turner, stated: null };
}

/** Values that servers take for no limit, and the words after them that say so. */
const OF_NO_LIMIT = ['0', '-1'];
const NO_LIMIT = '\\b(?:all|no (?:maximum |upper )?limit|unlimited|without (?:a |any )?limit|infinite|disables?)\\b';

function unlimitedBy({ schema, prose = '' }: Named): readonly string[] {
  const told = `${prose}\n${asString(schema.description) ?? ''}`;
  return OF_NO_LIMIT.filter((value) =>
    new RegExp(`(?<![\\w.-])${value}(?![\\w.])[^.;\\n]*${NO_LIMIT}`, 'i').test(told),
  );
}

function sizeOf(named: Named): PageSize {
  const { name, required, schema } = named;
  const { default: usual, minimum, maximum } = schema;
  const within = Math.max(numberOr(minimum, 1), Math.min(numberOr(maximum, USUAL_SIZE), USUAL_SIZE));
  const unlimited = unlimitedBy(named);
  const most = numberOr(maximum, 0);
  return {
    ...{ name, required, usual: numberOr(usual, within) },
    ...(most === 0 ? {} : { maximum: most }),
    ...(unlimited.length === 0 ? {} : { unlimited }),
  };
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
  const assumed = normal(name) === FROM_ONE ? 1 : 0;
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
    const one = parameters.find((parameter) => normal(parameter.name) === name && countsBy(parameter, isWord));
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

/** An object in the query is written member by member, under their own names or, as a deep object, under its own. */
function namesIn(
  { name, required, schema, style, explode, prose }: Parameter,
  description: Description,
): readonly Named[] {
  const read = description.deref(schema?.value);
  const own = isObject(read) ? read : {};
  const properties = isObject(own.properties) ? membersOf(own.properties) : [];
  const isDeep = style === 'deepObject';
  if (properties.length === 0 || !(isDeep || (style === 'form' && explode)))
    return [{ name, required, schema: own, prose }];
  return properties.map(([member, value]) => {
    const inner = description.deref(value);
    return { name: isDeep ? `${name}[${member}]` : member, required: false, schema: isObject(inner) ? inner : {} };
  });
}
