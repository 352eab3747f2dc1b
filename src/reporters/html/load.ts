// The load part of a report: limits per plan and key, capacity, how each operation fared, what was sent over time, errors,
// conformance under load. It may come from another version: what does not fit is left out.
import { number, plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { type LoadBlock, loadBlocks } from '../load/blocks.ts';
import {
  countsIn,
  inThreeDigits,
  isPart,
  listOf,
  numberOf,
  objectivesOf,
  type Part,
  percentOf,
  shown,
  textOf,
} from '../load/parts.ts';
import { NOISE_RULE, sinceWords } from '../load/since-words.ts';
import { toldCeilings } from '../load/suite-lines.ts';
import { cut } from '../text.ts';

import { capacityView } from './capacity.ts';
import { conformanceView, errorsView, seriesView } from './series.ts';

const TEXT_CHARS = 200;
/** Blocks whose figures the load section shows by tables and charts of its own; the others stand on the first screen alone. */
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
  const isRun = textOf(load.suite) !== '';
  const isMeasured = isRun || series.length > 0 || capacity !== null || told.length > 0;
  const measured = isMeasured ? blocks.filter(({ of }) => of !== 'since') : [];
  const operations = operationsView(load.operations);
  const objectives = objectivesOf(load);
  const since = sinceWords(load);
  return {
    /** True where a single suite ran: the run is about it. */
    isRun,
    /** The chart of the first screen, which answers what the run was about; null: the first screen has none. */
    first: isRun ? firstChart(capacity, plans, series) : null,
    since:
      since === null ? null : { ...since, rule: since.rows.some(({ kind }) => kind === 'noise') ? NOISE_RULE : '' },
    plans,
    capacity,
    series,
    objectives,
    operations,
    errors: errorsView(series),
    conformance,
    measured,
  };
}

/** Charts that answer what a load run was about, with their captions. */
const FIRST_CHARTS = {
  capacity:
    'Every step of the search: p99 in ms over requests a second; below it what was dropped and how late was sent',
  plans: 'Units per window: measured, stated by the header, expected by the configuration',
  overTime: 'Rate, latency and what failed over time, in seconds since the run began',
} as const;

export interface FirstChart {
  readonly chart: keyof typeof FIRST_CHARTS;
  readonly caption: string;
}

function firstChart(
  capacity: ReturnType<typeof capacityView> | null,
  plans: readonly ReturnType<typeof planView>[],
  series: readonly unknown[],
): FirstChart | null {
  const charts: Readonly<Record<FirstChart['chart'], boolean>> = {
    capacity: (capacity?.steps.length ?? 0) > 1,
    plans: plans.some(({ marks }) => marks.best !== null),
    overTime: series.length > 0,
  };
  const chart = (Object.keys(FIRST_CHARTS) as FirstChart['chart'][]).find((one) => charts[one]);
  return chart === undefined ? null : { chart, caption: FIRST_CHARTS[chart] };
}

function planView(plan: Part) {
  const costs = isPart(plan.costs) ? Object.entries(plan.costs) : [];
  const expected = isPart(plan.expected) ? plan.expected : {};
  const bounds = isPart(plan.limitBounds) ? plan.limitBounds : {};
  // Without bounds the limit is what the headers say.
  const best = isPart(plan.limitBounds) ? finite(plan.limit) : null;
  return {
    plan: textOf(plan.plan),
    key: textOf(plan.key),
    limit: within(plan.limit, plan.limitBounds, counted),
    stated: counted(plan.stated),
    windowSeconds: within(plan.windowSeconds, plan.windowSecondsBounds, inThreeDigits),
    expected: counted(expected.limit),
    expectedSeconds: inThreeDigits(expected.windowSeconds),
    calls: counted(plan.calls),
    /** For the chart: units per window. */
    marks: {
      best,
      least: finite(bounds.least) ?? best,
      most: finite(bounds.most) ?? best,
      stated: finite(plan.stated),
      expected: finite(expected.limit),
    },
    algorithm: textOf(plan.algorithm).replaceAll('-', ' '),
    burst: counted(plan.burst),
    confidence: textOf(plan.confidence),
    costs: costs
      .filter(([, cost]) => cost !== 1)
      .map(([operation, cost]) => ({ operation: cut(operation, TEXT_CHARS), cost: shown(cost) })),
  };
}

/** "100", or "98 (95–104)" where it is known within bounds only. */
function within(value: unknown, bounds: unknown, inWords: (value: unknown) => string): string {
  if (!isPart(bounds) || bounds.least === bounds.most) return inWords(value);
  return `${inWords(value)} (${inWords(bounds.least)}–${inWords(bounds.most)})`;
}

/** A count in all its digits, as the terminal and the certificate tell it; a dash where it is none. */
function counted(value: unknown): string {
  return Number.isInteger(value) ? number(numberOf(value)) : shown(value);
}

/** Kinds of errors that a row names. */
const MAX_KINDS = 3;
/** Rows of a few answers that stand among the others; more are folded. */
const MAX_RARE_ROWS = 5;

/** The parts of a run that its operations are told of; empty where the report tells nothing of operations. */
function operationsView(operations: unknown) {
  return listOf(operations)
    .map(({ during, rows }) => rowsDuring(textOf(during), listOf(rows)))
    .filter(({ rows }) => rows.length > 0)
    .map(parted);
}

/**
 * Operations called too rarely to tell how long most answers take stand apart where they are many, so that the rest can
 * be read.
 */
function parted({ rows, ...part }: ReturnType<typeof rowsDuring>) {
  const isTold = ({ ms: [, p95] }: (typeof rows)[number]): boolean => p95 !== null;
  const told = rows.filter(isTold);
  const few = rows.filter((row) => !isTold(row));
  return few.length <= MAX_RARE_ROWS || told.length === 0 ? { ...part, rows, few: [] } : { ...part, rows: told, few };
}

function rowsDuring(during: string, rows: readonly Part[]) {
  const count = (value: unknown): number => numberOf(value) || 0;
  const all = rows.reduce((sum, { requests }) => sum + count(requests), 0);
  return {
    during,
    requests: plural(all, 'request'),
    rows: rows.map((row) => {
      const requests = count(row.requests);
      const kinds = countsIn(row.errors).toSorted(([, left], [, right]) => right - left);
      const failed = kinds.reduce((sum, [, times]) => sum + times, 0);
      const named = kinds.slice(0, MAX_KINDS).map(([kind, times]) => `${number(times)} ${kind}`);
      return {
        operation: textOf(row.operation),
        requests: number(requests),
        share: percentOf(requests / all),
        p50: inThreeDigits(row.p50Ms),
        p95: inThreeDigits(row.p95Ms),
        p99: inThreeDigits(row.p99Ms),
        /** For the chart; null where the answers are too few to tell it. */
        ms: [row.p50Ms, row.p95Ms, row.p99Ms].map(finite),
        limited: number(count(row.limited)),
        errors: failed === 0 ? '0' : `${number(failed)} (${percentOf(failed / requests)})`,
        kinds: named.length < kinds.length ? `${named.join(', ')} and others` : named.join(', '),
      };
    }),
  };
}

function finite(value: unknown): number | null {
  return Number.isFinite(numberOf(value)) ? numberOf(value) : null;
}
