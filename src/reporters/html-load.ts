// The load part of a report: limits per plan and key, capacity, what was sent over time, errors, conformance under load. It
// may come from another version: what does not fit is left out.
import type { Report } from '../contract/report.ts';
import { capacityView } from './html-capacity.ts';
import { conformanceView, errorsView, seriesView } from './html-series.ts';
import { isPart, listOf, numberOf, type Part, shown, textOf } from './load-parts.ts';
import { cut } from './text.ts';

const TEXT_CHARS = 200;

/** Null where the report has no load part worth showing. */
export function loadView({ load }: Report) {
  if (!isPart(load)) return null;
  const plans = listOf(load.plans).map(planView);
  const capacity = isPart(load.capacity) ? capacityView(load.capacity) : null;
  const series = listOf(load.series)
    .map((one, index) => seriesView(one, index, capacity))
    .filter(({ rows }) => rows.length > 0);
  const conformance = conformanceView(load.conformance);
  if (plans.length === 0 && capacity === null && series.length === 0) return null;
  return { plans, capacity, series, errors: errorsView(series), conformance };
}

function planView(plan: Part) {
  const costs = isPart(plan.costs) ? Object.entries(plan.costs) : [];
  const expected = isPart(plan.expected) ? plan.expected : {};
  const bounds = isPart(plan.limitBounds) ? plan.limitBounds : {};
  const finite = (value: unknown): number | null => (Number.isFinite(numberOf(value)) ? numberOf(value) : null);
  const best = finite(plan.limit);
  return {
    plan: textOf(plan.plan),
    key: textOf(plan.key),
    limit: within(plan.limit, plan.limitBounds),
    stated: shown(plan.stated),
    windowSeconds: within(plan.windowSeconds, plan.windowSecondsBounds),
    expected: shown(expected.limit),
    expectedSeconds: shown(expected.windowSeconds),
    calls: shown(plan.calls),
    /** For the chart: units per window. */
    marks: {
      best,
      least: finite(bounds.least) ?? best,
      most: finite(bounds.most) ?? best,
      stated: finite(plan.stated),
      expected: finite(expected.limit),
    },
    algorithm: textOf(plan.algorithm).replaceAll('-', ' '),
    burst: shown(plan.burst),
    confidence: textOf(plan.confidence),
    costs: costs
      .filter(([, cost]) => cost !== 1)
      .map(([operation, cost]) => ({ operation: cut(operation, TEXT_CHARS), cost: shown(cost) })),
  };
}

/** "100", or "98 (95–104)" where it is known within bounds only. */
function within(value: unknown, bounds: unknown): string {
  if (!isPart(bounds) || bounds.least === bounds.most) return shown(value);
  return `${shown(value)} (${shown(bounds.least)}–${shown(bounds.most)})`;
}
