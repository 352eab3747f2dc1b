// What a search for capacity says of the run's verdict. Pure.
import type { CapacityPart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

/**
 * A search whose bracket lies below the objective (`minRps`) fails the run, and one that met the objective decides it even if
 * it was cut. Any other search that was cut settled nothing, and the run has no verdict.
 */
export function judgedCapacity(report: Report, capacity: CapacityPart, minRps: number | null): Report {
  if (report.verdict === 'fail') return report;
  const { met, missed, open } = capacity;
  if (minRps !== null && missed !== null && missed <= minRps) {
    const note = `capacity: ${minRps} requests/s are demanded, and ${Math.round(missed)} missed the objectives`;
    return { ...report, verdict: 'fail', run: { ...report.run, note } };
  }
  const isDecided = met !== null && (minRps === null ? open === null : met >= minRps);
  if (isDecided && open === null) return report;
  const note = report.run.note ?? `capacity: the search is not finished: ${open ?? 'no rate met the objectives'}`;
  return { ...report, ...(isDecided ? {} : { verdict: 'none' }), run: { ...report.run, note } };
}
