// Guarantees under pressure, with a real k6 and the reference platform: what breaks only once a key is limited is caught.
import { describe, expect, it } from 'vitest';
import { LOAD_FAULTS } from '../src/platform/faults/load.ts';
import { keepLook } from './looks.ts';
import { blamed } from './mutant.ts';
import { pressed } from './pressed.ts';
import { k6Path, WITH_K6 } from './support/load/k6/k6.ts';

const ROWS = [
  ['IDEM-01', 'idem-01-forgets-when-limited', ['POST /api/v1/stores*', 'GET /api/v1/stores*'], 1],
  ['IDEM-02', 'idem-02-refused-executed', ['POST /api/v1/stores*', 'GET /api/v1/stores*'], 1],
  ['IDEM-02', 'idem-02-refusal-kept', ['POST /api/v1/stores*', 'GET /api/v1/stores*'], 1],
  ['PAG-06', 'pag-06-lost-when-scarce', ['GET /api/v1/products', 'GET /api/v1/stores'], 6],
] as const;

it('every fault that shows only under pressure is tried', () => {
  expect(ROWS.map(([, fault]) => fault).toSorted()).toEqual(LOAD_FAULTS.map(({ id }) => id).toSorted());
});

describe.skipIf(k6Path === null)(`${WITH_K6}, faults of guarantees under pressure`, () => {
  it.each(ROWS)('that break %s only while a key is limited are caught', async (clause, fault, operations, seconds) => {
    const report = await pressed({ mode: 'limited', seconds, faults: [fault] }, operations);
    keepLook({ id: fault, rung: 'all' });
    expect(report.verdict).toBe('fail');
    expect(blamed(report)).toContain(clause);
  });
});
