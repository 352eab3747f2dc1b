// The first look at a list: where its items stand, what identifies them, its default and maximum page size, and one walk
// from its first page to its end.

import {
  type Compare,
  type ListRules,
  type Suspicion,
  slicesOf,
  suspicionOf,
  wrongTotal,
} from '../../checks/pag/pag-04-to-09-page.ts';
import { exactBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type Identity, identityOf, keyOf } from '../../facts/item-keys.ts';
import { type Ask, type PageRead, Sequence } from '../../facts/list-history.ts';
import { type Page, pageOf } from '../../facts/page.ts';
import { type FirstPages, mayBeClamped, type PageSizes, pageSizes, sizeOfPage } from '../../facts/page-sizes.ts';
import { itemsAt, type Placed, placeOf } from '../../facts/places-of-items.ts';
import { type Link, type ListReading, WalkedList } from '../../facts/walked-list.ts';
import { firstTurn, pageName, pairsOf, walkOn } from '../reach/reading-lists.ts';
import { type Asking, type ListOperation, offsetOf } from './list-operation.ts';

/** A limit that no list is expected to apply: what it answers shows the maximum. */
export const EXCESSIVE_LIMIT = 1000;
/** Limits that the list is walked by: the first that it applies. */
const WALK_LIMITS = [100, 50, 20, 10];
const MAX_WALKED_PAGES = 12;

export interface Survey extends PageSizes {
  readonly rules: ListRules;
  readonly identity: Identity;
  /** How the place of the items was told. */
  readonly placed: Placed;
  /** The page without parameters. */
  readonly bare: PageRead;
  /** Items of a page where no limit is given; null where the list is not longer than that. */
  readonly usual: number | null;
  /** The answer to the excessive limit. */
  readonly excessive: Exchange;
  /** How many items it showed; null where it was refused. */
  readonly most: number | null;
  /** The pages of the walk, within the list. */
  readonly walk: readonly PageRead[];
  /** The page after the last one of the walk; null when the walk did not go so far. */
  readonly past: PageRead | null;
  readonly sequence: Sequence;
}

/** A page, and how it was asked for. */
interface Step {
  readonly ask: Ask & { readonly limit: number };
  readonly page: Page;
}

/** The page that is asked for so; null where nothing that says anything about pages answers. */
type Get = (ask: Ask) => Promise<Page | null>;

/** Surveys the list; in words why it could not be done. */
export async function surveyList(list: ListOperation, lab: Asking): Promise<Survey | string> {
  const send = (ask: Ask): Promise<Exchange | null> => lab.ask(pairsOf(list, ask), 'survey');
  const plain = await send({ limit: null, turn: null });
  // A list whose pages have a size of its own is asked for no other.
  const isFixed = list.fixedSize !== undefined;
  const excessive = isFixed ? plain : await send({ limit: EXCESSIVE_LIMIT, turn: null });
  if (plain === null || excessive === null) return 'the requests for this list were spent';
  const placed = await findPlace(list, lab, [...new Set([plain, excessive])]);
  if (typeof placed === 'string') return placed;
  const pageIn = (exchange: Exchange | null): Page | null => exchange && pageOf(exchange, placed.pointer, list.reading);
  const get: Get = async (ask) => pageIn(await send(ask));
  const bare = successful(pageIn(plain));
  if (bare === null) return 'the list did not answer its first page';
  const first = await firstApplied(list, bare, get);
  if (first === null) return 'the list did not answer its first page by any limit';
  const identity = identityOf(first.page.items, bare.items, list.noun);
  const walked = await walk(list, lab, first, { identity, place: placed.pointer });
  if (walked === null) return 'a page was not answered, or the requests for this list were spent';
  const excess = isFixed ? null : successful(pageIn(excessive));
  const sizes = await sizesOf({ bare, excessive: excess }, walked.within, get);
  if (sizes === null) return 'the first page was not answered again';
  const known = { ...sizes, identity, placed, excessive, most: excess?.items.length ?? null };
  return conclude(list, { bare, ...walked }, known);
}

function successful(page: Page | null): Page | null {
  return page === null || page.status >= 300 ? null : page;
}

/**
 * As configured, else as the answers tell; where several arrays stand in them, a page of one item shows which of them are
 * the items. In words why it is not known.
 */
async function findPlace(list: ListOperation, lab: Asking, answers: readonly Exchange[]): Promise<Placed | string> {
  const bodies = answers.flatMap(bodyOf);
  const stands = (pointer: string): boolean => bodies.some((body) => itemsAt(body, pointer) !== null);
  const stated = list.paging.stated?.items ?? null;
  if (list.place !== null && stands(list.place))
    return { pointer: list.place, confidence: 'sure', basis: 'as configured' };
  if (list.place !== null)
    return `no array stands at "${list.place}", where "lists" in the configuration says that the items are`;
  if (stated !== null && stands(stated)) return { pointer: stated, confidence: 'sure', basis: 'as the contract says' };
  let placed = placeOf(bodies, list.noun);
  if (placed !== null && placed.confidence !== 'sure') {
    const single = await lab.ask(pairsOf(list, { limit: 1, turn: firstTurn(list) }), 'survey');
    if (single !== null) placed = placeOf([...bodies, ...bodyOf(single)], list.noun);
  }
  if (placed === null) return 'no array of items was found in the answer';
  if (placed.confidence !== 'cannot-tell') return placed;
  return `${placed.basis}: "lists" in the configuration can say which array holds the items`;
}

/**
 * The first page by the largest limit that is accepted, clamped or not. A list that answers a limit above its maximum as
 * if none were given does not accept it: one item more than usual tells, unless the list has just grown by one.
 */
async function firstApplied(list: ListOperation, bare: Page, get: Get): Promise<Step | null> {
  const usual = sizeOfPage(bare);
  const by = async (limit: number): Promise<Step | null> => {
    const ask = { limit, turn: firstTurn(list) };
    const page = successful(await get(ask));
    return page && { ask, page };
  };
  if (list.fixedSize !== undefined) return by(list.fixedSize);
  for (const limit of WALK_LIMITS) {
    const first = await appliedAt(limit, usual, by);
    if (first !== null) return first;
  }
  // A maximum below all of these may be the usual size.
  return usual > 0 && usual < Math.min(...WALK_LIMITS) ? by(usual) : null;
}

/** The first page by the limit, or by one more than usual; null where a smaller limit is to be tried. `by`: the first page by a limit. */
async function appliedAt(
  limit: number,
  usual: number,
  by: (limit: number) => Promise<Step | null>,
): Promise<Step | null> {
  const first = await by(limit);
  if (first === null) return null;
  const isUsual = sizeOfPage(first.page) === usual && usual < limit;
  if (!isUsual) return first;
  const more = await by(usual + 1);
  if (more === null || sizeOfPage(more.page) !== usual + 1) return first;
  const again = await by(limit);
  if (again === null || sizeOfPage(again.page) !== usual) return again ?? first;
  return usual + 1 >= Math.max(...WALK_LIMITS.filter((other) => other < limit), 0) ? more : null;
}

function bodyOf(exchange: Exchange): readonly unknown[] {
  const status = exchange.response?.status ?? 599;
  const body = exactBody(exchange);
  return status < 300 && body.ok ? [body.value] : [];
}

/** A page of the list as the laws see it. */
export function readOf(
  list: ListOperation,
  survey: Pick<Survey, 'identity' | 'maximum'> & Partial<Pick<Survey, 'usual'>>,
  ask: Ask,
  page: Page,
): PageRead {
  // The limit that a later page's own answer names is no measure: the pages without a limit follow one another.
  const told = ask.turn === null ? page.paged?.limit : (survey.usual ?? page.paged?.limit);
  const limit = list.fixedSize ?? ask.limit ?? told ?? page.items.length;
  const applied = Math.max(1, Math.min(limit, survey.maximum ?? limit));
  const keys = page.items.map((item) => keyOf(survey.identity, item));
  return { ask, query: pageName(list, ask), limit, applied, offset: offsetOf(list, ask, applied), page, keys };
}

/** Suspects a page of the list beside those that were seen, or by itself. */
export function suspect({ rules }: Survey, read: PageRead, seen: Sequence): Suspicion | null {
  const found = suspicionOf(read, seen, rules);
  // A list with a limit alone shows no more than its first page: nobody knows whether that is all.
  return found ?? (rules.turner === null ? null : wrongTotal(read, seen.endRead ?? read));
}

/** The same beside one page. */
export function suspectBeside(survey: Survey): Compare {
  return (earlier, later) =>
    suspect(survey, later, new Sequence(survey.identity.member !== null, earlier === null ? [] : [earlier]));
}

/** The pages from the first on, and the one past the end where that was asked for; null when one was not answered. */
async function walk(
  list: ListOperation,
  lab: Asking,
  first: Step,
  { identity, place }: Pick<ListReading, 'identity' | 'place'>,
): Promise<{ readonly within: readonly [Step, ...Step[]]; readonly after: Step | undefined } | null> {
  const { paging, reading } = list;
  // Its numbers turn the pages, whatever these tell of the next one.
  const numbered = { paging: { ...paging, stated: null }, first: firstTurn(list) ?? 0 };
  const walked = new WalkedList({ ...numbered, identity, place, reading });
  walked.add(first.page.exchange);
  const isOver = ({ links, keys }: WalkedList): boolean => {
    const last = links.at(-1);
    const total = last?.page.paged?.total ?? Number.POSITIVE_INFINITY;
    // A first page that is empty may be one that stands before the list: the second one shows it.
    const isPast = last?.keys.length === 0 && (links.length > 1 || paging.turner?.by !== 'page');
    return keys.length >= total || isPast || repeats(links);
  };
  const to = { from: isOver(walked) ? null : walked.asked, maxPages: MAX_WALKED_PAGES, isOver };
  if (!(await walkOn(walked, (asked) => lab.askAt(asked, 'survey'), to))) return null;
  const { links } = walked;
  const end = links.findIndex(({ keys }, at) => at > 0 && keys.length === 0);
  const past = end < 0 && repeats(links) ? links.length - 1 : end;
  const steps = links.map(({ page }, at) => ({ ask: { ...first.ask, turn: walked.turnAt(at) }, page }));
  return { within: [first, ...steps.slice(1).filter((_, at) => at + 1 !== past)], after: steps[past] };
}

/** Tells whether the last page shows what the one before it did. */
function repeats(links: readonly Link[]): boolean {
  const [before, last] = links.slice(-2).map(({ keys }) => keys.join('\n'));
  return last !== undefined && before === last;
}

/** Null where the first page was not answered again: in a list that grows, items may follow by chance. */
async function sizesOf(
  pages: Pick<FirstPages, 'bare' | 'excessive'>,
  [{ ask, page: first }, ...others]: readonly [Step, ...Step[]],
  get: Get,
): Promise<PageSizes | null> {
  const following = others.reduce((total, { page }) => total + page.items.length, 0);
  const seen = { ...pages, excess: EXCESSIVE_LIMIT, first, limit: ask.limit, following, steady: true };
  if (first.paged?.limit != null || !mayBeClamped(seen)) return pageSizes(seen);
  const again = await get(ask);
  return again && pageSizes({ ...seen, steady: again.items.length === first.items.length });
}

/** The survey, from the pages within the list and the one after them, and from what else is known by then. */
function conclude(
  list: ListOperation,
  {
    bare,
    within,
    after,
  }: { readonly bare: Page; readonly within: readonly [Step, ...Step[]]; readonly after?: Step | undefined },
  known: Pick<Survey, keyof PageSizes | 'identity' | 'placed' | 'excessive' | 'most'>,
): Survey {
  const { stated, turner } = list.paging;
  const [{ page: first }] = within;
  const read = ({ ask, page }: Pick<PageRead, 'ask' | 'page'>): PageRead => readOf(list, known, ask, page);
  const walk = within.map(read);
  const past = after === undefined ? null : read(after);
  const sequence = new Sequence(known.identity.member !== null, walk);
  if (past !== null && past.page.status < 300 && past.keys.length === 0) sequence.learn(past);
  const shown = bare.paged?.limit ?? bare.items.length;
  return {
    ...known,
    // Where the maximum is stated, every limit up to that is applied.
    accepted: stated?.size.maximum ?? known.accepted,
    usual: shown > 0 && bare.items.length === shown && shown < sequence.length ? shown : null,
    rules: {
      slice: slicesOf(list.paging, first.paged?.total),
      ...{ paged: first.paged !== null, place: known.placed.pointer, turner: turner?.by ?? null },
      ...(stated === null ? {} : { pastEnd: stated.pastEnd, tellsMore: stated.more !== null }),
    },
    bare: read({ ask: { limit: null, turn: null }, page: bare }),
    ...{ walk, past, sequence },
  };
}
