// PAG-14 and PAG-15: the list is followed from its first page on, by the cursor or the address that each page tells of the next, by several sizes
// and under a filter, and asked for by cursors that it never told. What seems a breach is looked at again from the first page on, for a cursor may
// serve once, or expire: it counts where all pages show the same again.
import * as fc from 'fast-check';
import {
  type ChainFlaw,
  chainConflict,
  chainFlaw,
  madeUpFlaw,
  RELATIONS,
  type Relation,
  relatedTo,
  relationFlaw,
  totalFlaw,
} from '../../checks/pag/pag-14-15-followed.ts';
import type { PagingTerms } from '../../contract/terms.ts';
import { addressOf, followClause, isByAddress, linkTold } from '../../facts/page-links.ts';
import { type Link, type ListReading, linkIn, WalkedList } from '../../facts/walked-list.ts';
import { draw } from '../../generate/sampling.ts';
import { type Pairs, pairsOf, walkOn } from '../reach/reading-lists.ts';
import { filtersOf } from './filtered.ts';
import { BAD_VALUE, type ListLab } from './lab.ts';
import type { ListOperation } from './list-operation.ts';
import type { Survey } from './survey.ts';

/** A longer chain is left before its end. */
const MAX_PAGES = 60;
const PROBE = 'follow';
const TRIES = 3;
const UNSETTLED = 'the list changed while it was followed, three times';
const SPENT = 'a page was not answered, or the requests for this list were spent';
/** Cursors that no list tells. */
const MADE_UP = ['assay-made-up', Buffer.from('{"made":"up"}').toString('base64url'), '999999999999'];

/** The pages to follow: by this size, under this filter, and beside these, which are followed anew where that is to be confirmed. */
interface Asked {
  readonly size: number | null;
  readonly filter?: Pairs;
  readonly beside?: WalkedList;
}

/** Follows the list by each of its sizes. */
export async function judgeFollowed(lab: ListLab, survey: Survey): Promise<void> {
  const { list, world } = lab;
  const { stated } = list.paging;
  const clause = followClause(stated);
  if (clause === null || stated === null) return;
  const followed = new FollowedList(lab, survey, stated, clause);
  const largest = list.paging.size === null ? null : (survey.walk[0]?.ask.limit ?? null);
  const whole = await followed.settle({ size: largest });
  if (whole === null) return;
  const sizes = sizesFor(whole, world.seed, list);
  for (const size of list.paging.size === null ? [null] : sizes) await followed.settle({ size, beside: whole });
  const [small] = sizes;
  if (small !== undefined)
    for (const filter of filtersOf(list, survey)) await followed.judgeFilter(filter, small, whole);
  if (clause === 'PAG-14') await followed.judgeMadeUp(small ?? null);
}

/** Sizes that cut the list into several pages: small ones, one of them drawn, one that leaves no rest, and all items at once. */
function sizesFor(whole: WalkedList, seed: number, { look, reached }: ListOperation): readonly number[] {
  const count = whole.keys.length;
  const cap = (whole.links.length > 1 ? whole.size : null) ?? Math.max(count, 1);
  const several = Array.from({ length: cap }, (_, at) => at + 1).filter((size) => size < count);
  const few = several.filter((size) => count / size <= look.sizes.maxPages);
  if (few.length === 0) return several.slice(-1);
  const [smallest = 1] = few;
  const uneven = few.find((size) => count % size !== 0) ?? smallest;
  const even = few.filter((size) => count % size === 0).slice(0, 1);
  const drawn = draw(fc.constantFrom(...few), seed, `follow ${reached.operation.key}`);
  // All but one: what is lost or added at the very end shows in two pages.
  const more = [drawn, ...[count - 1, count].filter((size) => size <= cap && size > 0)];
  return [...new Set([uneven, ...even, ...(look.sizes.all ? more : [])])];
}

class FollowedList {
  readonly #lab: ListLab;
  readonly #survey: Survey;
  readonly #stated: PagingTerms;
  readonly #clause: 'PAG-14' | 'PAG-15';

  constructor(lab: ListLab, survey: Survey, stated: PagingTerms, clause: 'PAG-14' | 'PAG-15') {
    this.#lab = lab;
    this.#survey = survey;
    this.#stated = stated;
    this.#clause = clause;
  }

  /** The filtered list by a small size beside itself by a large one; nothing where the filter leaves too few, or all. */
  async judgeFilter(filter: Pairs, size: number, whole: WalkedList): Promise<void> {
    const large = await this.#walk(this.#lab, whole.size, filter);
    const items = large === null ? [] : large.keys;
    // A filter that is forgotten from the second page on leaves all, too, but not in the same order.
    if (large === null || items.length <= size || items.join('\n') === whole.keys.join('\n')) return;
    await this.settle({ size, filter, beside: large });
  }

  /** Cursors that no page told. */
  async judgeMadeUp(size: number | null): Promise<void> {
    const { turn } = this.#stated.parameters;
    if (turn === null || isByAddress(this.#stated)) return;
    const pairs = pairsOf(this.#lab.list, { limit: size, turn: null });
    const lookAt = (value: string) => async (lab: ListLab) => {
      const first = await lab.ask(pairs, 'made-up');
      const exchange = await lab.ask([...pairs, [turn, value]], 'made-up', BAD_VALUE);
      if (first === null || exchange === null) return null;
      const [shown, usual] = [exchange, first].map((one) => linkIn(one, this.#reading, null));
      const flaw = madeUpFlaw(exchange, shown?.page.place == null ? null : shown.keys, usual?.keys ?? []);
      return { flaw, evidence: [first, exchange] };
    };
    for (const value of MADE_UP) if ((await this.#lab.tell(this.#clause, lookAt(value), 2)) === 'breached') return;
  }

  /** Follows the pages until a look settles it; resolves with a sound chain. */
  async settle(asked: Asked): Promise<WalkedList | null> {
    let chains: readonly WalkedList[] = [];
    const look = async (lab: ListLab) => {
      const { size, filter = [] } = asked;
      const beside = asked.beside && lab.isAgain ? await this.#walk(lab, asked.beside.size, filter) : asked.beside;
      const chain = await this.#walk(lab, size, filter);
      if (chain === null || beside === null) return null;
      chains = beside === undefined ? [chain] : [beside, chain];
      const alone = chainFlaw(chain) ?? totalFlaw(chain) ?? (await this.#relations(lab, chain));
      const found = alone ?? (beside === undefined ? null : chainConflict(beside, chain));
      const evidence = (found?.pages ?? []).map(({ exchange }) => exchange);
      const assertions = chains.flatMap(({ links }) => links).length;
      return { flaw: found?.flaw ?? null, evidence, of: JSON.stringify(chains.map(({ keys }) => keys)), assertions };
    };
    const told = await this.#lab.tell(this.#clause, look, TRIES);
    if (told === 'silent' || told === 'unsettled')
      this.#lab.untold(this.#clause, told === 'silent' ? SPENT : UNSETTLED);
    else for (const chain of chains) this.#lab.memory.noteChain(chain);
    return told === 'agreed' ? (chains.at(-1) ?? null) : null;
  }

  /** prev, first and last of the second and the last page, as far as they are told. */
  async #relations(lab: ListLab, { links, isWhole }: WalkedList): Promise<ChainFlaw | null> {
    if (this.#clause !== 'PAG-15' || !isWhole || links.length < 2) return null;
    for (const at of new Set([1, links.length - 1]))
      for (const relation of RELATIONS) {
        const found = await this.#relation(lab, links, at, relation);
        if (found !== null) return found;
      }
    return null;
  }

  async #relation(lab: ListLab, links: readonly Link[], at: number, relation: Relation): Promise<ChainFlaw | null> {
    const place = this.#stated.links[relation];
    const [from, wanted] = [links[at], relatedTo(links, at, relation)];
    const told = place === null || from === undefined ? null : linkTold(from.page.exchange, place);
    if (told === null || from === undefined || wanted === undefined) return null;
    const address = addressOf(from.page.exchange, told);
    const away = address.kind === 'elsewhere' ? address.host : 'no address';
    const exchange = address.kind === 'here' ? await lab.askAt(address, PROBE) : null;
    const reached = address.kind !== 'here' ? away : exchange && linkIn(exchange, this.#reading, null);
    const flaw = reached === null ? null : relationFlaw(from, relation, wanted, reached);
    const others = typeof reached === 'object' && reached !== null ? [reached.page] : [];
    return flaw && { flaw, pages: [from.page, wanted.page, ...others] };
  }

  /** The chain of pages of this size; null where a page was not answered at all, or the requests for the list were spent. */
  async #walk(lab: ListLab, size: number | null, filter: Pairs): Promise<WalkedList | null> {
    // A first page that is shorter than asked for while others follow is one of the maximum size, unless the contract states a larger one.
    const isPromised = size !== null && size <= Math.max(this.#survey.bare.keys.length, this.#stated.size.maximum ?? 0);
    const chain = new WalkedList(this.#reading, size, { isPromised });
    const from = { query: lab.queryOf(pairsOf({ ...lab.list, filter }, { limit: size, turn: null })) };
    const to = { from, maxPages: MAX_PAGES, isOver: ({ isEnded }: WalkedList) => isEnded };
    return (await walkOn(chain, (asked) => lab.askAt(asked, PROBE), to)) ? chain : null;
  }

  get #reading(): ListReading {
    const { identity, rules } = this.#survey;
    const { paging, reading } = this.#lab.list;
    return { paging, first: 0, identity, place: rules.place, reading };
  }
}
