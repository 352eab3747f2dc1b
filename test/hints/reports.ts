// Messages about earlier runs: their reports, their journals, the history.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Report } from '../../src/contract/report.ts';
import { configured, type HintCase, PETS } from './case.ts';

const RIGHT = configured();
const DELETABLE = JSON.stringify({
  ...JSON.parse(PETS),
  paths: {
    '/pets': { post: { responses: { 201: { description: 'made' } } } },
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      delete: { responses: { 204: { description: 'gone' } } },
    },
  },
});
const PRINT = '3f9c1d2e4b5a6078';

/** Changes the report of the recorded run. */
const recordedWith =
  (change: (report: Report) => unknown, to = 'main') =>
  (folder: string): void => {
    const report = JSON.parse(readFileSync(join(folder, 'reports/main/report.json'), 'utf8')) as Report;
    mkdirSync(join(folder, 'reports', to), { recursive: true });
    writeFileSync(join(folder, 'reports', to, 'report.json'), JSON.stringify(change(report)));
  };
const found = (change: object) =>
  recordedWith((report) => {
    const [first] = report.findings;
    return { ...report, findings: [{ ...first, fingerprint: PRINT, ...change }] };
  });
const shard = (index: number, to: string, more: object = {}) =>
  recordedWith((report) => ({ ...report, run: { ...report.run, shard: { index, count: 2 }, ...more } }), to);
const all =
  (...steps: readonly ((folder: string) => void)[]) =>
  (folder: string): void => {
    for (const step of steps) step(folder);
  };
const repository = (folder: string): void => {
  execFileSync('git', ['init', '--quiet', folder], { stdio: 'ignore' });
};
/** The journal of a run that made one pet and did not delete it. */
const journalOn = (baseUrl: string): string =>
  [
    { journal: 1, run: '20260131-120000-9f3a2b', startedAt: '2026-01-31T12:00:00.000Z', baseUrl, config: null },
    { n: 1, service: 'pets', operation: 'POST /pets', path: '/pets', key: 'one', mark: '20260131-120000-9f3a2b-a' },
    { n: 1, status: 201, made: '/pets/pet_1', undoable: true },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

/** The history of the recorded run and an older one; to remove a run from it fails. */
function historyThatRefuses(folder: string): void {
  const database = new DatabaseSync(join(folder, 'reports', 'history.db'));
  const columns = database.prepare('SELECT * FROM runs').columns();
  const names = columns.map(({ name }) => name).filter((name) => name !== 'id' && name !== 'started_at');
  const copied = [`'older'`, `'2026-01-31T12:00:00.000Z'`, ...names].join(', ');
  database.exec(`INSERT INTO runs (id, started_at, ${names.join(', ')}) SELECT ${copied} FROM runs;
    CREATE TRIGGER full BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  database.close();
}

export const REPORTS: readonly HintCase[] = [
  { line: 'report', says: 'no run is named', hint: 'name a run folder' },
  { line: 'report reports/main reports/main', says: '2 runs are named', hint: '--merge' },
  { line: 'report none', says: 'none does not exist', hint: 'name a run folder' },
  { line: 'report a', files: { 'a/b': '' }, says: 'a is the folder of no run', hint: 'holds a report.json' },
  { line: 'report a', files: { a: '{}' }, says: 'a is no report', hint: 'that this version of assay wrote' },
  { line: 'report --key a', says: '--key, --subject and --require go with --verify', hint: 'assay report --verify' },
  { line: 'report a b --export k6', says: '--export writes the tests of one run', hint: '--export k6' },
  { line: 'report --serve a', says: 'a is named', hint: 'leave the run away' },
  { line: 'report a --port 1', says: '--port and --open go with --serve', hint: 'assay report --serve' },
  { line: 'report --verify', says: '--verify looks at one folder', hint: 'assay report --verify' },
  { line: 'report --verify none', says: 'none is no folder', hint: '`assay certify`' },
  { line: 'report --verify a', files: { 'a/b': '' }, says: 'no certificate in a', hint: 'assay certify' },
  {
    line: 'report --verify a --key none',
    files: { 'a/b': '' },
    says: '--key: none cannot be read',
    hint: 'public key',
  },
  {
    line: 'report --verify a --key a/b',
    files: { 'a/b': '' },
    says: 'a/b is no Ed25519 public key',
    hint: 'public key',
  },
  { line: 'report --diff a', says: '--diff compares two runs', hint: 'assay report --diff' },
  { line: 'report --serve', says: 'there is no history at', hint: '--history' },
  { line: 'report --merge', says: 'no run is named', hint: 'name a run folder' },
  { line: 'report --merge reports/main', says: 'is no shard', hint: '--shard' },
  {
    line: 'report --merge reports/one reports/one',
    prepare: shard(1, 'one'),
    says: 'shard 1 is given twice',
    hint: 'each shard once',
  },
  {
    line: 'report --merge reports/one reports/two',
    prepare: all(shard(1, 'one'), shard(2, 'two', { seed: 2 })),
    says: 'are not parts of one: seed 1, not seed 2',
    hint: 'parts share',
  },
  { line: 'report reports/main --out a', code: 3, files: { a: '' }, says: 'cannot be written', hint: '--out' },
  {
    line: 'conform --resume reports/main --seed 2 --embedded',
    says: '--resume: that run had --seed 1',
    hint: 'same options',
  },
  {
    line: 'conform --resume reports/main --embedded',
    prepare: (folder) => rmSync(join(folder, 'reports/main/performed.txt')),
    says: 'performed.txt cannot be read',
    hint: 'name a whole run folder',
  },
  { line: 'conform --resume reports/main --embedded', says: 'had other operations or clauses', hint: 'start anew' },
  { line: `conform --replay ${PRINT}`, says: 'there is no report below reports/', hint: '--from' },
  {
    line: `conform --replay ${PRINT} --from reports/main`,
    says: `finding ${PRINT} is not in reports/main`,
    hint: '--from',
  },
  {
    line: `conform --replay ${PRINT} --from reports/main`,
    prepare: found({ experiments: undefined }),
    says: 'an earlier version wrote',
    hint: 'run assay conform once more',
  },
  {
    line: `conform --replay ${PRINT} --from reports/main`,
    files: RIGHT,
    prepare: found({}),
    says: 'this run would look at',
    hint: '--embedded',
  },
  {
    line: `conform --replay ${PRINT} --from reports/main --embedded`,
    prepare: found({ operation: 'GET /gone' }),
    says: 'the finding is on GET /gone',
    hint: 'the configuration of the run',
  },
  {
    line: 'conform --changed-since nowhere',
    files: RIGHT,
    prepare: repository,
    says: 'git knows no revision nowhere',
    hint: 'git fetch --unshallow',
  },
  { line: 'clean --run none', says: 'none does not exist', hint: 'name a run folder' },
  {
    line: 'clean --run a',
    files: { a: '{"journal":9}\n' },
    says: 'a:1 is no line of a journal',
    hint: 'created.jsonl',
  },
  { line: 'clean --run a', files: { a: '' }, says: 'a is no journal of a run', hint: 'created.jsonl' },
  {
    line: 'clean --run a',
    files: { ...RIGHT, a: journalOn('http://127.0.0.1:8') },
    says: 'created on http://127.0.0.1:8',
    hint: '--base-url',
  },
  {
    line: 'clean --run a',
    files: { ...configured('mutations: deny'), a: journalOn('http://127.0.0.1:9') },
    says: 'mutations are denied',
    hint: '`mutations: allow`',
  },
  {
    line: 'clean --run a',
    code: 3,
    files: { ...RIGHT, 'pets.json': DELETABLE, a: journalOn('http://127.0.0.1:9') },
    says: 'the target stopped answering: connect ECONNREFUSED',
    hint: 'for the rest',
  },
  {
    line: 'conform --resume reports/main --embedded --operation "* /api/v1/stores*"',
    prepare: recordedWith((report) => ({ ...report, tool: { ...report.tool, version: '0.0.9' } })),
    says: 'had assay 0.0.9',
    hint: 'the same version of assay',
  },
  {
    line: 'report --prune --keep-runs 1 --keep-days 0 --history reports/history.db',
    code: 3,
    prepare: historyThatRefuses,
    says: 'cannot be pruned: database or disk is full',
    hint: 'free some room',
  },
];
