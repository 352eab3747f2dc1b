// Presents the ceiling of each key, as it was measured or as headers and a drain tell it, to the judges of limits, to the report's tables, and to
// the run's verdict. Pure.

import { judgePlanOrder, type PlanFacts } from '../../checks/rate/rate-08-plan-order.ts';
import type { Judgement, Observed } from '../../contract/judgement.ts';
import type { PlanCeiling } from '../../contract/load-part.ts';
import { plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { exactly, type MeasuredLimit, TOLERANCE, times, WINDOW_TOLERANCE } from '../../limiters/drained-window.ts';
import type { Identified } from '../../limiters/identify.ts';
import type { PlanKey } from '../../limiters/limit-book.ts';
import { algorithmIn } from '../../limiters/models.ts';
import type { CostTable } from './costs.ts';

/** The measurement of one key. */
export interface Ceiling extends PlanKey {
  readonly found: Identified;
  readonly costs: CostTable;
}

/** "sure", "likely", "not separable: …", or why nothing is known. */
function confidenceOf({ kinds, limit, windowMs, evidence }: Identified): string {
  if (limit === null) return `unknown: ${whyUnknown(evidence)}`;
  if (kinds.length > 1) return `not separable: ${kinds.join(' or ')}`;
  const isNarrow = windowMs !== null && windowMs.most - windowMs.least <= 2 * WINDOW_TOLERANCE * windowMs.best;
  return isNarrow && limit.most - limit.least <= Math.max(2, TOLERANCE * limit.best) ? 'sure' : 'likely';
}

/** The row of a measured ceiling. A bucket's window is what its stated Limit takes to come back, else its burst. */
export function measuredRow({ plan, name: key, found, costs }: Ceiling): PlanCeiling {
  const { kinds, limit: admitted, stated, calls, evidence } = found;
  const isStated = kinds[0] === 'token-bucket' && stated !== null && admitted !== null;
  const limit = isStated ? exactly(stated) : admitted;
  const windowMs = found.windowMs && times(found.windowMs, isStated ? stated / admitted.best : 1);
  const seconds = windowMs && {
    least: rounded(windowMs.least / 1000),
    best: rounded(windowMs.best / 1000),
    most: rounded(windowMs.most / 1000),
  };
  return {
    ...{ plan, key, stated, calls, evidence },
    limit: limit && rounded(limit.best),
    windowSeconds: seconds?.best ?? null,
    algorithm: algorithmIn(kinds),
    burst: admitted && rounded(admitted.best),
    confidence: confidenceOf(found),
    costs: Object.fromEntries([...costs].map(([operation, { best }]) => [operation, rounded(best)])),
    unitsPerSecond: limit === null || seconds === null ? null : rounded(limit.best / seconds.best),
    models: kinds,
    limitBounds: limit,
    windowSecondsBounds: seconds,
    costBounds: Object.fromEntries(costs),
  };
}

/** The key's limit as its calls showed it, for the judges of RATE-04 and RATE-10. */
export function measuredLimit({ name: key, found, costs }: Ceiling, statedBy: string): MeasuredLimit {
  const { stated, kinds, limit, windowMs, unenforced: isUnenforced, evidence } = found;
  return {
    ...{ key, stated, statedBy, limit, windowMs, isUnenforced },
    isBucket: kinds.includes('token-bucket'),
    cost: Math.max(1, ...[...costs.values()].map(({ best }) => best)),
    shown: whyUnknown(evidence),
  };
}

/** RATE-08 on what was measured. */
export function judgeMeasuredOrder(ceilings: readonly PlanCeiling[], rising: readonly string[]): Judgement {
  return judgePlanOrder(
    ceilings.flatMap(({ plan, limit, limitBounds, windowSeconds, confidence }) => {
      if (limit === null || limitBounds == null) return [];
      const window = { windowSeconds, confidence: confidence === 'sure' ? 'sure' : 'likely' } as const;
      return [{ plan, limit, bounds: limitBounds, window }];
    }),
    rising,
  );
}

/** The measurement of the key, as rows of the report's table. */
export function measuredRows(ceiling: PlanCeiling): readonly Observed[] {
  const { plan, key, limit, windowSeconds, burst, costs, models = [], evidence = [], calls = 0 } = ceiling;
  const confidence = ceiling.confidence === 'sure' ? 'sure' : 'likely';
  const row = (subject: string, value: string, basis: string): Observed => ({
    ...{ subject, value, confidence, calls, basis },
    of: { key, plan },
  });
  if (limit === null) return [{ ...row('measured limit', 'unknown', whyUnknown(evidence)), confidence: 'cannot-tell' }];
  const basis = evidence.join('; ');
  return [
    row('measured limit', plural(limit, 'unit'), basis),
    ...(windowSeconds === null ? [] : [row('measured window', secondsOf(windowSeconds), basis)]),
    row('measured algorithm', models.join(' or '), basis),
    row('measured burst', plural(burst ?? 0, 'unit'), basis),
    ...Object.entries(costs)
      .filter(([, cost]) => cost !== 1)
      .map(([operation, cost]) => row(`measured cost of ${operation}`, plural(cost, 'unit'), 'calls of this key')),
  ];
}

export function secondsOf(seconds: number): string {
  return `${Number(seconds.toPrecision(3))} s`;
}

/** The row of a key that was drained, not measured. */
export function statedRow({ plan, key, limit, window, drain, costs }: PlanFacts): PlanCeiling {
  const { windowSeconds } = window;
  return {
    ...{ plan, key, limit, windowSeconds, costs },
    algorithm: algorithmIn(drain?.kinds ?? []),
    burst: drain?.burst ?? null,
    confidence: window.confidence === 'sure' ? 'stated' : `stated; window ${window.confidence}`,
    stated: limit,
    unitsPerSecond: windowSeconds === null ? null : rounded(limit / windowSeconds),
    ...{ models: [], limitBounds: null, windowSecondsBounds: null, costBounds: {}, evidence: [] },
    calls: window.readings,
  };
}

/** To a thousandth. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

// Measured limits decide the run's verdict, too: clauses that hold on single answers say nothing of a limit that was not met.

/** Where no key's ceiling came to be known there is no verdict; one that is known decides. */
export function judgedCeilings(report: Report, plans: readonly PlanCeiling[]): Report {
  if (plans.some(({ limit }) => limit !== null)) return report;
  const whys = [...Map.groupBy(plans, ({ evidence }) => whyUnknown(evidence))].map(
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

function whyUnknown(evidence: readonly string[] = []): string {
  return evidence.at(-1) ?? 'nothing was measured';
}
