// The first look at a list: where its items stand, what identifies them, its default and maximum page size, and one walk
// from its first page to its end.

import { type Compare, type ListRules, suspicionOf } from '../../checks/pag/pag-04-to-09-page.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type Identity, identityOf, keyOf } from '../../facts/item-keys.ts';
import { type Ask, type PageRead, Sequence } from '../../facts/list-history.ts';
import { type Page, pageOf } from '../../facts/page.ts';
import { mayBeClamped, type PageSizes, pageSizes } from '../../facts/page-sizes.ts';
import type { Placed } from '../../facts/places-of-items.ts';
import { endsWithItsPages } from '../../openapi/model/stated-paging.ts';
import { queryText } from '../reach/recipe.ts';
import { type Asking, firstTurn, type ListOperation, nounOf, offsetOf, pairsOf, turnerOf } from './list-operation.ts';
import { EXCESSIVE_LIMIT, type Opening, openList } from './opening.ts';

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
  const steps = await walk(list, opening, identity, lab);
  if (steps === null) return 'a page was not answered, or the requests for this list were spent';
  const past = pastOf(steps, identity);
  const within = steps.filter((step) => step !== past);
  const sizes = await sizesOf(list, opening, within, lab);
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

/** Suspects a page of the list beside an earlier one, or by itself. */
export function suspectBeside({ identity, rules }: Survey): Compare {
  return (earlier, later) =>
    suspicionOf(later, new Sequence(identity.member !== null, earlier === null ? [] : [earlier]), rules);
}

interface Step {
  readonly ask: Ask;
  readonly page: Page;
}

/** The pages from the first on, the last one past the end where that was asked for; null when one was not answered. */
async function walk(
  list: ListOperation,
  { place, first }: Opening,
  identity: Identity,
  lab: Asking,
): Promise<readonly Step[] | null> {
  const steps: Step[] = [first];
  let seen = first.page.items.length;
  for (let last: Step = first; list.pattern !== 'limit' && steps.length < WALK_PAGES; steps.push(last)) {
    if (isPastEnd(list, steps, last.page) || repeats(steps, identity)) break;
    const { paged } = last.page;
    if (paged?.total != null && seen >= paged.total) break;
    const ask = {
      limit: first.ask.limit,
      turn: (firstTurn(list) ?? 0) + (list.pattern === 'page' ? steps.length : seen),
    };
    const exchange = await lab.ask(pairsOf(list, ask), 'survey');
    const page = exchange === null ? null : pageOf(exchange, place, list.reading);
    if (page === null) return null;
    last = { ask, page };
    seen += page.items.length;
  }
  return steps;
}

/** A first page that is empty may be one that stands before the list: the second one shows it. */
function isPastEnd({ pattern }: ListOperation, steps: readonly Step[], { items, status }: Page): boolean {
  return status >= 300 || (items.length === 0 && (steps.length > 1 || pattern !== 'page'));
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
  list: ListOperation,
  { place, bare, excessive, first }: Opening,
  within: readonly Step[],
  lab: Asking,
): Promise<PageSizes | null> {
  const following = within.slice(1).reduce((total, { page }) => total + page.items.length, 0);
  const { page, ask } = first;
  const seen = { bare, excessive: excessive.page, excess: EXCESSIVE_LIMIT, first: page, limit: ask.limit, following };
  if (page.paged?.limit != null || !mayBeClamped({ ...seen, steady: true }))
    return pageSizes({ ...seen, steady: true });
  const exchange = await lab.ask(pairsOf(list, ask), 'survey');
  const again = exchange === null ? null : pageOf(exchange, place, list.reading);
  return again && pageSizes({ ...seen, steady: again.items.length === page.items.length });
}

function conclude(
  list: ListOperation,
  { place, placed, bare, excessive, first }: Opening,
  known: PageSizes & { readonly identity: Identity },
  within: readonly Step[],
  after: Step | undefined,
): Survey {
  const read = ({ ask, page }: Step): PageRead => readOf(list, known, ask, page);
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
    rules: { slice: sliceClauses(list, first.page), paged, place, turner: turnerOf(list), ...statedRules(list) },
    bare: read({ ask: { limit: null, turn: null }, page: bare }),
    excessive: excessive.exchange,
    most: excessive.page?.items.length ?? null,
    walk: walked,
    past,
    sequence,
  };
}

function sliceClauses({ pattern, paging: { stated } }: ListOperation, { paged }: Page): readonly string[] {
  if (endsWithItsPages(stated)) return ['PAG-06'];
  if (pattern === 'limit') return ['PAG-09'];
  return [pattern === 'offset' ? 'PAG-07' : 'PAG-08', ...(paged?.total == null ? [] : ['PAG-06'])];
}

function statedRules({ paging: { stated } }: ListOperation): Pick<ListRules, 'pastEnd' | 'tellsMore'> {
  return stated === null ? {} : { pastEnd: stated.pastEnd, tellsMore: stated.more !== null };
}
