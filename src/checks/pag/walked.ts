// PAG-06 to PAG-08, PAG-14 and PAG-15 on lists that anybody walked from the first page on. Others may change a list meanwhile: by numbers it is
// judged only where every page tells the same total, and so is what a change does, too, where pages tell the next one.
import { breached, holds, type Judgement, resting } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { FollowedWalk, NumberedWalk, Walk } from '../../facts/list-walks.ts';
import type { Page } from '../../facts/page.ts';
import { type Chain, followClause } from '../../facts/page-links.ts';
import { toldOf } from './flaw.ts';
import { slicesOf, suspicionOf } from './pag-04-to-09-page.ts';
import { chainFlaw, totalFlaw } from './pag-14-15-followed.ts';

/** Flaws that a change of the list explains as well; and a cursor may expire. */
const FLAWS_OF_CHANGES = ['repeated', 'total', 'next-refused'];

interface WalkSaid {
  readonly clause: string;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

/** Judges the walk by its newest page; null where it goes on. */
export function judgeWalk(walk: Walk): readonly WalkSaid[] | null {
  return walk.kind === 'numbered' ? judgeNumbered(walk) : judgeFollowed(walk);
}

function judgeNumbered({ sequence, reads, place, paging, total }: NumberedWalk): readonly WalkSaid[] | null {
  const newest = reads.at(-1);
  if (newest === undefined) return null;
  const slice = slicesOf(paging, newest.page.paged && total);
  const suspicion = suspicionOf(newest, sequence, { slice, paged: false, place, turner: paging.turner?.by ?? 'item' });
  if (suspicion !== null) {
    const pages = [...(suspicion.earlier === null ? [] : [suspicion.earlier]), newest].map(({ page }) => page);
    return slice.map((clause) => said(clause, breached([toldOf(clause, suspicion.breach)]), pages));
  }
  const isDone = new Set(reads.flatMap(({ keys }) => keys)).size >= total || newest.keys.length === 0;
  const held = resting(holds(), { items: total, pages: reads.length });
  const pages = reads.map(({ page }) => page);
  return isDone ? slice.map((clause) => said(clause, held, pages)) : null;
}

function judgeFollowed({ stated, chain }: FollowedWalk): readonly WalkSaid[] | null {
  const clause = followClause(stated);
  if (clause === null) return null;
  // Where pages are followed by addresses the first page may not be the first of the list.
  const found = chainFlaw(chain) ?? (clause === 'PAG-14' ? totalFlaw(chain) : null);
  const isOfChange = found !== null && FLAWS_OF_CHANGES.includes(found.flaw.kind) && !isSettled(chain);
  if (isOfChange) return [];
  if (found !== null) return [said(clause, breached([toldOf(clause, found.flaw)]), found.pages)];
  const held = resting(holds(), { items: chain.items.length, pages: chain.links.length });
  const pages = chain.links.map(({ page }) => page);
  return chain.isWhole ? [said(clause, held, pages)] : null;
}

/** Tells whether each page counts the same total: nothing was added or taken away meanwhile. */
function isSettled({ links }: Chain): boolean {
  const totals = new Set(links.map(({ page }) => page.paged?.total ?? null));
  return totals.size === 1 && !totals.has(null);
}

function said(clause: string, judgement: Judgement, pages: readonly Page[]): WalkSaid {
  return { clause, judgement, evidence: pages.map(({ exchange }) => exchange) };
}

const NOT_NUMBERED =
  'no list of three items and two pages was walked from its first page to its end, each page telling the same total';
const NOT_FOLLOWED = 'no list of three items and two pages was followed from its first page to its end';

/** Why nothing was judged of a clause on pages. */
export const NO_WALK: Readonly<Record<string, string>> = {
  ...{ 'PAG-06': NOT_NUMBERED, 'PAG-07': NOT_NUMBERED, 'PAG-08': NOT_NUMBERED },
  ...{ 'PAG-14': NOT_FOLLOWED, 'PAG-15': NOT_FOLLOWED },
};
