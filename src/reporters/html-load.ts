// The load part of a report: limits per plan and key, capacity. It may come from another version: what does not fit is left out.
import type { Report } from '../contract/report.ts';
import { cut } from './text.ts';
import { number } from './words.ts';

const TEXT_CHARS = 200;

type Part = Readonly<Record<string, unknown>>;

/** Null where the report has no load part worth showing. */
export function loadView({ load }: Report) {
  if (!isPart(load)) return null;
  const plans = listOf(load.plans).map(planView);
  const capacity = isPart(load.capacity) ? capacityView(load.capacity) : null;
  return plans.length === 0 && capacity === null ? null : { plans, capacity };
}

function planView(plan: Part) {
  const costs = isPart(plan.costs) ? Object.entries(plan.costs) : [];
  const perSecond = numberOf(plan.unitsPerSecond ?? numberOf(plan.limit) / numberOf(plan.windowSeconds));
  const perMinute = 60 * perSecond;
  return {
    plan: textOf(plan.plan),
    key: textOf(plan.key),
    limit: within(plan.limit, plan.limitBounds),
    stated: shown(plan.stated),
    windowSeconds: within(plan.windowSeconds, plan.windowSecondsBounds),
    perMinute: Number.isFinite(perMinute) ? Math.round(perMinute) : null,
    algorithm: textOf(plan.algorithm).replaceAll('-', ' '),
    burst: shown(plan.burst),
    confidence: textOf(plan.confidence),
    costs: costs
      .filter(([, cost]) => cost !== 1)
      .map(([operation, cost]) => ({ operation: cut(operation, TEXT_CHARS), cost: shown(cost) })),
  };
}

function capacityView(capacity: Part) {
  const steps = listOf(capacity.steps).map((step) => ({
    rps: numberOf(step.rps),
    p50: numberOf(step.p50Ms),
    p99: numberOf(step.p99Ms),
    errorRate: numberOf(step.errorRate),
    decision: textOf(step.decision),
    why: textOf(step.why),
  }));
  const aims = isPart(capacity.objectives) ? capacity.objectives : {};
  return {
    knee: shown(capacity.kneeRps),
    missed: shown(capacity.missed),
    aim: Number.isFinite(numberOf(aims.p99Ms))
      ? `Borne is what keeps 99 % of the answers within ${shown(aims.p99Ms)} ms and errors below ${shown(100 * numberOf(aims.errorRate))} %: `
      : '',
    confidence: textOf(capacity.confidence),
    kneeRps: numberOf(capacity.kneeRps),
    p50: shown(capacity.p50Ms),
    p99: shown(capacity.p99Ms),
    errors: Number.isFinite(numberOf(capacity.errorRate))
      ? `${(100 * numberOf(capacity.errorRate)).toFixed(2)} %`
      : '–',
    steps: steps.filter(({ rps, p99 }) => Number.isFinite(rps) && Number.isFinite(p99)),
  };
}

/** "100", or "98 (95–104)" where it is known within bounds only. */
function within(value: unknown, bounds: unknown): string {
  if (!isPart(bounds) || bounds.least === bounds.most) return shown(value);
  return `${shown(value)} (${shown(bounds.least)}–${shown(bounds.most)})`;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly Part[] {
  return Array.isArray(value) ? value.filter(isPart) : [];
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

function shown(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? number(Number(value.toPrecision(4))) : '–';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? cut(value, TEXT_CHARS) : '';
}
