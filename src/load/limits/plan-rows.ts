// The report's row of one plan: as it was measured, or as the headers and one drain tell it.
import type { PlanFacts } from '../../checks/rate/rate-08-plan-order.ts';
import type { Interval, PlanCeiling } from '../../contract/load-part.ts';
import { algorithmOf, type Ceiling, confidenceOf, sizeOf } from './ceiling-verdicts.ts';

/** The row of a measured ceiling. */
export function measuredRow({ plan, name: key, found, costs }: Ceiling): PlanCeiling {
  const { limit, windowMs } = sizeOf(found);
  const seconds = windowMs === null ? null : inSeconds(windowMs);
  const perSecond = limit === null || seconds === null ? null : rounded(limit.best / seconds.best);
  return {
    ...{ plan, key },
    limit: limit === null ? null : rounded(limit.best),
    windowSeconds: seconds?.best ?? null,
    algorithm: algorithmOf(found),
    burst: found.burst === null || limit === null ? null : rounded(found.burst.best),
    confidence: confidenceOf(found),
    costs: Object.fromEntries([...costs].map(([operation, { best }]) => [operation, rounded(best)])),
    stated: found.stated,
    unitsPerSecond: perSecond,
    models: found.kinds,
    limitBounds: limit,
    windowSecondsBounds: seconds,
    costBounds: Object.fromEntries(costs),
    evidence: found.evidence,
    calls: found.calls,
  };
}

/** The row of a key that was drained, not measured. */
export function statedRow({ plan, key, limit, window, drain, costs }: PlanFacts): PlanCeiling {
  const { windowSeconds } = window;
  return {
    ...{ plan, key, limit, windowSeconds, costs },
    algorithm: drain?.algorithm ?? 'unknown',
    burst: drain?.burst ?? null,
    confidence: window.confidence === 'sure' ? 'stated' : `stated; window ${window.confidence}`,
    stated: limit,
    unitsPerSecond: windowSeconds === null ? null : rounded(limit / windowSeconds),
    ...{ models: [], limitBounds: null, windowSecondsBounds: null, costBounds: {}, evidence: [] },
    calls: window.readings,
  };
}

function inSeconds({ least, best, most }: Interval): Interval {
  return { least: rounded(least / 1000), best: rounded(best / 1000), most: rounded(most / 1000) };
}

/** To a thousandth. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
