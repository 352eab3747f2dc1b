// Clauses whose status changed from run to run: which came back broken, which were mended, and which come and go.
import type { ClauseResult, HistoryRows, RunRow } from '../../run/history/rows.ts';
import { type Asked, linkTo, minuteOf, placeOf, RUNS_DRAWN } from './view.ts';

/** Changes shown of one clause, the newest. */
const CHANGES_TOLD = 5;
/** Marks in the strip of one clause. */
const MOST_MARKS = 50;
/** As many changes are no single break and repair. */
const FLAKY_CHANGES = 3;

export type Course = 'flaky' | 'regressed' | 'mended';

interface Judged {
  readonly run: RunRow;
  readonly status: 'pass' | 'fail';
}

/** Whole conformance runs with the operations and clauses of the newest one: others say nothing of each other's clauses. */
export function clausesView(rows: HistoryRows, asked: Asked) {
  const whole = rows.runs({ ...asked, suite: 'conform' }, RUNS_DRAWN).filter(({ partial }) => !partial);
  const alike = whole.filter(({ scope, host }) => scope === whole[0]?.scope && host === whole[0].host).toReversed();
  const results = rows.clauses(alike.map(({ id }) => id));
  const flips = [...Map.groupBy(results, ({ clause }) => clause)]
    .flatMap(([clause, own]) => flipOf(clause, own, alike))
    .toSorted(
      (left, right) =>
        ORDER.indexOf(left.course) - ORDER.indexOf(right.course) || left.clause.localeCompare(right.clause),
    );
  return {
    runs: alike.length,
    left: whole.length - alike.length,
    counts: ORDER.map((course) => ({ course, count: flips.filter((flip) => flip.course === course).length })),
    flips,
  };
}

const ORDER: readonly Course[] = ['regressed', 'flaky', 'mended'];

function flipOf(clause: string, results: readonly ClauseResult[], runs: readonly RunRow[]) {
  const byRun = new Map(results.map(({ run, status }) => [run, status]));
  const judged = runs.flatMap((run): Judged[] => {
    const status = byRun.get(run.id);
    return status === 'pass' || status === 'fail' ? [{ run, status }] : [];
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

/** All runs in their order, neighbours as one mark where they are many: red where any of them failed. */
function stripOf(judged: readonly Judged[]): readonly Judged['status'][] {
  const together = Math.ceil(judged.length / MOST_MARKS);
  return Array.from({ length: Math.ceil(judged.length / together) }, (_, at) => {
    const own = judged.slice(at * together, (at + 1) * together);
    return own.some(({ status }) => status === 'fail') ? 'fail' : 'pass';
  });
}

/** What changes back and forth, or changed while the commit stayed the same, is no one's change. */
function courseOf(changes: readonly { readonly before: Judged; readonly now: Judged }[]): Course {
  const unmoved = changes.some(({ before, now }) => before.run.commit !== null && before.run.commit === now.run.commit);
  if (unmoved || changes.length >= FLAKY_CHANGES) return 'flaky';
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
