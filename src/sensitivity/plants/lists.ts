// Plants of the laws of lists: parameters that are ignored, items that are lost or repeated, totals and ends that are wrong.

import { USUAL_COUNTS } from '../../contract/customs.ts';
import type { PagingTerms, Terms } from '../../contract/terms.ts';
import { withAt } from '../../defects/defect.ts';
import { jsonBody } from '../../exchange/body.ts';
import { uriEncoded } from '../../exchange/decoded.ts';
import type { Exchange, RecordedResponse, RequestPlan } from '../../exchange/exchange.ts';
import { oncePer, oncePerValue } from '../../exchange/once-per.ts';
import { pageOf as shownPage } from '../../facts/page.ts';
import { asArray, isObject, valueAt } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { endsWithItsPages, statedPaging } from '../../openapi/model/stated-paging.ts';
import { type At, type ExperimentPlant, type Occasion, otherError, type Sown, sown, withBody } from '../plant.ts';

/** The clause that a list of this kind breaks where its pages are no slices of one whole; any of the laws of lists may tell it. */
const SLICES = { offset: 'PAG-07', page: 'PAG-08', limit: 'PAG-09' } as const;
const LAWS = ['PAG-02', 'PAG-03', 'PAG-04', 'PAG-05', 'PAG-06', 'PAG-07', 'PAG-08', 'PAG-09', 'PAG-10', 'PAG-12'];
const FEW = 'the list held too few items for pages to differ';

type Kind = keyof typeof SLICES | 'log';

type Numbered = PagingTerms & { readonly style: keyof typeof SLICES };

/** How the contract says that the operation pages by numbers; null where it does not. */
function numberedPaging(operation: Operation | null, terms: Terms): Numbered | null {
  const stated = operation === null ? null : statedPaging(operation, terms);
  return stated !== null && isNumbered(stated) ? stated : null;
}

function isNumbered(stated: PagingTerms): stated is Numbered {
  return stated.style in SLICES;
}

function kindOf(operation: Operation, { terms }: Pick<At, 'terms'>): Kind | null {
  const stated = numberedPaging(operation, terms);
  if (stated === null) return null;
  return endsWithItsPages(stated) ? 'log' : stated.style;
}

function clauseOf(kind: Kind): string {
  return kind === 'log' ? 'PAG-06' : SLICES[kind];
}

/** Values by the places where they stand in a body. */
type Counts = Readonly<Record<string, unknown>>;

/** A page of a list, as a defect may change it. */
export interface Page {
  readonly exchange: Exchange;
  readonly items: readonly unknown[];
  /** The answer with other items, and other counts where it holds such. */
  with(items: readonly unknown[], counts?: Counts): RecordedResponse;
  /** The body, as far as it is an object. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The page that was answered, its items where the contract says, else where lists are seen to have them; null for a refusal and for what holds no array. */
export function pageOf(exchange: Exchange, place: string | null = null): Page | null {
  const { response } = exchange;
  const body = jsonBody(exchange);
  if (response === null || response.status >= 300 || !body.ok) return null;
  const { value } = body;
  if (Array.isArray(value)) return { exchange, items: value, body: {}, with: (items) => withBody(response, items) };
  if (!isObject(value)) return null;
  const at = shownPage(exchange, place)?.place ?? null;
  if (at === null) return null;
  const changed = (others: readonly unknown[], counts: Counts = {}): RecordedResponse => {
    const held = Object.entries(counts).filter(([where]) => valueAt(value, where) !== undefined);
    const counted = held.reduce<unknown>((one, [where, count]) => withAt(one, where, count), value);
    return withBody(response, withAt(counted, at, others));
  };
  return { exchange, items: asArray(valueAt(value, at)), body: value, with: changed };
}

function asked({ query }: Pick<RequestPlan, 'query'>, name: string | null): number | null {
  const value = name === null ? null : new URLSearchParams(query).get(name);
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** Tells whether a page after the first was asked for. */
function isLater({ plan, at }: Occasion): boolean {
  const stated = numberedPaging(at.operation, at.terms);
  return stated !== null && (asked(plan, stated.parameters.turn) ?? 0) > firstOf(stated);
}

function firstOf({ first, style }: PagingTerms): number {
  return first ?? (style === 'page' ? 1 : 0);
}

/** The pages of a list together. */
interface Whole {
  /** The page that was asked for by no limit, offset or page. */
  readonly bare: Page;
  /** Items by their place in the list. */
  readonly items: ReadonlyMap<number, unknown>;
}

/** Every page that a trial asks for is cut from the same whole. */
const wholes = oncePer((known: readonly Exchange[]) =>
  oncePerValue((path: string, stated: PagingTerms) => {
    const read = known.filter(({ plan }) => plan.path === path && plan.method === 'GET');
    return joined(read, stated);
  }),
);

function wholeOf(path: string, known: readonly Exchange[], stated: PagingTerms): Whole | null {
  return wholes(known)(path, stated);
}

function joined(read: readonly Exchange[], stated: PagingTerms): Whole | null {
  const { size: sized, turn } = stated.parameters;
  const pages = read.flatMap((one) => pageOf(one, stated.items) ?? []);
  const bare = pages.find(({ exchange }) => [sized, turn].every((name) => !hasParameter(exchange.plan, name)));
  if (bare === undefined) return null;
  const items = new Map<number, unknown>();
  for (const { exchange, items: own } of pages) {
    const size = asked(exchange.plan, sized) ?? bare.items.length;
    const first = startOf(exchange.plan, size, stated);
    if (own.length <= size) for (const [index, item] of own.entries()) items.set(first + index, item);
  }
  return { bare, items };
}

function hasParameter({ query }: RequestPlan, name: string | null): boolean {
  return name !== null && new URLSearchParams(query).has(name);
}

/** The page as it follows from the pages that were read; null where they do not tell all of it. */
function sliced(plan: RequestPlan, known: readonly Exchange[], { operation, terms }: At): Exchange | null {
  const stated = numberedPaging(operation, terms);
  const whole = stated === null ? null : wholeOf(plan.path, known, stated);
  if (whole === null || stated === null) return null;
  const { bare, items } = whole;
  const { size: sized, turn } = stated.parameters;
  const size = asked(plan, sized) ?? bare.items.length;
  const start = startOf(plan, size, stated);
  const slice: unknown[] = [];
  for (let at = start; at < start + size && items.has(at); at += 1) slice.push(items.get(at));
  const places = placesOf(stated);
  const total = valueAt(bare.body, places.total);
  const counts = {
    [places.size]: size,
    ...(stated.style === 'page' ? { [places.page]: asked(plan, turn) ?? firstOf(stated) } : {}),
    ...(stated.style === 'offset' ? { '/offset': start } : {}),
    ...(typeof total === 'number' ? { [places.pages]: Math.ceil(total / size) } : {}),
  };
  return { ...bare.exchange, plan, response: bare.with(slice, counts) };
}

function placesOf({ counts }: PagingTerms): Readonly<Record<keyof typeof USUAL_COUNTS, string>> {
  const { total, pages, page, size } = counts;
  return {
    ...{ total: total ?? USUAL_COUNTS.total, pages: pages ?? USUAL_COUNTS.pages },
    ...{ page: page ?? USUAL_COUNTS.page, size: size ?? USUAL_COUNTS.size },
  };
}

/** Index of the first item of the page. */
function startOf(plan: Pick<RequestPlan, 'query'>, size: number, stated: PagingTerms): number {
  const turned = asked(plan, stated.parameters.turn) ?? firstOf(stated);
  return stated.style === 'page' ? (turned - firstOf(stated)) * size : turned;
}

/** The request without this parameter of its query. */
function without(plan: RequestPlan, name: string | null): RequestPlan {
  const kept = plan.query.split('&').filter((pair) => decodeURIComponent(pair.split('=')[0] ?? '') !== name);
  return { ...plan, query: kept.join('&') };
}

type Entry = Pick<ExperimentPlant, 'takes'> & {
  readonly kinds: readonly Kind[];
  /** Set: only lists that are bare arrays. */
  readonly bare?: true;
  readonly lacks?: string;
  /** In place of the law of slices. */
  readonly clause?: string;
  change?(page: Page, occasion: Occasion): RecordedResponse | null;
};

/** One plant for each clause that it breaks on some kind of list. */
function plants(
  name: string,
  text: string,
  { kinds, clause: own, change, bare, ...entry }: Entry,
): readonly ExperimentPlant[] {
  return [...Map.groupBy(kinds, (kind) => own ?? clauseOf(kind))].map(([clause, alike]) =>
    sown(clause, name, text, {
      ...{ lacks: FEW, also: LAWS, answer: sliced, ...entry },
      concerns: (operation, description, under) =>
        alike.some((kind) => kind === kindOf(operation, under)) && (!bare || isBare(operation, description)),
      change(occasion) {
        const { operation, terms } = occasion.at;
        const page = pageOf(occasion.exchange, numberedPaging(operation, terms)?.items);
        return page === null ? null : (change?.(page, occasion) ?? null);
      },
    }),
  );
}

/** Tells whether the list is described as an array without an envelope. */
function isBare({ responses }: Operation, description: Description): boolean {
  const success = responses.find(({ status }) => status === '200');
  const schema = description.deref(success?.content[0]?.schema?.value);
  return isObject(schema) && schema.type === 'array';
}

/** The parameters of the list, and where its items stand. */
function namesAt({ operation, terms }: At): PagingTerms['parameters'] & Pick<PagingTerms, 'items'> {
  const stated = numberedPaging(operation, terms);
  return { size: null, turn: null, ...stated?.parameters, items: stated?.items ?? null };
}

const TURNED = ['log', 'offset', 'page'] as const;
const ALL = [...TURNED, 'limit'] as const;

export const listPlants: readonly ExperimentPlant[] = [
  ...plants('limit-ignored', 'The list ignores its limit.', {
    kinds: ALL,
    takes: (plan, at) => without(plan, namesAt(at).size),
  }),
  ...plants('turn-ignored', 'The list answers its first page whatever page is asked for.', {
    kinds: TURNED,
    takes: (plan, at) => without(plan, namesAt(at).turn),
  }),
  ...plants('item-lost', 'Every page after the first lacks its first item.', {
    kinds: TURNED,
    change: (page, occasion) => (isLater(occasion) && page.items.length > 0 ? page.with(page.items.slice(1)) : null),
  }),
  ...plants('item-repeated', 'The last item of every page is its first item once more.', {
    kinds: TURNED,
    change: (page) => (page.items.length > 1 ? page.with([...page.items.slice(0, -1), page.items[0]]) : null),
  }),
  ...plants('order-differs', 'The order of items depends on whether the limit is odd.', {
    kinds: TURNED,
    change: (page, { plan, at }) =>
      (asked(plan, namesAt(at).size) ?? 0) % 2 === 1 && page.items.length > 1
        ? page.with(page.items.toReversed())
        : null,
  }),
  ...plants('total-wrong', 'The list counts one item too many.', {
    ...{ clause: 'PAG-06', kinds: ['log'] },
    change({ items, body, with: changed }, { at }) {
      const place = numberedPaging(at.operation, at.terms)?.counts.total ?? USUAL_COUNTS.total;
      const total = valueAt(body, place);
      return typeof total === 'number' ? changed(items, { [place]: total + 1 }) : null;
    },
  }),
  ...plants('default-ten', 'The list holds ten items a page by default.', {
    ...{ clause: 'PAG-02', kinds: ['log'] },
    takes(plan, at) {
      const { size } = namesAt(at);
      return size === null || hasParameter(plan, size) ? plan : withSize(plan, size, 10);
    },
  }),
  ...plants('no-end', 'Past its end the list answers 404.', {
    ...{ clause: 'PAG-10', kinds: ['offset', 'page'], bare: true, lacks: 'no page past the end was read' },
    change: (page, occasion) =>
      isLater(occasion) && page.items.length === 0
        ? otherError({ ...occasion.exchange, response: page.with([]) }, { status: 404 }, occasion.at.terms.errors)
        : null,
  }),
];

/** All items that were read, each once. */
function allItems(place: string | null, read: readonly Exchange[]): readonly unknown[] {
  const items = read.flatMap((one) => (one.plan.method === 'GET' ? (pageOf(one, place)?.items ?? []) : []));
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

const isOfBadValue = ({ plan }: Occasion): boolean => plan.intent === 'invalid' && plan.method === 'GET';

const isPagedByNumbers: Sown['concerns'] = (operation, _description, under) => kindOf(operation, under) !== null;

/** Lists that answer values out of range with all they have, or not at all. */
export const badValuePlants: readonly ExperimentPlant[] = [
  sown('PAG-12', 'all-rows', 'A limit that is no number is answered with all rows.', {
    ...{ lacks: FEW, concerns: isPagedByNumbers },
    change(occasion) {
      const { plan, earlier, at } = occasion;
      const { size, items } = namesAt(at);
      const bad = new URLSearchParams(plan.query).get(size ?? '') ?? '';
      const first = earlier.find((one) => one.plan.path === plan.path && pageOf(one, items) !== null);
      const page = first === undefined ? null : pageOf(first, items);
      const whole = allItems(
        items,
        earlier.filter((one) => one.plan.path === plan.path),
      );
      if (!isOfBadValue(occasion) || page === null) return null;
      return /^\d+$/.test(bad) || whole.length <= page.items.length ? null : page.with(whole);
    },
  }),
  sown('PAG-12', 'failed', 'A value out of range is answered 500.', {
    ...{ lacks: 'no value out of range was sent', also: ['SCH-06'], concerns: isPagedByNumbers },
    change: (occasion, response) => (isOfBadValue(occasion) ? { ...response, status: 500 } : null),
  }),
];

const FOLLOWED = [
  ['cursor', 'PAG-14'],
  ['links', 'PAG-15'],
] as const;

/** Lists whose pages are followed from one to the next. */
export const followedPlants: readonly ExperimentPlant[] = FOLLOWED.map(([style, clause]) => {
  const statedAt = (operation: Operation | null, terms: Terms): PagingTerms | null => {
    const stated = operation === null ? null : statedPaging(operation, terms);
    return stated?.style === style ? stated : null;
  };
  return sown(clause, 'repeated', 'Pages after the first show its first item again.', {
    lacks: FEW,
    concerns: (operation, _description, { terms }) => statedAt(operation, terms) !== null,
    change({ exchange, plan, earlier, at }) {
      const stated = statedAt(at.operation, at.terms);
      const page = stated === null ? null : pageOf(exchange, stated.items);
      const pages = earlier.filter((one) => one.plan.path === plan.path && one.plan.query !== plan.query);
      const [first] = pages.flatMap((one) => pageOf(one, stated?.items)?.items ?? []);
      if (page === null || first === undefined || page.items.length === 0) return null;
      return page.with([first, ...page.items.slice(1)]);
    },
  });
});

function withSize(plan: RequestPlan, name: string, size: number): RequestPlan {
  const pair = `${uriEncoded(name)}=${size}`;
  return { ...plan, query: plan.query === '' ? pair : `${pair}&${plan.query}` };
}
