// Lays what Schemathesis told of a product beside what Assay told, defect by defect: on which operations, and on which of them
// Assay tells the same kind of defect, as a violation, an advisory or an observation.
import type { Finding } from '../../src/contract/report.ts';

/** One kind of defect as Schemathesis reports it (`--report json`). */
export interface Failure {
  /** "ST103": see `st explain`. */
  readonly code: string;
  readonly title: string;
  /** "GET /things", or the name of a phase. */
  readonly operations: readonly string[];
}

/** Clauses that speak of the same defect, by Schemathesis' codes. */
const CLAUSES: Readonly<Record<string, string>> = {
  ST101: 'SCH-06|REQ-09|ERR-03',
  ST102: 'SCH-06|REQ-06',
  ST103: 'SCH-05|SCH-08|SCH-06|REQ-02|REQ-09',
  ST104: 'SCH-02',
  ST105: 'SCH-02',
  ST106: 'SCH-02',
  ST107: 'SCH-04',
  ST108: 'SCH-01|SCH-03|SCH-04|SCH-09',
  ST109: 'SCH-01|SCH-03',
  ST110: 'SCH-01|SCH-02',
  ST111: 'SCH-01',
  ST201: 'REQ-03|REQ-04|REQ-05|REQ-06|REQ-08|AUTH-0[123]',
  ST203: 'REQ-04|AUTH-01',
  ST204: 'REQ-07|ERR-\\d+',
  ST301: 'REQ-02|LIFE-04',
  ST302: 'LIFE-01',
  ST401: 'AUTH-0[123]',
  ST402: 'AUTH-08',
};

export interface Beside {
  readonly failure: Failure;
  /** Operations that both name. */
  readonly both: readonly string[];
  /** Operations on which Assay tells nothing of the kind. */
  readonly alone: readonly string[];
}

/** What is told of sequences names no operation: it is told by both where Assay tells it of any. */
export function besideOf(failures: readonly Failure[], findings: readonly Finding[]): readonly Beside[] {
  return failures.map((failure) => {
    const clauses = new RegExp(`^(${CLAUSES[failure.code] ?? 'none'})$`);
    const alike = findings.filter(({ clause }) => clauses.test(clause));
    const told = new Set(alike.map(({ operation }) => operation));
    const isTold = (operation: string): boolean =>
      told.has(operation) || (!/^[A-Z]+ \//.test(operation) && alike.length > 0);
    return {
      failure,
      both: failure.operations.filter(isTold),
      alone: failure.operations.filter((operation) => !isTold(operation)),
    };
  });
}

/** "ST103 Undocumented status code: 9, 7 of them told by Assay; alone GET /a". */
export function besideLine({ failure: { code, title, operations }, both, alone }: Beside): string {
  const rest = alone.length === 0 ? '' : `; alone ${alone.join(', ')}`;
  return `${code} ${title}: on ${operations.length}, told by Assay on ${both.length}${rest}`;
}
