// The section "What the source does not show, and this platform does": one row a value, the places in a fold.
import type { Observation, Report } from '../../contract/report.ts';
import { groupObservations, type ObservedValue } from '../observed.ts';
import { cut } from '../text.ts';
import { CONFIDENCE_WORDS, FAMILY_WORDS, number, plural } from '../words.ts';
import { anchor } from './text.ts';

const TEXT_CHARS = 300;

/** The families with their rows; null for a report that has no table. */
export function observedView({ observations, findings }: Report) {
  if (observations === undefined || observations.length === 0) return null;
  const prints = new Set(findings.map(({ fingerprint }) => fingerprint));
  return groupObservations(observations).map(({ family, subjects }) => ({
    family,
    name: FAMILY_WORDS[family],
    subjects: subjects.map(({ subject, values }) => ({
      subject: cut(subject, TEXT_CHARS),
      values: values.map((value) => valueView(value, prints)),
    })),
  }));
}

function valueView(group: ObservedValue, prints: ReadonlySet<string>) {
  const { clause, value, rows, calls, confidences } = group;
  const [first] = rows;
  const shown = rows.find(({ finding }) => finding !== null && prints.has(finding))?.finding ?? null;
  const isAlone = confidences.length === 1;
  return {
    clause,
    value: cut(value, TEXT_CHARS),
    state: confidences[0]!.confidence,
    confidences: confidences.map(({ confidence, count }) => ({
      confidence,
      words: isAlone ? CONFIDENCE_WORDS[confidence] : `${number(count)} ${CONFIDENCE_WORDS[confidence]}`,
    })),
    calls: calls === 0 ? '' : number(calls),
    basis: cut(first!.basis, TEXT_CHARS),
    /** One place stands in the row; several stand in a fold. */
    where: rows.length === 1 ? placeOf(first!) : null,
    count: whereInWords(rows),
    places: rows.length === 1 ? [] : rows.map((row) => ({ ...placeOf(row), basis: cut(row.basis, TEXT_CHARS) })),
    evidence: shown === null ? '' : `#${anchor('f', shown)}`,
  };
}

function placeOf({ service, operation, key, plan }: Observation) {
  return {
    operation: cut(operation ?? '', TEXT_CHARS),
    service: service ?? '',
    key: key === null ? '' : `key ${key}${plan === null ? '' : `, plan ${plan}`}`,
  };
}

/** "41 operations", "3 keys", "5 places". */
function whereInWords(rows: readonly Observation[]): string {
  if (rows.every(({ operation }) => operation !== null)) return plural(rows.length, 'operation');
  if (rows.every(({ key }) => key !== null)) return plural(rows.length, 'key');
  return rows.every(({ service }) => service !== null) ? plural(rows.length, 'service') : plural(rows.length, 'place');
}
