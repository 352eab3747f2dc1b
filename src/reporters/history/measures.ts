// Measures over time: latency by operation and week, how many planted defects runs would have noticed, ceilings and capacity.
import type { HistoryRows, RunRow, WeekOfOperation } from '../../run/history/rows.ts';
import { shareOf } from '../sensitivity-words.ts';
import { number, threeDigits } from '../words.ts';
import { type Asked, bounded, linkTo, minuteOf, placeOf, RUNS_DRAWN, short, twoDigits } from './view.ts';

/** A 99th percentile that grew by less is what another process makes. */
const NOTABLE_GROWTH = 1.25;

/** Operations with their weeks, those that grew most first, and the weeks of the one that is asked for. */
export function latencyView(rows: HistoryRows, asked: Asked) {
  const selection = { ...asked, suite: 'conform' };
  const runs = rows.runs(selection, RUNS_DRAWN);
  const weeks = rows.weeks(runs.map(({ id }) => id));
  const operations = [...Map.groupBy(weeks, ({ service, operation }) => `${service} ${operation}`)]
    .map(([name, own]) => operationLine(name, own, asked))
    .toSorted((left, right) => right.growth - left.growth);
  const chosen = operations.find(({ name }) => name === asked.operation) ?? operations[0] ?? null;
  return { drawnOf: bounded(rows.count(selection)), operations, chosen };
}

function operationLine(name: string, weeks: readonly WeekOfOperation[], asked: Asked) {
  const [first, last] = [weeks[0]!, weeks.at(-1)!];
  const growth = weeks.length > 1 ? last.p99Ms / first.p99Ms : 1;
  return {
    name,
    label: short(name),
    href: linkTo('/latency', asked, { operation: name }),
    growth,
    change: weeks.length > 1 ? `${threeDigits(growth)} ×` : 'one week',
    grew: growth >= NOTABLE_GROWTH,
    first: twoDigits(first.p99Ms),
    last: twoDigits(last.p99Ms),
    weeks: weeks.map(({ week, runs, p50Ms, p99Ms }) => ({ week, runs, p50: twoDigits(p50Ms), p99: twoDigits(p99Ms) })),
  };
}

/** Runs that were asked how many planted defects they would have noticed, the oldest first. */
export function sensitivityView(rows: HistoryRows, asked: Asked) {
  const runs = rows
    .runs({ ...asked, suite: 'conform' }, RUNS_DRAWN)
    .toReversed()
    .flatMap((run) => {
      const { planted, caught } = run;
      if (planted === null || caught === null || planted === 0) return [];
      return [
        {
          ...pointOf(run),
          planted: number(planted),
          caught: number(caught),
          share: shareOf(caught, planted),
          percent: Math.floor((1000 * caught) / planted) / 10,
        },
      ];
    });
  return { runs };
}

/** Each figure of load as a series, with its bounds. */
export function loadView(rows: HistoryRows, asked: Asked) {
  const runs = rows.runs({ ...asked, suite: asked.suite ?? null }, RUNS_DRAWN).toReversed();
  const byId = new Map(runs.map((run) => [run.id, run]));
  const told = rows.figures([...byId.keys()]).map((row) => ({ ...row, of: byId.get(row.run)! }));
  const named = ({ figure, of }: (typeof told)[number]): string =>
    figure === 'capacity' || figure.startsWith('limit of ') ? figure : `${figure} of ${of.suite}`;
  const series = [...Map.groupBy(told, (row) => `${named(row)} at ${row.of.host}`)].map(([name, own]) => ({
    name: short(name),
    unit: own[0]!.unit === 'share' ? '%' : own[0]!.unit,
    points: own
      .toSorted((left, right) => left.of.startedAt.localeCompare(right.of.startedAt))
      .map(({ of, unit, value, least, most }) => {
        const shown = (one: number): number => Number((unit === 'share' ? 100 * one : one).toPrecision(4));
        const bounds =
          most === null ? `at least ${number(shown(least))}` : `${number(shown(least))}–${number(shown(most))}`;
        const text = most === value && least === value ? number(shown(value)) : `${number(shown(value))} (${bounds})`;
        return {
          ...pointOf(of),
          value: shown(value),
          least: shown(least),
          most: most === null ? null : shown(most),
          text,
        };
      }),
  }));
  return { series: series.toSorted((left, right) => left.name.localeCompare(right.name)) };
}

function pointOf(run: RunRow) {
  return { id: run.id, when: minuteOf(run.startedAt), place: placeOf(run), versions: short(run.versions ?? '') };
}
