// How long answers took: per service and for the slowest operations. Numbers for the charts and their tables.

import type { Latency } from '../../contract/latency.ts';
import { number } from '../../contract/numbers.ts';
import type { OperationRow, Report } from '../../contract/report.ts';
import {
  addLatencies,
  latencyClasses,
  latencyCount,
  longestMs,
  percentileMs,
  tellsPercentile,
} from '../../grading/latency.ts';
import { cut } from '../text.ts';

import { anchor } from './text.ts';

const MAX_SLOWEST = 12;
/** Fewer answers than this tell no median. */
const MIN_ANSWERS = 6;
const NAME_CHARS = 200;

/** Null where no operation says how long it took. */
export function timingView({ operations, services }: Report) {
  const timed = operations.filter(({ latency }) => latency !== undefined && latencyCount(latency) > 0);
  if (timed.length === 0) return null;
  const byService = services.flatMap(({ name }) => {
    const all = addLatencies(timed.filter(({ service }) => service === name).map(({ latency = {} }) => latency));
    return latencyCount(all) === 0 ? [] : [{ name, ...summaryOf(all) }];
  });
  return { services: byService, slowest: slowestOf(timed) };
}

function slowestOf(timed: readonly OperationRow[]) {
  return timed
    .filter(({ latency = {} }) => latencyCount(latency) >= MIN_ANSWERS)
    .map((row) => ({ row, summary: summaryOf(row.latency ?? {}) }))
    .sort((left, right) => slowness(right.summary) - slowness(left.summary))
    .slice(0, MAX_SLOWEST)
    .map(({ row, summary }) => ({
      service: row.service,
      operation: cut(row.operation, NAME_CHARS),
      href: `#${anchor('op', row.service, row.operation)}`,
      ...summary,
    }));
}

/** The 95th percentile, of fewer answers the median. */
function slowness({ p50, p95 }: ReturnType<typeof summaryOf>): number {
  return p95 ?? p50 ?? 0;
}

/** How many, and percentiles in ms; null where the answers are too few to tell one. The longest is always known. */
export function summaryOf(latency: Latency) {
  const count = latencyCount(latency);
  const at = (share: number) => (tellsPercentile(count, share) ? rounded(percentileMs(latency, share) ?? 0) : null);
  return {
    answers: number(count),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    most: rounded(percentileMs(latency, 1) ?? 0),
  };
}

/** Points that draw a curve. */
const MAX_POINTS = 80;

/**
 * The distribution by percentile: which share of the answers took no longer than so many ms. It ends where too few answers lie
 * above to tell more.
 */
export function curveOf(latency: Latency): readonly (readonly [share: number, ms: number])[] {
  const total = latencyCount(latency);
  let seen = 0;
  const points = latencyClasses(latency).map(({ index, count }) => {
    seen += count;
    return [seen / total, rounded(longestMs(index))] as const;
  });
  return points.filter(([share]) => tellsPercentile(total, share)).slice(-MAX_POINTS);
}

/** Two digits that matter. */
function rounded(ms: number): number {
  return Number(ms.toPrecision(2));
}
