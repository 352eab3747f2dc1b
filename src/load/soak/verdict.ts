// What a soak says of the run's verdict. Objectives judge where the configuration states them; else it informs. Pure.
import type { Drift, SoakPart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

/** What the configuration demands. */
export interface SoakDemands {
  /** Whether p99 or errors are its word. */
  readonly stated: boolean;
  /** Most that latency may rise, as a share; null: any rise is only told. */
  readonly drift: number | null;
}

/** A generator that was late in more than this share of the slices measured itself. */
const MOST_VOID = 0.1;

/** The report with what the soak came to: a violation decides by itself, and is left. */
export function judgedSoak(report: Report, soak: SoakPart, demands: SoakDemands): Report {
  if (report.verdict === 'fail') return report;
  const noted = (verdict: Report['verdict'], note: string): Report => ({
    ...report,
    verdict,
    run: { ...report.run, note: `soak: ${note}` },
  });
  const unmeasured = whyUnmeasured(soak);
  if (unmeasured !== null) return noted('none', unmeasured);
  const missed = whatMissed(soak);
  const drift = whatDrifts(soak, demands.drift);
  if (missed !== null) return noted(demands.stated ? 'fail' : report.verdict, missed);
  if (drift !== null) return noted(demands.drift === null ? report.verdict : 'fail', drift);
  if (soak.decision !== 'met') return noted(demands.stated ? 'none' : report.verdict, soak.why);
  const errors = soak.errorsFromSeconds;
  if (errors !== null) return noted(report.verdict, `from ${Math.round(errors)} s on more requests fail than before`);
  return soak.heldBy === null ? report : noted(report.verdict, `held by ${soak.heldBy}`);
}

/** Why nothing follows for the platform; null where something does. */
function whyUnmeasured({ slices, decision, why }: SoakPart): string | null {
  if (decision === 'void') return `no verdict on the platform: ${why}`;
  const isVoid = slices.filter((slice) => slice.decision === 'void');
  if (isVoid.length <= MOST_VOID * slices.length) return null;
  return `no verdict on the platform: in ${isVoid.length} of ${slices.length} slices ${isVoid[0]?.why ?? ''}`;
}

function whatMissed({ slices, decision, why }: SoakPart): string | null {
  const missed = slices.filter((slice) => slice.decision === 'missed');
  const [first] = missed;
  if (first !== undefined)
    return `the objectives were missed in ${missed.length} of ${slices.length} slices, first from ${Math.round(first.fromSeconds)} s on (${first.why})`;
  return decision === 'missed' ? `the objectives were ${why}` : null;
}

/** The rise that is surely above what is allowed; where nothing is said of it, any that is beyond chance. */
function whatDrifts({ p50Drift, p99Drift }: SoakPart, allowed: number | null): string | null {
  const isTold = (drift: Drift | null): drift is Drift => drift?.drifts === true && drift.least > (allowed ?? 0);
  const words = (name: string, { rise, least, most }: Drift): string =>
    `${name} rose by ${percent(rise)} (${percent(least)} to ${percent(most)}) from the first third to the last`;
  if (isTold(p50Drift)) return words('the median', p50Drift);
  return isTold(p99Drift) ? words('the 99th percentile', p99Drift) : null;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
