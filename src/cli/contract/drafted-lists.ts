// The lists of a drafted contract: how they page, told by their parameters and their answers, and which preset says so already.
import { shippedContract } from '../../contract/shipped.ts';
import { type PagingDocument, pagingIn } from '../../contract/terms-of.ts';
import { LINK_HEADER } from '../../facts/list-answers.ts';
import { type ListSeen, listSeen, parametersText } from '../../facts/list-seen.ts';
import { listed, type Seen, scalar } from '../../facts/seen.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { line, NOTHING, type Part } from './parts.ts';

/** An entry for each way to page, and the presets that fit. */
export function draftedLists(seen: readonly Seen[], descriptions: readonly Description[]): Part {
  const lists = descriptions.flatMap((description) =>
    description.operations.flatMap((operation) => listSeen(operation, description, seen) ?? []),
  );
  if (lists.length === 0) return NOTHING;
  // A list without a seen answer counts as paging by links where the lists beside it do.
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
    lines: lines.length === 0 ? [] : [line('pagination:'), ...lines],
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
  const extended = preset === null ? [] : [line(preset.name, which)];
  if (own.length === 0 && !isNamed) return { extends: extended, lines: [] };
  const operations = isNamed ? [{ key: 'operations', value: listed(names), why: '' }] : [];
  const rows = [...operations, { key: 'style', value: list.style, why: isNamed ? '' : which }, ...own];
  return {
    extends: extended,
    lines: rows.map(({ key, value, why }, at) => line(`  ${at === 0 ? '- ' : '  '}${key}: ${value}`, why)),
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
