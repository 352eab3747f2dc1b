import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { manyRuns } from '../../../test/support/reporters/many-runs.ts';
import { HOSTILE } from '../../../test/support/reporters/sample-report.ts';
import { sampleRun } from '../../../test/support/run/sample-run.ts';
import { recordRuns } from '../../run/history/record.ts';
import { HistoryRows } from '../../run/history/rows.ts';
import { compareView } from './compare.ts';
import { clausesView, latencyView, loadView, runsView } from './over-time.ts';
import { HISTORY_PATHS, historyPage } from './pages.ts';
import { askedIn } from './view.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-history-views-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

type Recorded = Parameters<typeof recordRuns>[1][number];

/** The view of a history of these runs. */
function looking<T>(runs: readonly Recorded[], look: (rows: HistoryRows) => T): T {
  files += 1;
  const file = join(folder, `${files}.db`);
  recordRuns(file, runs);
  const rows = new HistoryRows(file);
  try {
    return look(rows);
  } finally {
    rows.close();
  }
}

const run = (id: number, prints: readonly string[] = [], commit = `c${id}`, branch: string | null = 'main') => ({
  report: sampleRun(String(id), { prints }),
  revision: { branch, commit },
});
const NOTHING = askedIn(new URLSearchParams());
const BROKEN = ['aa'];

describe('clauses that changed', () => {
  const courseOf = (...runs: readonly Recorded[]) =>
    looking(runs, (rows) => clausesView(rows, NOTHING).flips.map(({ clause, course }) => `${clause} ${course}`));

  test.each<[string, readonly Recorded[], readonly string[]]>([
    ['regressed where the last change broke them', [run(1), run(2, BROKEN)], ['ERR-04 regressed']],
    ['mended where the last change made them hold', [run(1, BROKEN), run(2)], ['ERR-04 mended']],
    ['flaky where nothing else had changed', [run(1, [], 'c'), run(2, BROKEN, 'c')], ['ERR-04 flaky']],
    ['flaky after three changes', [run(1), run(2, BROKEN), run(3), run(4, BROKEN)], ['ERR-04 flaky']],
    ['left out where they always held', [run(1), run(2)], []],
  ])('are %s', (_name, runs, told) => {
    expect(courseOf(...runs)).toEqual(told);
  });

  test('are told with the commits between which they changed, and a link to both runs', () => {
    const [flip] = looking([run(1), run(2, BROKEN)], (rows) => clausesView(rows, NOTHING).flips);
    expect(flip?.newest).toEqual([
      { status: 'fail', when: '2026-01-01 00:00', from: 'main, c1', to: 'main, c2', href: '/compare?left=1&right=2' },
    ]);
  });

  test('are not concluded from a run of other operations', () => {
    const other = { ...run(2), report: sampleRun('2', { scope: 'other', prints: BROKEN }) };
    expect(courseOf(run(1), other, run(4))).toEqual([]);
  });

  const partial = (serial: number, shape: object) => ({
    ...run(serial),
    report: sampleRun(`${serial}`, { partial: true, ...shape }),
  });

  test('are broken by a partial run, and mended by none that tested less than the run before', () => {
    expect(courseOf(run(1), partial(2, { prints: BROKEN }))).toEqual(['ERR-04 regressed']);
    expect(courseOf(run(1, BROKEN), partial(2, { tested: false }))).toEqual([]);
    expect(courseOf(run(1, BROKEN), partial(2, {}))).toEqual(['ERR-04 mended']);
  });

  test('are broken between two gates, which are all partial, where the first reached as far', () => {
    expect(courseOf(partial(1, {}), partial(2, { prints: BROKEN }))).toEqual(['ERR-04 regressed']);
    expect(courseOf(partial(1, { tested: false }), partial(2, { prints: BROKEN }))).toEqual([]);
  });
});

test('runs are narrowed by target and branch', () => {
  const elsewhere = { ...run(3), report: sampleRun('3', { host: 'other.example.com' }) };
  const runs = [run(1), run(2, [], 'c', 'cart'), elsewhere];
  const told = (query: string) =>
    looking(runs, (rows) => runsView(rows, askedIn(new URLSearchParams(query))).runs.map(({ id }) => id));
  expect(told('target=api.example.com')).toEqual(['2', '1']);
  expect(told('target=api.example.com&branch=cart')).toEqual(['2']);
  expect(told('target=nowhere')).toEqual([]);
});

test('of many runs the newest are drawn, which is said, and all of them stand on pages', () => {
  const file = join(folder, 'many.db');
  manyRuns(file, 560);
  const rows = new HistoryRows(file);
  const view = runsView(rows, askedIn(new URLSearchParams('suite=conform&page=2')));
  expect(view.drawnOf).toBe('the newest 500 of 514 runs of conform');
  expect([view.chart.length, view.runs.length, view.pages.page, view.pages.pages]).toEqual([500, 50, 2, 11]);
  expect(clausesView(rows, NOTHING).flips.map(({ clause, course }) => `${clause} ${course}`)).toContain(
    'RATE-03 flaky',
  );
  rows.close();
});

test('two runs side by side tell what only one of them has', () => {
  const { both } = looking([run(1, ['aa', 'bb']), run(2, ['bb', 'cc', 'dd'])], (rows) =>
    compareView(rows, { ...NOTHING, left: '1', right: '2' }),
  );
  expect(both?.findings.map(({ rows }) => rows.length)).toEqual([1, 2]);
  expect(both?.shared).toBe('1 violation or advisory is in both.');
  expect(both?.facts.filter(({ differs }) => differs).map(({ name }) => name)).toEqual([
    'branch, commit',
    'violations',
  ]);
});

test('two targets are compared by their newest runs', () => {
  const elsewhere = { ...run(3), report: sampleRun('3', { host: 'other.example.com' }) };
  const asked = { ...NOTHING, left: 'target:other.example.com', right: 'target:api.example.com' };
  const { both } = looking([run(1), run(2), elsewhere], (rows) => compareView(rows, asked));
  expect(both?.heads.map(({ id }) => id)).toEqual(['3', '2']);
});

test('a run that is not there is compared with nothing', () => {
  const { both } = looking([run(1)], (rows) => compareView(rows, { ...NOTHING, left: '1', right: 'x' }));
  expect(both).toBeNull();
});

test('latency is the median of the runs of a week', () => {
  const fast = { ...run(1), report: sampleRun('1') };
  const slow = (id: number, startedAt: string) => {
    const report = sampleRun(String(id));
    const [row] = report.operations;
    return {
      ...run(id),
      report: { ...report, run: { ...report.run, startedAt }, operations: [{ ...row!, latency: { 40: 10 } }] },
    };
  };
  const { chosen } = looking([fast, slow(2, '2026-01-07T00:00:00.000Z'), slow(3, '2026-01-08T00:00:00.000Z')], (rows) =>
    latencyView(rows, NOTHING),
  );
  expect(chosen?.weeks).toEqual([
    { week: '2025-12-29', runs: 1, p50: 1.9, p99: 1.9 },
    { week: '2026-01-05', runs: 2, p50: 31, p99: 31 },
  ]);
  expect(chosen?.grew).toBe(true);
});

test('what was measured of load keeps its bounds', () => {
  const plans = [
    { plan: 'standard', key: 'std-1', limit: 100, limitBounds: { least: 98, best: 100, most: 104 }, costs: {} },
  ];
  const report = { ...sampleRun('1'), load: { suite: 'ceiling', plans } };
  const { series } = looking([{ ...run(1), report }], (rows) => loadView(rows, NOTHING));
  expect(series.map(({ name, points }) => [name, points[0]?.text])).toEqual([
    ['limit of std-1 at api.example.com', '100 (98–104)'],
  ]);
});

test.each(HISTORY_PATHS)('whatever a target, a branch or an address says is text on the page at %s', (path) => {
  const report = sampleRun('1', { prints: ['aa'] });
  const hostile = {
    ...report,
    services: [{ ...report.services[0]!, name: HOSTILE, version: HOSTILE }],
    operations: [{ ...report.operations[0]!, operation: `GET /${HOSTILE}` }],
    findings: [{ ...report.findings[0]!, cause: HOSTILE, operation: HOSTILE }],
  };
  const runs = [{ report: hostile, revision: { branch: HOSTILE, commit: null } }, run(2), run(3, BROKEN)];
  const query = new URLSearchParams({ operation: HOSTILE, left: HOSTILE, branch: path === '/compare' ? '' : HOSTILE });
  for (const asked of [new URLSearchParams({ left: '1', right: '2' }), query]) {
    const page = looking(runs, (rows) => historyPage(rows, path, asked));
    expect(page).not.toContain('<script>window.hacked');
    expect(page).not.toContain('<img');
    expect(page).not.toContain('\u202e');
  }
});

test.each(HISTORY_PATHS)('a history without a run has a page at %s', (path) => {
  expect(looking([], (rows) => historyPage(rows, path, new URLSearchParams()))).toContain('<main');
});
