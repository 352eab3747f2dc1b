import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleLoadRun } from '../../../test/support/reporters/sample-load-run.ts';
import { type Shape, sampleRun } from '../../../test/support/run/sample-run.ts';
import type { LoadPart } from '../../contract/load-part.ts';
import { prunable, recordCertificate, recordRun, recordRuns, removeRuns } from './record.ts';
import { HistoryRows } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const freshFile = (): string => {
  files += 1;
  return join(folder, 'deep', `history-${files}.db`);
};

describe('a history', () => {
  test('tells comparable runs, the oldest first and the one just recorded last', () => {
    const file = freshFile();
    recordRun(file, sampleRun('1', { prints: ['aa'] }));
    recordRun(file, sampleRun('2', { scope: 'other' }));
    recordRun(file, sampleRun('3', { host: 'other.example.com' }));
    const { runs } = recordRun(file, sampleRun('4'));
    expect(runs.map(({ id, verdict, violations }) => [id, verdict, violations])).toEqual([
      ['1', 'fail', 1],
      ['4', 'pass', 0],
    ]);
    expect(runs[1]).toMatchObject({ requests: 5, partial: false, p50Ms: expect.closeTo(2, 0) });
  });

  test('tells of a run of load the percentile that it measured, not that of the few calls before it', () => {
    const { load } = sampleLoadRun(0);
    const { runs } = recordRun(freshFile(), { ...sampleRun('2'), load });
    expect(runs.map(({ p99Ms }) => p99Ms)).toEqual([(load as LoadPart).spike?.peak.p99Ms]);
  });

  test('replaces a run that is recorded again', () => {
    const file = freshFile();
    recordRun(file, sampleRun('1', { prints: ['aa', 'bb'] }));
    expect(recordRun(file, sampleRun('1')).runs).toMatchObject([{ id: '1', violations: 0 }]);
    const database = new DatabaseSync(file);
    expect(database.prepare('SELECT COUNT(*) AS n FROM findings').get()).toEqual({ n: 0 });
    database.close();
  });

  test('refuses a file that is something else', () => {
    const file = join(folder, 'text.db');
    writeFileSync(file, 'this is no database, and long enough to be told from an empty one'.repeat(20));
    expect(() => recordRun(file, sampleRun('1'))).toThrow(/not a database/);
  });
});

describe('flakiness', () => {
  const flaky = (...shapes: readonly Shape[]) => {
    const file = freshFile();
    return shapes.map((shape, at) => recordRun(file, sampleRun(String(at + 1), shape)).flaky).at(-1);
  };

  test('is what came and went, or went and came again, in runs that judged it', () => {
    expect(flaky({ prints: ['aa'] }, { prints: ['bb'] }, { prints: ['aa'] }, { prints: ['aa'] })).toEqual([
      { fingerprint: 'aa', clause: 'ERR-04', service: 'admin', operation: 'GET /a', cause: 'c', seen: 3, judged: 4 },
      { fingerprint: 'bb', clause: 'ERR-04', service: 'admin', operation: 'GET /a', cause: 'c', seen: 1, judged: 4 },
    ]);
  });

  test.each<[string, readonly Shape[]]>([
    ['always there', [{ prints: ['aa'] }, { prints: ['aa'] }]],
    ['new and stayed', [{}, { prints: ['aa'] }, { prints: ['aa'] }]],
    ['mended', [{ prints: ['aa'] }, { prints: ['aa'] }, {}]],
    ['not looked for', [{ prints: ['aa'] }, { tested: false }, { prints: ['aa'] }]],
    ['of other descriptions', [{ prints: ['aa'] }, { digest: 'old' }, { prints: ['aa'] }]],
    ['of a part of a run', [{ prints: ['aa'] }, { partial: true }, { prints: ['aa'] }]],
  ])('is not what was %s', (_name, shapes) => {
    expect(flaky(...shapes)).toEqual([]);
  });
});

const WRITER = `
const { recordRun } = await import(process.argv[1]);
const [, , file, prefix, count, report] = process.argv;
for (let at = 0; at < Number(count); at += 1) {
  const one = JSON.parse(report);
  recordRun(file, { ...one, run: { ...one.run, id: prefix + at } });
  if (at === 0) console.log('written');
}`;

function writer(file: string, prefix: string, count: number) {
  const args = [join(import.meta.dirname, 'record.ts'), file, prefix, String(count), JSON.stringify(sampleRun('1'))];
  return spawn(process.execPath, ['--input-type=module', '--eval', WRITER, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function count(file: string): unknown {
  const database = new DatabaseSync(file);
  try {
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    return database.prepare('SELECT COUNT(*) AS n FROM runs').get()?.n;
  } finally {
    database.close();
  }
}

describe('processes that write to one history', () => {
  test('lose nothing when they write at once', async () => {
    const file = freshFile();
    const ended = ['a', 'b'].map((prefix) => new Promise((done) => writer(file, prefix, 15).on('close', done)));
    expect(await Promise.all(ended)).toEqual([0, 0]);
    expect(count(file)).toBe(30);
  });

  test('leave it readable when one is killed', async () => {
    const file = freshFile();
    const process = writer(file, 'k', 100_000);
    await new Promise((done) => process.stdout.once('data', done));
    const closed = new Promise((done) => process.once('close', done));
    process.kill('SIGKILL');
    await closed;
    expect(count(file)).toBeGreaterThan(0);
    expect(recordRun(file, sampleRun('9')).runs.length).toBeGreaterThan(1);
  });
});

/** Runs 1 to 6, a second apart: those with even numbers on the branch cart. */
function history(): string {
  const file = freshFile();
  recordRuns(
    file,
    [1, 2, 3, 4, 5, 6].map((id) => ({
      report: sampleRun(String(id), { prints: ['aa'] }),
      revision: { branch: id % 2 === 0 ? 'cart' : 'main', commit: null },
    })),
  );
  return file;
}

const LATER = '2027-01-01T00:00:00.000Z';
const NEVER = (): boolean => false;

test('a run goes where it is old and beyond the count of its branch', () => {
  const file = history();
  expect(prunable(file, { newest: 1, before: LATER }, NEVER)).toEqual({
    runs: ['1', '2', '3', '4'],
    certified: 0,
    all: 6,
  });
  expect(prunable(file, { newest: 2, before: LATER }, NEVER).runs).toEqual(['1', '2']);
  expect(prunable(file, { newest: 1, before: '2026-01-01T00:00:03.000Z' }, NEVER).runs).toEqual(['1', '2']);
  expect(prunable(file, { newest: 3, before: LATER }, NEVER).runs).toEqual([]);
});

test('a certified run stays, whoever knows of it', () => {
  const file = history();
  recordCertificate(file, '1');
  const policy = { newest: 1, before: LATER };
  expect(prunable(file, policy, (run) => run === '2')).toEqual({ runs: ['3', '4'], certified: 2, all: 6 });
});

test('with a run goes all that is kept of it, and nothing of another', () => {
  const file = history();
  recordCertificate(file, '1');
  expect(removeRuns(file, ['1', '2', '3'])).toBeGreaterThanOrEqual(0);
  const rows = new HistoryRows(file);
  const everything = { host: null, branch: null, suite: null };
  expect(rows.runs(everything, 10).map(({ id }) => id)).toEqual(['6', '5', '4', '1']);
  expect(rows.clauses(['2', '3'])).toEqual([]);
  expect([rows.findings('2'), rows.operations('3')]).toEqual([[], []]);
  expect(rows.findings('4')).toHaveLength(1);
  rows.close();
});
