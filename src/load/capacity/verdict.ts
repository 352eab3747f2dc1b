// What a search for capacity says of the run's verdict. Pure.
import type { CapacityPart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

/** A bracket that is open says nothing of the platform; one that lies below the objective (`minRps`) fails the run. */
export function judgedCapacity(report: Report, capacity: CapacityPart, minRps: number | null): Report {
  if (report.verdict === 'fail') return report;
  const { met, missed, open } = capacity;
  const isShort = minRps !== null && missed !== null && missed <= minRps;
  if (isShort) {
    const note = `capacity: ${minRps} requests/s are demanded, and ${Math.round(missed)} missed the objectives`;
    return { ...report, verdict: 'fail', run: { ...report.run, note } };
  }
  if (met !== null && (minRps === null || met >= minRps))
    return open === null ? report : { ...report, run: { ...report.run, note: report.run.note ?? `capacity: ${open}` } };
  return {
    ...report,
    verdict: 'none',
    run: { ...report.run, note: report.run.note ?? `capacity: ${open ?? 'no rate met the objectives'}` },
  };
}
