// The lists of a drafted contract: how they page, told by their parameters and their answers, and which preset says so already.
import { shippedContract } from '../../contract/shipped.ts';
import type { PagingStyle } from '../../contract/terms.ts';
import { type PagingDocument, pagingIn } from '../../contract/terms-of.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { BY_DESCRIPTION, pagingOf, queryNames } from '../../openapi/model/paging.ts';
import { type Entry, isAddress, LINK_HEADER, nextIn, shownIn } from './list-answers.ts';
import { listed, NOTHING, type Part, plain, type Seen, scalar } from './seen.ts';

/** How one list pages. */
interface ListSeen {
  readonly operation: string;
  readonly style: PagingStyle;
  /** By its parameters. */
  readonly asked: readonly Entry[];
  /** By its answers; empty where none was seen. */
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
    'continuation',
  ],
  ...['after', 'pageafter', 'startingafter', 'startkey', 'marker', 'token'],
]);

/** An entry for each way to page, and the presets that fit. */
export function draftedLists(seen: readonly Seen[], descriptions: readonly Description[]): Part {
  const lists = descriptions.flatMap((description) =>
    description.operations.flatMap((operation) => listSeen(operation, description, seen) ?? []),
  );
  if (lists.length === 0) return NOTHING;
  // What pages by links for its siblings does so itself, though no answer of it was seen.
  const linked = lists.filter(({ style }) => style === 'links').map(({ sizedBy }) => sizedBy);
  const own = lists.filter(
    ({ style, shown, sizedBy }) => style === 'links' || shown.length > 0 || !linked.includes(sizedBy),
  );
  const ways = Map.groupBy(own, (list) => `${list.style} ${saidOf(list, 'parameters')}`);
  const parts = [...ways.values()].flatMap(entryParts);
  const presets = new Map(parts.flatMap((part) => part.extends.map((line) => [line.text, line] as const)));
  const lines = parts.flatMap((part) => part.lines);
  return {
    extends: [...presets.values()],
    lines: lines.length === 0 ? [] : [{ text: 'pagination:', why: '' }, ...lines],
  };
}

function saidOf({ asked, shown }: ListSeen, key: string): string {
  return [...asked, ...shown].find((entry) => entry.key === key)?.value ?? '';
}

/** Lists of one style and of the same parameters: an entry for each form of their answers, that of most lists for all that are not named. */
function entryParts(lists: readonly ListSeen[]): readonly Part[] {
  const told = lists.filter(({ shown }) => shown.length > 0);
  const untold = lists.filter((list) => !told.includes(list));
  const forms = [
    ...Map.groupBy(told, ({ shown }) => JSON.stringify(shown.map(({ key, value }) => [key, value]))).values(),
  ].toSorted((left, right) => left.length - right.length);
  const most = forms.pop() ?? [];
  return [
    ...forms.map((own) => entryPart(own, { isNamed: true })),
    entryPart([...most, ...untold], { isNamed: lists.some((list) => saidOf(list, 'parameters') === '') }),
  ];
}

/** Lines of one entry; none where a preset says all of it. */
function entryPart(lists: readonly ListSeen[], { isNamed }: { readonly isNamed: boolean }): Part {
  const [list] = lists;
  if (list === undefined) return NOTHING;
  const names = lists.map(({ operation }) => operation);
  const which = `${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ''}`;
  const preset = presetFor(list);
  const sizes = lists.every(({ size }) => size?.value === list.size?.value) && list.size !== null ? [list.size] : [];
  const own = [...list.asked, ...list.shown, ...sizes].filter(({ key, value }) => preset?.says[key] !== value);
  const extended = preset === null ? [] : [{ text: preset.name, why: which }];
  if (own.length === 0 && !isNamed) return { extends: extended, lines: [] };
  const operations = isNamed ? [{ key: 'operations', value: listed(names), why: '' }] : [];
  const rows = [...operations, { key: 'style', value: list.style, why: isNamed ? '' : which }, ...own];
  return {
    extends: extended,
    lines: rows.map(({ key, value, why }, at) => ({ text: `  ${at === 0 ? '- ' : '  '}${key}: ${value}`, why })),
  };
}

const PRESETS = ['pages-from-0', 'pages-from-1', 'offset', 'cursor', 'link-header', 'json-api'];

/** The preset whose parameters and whose first page the list has. */
function presetFor(list: ListSeen): { readonly name: string; readonly says: Readonly<Record<string, string>> } | null {
  for (const name of PRESETS) {
    const [entry] = pagingIn(shippedContract(name).pagination).lists;
    if (entry === undefined || entry.style !== list.style) continue;
    const says = sayings(entry);
    const decisive = ['parameters', 'first', 'next'].filter((key) => says[key] !== undefined);
    if (decisive.every((key) => saidOf(list, key) === says[key])) return { name, says };
  }
  return null;
}

/** The entry of a preset, each value as this file writes it. */
function sayings(entry: PagingDocument): Readonly<Record<string, string>> {
  const { parameters, first, items, next } = entry;
  return Object.fromEntries([
    ...(parameters === undefined ? [] : [['parameters', parametersText(parameters)]]),
    ...(first === undefined ? [] : [['first', String(first)]]),
    ...(items === undefined ? [] : [['items', scalar(items)]]),
    ...(next === undefined ? [] : [['next', typeof next === 'string' ? scalar(next) : LINK_HEADER]]),
  ]);
}

function parametersText(parameters: NonNullable<PagingDocument['parameters']>): string {
  const known = (['page', 'offset', 'cursor', 'size'] as const).flatMap((role) => {
    const name = parameters[role];
    return name == null ? [] : [`${role}: ${scalar(name)}`];
  });
  return known.length === 0 ? '' : `{ ${known.join(', ')} }`;
}

/** null: no list that pages. */
function listSeen(operation: Operation, description: Description, seen: readonly Seen[]): ListSeen | null {
  if (operation.method !== 'GET') return null;
  const paging = pagingOf({ operation, description }, BY_DESCRIPTION);
  const names = queryNames(operation, description);
  const cursor = names.find(({ name }) => CURSORS.has(plain(name)))?.name ?? null;
  const own = seen.filter((one) => one.operation === operation && one.status < 300 && one.body !== undefined);
  const next = nextIn(own, { hasCursor: cursor !== null });
  const size = paging?.size?.name ?? null;
  const shown = shownIn(own, size);
  const isList = paging !== null || cursor !== null || next !== null;
  // What is read by its id takes filters, too, as a list does.
  if (!isList || (operation.path.endsWith('}') && shown.length + own.length === 0)) return null;
  const turner = paging?.turner ?? null;
  const told = [...shown, ...(next === null ? [] : [next])];
  const style = styleOf(turner?.by ?? null, cursor, told);
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
