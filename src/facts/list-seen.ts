// How one list pages, told by its parameters and its answers: for a first draft of a contract, and for lists of which no contract speaks.

import type { PagingStyle } from '../contract/terms.ts';
import type { PagingDocument } from '../contract/terms-of.ts';
import { normal } from '../openapi/json.ts';
import type { Description, Operation } from '../openapi/model/operation.ts';
import { BY_DESCRIPTION, type Paging, pagingOf, queryNames } from '../openapi/model/paging.ts';
import { type Entry, isAddress, nextIn, shownIn } from './list-answers.ts';
import { leavesOf, listed, type Seen, scalar } from './seen.ts';

/** How one list pages. */
export interface ListSeen {
  readonly operation: string;
  readonly style: PagingStyle;
  /** Told by its parameters. */
  readonly asked: readonly Entry[];
  /** Told by its answers; empty where none was seen. */
  readonly shown: readonly Entry[];
  readonly size: Entry | null;
  /** The parameter of its size; null: none. */
  readonly sizedBy: string | null;
}

const CURSORS = new Set([
  ...[
    'cursor',
    'pagecursor',
    'nextcursor',
    'pagetoken',
    'nexttoken',
    'nextpagetoken',
    'continuationtoken',
    'skiptoken',
    'continuation',
  ],
  ...['after', 'pageafter', 'startingafter', 'startkey', 'marker', 'token'],
]);

export function parametersText(parameters: NonNullable<PagingDocument['parameters']>): string {
  const known = (['page', 'offset', 'cursor', 'size'] as const).flatMap((role) => {
    const name = parameters[role];
    return name == null ? [] : [`${role}: ${scalar(name)}`];
  });
  return known.length === 0 ? '' : `{ ${known.join(', ')} }`;
}

/** Tells whether the description names what turns pages: a number, a size, a cursor, or a header with links. */
export function namesPages(operation: Operation, description: Description): boolean {
  if (operation.method !== 'GET') return false;
  if (pagingOf({ operation, description }, BY_DESCRIPTION) !== null) return true;
  if (queryNames(operation, description).some(({ name }) => CURSORS.has(normal(name)))) return true;
  return operation.responses.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === 'link'));
}

/** null: no list that pages. */
export function listSeen(operation: Operation, description: Description, seen: readonly Seen[]): ListSeen | null {
  if (operation.method !== 'GET') return null;
  const paging = pagingOf({ operation, description }, BY_DESCRIPTION);
  const names = queryNames(operation, description);
  const cursor = names.find(({ name }) => CURSORS.has(normal(name)))?.name ?? null;
  const own = seen.filter((one) => one.operation === operation && one.status < 300 && one.body !== undefined);
  const next = nextIn(own, { hasCursor: cursor !== null });
  const size = sizeNamed(paging, cursor, names);
  const shown = shownIn(own, size);
  const isList = paging !== null || cursor !== null || next !== null;
  // An operation that reads by an id takes filters, too, as a list does.
  if (!isList || (operation.path.endsWith('}') && shown.length + own.length === 0)) return null;
  const turner = paging?.turner ?? null;
  const told = [...shown, ...(next === null ? [] : [next])];
  const style = styleOf(turner?.by ?? null, cursor, told);
  if (style === 'cursor' && next === null) told.push(...lastItem(cursor, shown, own));
  const parameters = parametersText({ ...turning(style, turner?.name ?? cursor, cursor), size });
  const first = style === 'page' ? firstPage(turner?.stated ?? null, shown) : [];
  return {
    ...{ operation: operation.key, style },
    asked: [...(parameters === '' ? [] : [{ key: 'parameters', value: parameters, why: 'as described' }]), ...first],
    shown: told.filter(({ key }) => ONLY_OF[key]?.includes(style) ?? true),
    sizedBy: size,
    size: sizeEntry(names.find(({ name }) => name === size)?.schema),
  };
}

/** As Stripe has it: a list that says only that more follows goes on after the id of its last item. */
function lastItem(cursor: string | null, shown: readonly Entry[], seen: readonly Seen[]): readonly Entry[] {
  const place = shown.find(({ key }) => key === 'items')?.value;
  const isAfter = cursor !== null && /after|since|last/i.test(cursor) && shown.some(({ key }) => key === 'more');
  const hasId = seen.some(({ body }) => leavesOf(body).some(({ at }) => at === `${place}/*/id`));
  if (place === undefined || !isAfter || !hasId) return [];
  return [
    { key: 'next', value: scalar(`${place}/*/id`), why: 'no answer tells a cursor: is it the id of the last item?' },
  ];
}

/** The parameter of the size; connections ask for the first so many after a cursor. */
function sizeNamed(paging: Paging | null, cursor: string | null, names: ReturnType<typeof queryNames>): string | null {
  if (paging?.size != null || cursor === null) return paging?.size?.name ?? null;
  return names.find(({ name }) => name === 'first')?.name ?? null;
}

/** Styles to which a key means something, where it does not to all. */
const ONLY_OF: Readonly<Record<string, readonly PagingStyle[]>> = { page: ['page'], next: ['cursor', 'links'] };

/** The parameter that turns pages, by its role. */
function turning(style: PagingStyle, turner: string | null, cursor: string | null): PagingDocument['parameters'] {
  if (style === 'page' || style === 'offset') return { [style]: turner };
  return style === 'cursor' ? { cursor } : {};
}

/** Links lead through lists whose answers count nothing, whatever else they take; counted ones are walked by their numbers. */
function styleOf(by: 'page' | 'item' | null, cursor: string | null, told: readonly Entry[]): PagingStyle {
  const next = told.find(({ key }) => key === 'next');
  const isCounted = told.some(({ key }) => key === 'total' || key === 'pages');
  if (next !== undefined && isAddress(next) && (by === null || !isCounted)) return 'links';
  if (cursor !== null) return 'cursor';
  return by === null ? 'limit' : by === 'page' ? 'page' : 'offset';
}

function firstPage(stated: number | null, shown: readonly Entry[]): readonly Entry[] {
  if (stated !== null) return [{ key: 'first', value: String(stated), why: 'as described' }];
  const page = shown.find(({ key }) => key === 'page');
  if (page === undefined) return [];
  return [{ key: 'first', value: page.why.endsWith(' 0') ? '0' : '1', why: page.why }];
}

function sizeEntry(schema: Readonly<Record<string, unknown>> | undefined): Entry | null {
  const parts = (['default', 'maximum'] as const).flatMap((key) => {
    const value = schema?.[key];
    return Number.isInteger(value) && Number(value) > 0 ? [`${key}: ${value}`] : [];
  });
  if (parts.length === 0) return null;
  return { key: 'size', value: `{ ${parts.join(', ')} }`, why: 'as described; above it: clamp or refuse?' };
}

/** The line of a contract file that says so of this list: it is judged by what stands there, and that is what is to be written down. */
export function entryLine({ operation, style, asked, shown, size }: ListSeen): string {
  const rows = [...asked, ...shown, ...(size === null ? [] : [size])].map(({ key, value }) => `${key}: ${value}`);
  return `pagination: [{ ${[`operations: ${listed([operation])}`, `style: ${style}`, ...rows].join(', ')} }]`;
}
