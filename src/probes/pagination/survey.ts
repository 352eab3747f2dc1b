// The first look at a list: where its items stand, what identifies them, its default and maximum page size, and one walk
// from its first page to its end.

import {
  type Compare,
  type ListRules,
  type Suspicion,
  slicesOf,
  suspicionOf,
} from '../../checks/pag/pag-04-to-09-page.ts';
import { wrongTotal } from '../../checks/pag/told-total.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type Identity, identityOf, keyOf } from '../../facts/item-keys.ts';
import { type Ask, type PageRead, Sequence } from '../../facts/list-history.ts';
import type { Page } from '../../facts/page.ts';
import { mayBeClamped, type PageSizes, pageSizes } from '../../facts/page-sizes.ts';
import type { Placed } from '../../facts/places-of-items.ts';
import { queryText } from '../reach/recipe.ts';
import { type Asking, firstTurn, type ListOperation, nounOf, offsetOf, pairsOf } from './list-operation.ts';
import { EXCESSIVE_LIMIT, type Opening, openList, type Step } from './opening.ts';

const WALK_PAGES = 12;

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

/** Surveys the list; in words why it could not be done. */
export async function surveyList(list: ListOperation, lab: Asking): Promise<Survey | string> {
  const opening = await openList(list, lab);
  if (typeof opening === 'string') return opening;
  const { first, bare } = opening;
  const identity = identityOf(first.page.items, bare.items, nounOf(list));
  const steps = await walk(list, opening, identity);
  if (steps === null) return 'a page was not answered, or the requests for this list were spent';
  const past = pastOf(steps, identity);
  const within = steps.filter((step) => step !== past);
  const sizes = await sizesOf(opening, within);
  if (sizes === null) return 'the first page was not answered again';
  return conclude(list, opening, { ...sizes, identity }, within, past);
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
  const query = queryText(pairsOf(list, ask)) || 'no parameter';
  return { ask, query, limit, applied, offset: offsetOf(list, ask, applied), page, keys };
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

/** The pages from the first on, the last one past the end where that was asked for; null when one was not answered. */
async function walk(list: ListOperation, { first, get }: Opening, identity: Identity): Promise<readonly Step[] | null> {
  const steps: Step[] = [first];
  const { turner } = list.paging;
  let seen = first.page.items.length;
  for (let { page } = first; turner !== null && steps.length < WALK_PAGES; seen += page.items.length) {
    const isAll = page.paged?.total != null && seen >= page.paged.total;
    if (isAll || isPastEnd(list, steps, page) || repeats(steps, identity)) break;
    const turn = (firstTurn(list) ?? 0) + (turner.by === 'page' ? steps.length : seen);
    const ask = { limit: first.ask.limit, turn };
    const next = await get(ask);
    if (next === null) return null;
    page = next;
    steps.push({ ask, page });
  }
  return steps;
}

/** A first page that is empty may be one that stands before the list: the second one shows it. */
function isPastEnd({ paging }: ListOperation, steps: readonly Step[], { items, status }: Page): boolean {
  return status >= 300 || (items.length === 0 && (steps.length > 1 || paging.turner?.by !== 'page'));
}

/** Tells whether the last page shows what the one before it did. */
function repeats(steps: readonly Step[], identity: Identity): boolean {
  const [before, last] = steps.slice(-2).map(({ page }) => page.items.map((item) => keyOf(identity, item)).join('\n'));
  return last !== undefined && before === last;
}

function pastOf(steps: readonly Step[], identity: Identity): Step | undefined {
  const after = steps.slice(1).find(({ page }) => page.items.length === 0 || page.status >= 300);
  return after ?? (repeats(steps, identity) ? steps.at(-1) : undefined);
}

/** Null where the first page was not answered again: in a list that grows, items may follow by chance. */
async function sizesOf(
  { bare, excess: excessive, first: { ask, page: first }, get }: Opening,
  within: readonly Step[],
): Promise<PageSizes | null> {
  const following = within.slice(1).reduce((total, { page }) => total + page.items.length, 0);
  const seen = { bare, excessive, excess: EXCESSIVE_LIMIT, first, limit: ask.limit, following, steady: true };
  if (first.paged?.limit != null || !mayBeClamped(seen)) return pageSizes(seen);
  const again = await get(ask);
  return again && pageSizes({ ...seen, steady: again.items.length === first.items.length });
}

function conclude(
  list: ListOperation,
  { placed, bare, excessive, excess, first }: Opening,
  known: PageSizes & { readonly identity: Identity },
  within: readonly Step[],
  after: Step | undefined,
): Survey {
  const read = ({ ask, page }: { readonly ask: Ask; readonly page: Page }): PageRead => readOf(list, known, ask, page);
  const walked = within.map(read);
  const past = after === undefined ? null : read(after);
  const sequence = new Sequence(known.identity.member !== null, walked);
  if (past !== null && past.page.status < 300 && past.keys.length === 0) sequence.learn(past);
  const paged = first.page.paged !== null;
  const shown = bare.paged?.limit ?? bare.items.length;
  return {
    usual: shown > 0 && bare.items.length === shown && shown < (sequence.size ?? sequence.known) ? shown : null,
    ...known,
    // Where the maximum is stated, every limit up to that is applied.
    accepted: list.paging.stated?.size.maximum ?? known.accepted,
    placed,
    rules: {
      slice: slicesOf(list.paging, first.page.paged?.total),
      paged,
      place: placed.pointer,
      turner: list.paging.turner?.by ?? null,
      ...statedRules(list),
    },
    bare: read({ ask: { limit: null, turn: null }, page: bare }),
    excessive,
    most: excess?.items.length ?? null,
    walk: walked,
    past,
    sequence,
  };
}

function statedRules({ paging: { stated } }: ListOperation): Pick<ListRules, 'pastEnd' | 'tellsMore'> {
  return stated === null ? {} : { pastEnd: stated.pastEnd, tellsMore: stated.more !== null };
}
