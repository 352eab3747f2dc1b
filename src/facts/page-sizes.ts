// Which page sizes a list applies, from what its first pages showed: the maximum, and up to which limit it does as asked.
import type { Page } from './page.ts';

export interface FirstPages {
  /** Without parameters. */
  readonly bare: Page;
  /** The page by a limit that no list is expected to apply, and that limit; null where it was refused or not answered. */
  readonly excessive: Page | null;
  readonly excess: number;
  readonly first: Page;
  /** The limit that the first page was asked for by. */
  readonly limit: number;
  /** Items that the pages after the first one showed. */
  readonly following: number;
  /** True where the pages kept their sizes when they were read again: in a list that grows, items may follow by chance. */
  readonly steady: boolean;
}

export interface PageSizes {
  /** The largest page size that was seen to be applied in place of a larger one; null: none was. */
  readonly maximum: number | null;
  /** The largest limit that is known to be applied as it is asked for. */
  readonly accepted: number;
}

/** The page size: as the envelope names it, else the number of items. */
export function sizeOfPage({ paged, items }: Page): number {
  return paged?.limit ?? items.length;
}

/**
 * A page that is smaller than its limit though others follow is one at the maximum. What the excessive limit showed is the
 * maximum when others follow, too, or when its envelope says so. Where it showed what no limit shows, and a smaller limit
 * showed more, it was not applied at all: that stands for a refusal.
 */
export function pageSizes(seen: FirstPages): PageSizes {
  const { bare, excessive, excess, first, limit, steady } = seen;
  const shown = sizeOfPage(first);
  const top = excessive === null ? null : sizeOfPage(excessive);
  const refused = top === null || (top === sizeOfPage(bare) && top < shown);
  if (steady && isShort(seen)) {
    const maximum = refused ? shown : Math.max(shown, top);
    return { maximum, accepted: Math.min(limit, maximum) };
  }
  if (refused) return { maximum: null, accepted: limit };
  const named = first.paged?.limit != null;
  const exceeded = steady && isFull(seen);
  const maximum = top < excess && (named || exceeded) ? top : null;
  return { maximum, accepted: maximum ?? excess };
}

/** Tells whether the first page, or the excessive one, may be one at the maximum: then they and the last page are worth reading again. */
export function mayBeClamped(seen: FirstPages): boolean {
  return isShort(seen) || isFull(seen);
}

function isShort({ first, limit, following }: FirstPages): boolean {
  const shown = sizeOfPage(first);
  return shown > 0 && shown < limit && (first.paged?.limit != null || following > 0);
}

/** Others follow the excessive page: it ends where the first page does, or before the list. */
function isFull({ first, excessive, limit, following }: FirstPages): boolean {
  if (excessive === null || following === 0 || sizeOfPage(excessive) === 0) return false;
  const top = sizeOfPage(excessive);
  return top === limit || first.items.length + following > top;
}
