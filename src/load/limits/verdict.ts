// What measured limits say of the run's verdict: clauses that hold on single answers say nothing of a limit that was not met. Pure.
import type { PlanCeiling } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

/** Where no key's ceiling came to be known there is no verdict; one that is known decides. */
export function judgedCeilings(report: Report, plans: readonly PlanCeiling[]): Report {
  if (plans.some(({ limit }) => limit !== null)) return report;
  const whys = [...Map.groupBy(plans, whyUnknown)].map(
    ([why, rows]) => `; ${rows.map(({ key }) => key).join(', ')}: ${why}`,
  );
  return unsettled(report, `ceiling: the limit of no key is known${whys.join('')}`);
}

/** RATE-04: where no window was exhausted, whether limits are kept was not seen, and there is no verdict. */
export function judgedRateLimits(report: Report): Report {
  const row = report.clauses.find(({ id }) => id === 'RATE-04');
  if (row === undefined || row.checks > 0) return report;
  return unsettled(report, `ratelimit: no key was brought to its limit${row.reason ? `; ${row.reason}` : ''}`);
}

function unsettled(report: Report, why: string): Report {
  if (report.verdict === 'fail') return report;
  return { ...report, verdict: 'none', run: { ...report.run, note: report.run.note ?? why } };
}

function whyUnknown({ evidence = [] }: PlanCeiling): string {
  return evidence.at(-1) ?? 'nothing was measured';
}
