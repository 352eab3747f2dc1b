import { describe, expect, test } from 'vitest';
import { manyOperations } from '../../../test/support/reporters/many-operations.ts';
import type { OperationClause, OperationRow, Report } from '../../contract/report.ts';
import { matrixView } from './matrix.ts';

const clause = (status: OperationClause['status'], advisories = 0): OperationClause => ({
  status,
  checks: 1,
  violations: 0,
  advisories,
});

function row(operation: string, clauses: OperationRow['clauses'], resource = 'Stores'): OperationRow {
  return { service: 'admin', operation, resource, tested: true, requests: 1, statuses: {}, clauses };
}

const report = (operations: readonly OperationRow[]) =>
  ({ services: [{ name: 'admin' }, { name: 'store' }], operations, clauses: [] }) as unknown as Report;

describe('the matrix', () => {
  const view = matrixView(
    report([
      row('GET /a', { 'ERR-01': clause('pass'), 'ERR-04': clause('fail'), 'SCH-01': clause('pass', 1) }),
      row('GET /b', { 'ERR-01': clause('not-tested'), 'AUTH-07': clause('observed') }),
      row('GET /c', { 'ERR-01': clause('pass') }, 'Themes'),
    ]),
  );

  test('has the families that some operation has, in the order of the contract', () => {
    expect(view.families.map(({ id }) => id)).toEqual(['SCH', 'ERR', 'AUTH']);
  });

  test('colours a cell by the worst of its clauses', () => {
    const cells = view.services.flatMap(({ resources }) =>
      resources.flatMap(({ operations }) => operations.map((one) => one.cells)),
    );
    expect(cells).toEqual(['af-', '-no', '-p-']);
  });

  test('a resource has the worst of its operations, and how many are so', () => {
    expect(view.services[0]?.resources[0]?.cells.map(({ letter, count }) => [letter, count])).toEqual([
      ['a', 1],
      ['f', 1],
      ['o', 1],
    ]);
  });

  test('a service without operations is left out; none lose an operation', () => {
    expect(view.services.map(({ name }) => name)).toEqual(['admin']);
    const whole = matrixView(manyOperations(1674, 10));
    const count = whole.services.flatMap(({ resources }) => resources.flatMap(({ operations }) => operations)).length;
    expect(count).toBe(1674 + 9);
  });
});
