// Says how much is looked at of a list: all, or where a budget bounds the run what shows most of it.
import { declared, type World } from '../world.ts';
import type { PlanName } from './plans.ts';

export interface Look {
  /** The pages of the first walk. */
  readonly plan: PlanName;
  /** Bad values of the first look. more: one in place of deeper looks, which may not follow. few: what stands for no rows or all, and what is no number. */
  readonly badValues: 'usual' | 'more' | 'few';
  /** Requests of the first look on most lists, and on those that have a limit alone and no pages to turn. */
  readonly cost: { readonly pages: number; readonly limits: number };
  /** Requests to look again at what seems a breach and to make it smaller; the same where pages tell the next one. */
  readonly again: { readonly numbered: number; readonly followed: number };
  /** Sizes by which a list is followed cut it into so many pages at most. `all`: all that tell something, else those that tell most. */
  readonly sizes: { readonly maxPages: number; readonly all: boolean };
  /** True where pages are asked for under the keys of other plans. */
  readonly otherPlans: boolean;
}

const WHOLE: Look = {
  ...{ plan: 'first', badValues: 'usual', cost: { pages: 25, limits: 25 }, again: { numbered: 120, followed: 200 } },
  ...{ sizes: { maxPages: 12, all: true }, otherPlans: true },
};
const BRIEF: Look = {
  ...{ plan: 'brief', badValues: 'more', cost: { pages: 19, limits: 12 }, again: { numbered: 40, followed: 40 } },
  ...{ sizes: { maxPages: 6, all: false }, otherPlans: true },
};
/** A contract says most of a list whose items it counts. */
const BRIEF_COUNTED: Look = { ...BRIEF, plan: 'brief-counted', cost: WHOLE.cost, again: WHOLE.again };
/** Another list that pages like it is looked at more closely. */
const FURTHER: Look = {
  ...{ ...BRIEF, plan: 'further', badValues: 'few', cost: { pages: 11, limits: 7 }, otherPlans: false },
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
