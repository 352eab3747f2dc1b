import { describe, expect, it } from 'vitest';
import type { CapacityPart, CapacityStep } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { judgedCapacity } from './verdict.ts';

const passing = { verdict: 'pass', run: {} } as Report;
const capacity = (
  bracket: Pick<CapacityPart, 'met' | 'missed' | 'open'>,
  decision: CapacityStep['decision'] = 'missed',
): CapacityPart => {
  const step = { rps: bracket.missed ?? 0, decision, why: 'p99 is between 90 and 110 ms' } as CapacityStep;
  return { ...bracket, steps: [step] as readonly CapacityStep[] } as CapacityPart;
};
const CUT = 'the budget is spent';

describe('the verdict of a search for capacity', () => {
  it.each([
    ['a settled bracket passes', { met: 800, missed: 825, open: null }, null, 'pass'],
    ['a search that was cut settles nothing', { met: 20, missed: null, open: CUT }, null, 'none'],
    ['a search that was cut between its ends settles nothing', { met: 20, missed: 400, open: CUT }, null, 'none'],
    ['no rate that met the objectives settles nothing', { met: null, missed: 20, open: null }, null, 'none'],
    ['the demanded rate was met before the search was cut', { met: 500, missed: null, open: CUT }, 400, 'pass'],
    ['the demanded rate was not reached', { met: 300, missed: null, open: CUT }, 400, 'none'],
    ['a rate below the demanded one was missed', { met: 300, missed: 350, open: CUT }, 400, 'fail'],
  ])('%s', (_case, bracket, minRps, verdict) => {
    const report = judgedCapacity(passing, capacity(bracket), minRps);
    expect(report.verdict).toBe(verdict);
    if (bracket.open !== null && verdict !== 'fail') expect(report.run.note).toContain(CUT);
  });

  it('a rate below the demanded one that stayed undecided fails nothing', () => {
    const report = judgedCapacity(passing, capacity({ met: 300, missed: 350, open: null }, 'undecided'), 400);
    expect(report.verdict).toBe('none');
    expect(report.run.note).toBe('capacity: the search is not finished: 350 requests/s: p99 is between 90 and 110 ms');
  });

  it('a violation stays a failure', () => {
    const failing = { ...passing, verdict: 'fail' } as Report;
    expect(judgedCapacity(failing, capacity({ met: 20, missed: null, open: CUT }), null)).toBe(failing);
  });
});
