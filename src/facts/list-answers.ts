// Tells by the answers of a list how it pages: where the items stand, what is counted, and where the next page is told. Members are told
// by their names, and by values that can be no others.

import { isObject, normal } from '../openapi/json.ts';
import { itemsAt, placeOf } from './places-of-items.ts';
import { headerName, type Leaf, leavesOf, nameOf, type Seen, scalar } from './seen.ts';

/** One key of an entry on lists, as YAML writes its value, and what speaks for it. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  readonly why: string;
}

/** As much as an answer shows of its list. */
interface Shown {
  readonly items: number;
  /** The size that was asked for; null: none. */
  readonly size: number | null;
}

interface CountForm {
  readonly key: string;
  /** Names of members, the likeliest first. */
  readonly names: readonly string[];
  /** True where the counts of all answers may be such. */
  fits(counts: readonly number[], shown: readonly Shown[], name: string): boolean;
}

const COUNTS: readonly CountForm[] = [
  {
    key: 'total',
    names: ['total', 'totalelements', 'totalcount', 'totalitems', 'totalresults', 'totalrecords', 'count', 'itemcount'],
    // A count may be that of the page's own items.
    fits: (counts, shown, name) =>
      counts.every((count, at) => count === counts[0] && count >= (shown[at]?.items ?? 0)) &&
      (!name.endsWith('count') || name === 'totalcount' || counts.some((count, at) => count > (shown[at]?.items ?? 0))),
  },
  {
    key: 'pages',
    names: ['totalpages', 'pagecount', 'pages', 'lastpage', 'numpages', 'pagestotal'],
    fits: (counts) => counts.every((count) => count >= 0),
  },
  {
    key: 'page',
    names: ['page', 'number', 'currentpage', 'pagenumber', 'pageno', 'pageindex', 'current'],
    fits: (counts) => counts.every((count) => count === counts[0] && (count === 0 || count === 1)),
  },
  {
    key: 'limit',
    names: ['limit', 'size', 'perpage', 'pagesize', 'itemsperpage', 'pagelimit'],
    fits: (counts, shown) =>
      counts.every((count, at) => count >= (shown[at]?.items ?? 0) && count === (shown[at]?.size ?? count)),
  },
];
const MORE = ['hasmore', 'hasnext', 'hasnextpage', 'more'];
const NEXT = [
  ...['nextcursor', 'nextpagetoken', 'nexttoken', 'next', 'nextpage', 'nextpageurl', 'nextlink', 'odatanextlink'],
  ...['nexturl', 'endcursor', 'after', 'cursor', 'continuationtoken', 'continuation', 'href'],
];

const COUNTING_HEADER = /^x-(?:pagination-)?(.+)$/i;

/** Headers that are numbers, as if they stood in the body: X-Total-Count is /totalcount at the top. */
function countsInHeaders({ headers }: Seen): readonly Leaf[] {
  return headers.flatMap(([name, text]) => {
    const [, counted] = COUNTING_HEADER.exec(name) ?? [];
    const isCount = counted !== undefined && /^\d{1,12}$/.test(text.trim());
    return isCount ? [{ at: headerName(name), name: normal(counted), value: Number(text) }] : [];
  });
}

/** Items and counts that all answers have in common; `size` is the parameter that one item was asked for by. */
export function shownIn(seen: readonly Seen[], size: string | null): readonly Entry[] {
  const answers = seen.filter(({ purpose }) => purpose === 'plain' || purpose === 'one item');
  const place = placeOf(
    answers.map(({ body }) => body),
    '',
  );
  const [first] = answers;
  if (place === null || first === undefined) return [];
  const shows = answers.map((answer) => ({
    leaves: [
      ...leavesOf(withoutItems(answer.body, place.pointer)).filter(({ at }) => !at.includes('/*')),
      ...countsInHeaders(answer),
    ],
    items: itemsAt(answer.body, place.pointer)?.length ?? 0,
    size: size !== null && answer.purpose === 'one item' ? 1 : null,
  }));
  const entry = (key: string, leaf: Leaf | null, what = 'it is'): readonly Entry[] =>
    leaf === null ? [] : [{ key, value: placeText(leaf.at), why: `${nameOf(first)}: ${what} ${leaf.value}` }];
  return [
    ...(place.pointer === '' ? [] : [{ key: 'items', value: scalar(place.pointer), why: place.basis }]),
    ...COUNTS.flatMap((form) =>
      entry(form.key, countIn(shows, form), form.key === 'page' ? 'the first page is' : undefined),
    ),
    ...entry(
      'more',
      memberOf(shows, MORE, (values) => values.every((value) => typeof value === 'boolean')),
    ),
  ];
}

/** A pointer, or a header, as the file writes it. */
function placeText(at: string): string {
  return at.startsWith('/') ? scalar(at) : `{ header: ${scalar(at)} }`;
}

type Shows = Shown & { readonly leaves: readonly Leaf[] };

function countIn(shows: readonly Shows[], { names, fits }: CountForm): Leaf | null {
  return memberOf(
    shows,
    names,
    (values, name) => values.every(Number.isInteger) && fits(values.map(Number), shows, name),
  );
}

/** The member of the likeliest name that stands in each answer, and whose values fit. */
function memberOf(
  shows: readonly Shows[],
  names: readonly string[],
  fits: (values: readonly unknown[], name: string) => boolean,
): Leaf | null {
  for (const name of names) {
    const leaf = shows[0]?.leaves.find((one) => one.name === name);
    if (leaf === undefined) continue;
    const values = shows.flatMap(({ leaves }) => leaves.filter(({ at }) => at === leaf.at).map(({ value }) => value));
    if (values.length === shows.length && fits(values, name)) return leaf;
  }
  return null;
}

/** The body with an empty list in place of its items: what they hold says nothing of pages. */
function withoutItems(body: unknown, pointer: string): unknown {
  if (pointer === '' || !isObject(body)) return {};
  const [, name = '', ...rest] = pointer.split('/');
  return { ...body, [name]: rest.length === 0 ? [] : withoutItems(body[name], `/${rest.join('/')}`) };
}

/** Headers that tell the next page by themselves: Next-Page, X-Next-Cursor. */
const NEXT_HEADER = /^(?:x-)?(?:ms-)?(?:pagination-)?((?:next|continuation).*)$/i;

/** A header that tells the next page, as an address or as a cursor. */
function nextInHeader({ headers }: Seen): { readonly place: string; readonly text: string } | null {
  for (const [header, text] of headers) {
    const name = normal(NEXT_HEADER.exec(header)?.[1] ?? '');
    if (NEXT.includes(name) && text.trim() !== '') return { place: headerName(header), text: text.trim() };
  }
  return null;
}

export const LINK_HEADER = '{ header: Link, rel: next }';
const AN_ADDRESS = 'an address';

/** Where an answer leads to the next page; null where none does. `hasCursor`: the list takes one, so that no text in its place is the end. */
export function nextIn(seen: readonly Seen[], { hasCursor }: { readonly hasCursor: boolean }): Entry | null {
  for (const answer of seen) {
    const link = answer.headers.find(([name, value]) => name.toLowerCase() === 'link' && /rel="?next"?/i.test(value));
    if (link !== undefined) return { key: 'next', value: LINK_HEADER, why: `${nameOf(answer)} has it` };
    const texts = leavesOf(answer.body).filter(
      ({ at, value }) => !at.includes('/*') && typeof value === 'string' && value !== '',
    );
    const inHeader = nextInHeader(answer);
    const leaf = NEXT.flatMap((name) => texts.find((one) => one.name === name && isNext(one)) ?? [])[0];
    const found = leaf === undefined ? inHeader : { place: leaf.at, text: String(leaf.value) };
    if (found === null) continue;
    const kind = /^(https?:\/\/|\/|\?)/.test(found.text) ? AN_ADDRESS : 'a cursor';
    return { key: 'next', value: placeText(found.place), why: `${nameOf(answer)}: ${kind}` };
  }
  return hasCursor ? endIn(seen) : null;
}

/** Where an answer that is the whole list would tell the next page. */
function endIn(seen: readonly Seen[]): Entry | null {
  for (const answer of seen) {
    const ends = leavesOf(answer.body).filter(({ at, value }) => !at.includes('/*') && value === null);
    const found = NEXT.flatMap((name) => ends.find((leaf) => leaf.name === name) ?? [])[0];
    if (found !== undefined)
      return { key: 'next', value: scalar(found.at), why: `${nameOf(answer)}: null, for nothing follows` };
  }
  return null;
}

/** Tells whether the next page is told by its address, and not by a cursor. */
export function isAddress({ value, why }: Entry): boolean {
  return value === LINK_HEADER || why.endsWith(AN_ADDRESS);
}

/** HAL has /_links/next/href beside /_links/self/href. */
function isNext({ at, name }: Leaf): boolean {
  return name !== 'href' || at.endsWith('/next/href');
}
