import { expect, test } from 'vitest';
import { CLAUSES } from './clauses.ts';
import { repairOf } from './repairs.ts';
import { SEVERITIES, severityOf, severityRank } from './severity.ts';

test('every clause has a severity and a sentence on its repair', () => {
  for (const { id } of CLAUSES) {
    expect(SEVERITIES, id).toContain(severityOf(id));
    expect(repairOf(id), `${id} needs a sentence in src/contract/repairs.ts`).toMatch(/^[A-Z].*\.$/);
  }
});

test('a forged token weighs more than a double effect, a 5xx, a schema and an envelope, in this order', () => {
  const ids = ['ERR-04', 'SCH-01', 'SCH-06', 'IDEM-02', 'AUTH-02'];
  expect(ids.toSorted((a, b) => severityRank(a) - severityRank(b))).toEqual(ids.toReversed());
});

test('a request that is let in weighs more than one that is refused in another form', () => {
  expect(severityRank('AUTH-02', 'auth-02.accepted.alg-none')).toBeLessThan(
    severityRank('AUTH-02', 'auth-02.not-401.alg-none'),
  );
});

test("a clause of a user's own is on a par with schemas", () => {
  expect(severityOf('X-01')).toBe('schema');
  expect(repairOf('X-01')).toBe('');
});
