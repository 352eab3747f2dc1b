// PAG-14 and PAG-15 on lists that somebody else followed from the first page on. Others may change a list meanwhile: that items repeat, or are
// fewer than counted, is judged only where each page counts the same total.
import { type Chain, chainFlaw, itemsOf, type Link, totalFlaw } from '../../checks/pag/chain.ts';
import { readingOf } from '../../checks/pag/envelope.ts';
import { toldOf } from '../../checks/pag/flaw.ts';
import { addressOf, followClause, isByAddress, linkOf, linkTold, sizeApplied } from '../../checks/pag/followed.ts';
import { type Identity, identityOf, keyOf } from '../../checks/pag/identity.ts';
import { askedNumber, type Page, pageOf } from '../../checks/pag/page.ts';
import { breached, holds, type Judgement, resting } from '../../contract/judgement.ts';
import type { PagingTerms } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { nounAt } from '../../facts/nouns.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Stating } from '../../openapi/model/paging.ts';

/** Pages that are further apart are of two walks. ms. */
const MAX_REST_MS = 10_000;
/** Walks that are followed at once; of more, the oldest are left. */
const MOST_WALKS = 500;
/** What a change of the list does, too, where no total shows that there was none; and a cursor may expire. */
const OF_CHANGES = ['repeated', 'total', 'next-refused'];

/** What a walk showed of a clause. */
export interface WalkJudgement {
  readonly clause: string;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

interface Walk {
  readonly identity: Identity;
  readonly place: string;
  readonly size: number | null;
  readonly links: Link[];
}

export class FollowedWalks {
  /** By what asks for the next page. */
  readonly #walks = new Map<string, Walk>();
  readonly #stating: Stating;

  constructor(stating: Stating) {
    this.#stating = stating;
  }

  /** What was written may show in any list. */
  forget(): void {
    this.#walks.clear();
  }

  observe(exchange: Exchange, { operation }: Described, stated: PagingTerms): readonly WalkJudgement[] {
    const clause = followClause(stated);
    const name = nameOf(exchange, exchange.plan.path, exchange.plan.query);
    const before = this.#walks.get(name);
    this.#walks.delete(name);
    const page = pageOf(exchange, before?.place ?? stated.items, readingOf(stated, this.#stating.terms));
    const walk = page?.place == null ? null : this.#walkOf(page, before, stated, operation.path);
    if (clause === null || walk === null) return [];
    const last = walk.links.at(-1);
    const isWhole = last === undefined || last.next === null || last.elsewhere !== undefined;
    const chain: Chain = { ...walk, isDistinct: walk.identity.member !== null, isWhole };
    // By addresses the first page may not be the first of the list.
    const found = chainFlaw(chain) ?? (clause === 'PAG-14' ? totalFlaw(chain) : null);
    const isFlaw = found !== null && (!OF_CHANGES.includes(found.flaw.kind) || isSettled(chain));
    const evidence = (isFlaw ? found.pages : walk.links.map((link) => link.page)).map((one) => one.exchange);
    if (isFlaw) return [{ clause, judgement: breached([toldOf(clause, found.flaw)]), evidence }];
    if (!isWhole && found === null) this.#keep(exchange, last.next, stated, walk);
    if (!isWhole || found !== null) return [];
    const grounds = { items: itemsOf(chain).length, pages: walk.links.length };
    return [{ clause, judgement: resting(holds(), grounds), evidence }];
  }

  /** The walk with this page: the next one of it, or the first of a new one; null where it is neither. */
  #walkOf(page: Page, before: Walk | undefined, stated: PagingTerms, path: string): Walk | null {
    const { exchange } = page;
    const size = askedSize(exchange, stated);
    const earlier = before?.links.at(-1)?.page.exchange;
    const isNext =
      earlier !== undefined &&
      exchange.sentAt - (earlier.sentAt + earlier.durationMs) <= MAX_REST_MS &&
      before !== undefined;
    const identity = isNext ? before.identity : identityOf(page.items, [], nounAt(path));
    const keys = page.items.map((item) => keyOf(identity, item));
    const link = linkOf(page, keys, stated, isNext ? before.size : size);
    if (isNext) return { ...before, links: [...before.links, link] };
    const { turn } = stated.parameters;
    const isLater = turn !== null && new URLSearchParams(exchange.plan.query).has(turn);
    const isAfter = stated.links.prev !== null && linkTold(exchange, stated.links.prev) !== null;
    if (isLater || isAfter || page.place === null) return null;
    return { identity, place: page.place, size: sizeApplied(link, size), links: [link] };
  }

  #keep(exchange: Exchange, next: string | null | undefined, stated: PagingTerms, walk: Walk): void {
    const name = next == null ? null : nextName(exchange, next, stated);
    if (name === null) return;
    const [oldest] = this.#walks.keys();
    if (this.#walks.size >= MOST_WALKS && oldest !== undefined) this.#walks.delete(oldest);
    this.#walks.set(name, walk);
  }
}

/** How the request for the next page is called; null where it leads to another host. */
function nextName(exchange: Exchange, next: string, stated: PagingTerms): string | null {
  const { turn } = stated.parameters;
  if (isByAddress(stated) || turn === null) {
    const address = addressOf(exchange, next);
    return address.kind === 'here' ? nameOf(exchange, address.path, address.query) : null;
  }
  const query = new URLSearchParams(exchange.plan.query);
  query.set(turn, next);
  return nameOf(exchange, exchange.plan.path, query.toString());
}

function nameOf({ plan }: Exchange, path: string, query: string): string {
  return JSON.stringify([plan.service, path, plan.credential, [...new URLSearchParams(query)].sort()]);
}

function askedSize(exchange: Exchange, { parameters }: PagingTerms): number | null {
  const asked = askedNumber(exchange, parameters.size);
  return asked === 'bad' ? null : asked;
}

/** Whether each page counts the same total: nothing was added or taken away meanwhile. */
function isSettled({ links }: Chain): boolean {
  const totals = new Set(links.map(({ page }) => page.paged?.total ?? null));
  return totals.size === 1 && !totals.has(null);
}
