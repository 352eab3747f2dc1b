// The table of what the source does not show: what was observed at each place of each subject, merged as it comes.
// Grows with places × subjects and with the different values that are seen there.
import { CLAUSES } from '../contract/clauses.ts';
import type { Observation } from '../contract/report.ts';

const CLAUSE_ORDER = new Map(CLAUSES.map(({ id }, index) => [id, index]));

export class ObservationTable {
  /** Place and subject → value → row. */
  readonly #places = new Map<string, Map<string, Observation>>();

  /**
   * Notes what was observed; true when its value is new there, so that its evidence is worth keeping. What is seen again
   * alike is sure. What cannot be told gives way to what can, earlier or later, and to what is known of it later.
   */
  note(row: Observation): boolean {
    const values = this.#valuesAt(row);
    const known = values.get(row.value);
    if (known !== undefined) {
      values.set(row.value, together(known, row));
      return false;
    }
    const isTold = [...values.values()].some(({ confidence }) => confidence !== 'cannot-tell');
    if (row.confidence === 'cannot-tell' && isTold) return false;
    if (!isTold) values.clear();
    values.set(row.value, row);
    return true;
  }

  /** The rows, in the order of clause, subject, service, operation, key and value. Of two values at one place neither is sure. */
  rows(): readonly Observation[] {
    return [...this.#places.values()]
      .flatMap((values) => [...values.values()].map((row) => (values.size > 1 ? { ...row, ...UNSURE } : row)))
      .sort(inOrder);
  }

  #valuesAt({ clause, service, operation, key, subject }: Observation): Map<string, Observation> {
    const place = JSON.stringify([clause, service, operation, key, subject]);
    const values = this.#places.get(place) ?? new Map<string, Observation>();
    this.#places.set(place, values);
    return values;
  }
}

const UNSURE = { confidence: 'likely' } as const;

function together(one: Observation, other: Observation): Observation {
  const isOpen = one.confidence === 'cannot-tell' && other.confidence === 'cannot-tell';
  return { ...one, calls: one.calls + other.calls, confidence: isOpen ? 'cannot-tell' : 'sure' };
}

function inOrder(left: Observation, right: Observation): number {
  const byClause = (CLAUSE_ORDER.get(left.clause) ?? 0) - (CLAUSE_ORDER.get(right.clause) ?? 0);
  if (byClause !== 0) return byClause;
  const [one, other] = [left, right].map(({ subject, service, operation, key, value }) =>
    [subject, service ?? '', operation ?? '', key ?? '', value].join('\n'),
  ) as [string, string];
  return one < other ? -1 : Number(one > other);
}
