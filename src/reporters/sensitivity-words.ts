// How a report says what its run would have noticed: one sentence, a row per family, and what was missed, alike plants together.
import { number, plural } from '../contract/numbers.ts';
import type { MissedPlant, MissedReason, Sensitivity } from '../contract/sensitivity.ts';

/** Missed defects of one kind and for one reason. */
export interface MissedGroup {
  readonly fault: string;
  readonly clause: string;
  /** How the target behaves that has the defect. */
  readonly text: string;
  readonly reason: MissedReason;
  readonly detail: string;
  /** Keys of the operations; empty for the target as a whole. */
  readonly operations: readonly string[];
  readonly count: number;
}

export const MISSED_WORDS: Readonly<Record<MissedReason, string>> = {
  'not-reached': 'the operation was not reached',
  floor: 'the run held nothing that could show it',
  unnoticed: 'it was judged, and not found',
  'no-credential': 'a key is missing',
  'no-fixture': 'an id is missing',
  'mutations-denied': 'the target must not be changed',
  budget: 'left out by the request budget',
  'time-limit': 'the time limit was reached',
  interrupted: 'the run was interrupted',
  'target-lost': 'the target was lost',
  'harness-error': 'Assay itself failed',
};

/** "1,221 of 1,224 planted defects (99.7 %)". */
export function sensitivitySentence({ planted, caught }: Sensitivity): string {
  return `${number(caught)} of ${plural(planted, 'planted defect')} detected (${shareOf(caught, planted)})`;
}

/** A share in per cent that says 100 and 0 only where it is: "99.7 %". */
export function shareOf(caught: number, planted: number): string {
  if (planted === 0) return 'none was planted';
  if (caught === planted) return '100 %';
  return `${(Math.floor((1000 * caught) / planted) / 10).toFixed(1)} %`;
}

/** Missed defects, those of one kind and reason together, most first. */
export function missedGroups({ missed, faults = {} }: Sensitivity): readonly MissedGroup[] {
  const groups = Map.groupBy(missed, ({ fault, reason, detail }) => JSON.stringify([fault, reason, detail]));
  return [...groups.values()]
    .map((same) => groupOf(same as [MissedPlant, ...MissedPlant[]], faults))
    .sort((left, right) => right.count - left.count);
}

function groupOf(same: readonly [MissedPlant, ...MissedPlant[]], faults: Sensitivity['faults']): MissedGroup {
  const [{ fault, clause, reason, detail = MISSED_WORDS[reason] }] = same;
  const operations = same.flatMap(({ operation }) => operation ?? []);
  return { fault, clause, text: faults[fault] ?? fault, reason, detail, operations, count: same.length };
}
