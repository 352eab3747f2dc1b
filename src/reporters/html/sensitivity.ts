// What the run would have noticed, as the page shows it: a bar per family, and what was missed, folded by family.
import type { ClauseFamily } from '../../contract/clause.ts';
import type { Report } from '../../contract/report.ts';
import { MISSED_WORDS, missedGroups, sensitivitySentence, shareOf } from '../sensitivity-words.ts';
import { FAMILY_WORDS, number, plural } from '../words.ts';

/** null where the run was not asked. */
export function sensitivityView({ sensitivity }: Pick<Report, 'sensitivity'>) {
  if (sensitivity === undefined) return null;
  const { planted, places } = sensitivity;
  const groups = missedGroups(sensitivity);
  return {
    sentence: sensitivitySentence(sensitivity),
    sample:
      places > planted ? `${number(places)} places in all; each kind of defect was planted at a sample of them.` : null,
    families: Object.entries(sensitivity.families).map(([family, counts]) => ({
      family,
      name: FAMILY_WORDS[family as ClauseFamily],
      counts: `${number(counts.caught)} of ${number(counts.planted)}`,
      share: shareOf(counts.caught, counts.planted),
      percent: Math.floor((100 * counts.caught) / Math.max(1, counts.planted)),
    })),
    missed: plural(sensitivity.missed.length, 'defect'),
    groups: groups.map((group) => ({
      ...group,
      reasonWords: MISSED_WORDS[group.reason],
      where: group.operations.length === 0 ? ['the target as a whole'] : group.operations,
    })),
  };
}
