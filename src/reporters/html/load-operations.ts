// How each operation fared under load, as rows of a table. It may come from another version: what does not fit is left out.
import { countsIn, listOf, numberOf, type Part, percentOf, textOf } from '../load/parts.ts';
import { number, threeDigits } from '../words.ts';

/** Kinds of errors that a row names. */
const MOST_KINDS = 3;
/** So many rows of a few answers stand among the others; more are folded. */
const MOST_FEW = 5;

/** The parts of a run that its operations are told of; empty where the report tells nothing of operations. */
export function operationsView(operations: unknown) {
  return listOf(operations)
    .map(({ during, rows }) => rowsDuring(textOf(during), listOf(rows)))
    .filter(({ rows }) => rows.length > 0)
    .map(parted);
}

/** What was called too rarely to tell how long most answers take stands apart where it is much, so that the rest can be read. */
function parted({ rows, ...part }: ReturnType<typeof rowsDuring>) {
  const isTold = ({ ms: [, p95] }: (typeof rows)[number]): boolean => p95 !== null;
  const told = rows.filter(isTold);
  const few = rows.filter((row) => !isTold(row));
  return few.length <= MOST_FEW || told.length === 0 ? { ...part, rows, few: [] } : { ...part, rows: told, few };
}

function rowsDuring(during: string, rows: readonly Part[]) {
  const count = (value: unknown): number => numberOf(value) || 0;
  const all = rows.reduce((sum, { requests }) => sum + count(requests), 0);
  return {
    during,
    requests: number(all),
    rows: rows.map((row) => {
      const requests = count(row.requests);
      const kinds = countsIn(row.errors).toSorted(([, left], [, right]) => right - left);
      const failed = kinds.reduce((sum, [, times]) => sum + times, 0);
      const named = kinds.slice(0, MOST_KINDS).map(([kind, times]) => `${number(times)} ${kind}`);
      return {
        operation: textOf(row.operation),
        requests: number(requests),
        share: percentOf(requests / all),
        p50: milliseconds(row.p50Ms),
        p95: milliseconds(row.p95Ms),
        p99: milliseconds(row.p99Ms),
        /** For the chart; null where the answers are too few to tell it. */
        ms: [row.p50Ms, row.p95Ms, row.p99Ms].map(finite),
        limited: number(count(row.limited)),
        errors: failed === 0 ? '0' : `${number(failed)} (${percentOf(failed / requests)})`,
        kinds: named.length < kinds.length ? `${named.join(', ')} and others` : named.join(', '),
      };
    }),
  };
}

function finite(value: unknown): number | null {
  return Number.isFinite(numberOf(value)) ? numberOf(value) : null;
}

/** In three digits; a dash where the answers are too few to tell it. */
function milliseconds(value: unknown): string {
  const ms = numberOf(value);
  return Number.isFinite(ms) ? threeDigits(ms) : '–';
}
