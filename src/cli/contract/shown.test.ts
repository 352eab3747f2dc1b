import { describe, expect, it } from 'vitest';
import { contractOf } from '../../config/contract-file.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { contractJson, contractText } from './shown.ts';

const commerce = contractOf('commerce', '.');
const openapi = contractOf('openapi', '.');

interface Row {
  readonly id: string;
  readonly from: string | null;
}

describe('a contract that is shown', () => {
  it('has a row for each clause, with where it comes from', () => {
    const { clauses } = JSON.parse(contractJson(openapi)) as { readonly clauses: readonly Row[] };
    expect(clauses.map(({ id }) => id)).toEqual(CLAUSES.map(({ id }) => id));
    expect(clauses.find(({ id }) => id === 'SCH-01')?.from).toBe('descriptions');
    expect(clauses.find(({ id }) => id === 'ERR-03')?.from).toBeNull();
  });

  it('is told by its name, its digest and its clauses', () => {
    const text = contractText(commerce, 100);
    expect(text).toMatch(
      new RegExp(`^commerce \\(${commerce.digest.slice(0, 7)}\\)\n\nOf the contract commerce: \\d+\n`),
    );
    expect(text).toMatch(/ {2}ERR-03 {4}must {5}/);
    expect(contractText(openapi, 100)).not.toMatch(/ {2}ERR-03 {4}must/);
  });
});
