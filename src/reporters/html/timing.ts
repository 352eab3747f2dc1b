// How long answers took: per service the distribution, the slowest operations. Numbers for the charts and their tables.
import type { Latency } from '../../contract/latency.ts';
import type { OperationRow, Report } from '../../contract/report.ts';
import { addLatencies, latencyClasses, latencyCount, percentileMs } from '../../grading/latency.ts';
import { cut } from '../text.ts';
import { number } from '../words.ts';
import { anchor } from './text.ts';

const SLOWEST = 12;
/** Fewer answers than this tell no percentile. */
const FEWEST_ANSWERS = 5;
/** Classes of a quarter octave are four bars a doubling: fine enough to see two humps. */
const CLASSES_PER_BAR = 2;
const NAME_CHARS = 200;

/** Null where no operation says how long it took. */
export function timingView({ operations, services }: Report) {
  const timed = operations.filter(({ latency }) => latency !== undefined && latencyCount(latency) > 0);
  if (timed.length === 0) return null;
  const byService = services.flatMap(({ name }) => {
    const all = addLatencies(timed.filter(({ service }) => service === name).map(({ latency = {} }) => latency));
    return latencyCount(all) === 0 ? [] : [{ name, ...summaryOf(all), bars: barsOf(all) }];
  });
  return { services: byService, slowest: slowestOf(timed) };
}

function slowestOf(timed: readonly OperationRow[]) {
  return timed
    .filter(({ latency = {} }) => latencyCount(latency) >= FEWEST_ANSWERS)
    .map((row) => ({ row, p95: percentileMs(row.latency ?? {}, 0.95) ?? 0 }))
    .sort((left, right) => right.p95 - left.p95)
    .slice(0, SLOWEST)
    .map(({ row }) => ({
      service: row.service,
      operation: cut(row.operation, NAME_CHARS),
      href: `#${anchor('op', row.service, row.operation)}`,
      ...summaryOf(row.latency ?? {}),
    }));
}

/** How many, and percentiles in ms. */
export function summaryOf(latency: Latency) {
  const at = (share: number) => rounded(percentileMs(latency, share) ?? 0);
  return { answers: number(latencyCount(latency)), p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}

/** Share of the answers per bar, from the fastest to the slowest, gaps included: so that the axis is even. */
export function barsOf(latency: Latency): readonly { readonly ms: number; readonly percent: number }[] {
  const classes = latencyClasses(latency);
  const total = latencyCount(latency);
  const bar = (index: number) => Math.floor(index / CLASSES_PER_BAR);
  const [first, last] = [bar(classes[0]!.index), bar(classes.at(-1)!.index)];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const own = classes.filter(({ index }) => bar(index) === first + at);
    const count = own.reduce((sum, one) => sum + one.count, 0);
    return {
      ms: rounded(2 ** ((first + at) / (8 / CLASSES_PER_BAR))),
      percent: Math.round((1000 * count) / total) / 10,
    };
  });
}

/** Two digits that matter. */
function rounded(ms: number): number {
  return Number(ms.toPrecision(2));
}
