// Says how much is looked at of a list: all, or where a budget bounds the run what shows most of it.
import { declared, type World } from '../world.ts';

export interface Look {
  /** Pages of the first walk; on a list that has a limit alone, and no pages to turn, limits. */
  readonly first: { readonly pages: number; readonly limits: number };
  /** Bad values of the first look. */
  readonly badValues: number;
  /** Requests of the first look on most lists, and on those that have a limit alone. */
  readonly cost: { readonly pages: number; readonly limits: number };
  /** Requests to look again at what seems a breach and to make it smaller; the same where pages tell the next one. */
  readonly again: { readonly numbered: number; readonly followed: number };
  /** Sizes by which a list is followed cut it into so many pages at most. `all`: all that tell something, else those that tell most. */
  readonly sizes: { readonly maxPages: number; readonly all: boolean };
  /** True where pages are asked for under the keys of other plans. */
  readonly otherPlans: boolean;
}

const WHOLE: Look = {
  ...{ first: { pages: 20, limits: 7 }, badValues: 6, cost: { pages: 25, limits: 25 } },
  ...{ again: { numbered: 120, followed: 200 }, sizes: { maxPages: 12, all: true }, otherPlans: true },
};
/** One bad value more in place of deeper looks, which may not follow. */
const BRIEF: Look = {
  ...{ first: { pages: 7, limits: 4 }, badValues: 7, cost: { pages: 19, limits: 12 } },
  ...{ again: { numbered: 40, followed: 40 }, sizes: { maxPages: 6, all: false }, otherPlans: true },
};
/** A contract says most of a list whose items it counts. */
const BRIEF_COUNTED: Look = { ...BRIEF, first: { pages: 13, limits: 4 }, cost: WHOLE.cost, again: WHOLE.again };
/** Another list that pages like it is looked at more closely. */
const FURTHER: Look = {
  ...{ ...BRIEF, first: { pages: 3, limits: 2 }, badValues: 3, cost: { pages: 11, limits: 7 }, otherPlans: false },
};

/** How closely a list is looked at. */
export type Closeness = 'whole' | 'brief' | 'further';

/** As closely as the run affords. */
export function usualCloseness(world: World): Closeness {
  return declared<Closeness>(world, { whole: 'whole', brief: 'brief' });
}

export function lookAt({ isCounted }: { readonly isCounted: boolean }, closeness: Closeness): Look {
  if (closeness !== 'brief') return closeness === 'whole' ? WHOLE : FURTHER;
  return isCounted ? BRIEF_COUNTED : BRIEF;
}
