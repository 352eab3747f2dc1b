// Lists facts of the platform that the source does not show, by family and subject: places that answer alike are one entry.
import type { ClauseFamily } from '../contract/clause.ts';
import { clauseById } from '../contract/clauses.ts';
import type { Confidence, Observation } from '../contract/report.ts';

/** The places of one subject that show the same value. */
export interface ObservedValue {
  readonly clause: string;
  readonly value: string;
  /** In the report's order; never empty. */
  readonly rows: readonly Observation[];
  readonly calls: number;
  /** How many rows have each confidence, the surest first; those without a row are left out. */
  readonly confidences: readonly { readonly confidence: Confidence; readonly count: number }[];
}

export interface ObservedSubject {
  readonly subject: string;
  /** Values by how many places show them; places that cannot be told come last. */
  readonly values: readonly ObservedValue[];
}

export interface ObservedFamily {
  readonly family: ClauseFamily;
  readonly subjects: readonly ObservedSubject[];
}

const CONFIDENCES: readonly Confidence[] = ['sure', 'likely', 'cannot-tell'];

/** Families in the order in which users of the platform ask for them; the drift of descriptions comes last. */
const FIRST: readonly ClauseFamily[] = ['PAG', 'IDEM', 'RATE'];
const LAST: readonly ClauseFamily[] = ['SPEC'];

/** Families with their subjects, each in the order of the rows. */
export function groupObservations(rows: readonly Observation[]): readonly ObservedFamily[] {
  const families = Map.groupBy(rows, ({ clause }) => clauseById(clause).family);
  const grouped = [...families].map(([family, own]) => {
    const subjects = Map.groupBy(own, ({ clause, subject }) => `${clause}\n${subject}`);
    return {
      family,
      subjects: [...subjects.values()].map((same) => ({ subject: same[0]!.subject, values: valuesOf(same) })),
    };
  });
  return grouped.toSorted((left, right) => rankOf(left.family) - rankOf(right.family));
}

function rankOf(family: ClauseFamily): number {
  if (FIRST.includes(family)) return FIRST.indexOf(family);
  return LAST.includes(family) ? FIRST.length + 1 : FIRST.length;
}

function valuesOf(rows: readonly Observation[]): readonly ObservedValue[] {
  return [...Map.groupBy(rows, ({ value }) => value)]
    .map(([value, same]) => ({
      clause: same[0]!.clause,
      value,
      rows: same,
      calls: same.reduce((sum, { calls }) => sum + calls, 0),
      confidences: CONFIDENCES.map((confidence) => ({
        confidence,
        count: same.filter((row) => row.confidence === confidence).length,
      })).filter(({ count }) => count > 0),
    }))
    .sort((left, right) => openness(left) - openness(right) || right.rows.length - left.rows.length);
}

function openness({ confidences }: ObservedValue): number {
  return confidences[0]?.confidence === 'cannot-tell' ? 1 : 0;
}
