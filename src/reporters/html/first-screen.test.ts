// The first screen says of what is left, of earlier runs and of other commands what is true of this run.
import { expect, test } from 'vitest';
import { sampleLoadRun } from '../../../test/support/reporters/sample-load-run.ts';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { ClauseRow, Report } from '../../contract/report.ts';
import { renderHtml } from './html.ts';

const text = (report: Report): string =>
  renderHtml(report)
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ');

test('what the embedded platform held is gone with it, and what a target holds stays', () => {
  const report = sampleReport();
  const embedded = { ...report, target: { ...report.target, embedded: true as const } };
  expect(text(embedded)).toContain('1 left; gone with the embedded platform');
  expect(text(report)).not.toContain('gone with the embedded platform');
});

test('a load run counts the clauses that other commands judge, and none that it could have judged', () => {
  const untested = (id: string, reasonCode: ClauseRow['reasonCode']): ClauseRow =>
    ({
      ...sampleReport().clauses[0]!,
      id,
      status: 'not-tested',
      checks: 0,
      reasonCode,
      reason: 'judged by assay conform',
    }) as ClauseRow;
  const clauses = [untested('PAG-01', 'other-command'), untested('RATE-04', 'precondition')];
  expect(text({ ...sampleLoadRun(0), clauses })).toContain('1 clause is judged by other commands');
});

test('runs that are drawn are known, though their reports are not there', () => {
  const { since: _since, ...report } = sampleReport();
  expect(text(report)).toContain('Only the figures of earlier runs are known');
  const { history: _history, ...first } = report;
  expect(text(first)).toContain('No earlier run of the same operations and clauses on this target is known.');
});
