// The first look at a list: where its items stand, what identifies them, its default and maximum page size, and one walk
// from its first page to its end.
import { type Identity, identityOf, keyOf } from '../../checks/pag/identity.ts';
import { type Page, pageOf } from '../../checks/pag/page.ts';
import { placeOfItems } from '../../checks/pag/places-of-items.ts';
import { type Ask, type PageRead, Sequence } from '../../checks/pag/sequence.ts';
import type { ListRules } from '../../checks/pag/suspicion.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { queryText } from '../recipe.ts';
import { firstTurn, type ListOperation, nounOf, offsetOf, pairsOf, turnerOf } from './list-operation.ts';
import type { PageReader } from './page-reader.ts';

/** A limit that no list is expected to apply: what it answers shows the maximum. */
export const EXCESSIVE_LIMIT = 1000;
const WALK_LIMITS = [100, 50, 20, 10];
const WALK_PAGES = 12;

export interface Survey {
  readonly rules: ListRules;
  readonly identity: Identity;
  /** The page without parameters. */
  readonly bare: PageRead;
  /** The largest page size that was seen to be applied in place of a larger one; null: none was. */
  readonly maximum: number | null;
  /** The largest limit that is known to be applied as it is asked for. */
  readonly accepted: number;
  /** What the excessive limit was answered; null without an answer. */
  readonly excessive: Exchange | null;
  /** How many items it showed; null where it was refused. */
  readonly most: number | null;
  /** The pages of the walk, within the list. */
  readonly walk: readonly PageRead[];
  /** What stood after the last page of the walk; null when the walk did not go so far. */
  readonly past: PageRead | null;
  readonly sequence: Sequence;
}

/** Surveys the list; in words why it could not be done. */
export async function surveyList(list: ListOperation, reader: PageReader): Promise<Survey | string> {
  const get = (ask: Ask): Promise<Exchange | null> => reader.ask(pairsOf(list, ask), 'survey');
  const bare = await get({ limit: null, turn: null });
  const excessive = await get({ limit: EXCESSIVE_LIMIT, turn: null });
  const first = await firstAccepted(list, get);
  if (bare === null || first === null || !answered(bare)) return 'the list did not answer its first page';
  const place = placeOfItems(bodies([bare, excessive, first.exchange]));
  if (place === null) return 'no array of items was found in the answer';
  const open = openList(list, place, bare, excessive, first);
  if (open === null) return 'the first page could not be read';
  const steps = await walk(list, place, open, get);
  const again = isClamped(open, steps) ? await get(open.first.ask) : null;
  const grown = again !== null && pageOf(again, place)?.items.length !== open.first.page.items.length;
  return conclude(list, open, steps, grown);
}

/** A page of the list as the laws see it. */
export function readOf(
  list: ListOperation,
  survey: Pick<Survey, 'identity' | 'maximum'>,
  ask: Ask,
  page: Page,
): PageRead {
  const limit = ask.limit ?? page.paged?.limit ?? page.items.length;
  const applied = Math.max(1, Math.min(limit, survey.maximum ?? limit));
  const keys = page.items.map((item) => keyOf(survey.identity, item));
  const query = queryText(pairsOf(list, ask)) || 'no parameter';
  return { ask, query, limit, applied, offset: offsetOf(list, ask, applied), page, keys };
}

interface Asked {
  readonly ask: Ask;
  readonly exchange: Exchange;
}

interface Open {
  readonly place: string;
  readonly bare: Page;
  readonly excessive: Exchange | null;
  /** Items that the excessive limit showed, and the limit that its envelope names; null where it was refused. */
  readonly most: { readonly count: number; readonly named: number | null } | null;
  readonly first: { readonly ask: Ask; readonly limit: number; readonly page: Page };
  readonly identity: Identity;
}

type Get = (ask: Ask) => Promise<Exchange | null>;

async function firstAccepted(list: ListOperation, get: Get): Promise<Asked | null> {
  for (const limit of WALK_LIMITS) {
    const ask = { limit, turn: firstTurn(list) };
    const exchange = await get(ask);
    if (exchange === null) return null;
    if (answered(exchange)) return { ask, exchange };
  }
  return null;
}

function openList(
  list: ListOperation,
  place: string,
  bareAnswer: Exchange,
  excessive: Exchange | null,
  { ask, exchange }: Asked,
): Open | null {
  const bare = pageOf(bareAnswer, place);
  const page = pageOf(exchange, place);
  const large = excessive !== null && answered(excessive) ? pageOf(excessive, place) : null;
  if (bare === null || page === null) return null;
  const identity = identityOf(page.items, bare.items, nounOf(list));
  const most = large === null ? null : { count: large.items.length, named: large.paged?.limit ?? null };
  return { place, bare, excessive, most, first: { ask, limit: ask.limit ?? 1, page }, identity };
}

interface Step {
  readonly ask: Ask;
  readonly page: Page;
}

/** The pages from the first on; the last one is what came after the end, where that was asked for. */
async function walk(list: ListOperation, place: string, { first, identity }: Open, get: Get): Promise<readonly Step[]> {
  const steps: Step[] = [first];
  let seen = first.page.items.length;
  for (let last: Step = first; list.pattern !== 'limit' && steps.length < WALK_PAGES; ) {
    const { paged, items, status } = last.page;
    if (items.length === 0 || status >= 300 || repeats(steps, identity)) break;
    if (paged !== null && seen >= paged.total) break;
    const turn = list.pattern === 'page' ? steps.length + 1 : seen;
    const ask = { limit: first.limit, turn };
    const exchange = await get(ask);
    const page = exchange === null ? null : pageOf(exchange, place);
    if (page === null) break;
    last = { ask, page };
    steps.push(last);
    seen += page.items.length;
  }
  return steps;
}

/** Whether the last page shows what the one before it did. */
function repeats(steps: readonly Step[], identity: Identity): boolean {
  const [before, last] = steps.slice(-2).map(({ page }) => page.items.map((item) => keyOf(identity, item)).join('\n'));
  return last !== undefined && before === last;
}

function conclude(list: ListOperation, open: Open, steps: readonly Step[], grown: boolean): Survey {
  const { place, bare, most, first, identity, excessive } = open;
  const after = steps.slice(1).find(({ page }) => page.items.length === 0 || page.status >= 300);
  const repeated = after === undefined && repeats(steps, identity) ? steps.at(-1) : undefined;
  const past = after ?? repeated;
  const within = steps.filter((step) => step !== past);
  const known = { identity, ...sizesOf(open, within, grown) };
  const walked = within.map(({ ask, page }) => readOf(list, known, ask, page));
  const pastRead = past === undefined ? null : readOf(list, known, past.ask, past.page);
  const sequence = new Sequence(identity.member !== null, walked);
  if (pastRead !== null && pastRead.page.status < 300 && pastRead.keys.length === 0) sequence.learn(pastRead);
  const paged = first.page.paged !== null;
  const rules = { slice: sliceClauses(list, paged), paged, place, turner: turnerOf(list) };
  const bareRead = readOf(list, known, { limit: null, turn: null }, bare);
  return {
    rules,
    ...known,
    bare: bareRead,
    excessive,
    most: most?.count ?? null,
    walk: walked,
    past: pastRead,
    sequence,
  };
}

/** Whether the first page seems to be one at the maximum. In a list that grows, items may follow it by chance. */
function isClamped({ first }: Open, steps: readonly Step[]): boolean {
  const { paged, items } = first.page;
  if (paged !== null) return paged.limit < first.limit;
  return items.length < first.limit && (steps[1]?.page.items.length ?? 0) > 0;
}

interface Sizes {
  readonly maximum: number | null;
  readonly accepted: number;
}

/**
 * A page that is smaller than its limit though others follow is one at the maximum. What the excessive limit showed is the
 * maximum when far more follows, too: a few items more may have been added meanwhile. Where it showed what no limit
 * shows, and a smaller limit more, it was not applied at all, and stands for a refusal.
 */
function sizesOf(open: Open, within: readonly Step[], grown: boolean): Sizes {
  const { most, first, bare } = open;
  const { paged, items } = first.page;
  const shown = paged === null ? items.length : paged.limit;
  const showable = most === null ? null : paged === null ? most.count : (most.named ?? most.count);
  const usual = bare.paged?.limit ?? bare.items.length;
  const refused = showable === null || (showable === usual && showable < shown);
  if (isClamped(open, within) && !grown) {
    const maximum = refused ? shown : showable;
    return { maximum, accepted: Math.min(first.limit, maximum) };
  }
  if (refused) return { maximum: null, accepted: first.limit };
  const seen = within.reduce((total, { page }) => total + page.items.length, 0);
  const follow = seen >= showable + first.limit || (within.length > 1 && showable === shown);
  const clamped = showable < EXCESSIVE_LIMIT && (paged !== null || follow);
  return {
    maximum: clamped ? showable : null,
    accepted: clamped ? Math.min(EXCESSIVE_LIMIT, showable) : EXCESSIVE_LIMIT,
  };
}

function sliceClauses({ pattern, isLog }: ListOperation, paged: boolean): readonly string[] {
  if (isLog) return ['PAG-06'];
  if (pattern === 'limit') return ['PAG-09'];
  return [pattern === 'offset' ? 'PAG-07' : 'PAG-08', ...(paged ? ['PAG-06'] : [])];
}

function bodies(exchanges: readonly (Exchange | null)[]): readonly unknown[] {
  return exchanges.flatMap((exchange) => {
    const body = exchange === null || !answered(exchange) ? null : jsonBody(exchange);
    return body?.ok === true ? [body.value] : [];
  });
}

function answered(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 599;
  return status >= 200 && status < 300;
}
