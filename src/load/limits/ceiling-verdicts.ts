// RATE-04, -08, -10 and the configured expectations, judged on measured ceilings. Pure.
import {
  judgePlanOrder,
  type PlanExpectations,
  type PlanFacts,
  type PlanKey,
} from '../../checks/rate/rate-08-plan-order.ts';
import { codeOf } from '../../contract/code.ts';
import {
  type Breach,
  breached,
  cannotTell,
  holds,
  type Judgement,
  type Observed,
  resting,
} from '../../contract/judgement.ts';
import type { PlanCeiling } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import type { Identified } from '../limiter/identify.ts';
import type { Interval, ModelKind } from '../limiter/models.ts';
import type { CostTable } from './costs.ts';

/** What was measured of one key. */
export interface Ceiling extends PlanKey {
  readonly found: Identified;
  readonly costs: CostTable;
}

const TOLERANCE = 0.01;
const WINDOW_TOLERANCE = 0.05;

export type Algorithm = 'fixed-window' | 'sliding-window' | 'token-bucket' | 'unknown';

const ALGORITHMS: Readonly<Record<ModelKind, Algorithm>> = {
  'fixed-aligned': 'fixed-window',
  'fixed-first-hit': 'fixed-window',
  'sliding-log': 'sliding-window',
  'sliding-counter': 'sliding-window',
  'token-bucket': 'token-bucket',
};

/** The algorithm of the report; unknown where what was seen does not decide between several. */
export function algorithmOf({ kinds }: Identified): Algorithm {
  const names = new Set(kinds.map((kind) => ALGORITHMS[kind]));
  const [only = 'unknown'] = names;
  return names.size === 1 ? only : 'unknown';
}

/** "sure", "likely", "not separable: …", or why nothing is known. */
export function confidenceOf({ kinds, limit, windowMs, evidence }: Identified): string {
  if (limit === null || kinds.length === 0) return `unknown: ${evidence.at(-1) ?? 'nothing was measured'}`;
  if (kinds.length > 1) return `not separable: ${kinds.join(' or ')}`;
  const isNarrow = windowMs !== null && windowMs.most - windowMs.least <= 2 * WINDOW_TOLERANCE * windowMs.best;
  return isNarrow && limit.most - limit.least <= Math.max(2, TOLERANCE * limit.best) ? 'sure' : 'likely';
}

/** Units and window of the key's ceiling, null where no model explains what was measured. A bucket's window is what its stated Limit takes to come back, else its burst. */
export function sizeOf({ kinds, limit, windowMs, stated }: Identified): {
  readonly limit: Interval | null;
  readonly windowMs: Interval | null;
} {
  if (kinds.length === 0) return { limit: null, windowMs: null };
  if (kinds[0] !== 'token-bucket' || limit === null || windowMs === null || stated === null) return { limit, windowMs };
  const share = stated / limit.best;
  const { least, best, most } = windowMs;
  return {
    limit: { least: stated, best: stated, most: stated },
    windowMs: { least: least * share, best: best * share, most: most * share },
  };
}

/** RATE-10, and RATE-04 where more is admitted than stated. */
export function judgeCeilingOf({ name, found, costs }: Ceiling): readonly [string, Judgement][] {
  const { stated, limit, kinds, unenforced, evidence } = found;
  const unknown = (why: string): [string, Judgement][] => [
    ['RATE-10', cannotTell('precondition', `key ${name}: ${why}`)],
  ];
  if (stated === null) return unknown('no X-RateLimit-Limit to compare with');
  if (unenforced)
    return [
      ['RATE-04', breached([tooMany(name, stated, evidence.at(-1) ?? '')])],
      ['RATE-10', breached([otherCeiling(name, stated, 'no refusal at all')])],
    ];
  if (limit === null || kinds.length === 0) return unknown(evidence.at(-1) ?? 'nothing was measured');
  const dearest = Math.max(1, ...[...costs.values()].map(({ best }) => best));
  const slack = Math.max(TOLERANCE * stated, dearest - 1);
  if (Math.abs(limit.best - stated) <= slack) return [['RATE-10', resting(holds(), { windows: 1 })]];
  if (kinds.includes('token-bucket'))
    return unknown(`a bucket of ${limit.best} whose window nothing tells: ${evidence.at(-1)}`);
  const isProved = limit.least > stated + slack || limit.most < stated - slack;
  if (!isProved) return unknown(`fresh windows admitted ${limit.least} to ${limit.most}`);
  const actual = `${limit.best} in ${secondsOf(found.windowMs)}`;
  const other: [string, Judgement] = ['RATE-10', breached([otherCeiling(name, stated, actual)])];
  return limit.best > stated ? [['RATE-04', breached([tooMany(name, stated, actual)])], other] : [other];
}

function otherCeiling(key: string, stated: number, actual: string): Breach {
  return {
    weight: 'breach',
    code: 'rate-10.other-ceiling',
    cause: 'the measured ceiling is not the stated Limit',
    message: `key ${key} has a measured ceiling of ${actual}, expected ${stated} as X-RateLimit-Limit states, within 1 %`,
    expected: `${stated}, within 1 %`,
    actual,
  };
}

function tooMany(key: string, stated: number, actual: string): Breach {
  return {
    weight: 'breach',
    code: 'rate-04.too-many',
    cause: 'more calls succeed in a window than Limit allows',
    message: `key ${key} is admitted ${actual}, expected at most ${stated}`,
    expected: `at most ${stated} in a window`,
    actual,
  };
}

/** RATE-10: what the configuration expects of the plan, against what was measured. Null where nothing is expected or known. */
export function judgeExpected({ plan, name, found }: Ceiling, expected: PlanExpectations): Judgement | null {
  const wanted = Object.entries(expected).find(([one]) => one.toLowerCase() === plan.toLowerCase())?.[1];
  const { limit, windowMs } = found;
  if (wanted === undefined || limit === null || found.kinds.length === 0) return null;
  const isBucket = found.kinds.includes('token-bucket');
  const breaches: Breach[] = [];
  const compare = (what: Measured, actual: number, goal: number, tolerance: number, unit: string): void => {
    if (Math.abs(actual / goal - 1) > tolerance) breaches.push(unexpected(what, plan, name, actual, goal, unit));
  };
  const { limit: calls, windowSeconds } = wanted;
  if (isBucket && calls !== undefined && windowSeconds !== undefined && windowMs !== null)
    compare('sustained-rate', (limit.best / windowMs.best) * 1000, calls / windowSeconds, TOLERANCE * 2, ' a second');
  if (!isBucket && calls !== undefined) compare('measured-ceiling', limit.best, calls, TOLERANCE, '');
  if (!isBucket && windowSeconds !== undefined && windowMs !== null)
    compare('measured-window', windowMs.best / 1000, windowSeconds, WINDOW_TOLERANCE, ' s');
  return breached(breaches);
}

const MEASURED = {
  'sustained-rate': 'the sustained rate',
  'measured-ceiling': 'the measured ceiling',
  'measured-window': 'the measured window',
} as const;

type Measured = keyof typeof MEASURED;

function unexpected(what: Measured, plan: string, key: string, actual: number, goal: number, unit: string): Breach {
  const shown = `${Number(actual.toPrecision(4))}${unit}`;
  return {
    weight: 'breach',
    code: codeOf('RATE-10', what, plan),
    cause: `${MEASURED[what]} of plan ${plan} is not the configured one`,
    message: `${MEASURED[what]} of plan ${plan} (key ${key}) is ${shown}, expected ${goal}${unit} (expect.plans.${plan})`,
    expected: `${goal}${unit}`,
    actual: shown,
  };
}

/** RATE-08 on what was measured. */
export function judgeMeasuredOrder(ceilings: readonly Ceiling[]): Judgement {
  return judgePlanOrder(
    ceilings.flatMap((one): PlanFacts[] => {
      const { limit, windowMs } = sizeOf(one.found);
      if (limit === null) return [];
      const windowSeconds = windowMs === null ? null : windowMs.best / 1000;
      const confidence = confidenceOf(one.found) === 'sure' ? ('sure' as const) : ('likely' as const);
      const window = { form: null, formReadings: 0, readings: 0, windowSeconds, confidence };
      const { plan, name: key } = one;
      return [{ plan, key, limit: limit.best, bounds: limit, window, drain: null, costs: {}, evidence: null }];
    }),
  );
}

/** What was measured of the key, as rows of the report's table. */
export function measuredRows({ name: key, plan, found, costs }: Ceiling): readonly Observed[] {
  const { limit, windowMs } = sizeOf(found);
  const confidence = confidenceOf(found) === 'sure' ? 'sure' : 'likely';
  const row = (subject: string, value: string, basis: string): Observed => ({
    ...{ subject, value, confidence, calls: found.calls, basis },
    of: { key, plan },
  });
  if (limit === null) {
    const basis = found.evidence.at(-1) ?? 'nothing was measured';
    return [{ ...row('measured limit', 'unknown', basis), confidence: 'cannot-tell' }];
  }
  const basis = found.evidence.join('; ');
  return [
    row('measured limit', `${limit.best} units`, basis),
    ...(windowMs === null ? [] : [row('measured window', secondsOf(windowMs), basis)]),
    row('measured algorithm', found.kinds.join(' or ') || 'unknown', basis),
    ...(found.burst === null ? [] : [row('measured burst', `${found.burst.best} units`, basis)]),
    ...[...costs]
      .filter(([, { best }]) => best !== 1)
      .map(([operation, { best }]) => row(`measured cost of ${operation}`, `${best} units`, 'calls of this key')),
  ];
}

function secondsOf(interval: Interval | null): string {
  return interval === null ? 'an unknown window' : `${Number((interval.best / 1000).toPrecision(3))} s`;
}

// What measured limits say of the run's verdict: clauses that hold on single answers say nothing of a limit that was not met.

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
