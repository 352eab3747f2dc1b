// The load part of a report: limits per plan and key, capacity, what was sent over time, errors, conformance under load. It
// may come from another version: what does not fit is left out.
import type { Report } from '../contract/report.ts';
import { exportLines } from './export-lines.ts';
import { capacityView } from './html-capacity.ts';
import { conformanceView, errorsView, seriesView } from './html-series.ts';
import { isolationLines } from './isolation-lines.ts';
import { isPart, listOf, numberOf, type Part, shown, textOf } from './load-parts.ts';
import { pressureLines } from './pressure-lines.ts';
import { soakLines } from './soak-lines.ts';
import { spikeLines } from './spike-lines.ts';
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
  const told = toldView(load);
  if (plans.length === 0 && capacity === null && series.length === 0 && told.length === 0) return null;
  return { plans, capacity, series, errors: errorsView(series), conformance, told };
}

/** What the other suites came to, in the terminal's words. */
function toldView(load: Part) {
  return [soakLines, spikeLines, pressureLines, isolationLines, exportLines].flatMap((linesOf) => {
    const [title, ...lines] = linesOf(load).map((line) => line.trim());
    return title === undefined ? [] : [{ title, lines }];
  });
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
