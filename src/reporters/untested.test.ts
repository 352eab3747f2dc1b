import { describe, expect, it } from 'vitest';
import { groupUntested } from './untested.ts';

const row = (id: string, reason: string, reasonCode: 'precondition' | 'budget' = 'precondition') => ({
  ...{ id, reason, reasonCode, status: 'not-tested' as const },
});
const told = (rows: readonly ReturnType<typeof row>[]) =>
  groupUntested(rows).map(({ reason, rows: own }) => [reason, own.map(({ id }) => id).join(' ')]);

describe('rows that were not tested', () => {
  it('are told by code, with the reason that all of a code share', () => {
    expect(told([row('A', 'spent', 'budget'), row('B', 'spent', 'budget')])).toEqual([['spent', 'A B']]);
    expect(told([row('A', 'spent', 'budget'), row('B', 'needs 227', 'budget')])).toEqual([[null, 'A B']]);
  });

  it('for want of a precondition are told by their reasons, where these are few', () => {
    const few = [row('A', 'no answer exercised it'), row('B', 'the limit is 30000'), row('C', 'the limit is 30000')];
    expect(told(few)).toEqual([
      ['the limit is 30000', 'B C'],
      ['no answer exercised it', 'A'],
    ]);
    expect(told(['A', 'B', 'C', 'D'].map((id) => row(id, `because of ${id}`)))).toEqual([[null, 'A B C D']]);
  });
});
