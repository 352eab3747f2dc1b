// What laws that held under pressure are worth: nothing that was not pressed is passed. Pure.
import type { PressurePart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

/** Families whose guarantees are probed under pressure. */
const PROBED = ['IDEM', 'PAG'];

/** The report with what the pressure came to: a violation decides by itself, and is left. */
export function judgedPressure(report: Report, pressure: PressurePart): Report {
  if (report.verdict === 'fail') return report;
  const open = whyOpen(report, pressure);
  if (open === null) return report;
  // A run that ended early has said why.
  return { ...report, verdict: 'none', run: { ...report.run, note: report.run.note ?? `pressure: ${open}` } };
}

function whyOpen({ clauses }: Report, { mode, probes, keyedRefused, probesRefused }: PressurePart): string | null {
  const checks = clauses.reduce(
    (sum, { id, checks }) => sum + (PROBED.includes(id.split('-')[0] ?? '') ? checks : 0),
    0,
  );
  if (probes === 0 || checks === 0) return 'no guarantee of idempotency or pagination was probed';
  if (mode === 'saturated') return null;
  if (probesRefused === 0) return 'no probe was answered 429: the key was not limited';
  const isKeyed = clauses.some(({ id, checks }) => id.startsWith('IDEM') && id !== 'IDEM-06' && checks > 0);
  return isKeyed && keyedRefused === 0 ? 'no request with an idempotency key was answered 429' : null;
}
