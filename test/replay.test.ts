// A finding of each family shown again: found on a faulty platform, replayed on another one with the same fault, and on
// one without.
import { describe, expect, test } from 'vitest';
import { replayedFrom } from '../src/cli/conform/replayed.ts';
import type { Finding, Report } from '../src/contract/report.ts';
import { judgePlatform } from './mutant.ts';
import { shareDue } from './programme.ts';
import { reducedDocuments } from './reduced-documents.ts';

/** Fault, the clause that it breaks, the operations of the run that finds it, the most requests of a replay, and of that run, if any. */
const CASES: readonly (readonly [string, string, readonly string[], number, number | null])[] = [
  ['spec-06-sort', 'SPEC-06', ['GET *'], 0, null],
  ['err-04-one-status', 'ERR-04', ['GET /api/v1/stores*'], 60, null],
  ['sch-01-required-missing', 'SCH-01', ['GET /api/v1/ai/agents*'], 60, null],
  ['req-03-accepted', 'REQ-03', ['POST /api/v1/ai/agents'], 60, null],
  ['auth-01-open-operation', 'AUTH-01', ['GET /api/v1/ai/agents*'], 60, null],
  ['pag-07-beyond-50', 'PAG-07', ['GET *'], 80, null],
  ['idem-04-case', 'IDEM-04', ['* /api/v1/stores'], 120, null],
  ['rate-03-uncounted', 'RATE-03', ['GET *'], 120, null],
  ['req-09-drops', 'REQ-09', ['* /api/v1/stores'], 60, 120],
  ['pag-07-other-plans', 'PAG-07', ['*'], 80, 400],
  ['idem-01-growth-forgets', 'IDEM-01', ['* /api/v1/stores*'], 120, 300],
];

/** The finding looked at again, in a run of its own. */
async function replay(report: Report, finding: Finding, faults: readonly string[]): Promise<Report> {
  const options = { clauses: [finding.clause], runId: '20260201-080000-77aa01', replay: replayedFrom(report, finding) };
  return judgePlatform({ documents: await reducedDocuments(), faults }, options);
}

/** By day those of three families, others the next. */
describe.each(shareDue(CASES, 4))('%s', (fault, clause, operations, most, budget) => {
  test('is shown again, and not where it is mended', async () => {
    const clauses = [clause, 'REQ-02'];
    const documents = await reducedDocuments();
    const report = await judgePlatform({ documents, faults: [fault] }, { operations, clauses, budget });
    const found = report.findings.find((one) => one.clause === clause && one.kind === 'violation');
    expect(found).toBeDefined();
    const again = await replay(report, found!, [fault]);
    expect(again.replay).toMatchObject({ fingerprint: found!.fingerprint, run: report.run.id, shown: true });
    expect(again.findings.map(({ fingerprint }) => fingerprint)).toEqual([found!.fingerprint]);
    expect(again.verdict).toBe('fail');
    const mended = await replay(report, found!, []);
    expect(mended).toMatchObject({ replay: { shown: false }, verdict: 'pass', findings: [] });
    for (const { counts } of [again, mended]) expect(counts.requests).toBeLessThanOrEqual(most);
  });
});
