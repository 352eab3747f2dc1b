// The load part of a report: limits per plan and key, capacity, what was sent over time, errors, conformance under load. It
// may come from another version: what does not fit is left out.
import type { Report } from '../../contract/report.ts';
import { type LoadBlock, loadBlocks } from '../load/blocks.ts';
import { toldCeilings } from '../load/ceiling-lines.ts';
import { isPart, listOf, numberOf, type Part, shown, textOf } from '../load/parts.ts';
import { NOISE_RULE, sinceWords } from '../load/since-words.ts';
import { cut } from '../text.ts';
import { capacityView } from './capacity.ts';
import { operationsView } from './load-operations.ts';
import { conformanceView, errorsView, seriesView } from './series.ts';

const TEXT_CHARS = 200;
/** Shown by tables and charts of their own. */
const DRAWN: readonly LoadBlock['of'][] = ['capacity', 'ceilings', 'conformance', 'since'];

/** Null where the report has no load part worth showing. */
export function loadView({ load }: Report) {
  if (!isPart(load)) return null;
  const plans = toldCeilings(load).map(planView);
  const capacity = isPart(load.capacity) ? capacityView(load.capacity) : null;
  const series = listOf(load.series)
    .map((one, index) => seriesView(one, index, capacity))
    .filter(({ rows }) => rows.length > 0);
  const conformance = conformanceView(load.conformance);
  const blocks = loadBlocks(load);
  const told = blocks.filter(({ of }) => !DRAWN.includes(of));
  if (plans.length === 0 && capacity === null && series.length === 0 && told.length === 0) return null;
  // Every run tells the limits that it was told; a load run is about what it measured.
  const measured =
    series.length > 0 || capacity !== null || told.length > 0 ? blocks.filter(({ of }) => of !== 'since') : [];
  const operations = operationsView(load.operations);
  const objectives = objectivesOf(load);
  const since = sinceWords(load);
  return {
    /** Whether a single suite ran: the run is about it. */
    isRun: textOf(load.suite) !== '',
    since:
      since === null ? null : { ...since, rule: since.rows.some(({ kind }) => kind === 'noise') ? NOISE_RULE : '' },
    plans,
    capacity,
    series,
    objectives,
    operations,
    errors: errorsView(series),
    conformance,
    told,
    measured,
  };
}

/** What latency and errors were held against; null where nothing was, or the report does not tell. */
function objectivesOf({ capacity, soak, spike }: Part) {
  const [aims] = [capacity, soak, spike].flatMap((part) =>
    isPart(part) && isPart(part.objectives) ? [part.objectives] : [],
  );
  if (aims === undefined) return null;
  const known = (value: unknown): number | null => (numberOf(value) > 0 ? numberOf(value) : null);
  return { p99Ms: known(aims.p99Ms), errorPercent: known(100 * numberOf(aims.errorRate)) };
}

function planView(plan: Part) {
  const costs = isPart(plan.costs) ? Object.entries(plan.costs) : [];
  const expected = isPart(plan.expected) ? plan.expected : {};
  const bounds = isPart(plan.limitBounds) ? plan.limitBounds : {};
  const finite = (value: unknown): number | null => (Number.isFinite(numberOf(value)) ? numberOf(value) : null);
  // Without bounds the limit is what the headers say.
  const best = isPart(plan.limitBounds) ? finite(plan.limit) : null;
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
