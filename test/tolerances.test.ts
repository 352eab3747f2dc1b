// The other half of the proof: allowed oddities of a platform raise nothing. Prints the table.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOLERANCES } from '../src/platform/tolerances/all.ts';
import { clausesFor, judgePlatform } from './mutant.ts';
import { type Reduced, reducedDescriptions } from './reduced-descriptions.ts';

const CASE_LIMIT_MS = 600_000;
/** Windows and background writers run on real time: on a busy machine one more look is fair. */
const RETRY = 1;

let reduced: Reduced;
let falseAlarms = 0;

beforeAll(async () => {
  reduced = await reducedDescriptions();
}, CASE_LIMIT_MS);

afterAll(async () => {
  await reduced.remove();
  process.stdout.write(`\ntolerance cases: ${TOLERANCES.length}; false alarms: ${falseAlarms}\n`);
});

describe.concurrent('tolerance cases', { timeout: CASE_LIMIT_MS, retry: RETRY }, () => {
  test.each(TOLERANCES.map(({ id, clause }) => [id, clause] as const))('%s', async (id, clause) => {
    const options = { clauses: clausesFor(clause) };
    const report = await judgePlatform({ tolerances: [id], files: reduced.files }, options);
    const violations = report.findings.filter((finding) => finding.kind === 'violation');
    falseAlarms += violations.length;
    expect(violations).toEqual([]);
    expect(report.verdict).toBe('pass');
  });
});
