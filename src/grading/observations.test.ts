import { describe, expect, it } from 'vitest';
import type { Observation } from '../contract/report.ts';
import { ObservationTable } from './observations.ts';

function row(changes: Partial<Observation> = {}): Observation {
  return {
    clause: 'PAG-13',
    service: 'admin',
    operation: 'GET /api/v1/themes',
    key: null,
    plan: null,
    subject: 'maximum page size',
    value: '100',
    confidence: 'likely',
    calls: 1,
    basis: 'a larger limit',
    exchanges: ['ex-1'],
    finding: null,
    ...changes,
  };
}

function tableOf(...rows: readonly Partial<Observation>[]): readonly Observation[] {
  const table = new ObservationTable();
  for (const one of rows) table.note(row(one));
  return table.rows();
}

describe('the table of observations', () => {
  it('takes what is seen again alike for sure, and adds up its calls', () => {
    expect(tableOf({ exchanges: ['ex-1'] }, { calls: 2, exchanges: ['ex-2'] })).toEqual([
      row({ confidence: 'sure', calls: 3, exchanges: ['ex-1'] }),
    ]);
  });

  it('takes neither of two values at one place for sure', () => {
    const rows = tableOf({ value: '50', confidence: 'sure' }, { value: '100', confidence: 'sure' });
    expect(rows.map(({ value, confidence }) => [value, confidence])).toEqual([
      ['100', 'likely'],
      ['50', 'likely'],
    ]);
  });

  it('lets what cannot be told give way to what can, whichever comes first', () => {
    const bound = { value: 'at least 20', confidence: 'cannot-tell' } as const;
    expect(tableOf(bound, {})).toEqual([row()]);
    expect(tableOf({}, bound)).toEqual([row()]);
    const better = { value: 'at least 30', confidence: 'cannot-tell' } as const;
    expect(tableOf(bound, better)).toEqual([row(better)]);
    expect(tableOf(bound, bound)).toEqual([row({ ...bound, calls: 2 })]);
  });

  it('keeps operations, keys and subjects apart, in the order of the clauses', () => {
    const rows = tableOf(
      { clause: 'RATE-11', operation: null, service: null, subject: 'window', key: 'b' },
      { clause: 'RATE-11', operation: null, service: null, subject: 'window', key: 'a' },
      { subject: 'order' },
      { operation: 'GET /api/v1/stores' },
      {},
    );
    expect(rows.map(({ subject, operation, key }) => key ?? `${subject} ${operation}`)).toEqual([
      'maximum page size GET /api/v1/stores',
      'maximum page size GET /api/v1/themes',
      'order GET /api/v1/themes',
      'a',
      'b',
    ]);
  });

  it('says whether evidence is worth keeping', () => {
    const table = new ObservationTable();
    expect([table.note(row()), table.note(row()), table.note(row({ confidence: 'cannot-tell', value: '?' }))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
