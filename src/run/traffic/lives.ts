// LIFE and COND on calls that somebody else made. Facts and laws are those of a run that sends; what a law lacks, nobody makes here.
import { COND_LAWS } from '../../checks/cond/family.ts';
import { judgeNewest } from '../../checks/law.ts';
import { LIFE_LAWS } from '../../checks/life/family.ts';
import { isPending, type Told } from '../../checks/life/law.ts';
import type { Item } from '../../facts/item-history.ts';

/** Laws that nobody else's writes may explain away. */
const LAWS = [...LIFE_LAWS, ...COND_LAWS].filter(({ isOfRuns }) => isOfRuns !== true);

/** The judgements of the laws on the newest fact on the item. */
export function judgeLife(item: Item): readonly Told[] {
  return judgeNewest(LAWS, item).filter((told) => isTold(told, item));
}

/** A breach is told only where it stands, and nothing is lacking that would decide it. */
function isTold(told: Told, { newest }: Item): boolean {
  if (newest === null || isPending(told, newest)) return false;
  return told.lacks === undefined || told.judgement.kind !== 'breached';
}
