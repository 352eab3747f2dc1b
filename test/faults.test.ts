// The proof of the verdict: every fault of the reference platform is caught by its clause and no other clause is blamed.
// Those of the laws over many calls are beside, in law-faults.test.ts: two files run at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLAUSES } from '../src/contract/clauses.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { IMPLEMENTED } from '../src/run/selection.ts';
import { CASE_LIMIT_MS, faultTable } from './fault-table.ts';
import { isLaw, judgePlatform } from './mutant.ts';
import { type Reduced, reducedDescriptions } from './reduced-descriptions.ts';

/** Families that no server fault can break: judged elsewhere. */
const WITHOUT_FAULTS = ['HOOK', 'CLIENT'];

let reduced: Reduced;

beforeAll(async () => {
  reduced = await reducedDescriptions();
}, CASE_LIMIT_MS);
afterAll(() => reduced.remove());

test('the unfaulted platform breaks nothing', { timeout: CASE_LIMIT_MS }, async () => {
  const report = await judgePlatform({ files: reduced.files });
  expect(report.findings.filter((finding) => finding.kind === 'violation')).toEqual([]);
  expect(report.verdict).toBe('pass');
});

test('every must clause that is implemented has a fault', () => {
  const broken = new Set(FAULTS.map((fault) => fault.clause));
  const must = CLAUSES.filter(
    ({ id, level, family }) => level === 'must' && IMPLEMENTED.has(id) && !WITHOUT_FAULTS.includes(family),
  );
  expect(must.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
});

faultTable(
  'faults',
  FAULTS.filter(({ clause }) => !isLaw(clause)),
);
