// PAG-10 (must): A bare array ends with an empty array: past the end answers `[]` with 200.

import { type Compare, isOfPag10, suspicionPastEnd } from '../../checks/pag/pag-04-to-09-page.ts';
import type { PageRead } from '../../facts/list-history.ts';
import { endsWithItsPages } from '../../openapi/model/stated-paging.ts';
import type { ListLab } from './lab.ts';
import type { Place } from './plans.ts';
import type { Survey } from './survey.ts';

/** Where the end of a list stands that was not walked to: far beyond it. */
const FAR = 1_000_000;

/**
 * Pages past the end of the list, best first. A limit that divides the size ends on a page border. Where a total tells of fewer items than were
 * seen, the list goes on as far as those.
 */
export function placesPastEnd({ sequence }: Survey): readonly Place[] {
  if (sequence.size === null) return [{ limit: 10, at: FAR }];
  const size = Math.max(sequence.size, sequence.known);
  const divisor = [7, 5, 3, 2, 19, 11, 13].find((limit) => size % limit === 0 && limit < size) ?? 1;
  return [
    { limit: 10, at: (Math.ceil(size / 10) + 1) * 10 },
    { limit: divisor, at: size },
    { limit: 20, at: Math.ceil(size / 20) * 20 },
    { limit: 1, at: size + 1 },
    { limit: 50, at: size + 1000 },
  ];
}

/**
 * Reads the pages; an item found there counts when it shows again while the end stays where it was. Returns
 * the pages; none where the clauses say nothing of what stands there: on lists that end with their pages and on those with a limit alone.
 */
export async function judgePastEnd(
  lab: ListLab,
  survey: Survey,
  places: readonly Place[],
): Promise<readonly PageRead[]> {
  const { rules, past } = survey;
  if (rules.turner === null || endsWithItsPages(lab.list.paging.stated)) return [];
  if (!isOfPag10(rules)) lab.untold('PAG-10', 'the list answers an envelope, no bare array', 'not-declared');
  const reads = past === null ? [] : [past];
  for (const { limit, at } of places) {
    const read = limit > survey.accepted ? null : await lab.readAt(survey, limit, at);
    if (read !== null) reads.push(read);
  }
  for (const read of reads) await judgeOne(lab, survey, read);
  return reads;
}

async function judgeOne(lab: ListLab, survey: Survey, read: PageRead): Promise<void> {
  const { rules, sequence } = survey;
  const end = sequence.endRead;
  const compare: Compare = (earlier, page) => {
    const suspicion = suspicionPastEnd(page, earlier ?? end, rules);
    return suspicion && { ...suspicion, earlier: end };
  };
  const compared = await lab.judge(survey, [end, read], compare);
  if (compared === 'agreed' && read.keys.length === 0) lab.agree(isOfPag10(rules) ? ['PAG-10'] : rules.slice);
}
