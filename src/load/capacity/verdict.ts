// What a search for capacity says of the run's verdict. Pure.
import type { CapacityPart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

/**
 * A search whose bracket lies below the objective (`minRps`) fails the run where its upper end surely missed, and one that met the
 * objective decides it even if it was cut. Any other search that was cut settled nothing, and the run has no verdict.
 */
export function judgedCapacity(report: Report, capacity: CapacityPart, minRps: number | null): Report {
  if (report.verdict === 'fail') return report;
  const { met, missed, open, steps } = capacity;
  const ofMissed = steps.filter(({ rps }) => rps === missed);
  if (
    minRps !== null &&
    missed !== null &&
    missed <= minRps &&
    ofMissed.some(({ decision }) => decision === 'missed')
  ) {
    const note = `capacity: ${minRps} requests/s are demanded, and ${Math.round(missed)} missed the objectives`;
    return { ...report, verdict: 'fail', run: { ...report.run, note } };
  }
  const isDecided = met !== null && (minRps === null ? open === null : met >= minRps);
  if (isDecided && open === null) return report;
  const unsure = ofMissed.find(({ decision }) => decision === 'undecided');
  const otherwise = unsure === undefined ? 'no rate met the objectives' : `${missed} requests/s: ${unsure.why}`;
  const note = report.run.note ?? `capacity: the search is not finished: ${open ?? otherwise}`;
  return { ...report, ...(isDecided ? {} : { verdict: 'none' }), run: { ...report.run, note } };
}
