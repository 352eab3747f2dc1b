// The sample report grown to a platform's full size, for tests that renderers stay quick.
import { CLAUSES } from '../../../src/contract/clauses.ts';
import type { OperationRow, Report } from '../../../src/contract/report.ts';
import { sampleObservations } from './sample-observations.ts';
import { sampleReport } from './sample-report.ts';

/** The sample with this many operations of 60 clauses each, and this many further findings on them. */
export function manyOperations(operationCount: number, findingCount: number): Report {
  const sample = sampleReport();
  const clauses = Object.fromEntries(
    CLAUSES.slice(0, 60).map(({ id }) => [id, { status: 'pass', checks: 3, violations: 0, advisories: 0 } as const]),
  );
  const keys = Array.from(
    { length: operationCount },
    (_, index) => `GET /api/v1/resource-${index % 154}/items/${index}`,
  );
  const operations = keys.map<OperationRow>((operation, index) => ({
    ...sample.operations[0]!,
    operation,
    resource: `Resource ${index % 154}`,
    clauses,
  }));
  const model = sample.findings.find(({ clause }) => clause === 'ERR-04')!;
  const findings = Array.from({ length: findingCount }, (_, index) => ({
    ...model,
    operation: keys[index % keys.length]!,
    cause: `cause ${index % 40}`,
    fingerprint: `many-${index}`,
  }));
  return {
    ...sample,
    operations: [...sample.operations, ...operations],
    findings: [...sample.findings, ...findings],
    observations: sampleObservations(keys, 'odd'),
  };
}
