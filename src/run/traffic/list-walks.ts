// PAG-06 to PAG-08 on lists that somebody else walked from the first page on: each page beside those before it. A walk is judged only
// where every page tells the same number of items in all: else the list may have changed meanwhile.

import { readingOf } from '../../checks/pag/envelope.ts';
import { toldOf } from '../../checks/pag/flaw.ts';
import { followClause } from '../../checks/pag/followed.ts';
import { type Identity, identityOf, keyOf } from '../../checks/pag/identity.ts';
import { suspicionOf } from '../../checks/pag/pag-04-to-09-page.ts';
import { type Page, pageOf } from '../../checks/pag/page.ts';
import { type PageRead, Sequence } from '../../checks/pag/sequence.ts';
import { breached, holds, resting } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isSuccess } from '../../facts/answered.ts';
import { totalIn } from '../../facts/listing.ts';
import { nounAt } from '../../facts/nouns.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { type Paging, pagingOf, type Stating } from '../../openapi/model/paging.ts';
import { endsWithItsPages } from '../../openapi/model/stated-paging.ts';

import { FollowedWalks, type WalkJudgement } from './followed-walks.ts';

/** Others use the target, too, and what they change moves items from page to page: pages that are further apart are of two walks. ms. */
const MAX_REST_MS = 10_000;
/** Walks that are followed at once; of more, the oldest are left. */
const MOST_WALKS = 500;

/** A walk as far as it came. */
interface Walk {
  readonly identity: Identity;
  readonly place: string;
  readonly total: number;
  /** How many items each page but the last has. */
  readonly size: number;
  readonly sequence: Sequence;
  readonly reads: PageRead[];
}

export class ListWalks {
  readonly #walks = new Map<string, Walk>();
  readonly #followed: FollowedWalks;
  readonly #stating: Stating;
  /** Where an operation's answers keep the items of a list, by its key. */
  readonly #places: (operation: string) => string | null;

  constructor(stating: Stating, places: (operation: string) => string | null) {
    this.#stating = stating;
    this.#followed = new FollowedWalks(stating);
    this.#places = places;
  }

  /** What the answer, of which the time is known, shows beside the pages before it. */
  observe(exchange: Exchange, described: Described): readonly WalkJudgement[] {
    const { plan, response } = exchange;
    if (!isSafe(plan.method)) {
      // What was written may show in any list.
      this.#walks.clear();
      this.#followed.forget();
      return [];
    }
    const paging = pagingOf(described, this.#stating);
    const stated = paging?.stated ?? null;
    if (stated !== null && followClause(stated) !== null) return this.#followed.observe(exchange, described, stated);
    if (paging?.turner == null || !isSuccess(response?.status ?? 0)) return [];
    const name = walkName(exchange, paging);
    const step = this.#stepOf(exchange, described, paging, this.#walks.get(name));
    if (step === null) this.#walks.delete(name);
    return step === null ? [] : this.#judge(name, step.walk, step.read, paging);
  }

  #judge(name: string, walk: Walk, read: PageRead, paging: Paging): readonly WalkJudgement[] {
    const { sequence, reads, place } = walk;
    const turner = paging.turner?.by === 'page' ? 'page' : 'offset';
    const clauses = endsWithItsPages(paging.stated) ? ['PAG-06'] : clausesOf(turner, read.page);
    const suspicion = suspicionOf(read, sequence, { slice: clauses, paged: false, place, turner });
    sequence.learn(read);
    reads.push(read);
    const evidence = reads.map(({ page }) => page.exchange);
    const isDone = new Set(reads.flatMap(({ keys }) => keys)).size >= walk.total || read.keys.length === 0;
    if (suspicion !== null || isDone) this.#walks.delete(name);
    else this.#keep(name, walk);
    if (suspicion !== null) {
      const shown = [...(suspicion.earlier === null ? [] : [suspicion.earlier]), read];
      return clauses.map((clause) => ({
        clause,
        judgement: breached([toldOf(clause, suspicion.breach)]),
        evidence: shown.map(({ page }) => page.exchange),
      }));
    }
    if (!isDone) return [];
    const grounds = { items: walk.total, pages: reads.length };
    return clauses.map((clause) => ({ clause, judgement: resting(holds(), grounds), evidence }));
  }

  #keep(name: string, walk: Walk): void {
    const [oldest] = this.#walks.keys();
    if (!this.#walks.has(name) && this.#walks.size >= MOST_WALKS && oldest !== undefined) this.#walks.delete(oldest);
    this.#walks.set(name, walk);
  }

  /** The page as the next one of its walk, or as the first of a new one; null where it is neither. */
  #stepOf(
    exchange: Exchange,
    { operation }: Described,
    paging: Paging,
    known: Walk | undefined,
  ): { readonly walk: Walk; readonly read: PageRead } | null {
    const reading = readingOf(paging.stated, this.#stating.terms);
    const stated = this.#places(operation.key) ?? paging.stated?.items ?? null;
    const page = pageOf(exchange, known?.place ?? stated, reading);
    const total = page?.paged?.total ?? totalIn(exchange);
    if (page?.place == null || total === null) return null;
    const turn = asked(exchange, paging.turner?.name);
    const first = paging.turner?.stated ?? paging.turner?.assumed ?? 0;
    const isFirst = turn === null || turn === first;
    const walk = isFirst ? walkFrom(page, total, operation.path) : known;
    if (walk === undefined || walk.total !== total) return null;
    const last = walk.reads.at(-1)?.page.exchange;
    if (last !== undefined && exchange.sentAt - (last.sentAt + last.durationMs) > MAX_REST_MS) return null;
    const past = turn === null ? 0 : turn - first;
    const offset = paging.turner?.by === 'page' ? past * walk.size : past;
    const keys = page.items.map((item) => keyOf(walk.identity, item));
    const ask = { limit: walk.size, turn };
    const query = exchange.plan.query || 'no parameter';
    return { walk, read: { ask, query, limit: walk.size, applied: walk.size, offset, page, keys } };
  }
}

function walkFrom(page: Page, total: number, path: string): Walk | undefined {
  const { items, place } = page;
  if (place === null || items.length === 0) return undefined;
  const identity = identityOf(items, [], nounAt(path));
  // Without ids two items may well be equal.
  if (identity.member === null) return undefined;
  return { identity, place, total, size: items.length, sequence: new Sequence(true), reads: [] };
}

function clausesOf(turner: 'page' | 'offset', { paged }: Page): readonly string[] {
  return [turner === 'offset' ? 'PAG-07' : 'PAG-08', ...(paged === null ? [] : ['PAG-06'])];
}

/** What all pages of one walk have in common: who asked, of what, by which size and filters. */
function walkName({ plan }: Exchange, { turner }: Paging): string {
  const rest = [...new URLSearchParams(plan.query)].filter(([name]) => name !== turner?.name).sort();
  return JSON.stringify([plan.service, plan.path, plan.credential, rest]);
}

function asked({ plan }: Exchange, name: string | undefined): number | null {
  const value = name === undefined ? null : new URLSearchParams(plan.query).get(name);
  return value === null || !/^\d{1,15}$/.test(value) ? null : Number(value);
}

const OF_NUMBERED =
  'no list of three items and two pages was walked from its first page to its end, each page telling the same total';
const OF_FOLLOWED = 'no list of three items and two pages was followed from its first page to its end';

/** Why nothing was judged of a clause on pages. */
export const NO_WALK: Readonly<Record<string, string>> = {
  ...{ 'PAG-06': OF_NUMBERED, 'PAG-07': OF_NUMBERED, 'PAG-08': OF_NUMBERED },
  ...{ 'PAG-14': OF_FOLLOWED, 'PAG-15': OF_FOLLOWED },
};
