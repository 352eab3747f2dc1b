// The first view: how the runs of a target and branch ended, and how much they reached.
import type { HistoryRows, RunRow } from '../../run/history/rows.ts';
import { number, plural } from '../words.ts';
import { type Asked, bounded, linkTo, minuteOf, placeOf, RUNS_DRAWN, reachOf, twoDigits, verdictOf } from './view.ts';

const ON_A_PAGE = 50;

/** The runs of one page of the table, and the points of the chart, which are more. */
export function runsView(rows: HistoryRows, asked: Asked) {
  const all = rows.count(asked);
  const pages = Math.max(1, Math.ceil(all / ON_A_PAGE));
  const page = Math.min(asked.page, pages);
  // Load breaks no clause by itself: it has a view of its own.
  const shown = { ...asked, suite: asked.suite ?? 'conform' };
  const drawn = rows.runs(shown, RUNS_DRAWN).toReversed();
  const newest = drawn.at(-1);
  return {
    sentence: sentenceOf(newest, all),
    tone: newest?.verdict ?? 'none',
    drawnOf: bounded(rows.count(shown)),
    chart: drawn.map((run) => ({
      id: run.id,
      when: minuteOf(run.startedAt),
      ended: run.verdict,
      verdict: verdictOf(run).word,
      violations: run.violations,
      reach: run.operations === 0 ? null : Math.round((1000 * run.operationsTested) / run.operations) / 10,
    })),
    runs: rows.runs(asked, ON_A_PAGE, (page - 1) * ON_A_PAGE).map(runLine),
    pages: { page, pages, newer: turned(asked, page - 1, pages), older: turned(asked, page + 1, pages) },
  };
}

function sentenceOf(newest: RunRow | undefined, all: number): string {
  if (newest === undefined) return 'No run is recorded of this selection.';
  const { word } = verdictOf(newest);
  const what = newest.suite === 'conform' ? 'its contract' : `the objectives of ${newest.suite}`;
  const ended =
    newest.verdict === 'none' ? 'The newest run has no verdict' : `In the newest run, ${newest.host} ${word} ${what}`;
  return `${ended}. ${plural(all, 'run')} ${all === 1 ? 'is' : 'are'} recorded.`;
}

function turned(asked: Asked, page: number, pages: number): string | null {
  return page < 1 || page > pages ? null : linkTo('/', asked, { suite: asked.suite, page });
}

/** A run as a row of the table. */
function runLine(run: RunRow) {
  return {
    id: run.id,
    when: minuteOf(run.startedAt),
    href: linkTo('/compare', { host: null, branch: null }, { right: run.id }),
    suite: run.suite,
    verdict: verdictOf(run),
    marks: [...(run.partial ? ['partial'] : []), ...(run.certified ? ['certified'] : [])].join(', '),
    host: run.host,
    place: placeOf(run),
    violations: number(run.violations),
    reach: reachOf(run),
    requests: number(run.requests),
    p99: twoDigits(run.p99Ms),
  };
}
