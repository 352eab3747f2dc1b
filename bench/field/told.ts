// What a run told of a product, by cause, and how that compares with what a person read and judged.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../src/contract/report.ts';

/** One cause: what is wrong, on which operations. */
export interface Told {
  readonly clause: string;
  readonly code: string;
  readonly kind: Finding['kind'];
  /** Sorted, each once. */
  readonly operations: readonly string[];
}

/** What a person says of a cause: true, the product does it and it is wrong; false, the tool is wrong. */
export interface Verdict {
  readonly clause: string;
  readonly code: string;
  readonly is: 'true' | 'false';
  /** The operation that it is told on. Absent: any. */
  readonly on?: string;
  /** Not every run shows it: it goes by the moment, or by how far a run comes in its time. */
  readonly shows?: 'now and then';
  readonly why: string;
}

/** Violations and advisories by clause and code, violations first. */
export function causesOf(findings: readonly Finding[]): readonly Told[] {
  const judged = findings.filter(({ kind }) => kind !== 'observation');
  const groups = Map.groupBy(
    judged,
    ({ clause, code = '', kind }) => `${kind === 'violation' ? 0 : 1} ${clause} ${code}`,
  );
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      if (first === undefined) return [];
      const operations = [first, ...others].map(({ operation }) => operation ?? 'the description');
      const { clause, code = '', kind } = first;
      return [{ clause, code, kind, operations: [...new Set(operations)].sort() }];
    });
}

/** What was read and judged of the product before; empty where nothing was. */
export function verdictsOf(product: string): readonly Verdict[] {
  try {
    return JSON.parse(readFileSync(join(import.meta.dirname, 'verdicts', `${product}.json`), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export interface Compared {
  /** Nobody has judged these. */
  readonly unread: readonly Told[];
  /** Told, though the tool was found wrong on them. */
  readonly falselyTold: readonly Told[];
  /** True, and not told this time, though every run shows it. */
  readonly missing: readonly Verdict[];
}

/** How what was told differs from what was judged. */
export function compare(told: readonly Told[], verdicts: readonly Verdict[]): Compared {
  const verdictOn = ({ clause, code }: Told): Verdict | undefined =>
    verdicts.find((one) => one.clause === clause && one.code === code);
  return {
    unread: told.filter((one) => verdictOn(one) === undefined),
    falselyTold: told.filter((one) => verdictOn(one)?.is === 'false'),
    missing: verdicts.filter(
      ({ clause, code, is, shows, on }) =>
        is === 'true' &&
        shows === undefined &&
        !told.some(
          (one) => one.clause === clause && one.code === code && (on === undefined || one.operations.includes(on)),
        ),
    ),
  };
}
