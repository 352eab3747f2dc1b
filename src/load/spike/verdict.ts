// What a spike says of the run's verdict. Objectives judge where the configuration states them; else it informs. Pure.
import type { SpikePart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

/** What the configuration demands. */
export interface SpikeDemands {
  /** Whether p99 or errors are its word. */
  readonly stated: boolean;
  /** Most seconds after the peak until the objectives hold again; null: only never is too late. */
  readonly recoverySeconds: number | null;
}

/** The report with what the spike came to: a violation decides by itself, and is left. */
export function judgedSpike(report: Report, spike: SpikePart, demands: SpikeDemands): Report {
  if (report.verdict === 'fail') return report;
  const { stated, recoverySeconds } = demands;
  const isJudged = stated || recoverySeconds !== null;
  const noted = (verdict: Report['verdict'], note: string): Report => ({
    ...report,
    verdict,
    run: { ...report.run, note: `spike: ${note}` },
  });
  const { before, generator, recovery, afterSeconds, heldBy } = spike;
  if (generator !== null) return noted('none', `no verdict on the platform: ${generator}`);
  if (before.decision === 'void') return noted('none', `no verdict on the platform: ${before.why}`);
  if (before.decision === 'missed')
    return noted(stated ? 'fail' : 'none', `the objectives were ${before.why} at the base rate, before the peak`);
  if (recovery === null)
    return noted(isJudged ? 'fail' : report.verdict, `the objectives did not hold again within ${afterSeconds} s`);
  if (recoverySeconds !== null && recovery.least > recoverySeconds)
    return noted(
      'fail',
      `the objectives held again ${recovery.best} s after the peak, ${recoverySeconds} s are allowed`,
    );
  if (recoverySeconds !== null && (recovery.most ?? Number.POSITIVE_INFINITY) > recoverySeconds)
    return noted('none', `whether the objectives held again within ${recoverySeconds} s was not settled`);
  return heldBy === null ? report : noted(report.verdict, `held by ${heldBy}`);
}
