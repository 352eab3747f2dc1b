// The views of the history that follow runs over time: how they ended, which clauses changed, latency by operation and
// week, planted defects noticed, ceilings and capacity.
import { number, plural } from '../../contract/numbers.ts';
import type { ClauseResult, HistoryRows, RunRow, WeekOfOperation } from '../../run/history/rows.ts';
import { shareOf } from '../sensitivity-words.ts';
import { threeDigits } from '../words.ts';
import {
  type Asked,
  bounded,
  linkTo,
  minuteOf,
  placeOf,
  RUNS_DRAWN,
  reachOf,
  short,
  twoDigits,
  verdictOf,
} from './view.ts';

const ROWS_ON_A_PAGE = 50;

/** The runs of one page of the table, and the points of the chart, which are more. */
export function runsView(rows: HistoryRows, asked: Asked) {
  const all = rows.count(asked);
  const pages = Math.max(1, Math.ceil(all / ROWS_ON_A_PAGE));
  const page = Math.min(asked.page, pages);
  // Load breaks no clause by itself: it has a view of its own.
  const shown = { ...asked, suite: asked.suite ?? 'conform' };
  const drawn = rows.runs(shown, RUNS_DRAWN).toReversed();
  const newest = drawn.at(-1);
  return {
    sentence: sentenceOf(newest, all),
    tone: newest?.verdict ?? 'none',
    drawnOf: `${bounded(rows.count(shown))} of ${shown.suite}`,
    chart: drawn.map((run) => ({
      id: run.id,
      when: minuteOf(run.startedAt),
      ended: run.verdict,
      verdict: verdictOf(run).word,
      violations: run.violations,
      reach: run.operations === 0 ? null : Math.round((1000 * run.operationsTested) / run.operations) / 10,
    })),
    runs: rows.runs(asked, ROWS_ON_A_PAGE, (page - 1) * ROWS_ON_A_PAGE).map((run) => runLine(run, rows)),
    pages: { page, pages, newer: turned(asked, page - 1, pages), older: turned(asked, page + 1, pages) },
  };
}

function sentenceOf(newest: RunRow | undefined, all: number): string {
  if (newest === undefined) return 'No run is recorded of this selection.';
  const { word } = verdictOf(newest);
  const what = newest.suite === 'conform' ? 'its contract' : `the objectives of ${newest.suite}`;
  const run = `newest run of ${newest.suite}`;
  const ended =
    newest.verdict === 'none' ? `The ${run} has no verdict` : `In the ${run}, ${newest.host} ${word} ${what}`;
  return `${ended}. ${plural(all, 'run')} ${all === 1 ? 'is' : 'are'} recorded.`;
}

function turned(asked: Asked, page: number, pages: number): string | null {
  return page < 1 || page > pages ? null : linkTo('/', asked, { suite: asked.suite, page });
}

/** A run as a row of the table. */
function runLine(run: RunRow, rows: HistoryRows) {
  return {
    id: run.id,
    when: minuteOf(run.startedAt),
    href: linkTo('/compare', { host: null, branch: null }, { right: run.id }),
    suite: run.suite,
    verdict: verdictOf(run),
    marks: [...(run.partial ? ['partial'] : []), ...(run.certified ? ['certified'] : [])].join(', '),
    host: run.host,
    report: rows.reportPage(run.id) === null ? null : `/reports/${run.id}/index.html`,
    place: placeOf(run),
    violations: number(run.violations),
    reach: reachOf(run),
    requests: number(run.requests),
    p99: twoDigits(run.p99Ms),
  };
}

/** Changes shown of one clause, the newest. */
const CHANGES_TOLD = 5;
/** Marks in the strip of one clause. */
const MAX_MARKS = 50;
/** As many changes are no single break and repair. */
const MIN_FLAKY_CHANGES = 3;

type Course = 'flaky' | 'regressed' | 'mended';

interface Judged {
  readonly run: RunRow;
  readonly status: 'pass' | 'fail';
}

/**
 * Conformance runs with the operations and clauses of the newest one: others say nothing of each other's clauses. A run that was cut short, by
 * a budget, say, tells what it broke; that a clause holds it tells where it tested no fewer operations than the run before it, the first of all than the one after it.
 */
export function clausesView(rows: HistoryRows, asked: Asked) {
  const all = rows.runs({ ...asked, suite: 'conform' }, RUNS_DRAWN);
  const alike = all.filter(({ scope, host }) => scope === all[0]?.scope && host === all[0].host).toReversed();
  const results = rows.clauses(alike.map(({ id }) => id));
  const flips = [...Map.groupBy(results, ({ clause }) => clause)]
    .flatMap(([clause, own]) => flipOf(clause, own, alike))
    .toSorted(
      (left, right) =>
        ORDER.indexOf(left.course) - ORDER.indexOf(right.course) || left.clause.localeCompare(right.clause),
    );
  return {
    runs: alike.length,
    partial: alike.filter(({ partial }) => partial).length,
    left: all.length - alike.length,
    counts: ORDER.map((course) => ({ course, count: flips.filter((flip) => flip.course === course).length })),
    flips,
  };
}

const ORDER: readonly Course[] = ['regressed', 'flaky', 'mended'];

function flipOf(clause: string, results: readonly ClauseResult[], runs: readonly RunRow[]) {
  const byRun = new Map(results.map(({ run, status }) => [run, status]));
  const judged = runs.flatMap((run, at): Judged[] => {
    const status = byRun.get(run.id);
    if (status === 'fail') return [{ run, status }];
    return status === 'pass' && reachesAsFar(run, runs[at - 1] ?? runs[at + 1]) ? [{ run, status }] : [];
  });
  const changes = judged.flatMap((now, at) => {
    const before = judged[at - 1];
    return before === undefined || before.status === now.status ? [] : [{ before, now }];
  });
  if (changes.length === 0) return [];
  return [
    {
      clause,
      course: courseOf(changes),
      judged: judged.length,
      failed: judged.filter(({ status }) => status === 'fail').length,
      now: judged.at(-1)?.status === 'fail' ? 'fails' : 'holds',
      strip: stripOf(judged),
      newest: changes.slice(-CHANGES_TOLD).toReversed().map(changeLine),
    },
  ];
}

/** Whole runs do; one that was cut short does where it tested no fewer operations than the one beside it. */
function reachesAsFar(run: RunRow, beside: RunRow | undefined): boolean {
  return !run.partial || (beside !== undefined && run.operationsTested >= beside.operationsTested);
}

/** All runs in their order, neighbours as one mark where they are many: red where any of them failed. */
function stripOf(judged: readonly Judged[]): readonly Judged['status'][] {
  const together = Math.ceil(judged.length / MAX_MARKS);
  return Array.from({ length: Math.ceil(judged.length / together) }, (_, at) => {
    const own = judged.slice(at * together, (at + 1) * together);
    return own.some(({ status }) => status === 'fail') ? 'fail' : 'pass';
  });
}

/** A status that changes back and forth, or changed while the commit stayed the same, is no one's change. */
function courseOf(changes: readonly { readonly before: Judged; readonly now: Judged }[]): Course {
  const unmoved = changes.some(({ before, now }) => before.run.commit !== null && before.run.commit === now.run.commit);
  if (unmoved || changes.length >= MIN_FLAKY_CHANGES) return 'flaky';
  return changes.at(-1)?.now.status === 'fail' ? 'regressed' : 'mended';
}

function changeLine({ before, now }: { readonly before: Judged; readonly now: Judged }) {
  return {
    status: now.status,
    when: minuteOf(now.run.startedAt),
    from: placeOf(before.run),
    to: placeOf(now.run),
    href: linkTo('/compare', { host: null, branch: null }, { left: before.run.id, right: now.run.id }),
  };
}

/** A 99th percentile that grew by less is what another process makes. */
const MIN_NOTABLE_GROWTH = 1.25;

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
    grew: growth >= MIN_NOTABLE_GROWTH,
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
