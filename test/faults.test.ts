// The proof of the verdict: every fault of the reference platform is caught by its clause and no other clause is blamed.
// Prints the table.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLAUSES } from '../src/contract/clauses.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { IMPLEMENTED } from '../src/run/selection.ts';
import { blamed, clausesFor, judgePlatform } from './mutant.ts';
import { type Reduced, reducedDescriptions } from './reduced-descriptions.ts';

const CASE_LIMIT_MS = 600_000;
/** Some faults show only within milliseconds or a window: on a busy machine one more look is fair. */
const RETRY = 1;
/** Families that no server fault can break: judged elsewhere. */
const WITHOUT_FAULTS = ['HOOK', 'CLIENT'];

let reduced: Reduced;
let caught = 0;
let strays = 0;

beforeAll(async () => {
  reduced = await reducedDescriptions();
}, CASE_LIMIT_MS);

afterAll(async () => {
  await reduced.remove();
  process.stdout.write(
    `\nfaults caught by the right clause: ${caught} of ${FAULTS.length}; other clauses blamed: ${strays}\n`,
  );
});

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

describe.concurrent('faults', { timeout: CASE_LIMIT_MS, retry: RETRY }, () => {
  test.each(FAULTS.map((fault) => [fault.id, fault] as const))('%s', async (id, fault) => {
    const report = await judgePlatform({ faults: [id], files: reduced.files }, { clauses: clausesFor(fault.clause) });
    const clauses = blamed(report);
    const allowed = [fault.clause, ...(fault.alsoBreaks ?? [])];
    expect(report.verdict).toBe('fail');
    const others = clauses.filter((clause) => !allowed.includes(clause));
    strays += others.length;
    expect(others).toEqual([]);
    expect(clauses).toContain(fault.clause);
    caught += 1;
  });
});
