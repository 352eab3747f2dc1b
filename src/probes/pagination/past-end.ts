// PAG-10 (must): A bare array ends with an empty array: past the end answers `[]` with 200.

import { isOfPag10, type Suspicion, suspicionPastEnd } from '../../checks/pag/pag-04-to-09-page.ts';
import type { PageRead } from '../../checks/pag/sequence.ts';
import { endsWithItsPages } from '../../openapi/model/stated-paging.ts';
import type { Verdicts } from './clause-tally.ts';
import { askFor } from './list-operation.ts';
import type { PageReader } from './page-reader.ts';
import type { Place } from './plans.ts';
import type { Study } from './study.ts';
import type { Survey } from './survey.ts';

/** Where the end of a list stands that was not walked to: far beyond it. */
const FAR = 1_000_000;

/** Pages past the end of the list, best first. A limit that divides the size ends on a page border. */
export function placesPastEnd({ sequence: { size } }: Survey): readonly Place[] {
  if (size === null) return [{ limit: 10, at: FAR }];
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
  study: Study,
  survey: Survey,
  reader: PageReader,
  places: readonly Place[],
  verdicts: Verdicts,
): Promise<readonly PageRead[]> {
  const { rules, past } = survey;
  if (rules.turner === null || endsWithItsPages(study.list.paging.stated)) return [];
  if (!isOfPag10(rules)) verdicts.untold('PAG-10', 'the list answers an envelope, no bare array', 'not-declared');
  const reads = past === null ? [] : [past];
  for (const { limit, at } of places) {
    if (limit > survey.accepted) continue;
    const applied = Math.min(limit, survey.maximum ?? limit);
    const read = await study.read(reader, survey, askFor(study.list, limit, applied, at));
    if (read !== null) reads.push(read);
  }
  for (const read of reads) await judgeOne(study, survey, reader, read, verdicts);
  return reads;
}

async function judgeOne(
  study: Study,
  survey: Survey,
  reader: PageReader,
  read: PageRead,
  verdicts: Verdicts,
): Promise<void> {
  const { rules, sequence } = survey;
  const end = sequence.endRead;
  const compare = (earlier: PageRead | null, page: PageRead): Suspicion | null =>
    suspicionPastEnd(page, earlier ?? end, rules);
  const suspicion = compare(end, read);
  if (suspicion === null) {
    const clauses = isOfPag10(rules) ? ['PAG-10'] : rules.slice;
    if (read.keys.length === 0) for (const clause of clauses) verdicts.agree(clause);
    return;
  }
  const result = await study.confirm(reader, survey, { ...suspicion, earlier: end }, read, compare);
  if (result.kind !== 'confirmed') return;
  const evidence = [...(end === null ? [] : [end]), result.later].map(({ page }) => page.exchange);
  for (const clause of result.suspicion.clauses) verdicts.breach(clause, result.suspicion.breach, evidence);
}
