// Plants of the laws of lists: parameters that are ignored, items that are lost or repeated, totals and ends that are wrong.
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange, RecordedResponse, RequestPlan } from '../../exchange/exchange.ts';
import { isObject } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { endsWithItsPages, statedPaging } from '../../openapi/model/stated-paging.ts';
import { type ExperimentPlant, type Occasion, otherError, withBody } from '../plant.ts';

/** The clause that a list of this kind breaks where its pages are no slices of one whole; any of the laws of lists may tell it. */
const SLICES = { offset: 'PAG-07', page: 'PAG-08', limit: 'PAG-09' } as const;
const LAWS = ['PAG-02', 'PAG-03', 'PAG-04', 'PAG-05', 'PAG-06', 'PAG-07', 'PAG-08', 'PAG-09', 'PAG-10', 'PAG-12'];
const FEW = 'the list held too few items for pages to differ';

type Kind = keyof typeof SLICES | 'log';

function kindOf(operation: Operation): Kind | null {
  const stated = statedPaging(operation, COMMERCE_TERMS);
  if (stated === null || stated.style === 'cursor' || stated.style === 'links') return null;
  return endsWithItsPages(stated) ? 'log' : stated.style;
}

function clauseOf(kind: Kind): string {
  return kind === 'log' ? 'PAG-06' : SLICES[kind];
}

/** A page of a list, as a defect may change it. */
export interface Page {
  readonly exchange: Exchange;
  readonly items: readonly unknown[];
  /** The answer with other items. */
  with(items: readonly unknown[], members?: Record<string, unknown>): RecordedResponse;
  /** Members beside the items. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** The page that was answered; null for a refusal and for what holds no array. */
export function pageOf(exchange: Exchange): Page | null {
  const { response } = exchange;
  const body = jsonBody(exchange);
  if (response === null || response.status >= 300 || !body.ok) return null;
  const { value } = body;
  if (Array.isArray(value)) return { exchange, items: value, members: {}, with: (items) => withBody(response, items) };
  if (!isObject(value)) return null;
  const arrays = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [longest] = arrays.sort(([, left], [, right]) => right.length - left.length);
  if (longest === undefined) return null;
  const [name, items] = longest;
  const changed = (others: readonly unknown[], members: Record<string, unknown> = {}): RecordedResponse =>
    withBody(response, { ...value, ...members, [name]: others });
  return { exchange, items, members: value, with: changed };
}

function asked({ query }: Pick<RequestPlan, 'query'>, name: string): number | null {
  const value = new URLSearchParams(query).get(name);
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

/** Tells whether a page after the first was asked for. */
function isLater({ plan }: Occasion): boolean {
  return (asked(plan, 'offset') ?? 0) > 0 || (asked(plan, 'page') ?? 1) > 1;
}

/** The pages of a list together. */
interface Whole {
  /** The page that was asked for by no limit, offset or page. */
  readonly bare: Page;
  /** Items by their place in the list. */
  readonly items: ReadonlyMap<number, unknown>;
}

/** Every page that a trial asks for is cut from the same whole. */
const wholes = new WeakMap<readonly Exchange[], Map<string, Whole | null>>();

function wholeOf(path: string, known: readonly Exchange[]): Whole | null {
  const ofPaths = wholes.get(known) ?? new Map<string, Whole | null>();
  wholes.set(known, ofPaths);
  const before = ofPaths.get(path);
  if (before !== undefined) return before;
  const whole = joined(known.filter(({ plan }) => plan.path === path && plan.method === 'GET'));
  ofPaths.set(path, whole);
  return whole;
}

function joined(read: readonly Exchange[]): Whole | null {
  const pages = read.flatMap((one) => pageOf(one) ?? []);
  const bare = pages.find(({ exchange }) => !/(^|&)(limit|offset|page)=/.test(exchange.plan.query));
  if (bare === undefined) return null;
  const items = new Map<number, unknown>();
  for (const { exchange, items: own } of pages) {
    const size = asked(exchange.plan, 'limit') ?? bare.items.length;
    const first = startOf(exchange.plan, size);
    if (own.length <= size) for (const [index, item] of own.entries()) items.set(first + index, item);
  }
  return { bare, items };
}

/** The page as it follows from the pages that were read; null where they do not tell all of it. */
function sliced(plan: RequestPlan, known: readonly Exchange[]): Exchange | null {
  const whole = wholeOf(plan.path, known);
  if (whole === null) return null;
  const { bare, items } = whole;
  const size = asked(plan, 'limit') ?? bare.items.length;
  const start = startOf(plan, size);
  const slice: unknown[] = [];
  for (let at = start; at < start + size && items.has(at); at += 1) slice.push(items.get(at));
  const counts = {
    ...(typeof bare.members.limit === 'number' ? { limit: size } : {}),
    ...(typeof bare.members.page === 'number' ? { page: asked(plan, 'page') ?? 1 } : {}),
    ...(typeof bare.members.offset === 'number' ? { offset: start } : {}),
    ...(typeof bare.members.total === 'number' ? { total_pages: Math.ceil(bare.members.total / size) } : {}),
  };
  return { ...bare.exchange, plan, response: bare.with(slice, onlyKnown(counts, bare.members)) };
}

/** Index of the first item of the page. */
function startOf(plan: Pick<RequestPlan, 'query'>, size: number): number {
  return asked(plan, 'offset') ?? ((asked(plan, 'page') ?? 1) - 1) * size;
}

function onlyKnown(counts: Record<string, unknown>, members: Page['members']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(counts).filter(([name]) => Object.hasOwn(members, name)));
}

/** The request without these parameters of its query. */
function without(plan: RequestPlan, ...names: readonly string[]): RequestPlan {
  const kept = plan.query.split('&').filter((pair) => !names.includes(pair.split('=')[0] ?? ''));
  return { ...plan, query: kept.join('&') };
}

type Entry = Omit<ExperimentPlant, 'clause' | 'at' | 'concerns' | 'lacks' | 'also' | 'change'> & {
  readonly kinds: readonly Kind[];
  /** Set: only lists that are bare arrays. */
  readonly bare?: true;
  readonly lacks?: string;
  /** In place of the law of slices. */
  readonly clause?: string;
  change?(page: Page, occasion: Occasion): RecordedResponse | null;
};

/** One plant for each clause that it breaks on some kind of list. */
function plants({ kinds, clause: own, change, bare, ...entry }: Entry): readonly ExperimentPlant[] {
  return [...Map.groupBy(kinds, (kind) => own ?? clauseOf(kind))].map(([clause, alike]) => {
    return {
      ...{ at: 'operation', lacks: FEW, also: LAWS, answer: sliced },
      ...entry,
      ...{ id: `${clause.toLowerCase()}-${entry.id}`, clause },
      concerns: (operation, description) =>
        alike.some((kind) => kind === kindOf(operation)) && (bare === undefined || isBare(operation, description)),
      change(occasion) {
        const page = pageOf(occasion.exchange);
        const response = page === null || change === undefined ? null : change(page, occasion);
        return response === null ? null : { response };
      },
    };
  });
}

/** Tells whether the list is described as an array without an envelope. */
function isBare({ responses }: Operation, description: Description): boolean {
  const success = responses.find(({ status }) => status === '200');
  const schema = description.deref(success?.content[0]?.schema?.value);
  return isObject(schema) && schema.type === 'array';
}

const TURNED = ['log', 'offset', 'page'] as const;
const ALL = [...TURNED, 'limit'] as const;

export const listPlants: readonly ExperimentPlant[] = [
  ...plants({
    ...{ id: 'limit-ignored', text: 'The list ignores its limit.', kinds: ALL },
    takes: (plan) => without(plan, 'limit'),
  }),
  ...plants({
    ...{ id: 'turn-ignored', text: 'The list answers its first page whatever page is asked for.', kinds: TURNED },
    takes: (plan) => without(plan, 'offset', 'page'),
  }),
  ...plants({
    ...{ id: 'item-lost', text: 'Every page after the first lacks its first item.', kinds: TURNED },
    change: (page, occasion) => (isLater(occasion) && page.items.length > 0 ? page.with(page.items.slice(1)) : null),
  }),
  ...plants({
    ...{ id: 'item-repeated', text: 'The last item of every page is its first item once more.', kinds: TURNED },
    change: (page) => (page.items.length > 1 ? page.with([...page.items.slice(0, -1), page.items[0]]) : null),
  }),
  ...plants({
    ...{ id: 'order-differs', text: 'The order of items depends on whether the limit is odd.', kinds: TURNED },
    change: (page, { plan }) =>
      (asked(plan, 'limit') ?? 0) % 2 === 1 && page.items.length > 1 ? page.with(page.items.toReversed()) : null,
  }),
  ...plants({
    ...{ id: 'total-wrong', clause: 'PAG-06', text: 'The log counts one item too many.', kinds: ['log'] },
    change: ({ items, members, with: changed }) =>
      typeof members.total === 'number' ? changed(items, { total: members.total + 1 }) : null,
  }),
  ...plants({
    ...{ id: 'default-ten', clause: 'PAG-02', text: 'The log holds ten items a page by default.', kinds: ['log'] },
    takes: (plan) => (/(^|&)limit=/.test(plan.query) ? plan : withLimit(plan, 10)),
  }),
  ...plants({
    ...{ id: 'no-end', clause: 'PAG-10', text: 'Past its end the list answers 404.', kinds: ['offset', 'page'] },
    bare: true,
    lacks: 'no page past the end was read',
    change: (page, { exchange, ...occasion }) =>
      isLater({ exchange, ...occasion }) && page.items.length === 0
        ? otherError({ ...exchange, response: page.with([]) }, 404, {})
        : null,
  }),
];

/** All items that were read, each once. */
function allItems(read: readonly Exchange[]): readonly unknown[] {
  const items = read.flatMap((one) => (one.plan.method === 'GET' ? (pageOf(one)?.items ?? []) : []));
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

const isOfBadValue = ({ plan }: Occasion): boolean => plan.intent === 'invalid' && plan.method === 'GET';

/** Lists that answer values out of range with all they have, or not at all. */
export const badValuePlants: readonly ExperimentPlant[] = [
  {
    ...{ id: 'pag-12-all-rows', clause: 'PAG-12', text: 'A limit that is no number is answered with all rows.' },
    ...{ at: 'operation', lacks: FEW, concerns: (operation) => kindOf(operation) !== null },
    change(occasion) {
      const { exchange, plan, earlier } = occasion;
      const bad = new URLSearchParams(plan.query).get('limit') ?? '';
      const first = earlier.find((one) => one.plan.path === plan.path && pageOf(one) !== null);
      const page = first === undefined ? null : pageOf(first);
      const whole = allItems(earlier.filter((one) => one.plan.path === plan.path));
      if (!isOfBadValue(occasion) || exchange.response === null || page === null) return null;
      return /^\d+$/.test(bad) || whole.length <= page.items.length ? null : { response: page.with(whole) };
    },
  },
  {
    ...{ id: 'pag-12-failed', clause: 'PAG-12', text: 'A value out of range is answered 500.', also: ['SCH-06'] },
    ...{
      at: 'operation',
      lacks: 'no value out of range was sent',
      concerns: (operation) => kindOf(operation) !== null,
    },
    change(occasion) {
      const { response } = occasion.exchange;
      return isOfBadValue(occasion) && response !== null ? { response: { ...response, status: 500 } } : null;
    },
  },
];

function withLimit(plan: RequestPlan, limit: number): RequestPlan {
  return { ...plan, query: plan.query === '' ? `limit=${limit}` : `limit=${limit}&${plan.query}` };
}
