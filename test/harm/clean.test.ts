// `assay clean`, as a command: it finishes what a run could not delete, from what that wrote down before it sent.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type Announced, JOURNAL_FILE, openJournal } from '../../src/run/books/journal.ts';
import { type Ground, newGround, performAssay, runAssay, startAssay } from '../interrupting.ts';
import { warmAssay } from '../warm/warm.ts';
import { type HarmedTarget, startTarget, type TargetOptions } from './target.ts';

const RUN = 'reports/night';

let ground: Ground;
let target: HarmedTarget;
beforeEach(() => {
  ground = newGround();
});
afterEach(async () => {
  await target?.stop();
  ground.remove();
});

const warm = warmAssay();
afterAll(() => warm.end());

const clean = (...args: readonly string[]) => performAssay(warm, ground, ['clean', '--run', RUN, ...args]);
const deletes = () => target.seen.filter(({ method }) => method === 'DELETE').length;

/** A target whose configuration lies where the command is started. */
async function begin(options: TargetOptions): Promise<void> {
  target = await startTarget({ ...options, folder: ground.cwd });
}

const NAMES = ['one', 'two', 'three'] as const;
const BY: Omit<Announced, 'operation' | 'path'> = { service: 'things', key: 'main' };

/** A run that made three pets and was ended before it deleted any; the paths, in the order made. */
function leftByRun(embedded = false): readonly string[] {
  const folder = join(ground.cwd, RUN);
  mkdirSync(folder, { recursive: true });
  const head = { run: 'night', startedAt: '2026-01-31T12:00:00.000Z', baseUrl: target.baseUrl };
  const told = { ...head, config: 'assay.config.yaml', ...(embedded ? { embedded: true as const } : {}) };
  const journal = openJournal(join(folder, JOURNAL_FILE), told);
  const paths = NAMES.map((name) => {
    const made = target.put('pets', name);
    const number = journal.intend({ ...BY, operation: 'POST /pets', path: '/pets' });
    journal.tell(number, { status: 201, made, undoable: true });
    return made;
  });
  journal.close();
  return paths;
}

const appendToJournal = (text: string): void => appendFileSync(join(ground.cwd, RUN, JOURNAL_FILE), text);

test('what a run that is killed made is deleted, and nothing else; a second time nothing is left to do', async () => {
  await begin({ collections: { pets: 'gone', toys: 'gone' } });
  const run = startAssay(ground, ['conform', '--config', 'assay.config.yaml', '--out', RUN, '--quiet']);
  const madeEnough = (): boolean => target.seen.filter(({ method }) => method === 'POST').length > 25;
  while (!madeEnough() || Object.values(target.left()).flat().length < 3) await new Promise(setImmediate);
  run.child.kill('SIGKILL');
  await run.ended;
  expect(Object.values(target.left()).flat().length).toBeGreaterThan(0);
  expect(await runAssay(ground, ['clean', '--run', RUN, '--json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"left":[],"unknown":[]'),
  });
  expect(target.left()).toEqual({ pets: [], toys: [] });
  expect(target.isUntouched()).toBe(true);
  const sent = target.seen.length;
  expect(await clean()).toEqual({ code: 0, stdout: '', stderr: 'assay: 0 objects deleted, nothing is left\n' });
  expect(target.seen).toHaveLength(sent);
});

test('objects are deleted in the reverse order, each once, under the key that they were made with', async () => {
  await begin({ collections: { pets: 'gone' } });
  const paths = leftByRun();
  expect(await clean()).toEqual({ code: 0, stdout: '', stderr: 'assay: 3 objects deleted, nothing is left\n' });
  const sent = target.seen.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
  expect(sent).toEqual(paths.toReversed());
  expect(target.isUntouched()).toBe(true);
});

test('what somebody else has deleted meanwhile is done', async () => {
  await begin({ collections: { pets: 'gone' } });
  for (const path of leftByRun().slice(0, 2)) target.take(path);
  expect(await clean()).toMatchObject({ code: 0, stdout: '' });
  expect(target.left()).toEqual({ pets: [] });
});

test.each([
  ['refused', 'its DELETE is answered 405'],
  ['kept', 'its DELETE is answered 204, and it can still be read'],
] as const)('what stays though it is deleted (%s) is listed with the reason, and ends with 1', async (how, reason) => {
  await begin({ collections: { pets: how } });
  const paths = leftByRun();
  const { code, stdout, stderr } = await clean();
  expect(code).toBe(1);
  const ids = paths.map((path) => path.split('/').at(-1));
  expect(stdout).toBe(
    ids
      .toReversed()
      .map((id) => `left: POST /pets → ${id}: ${reason}\n`)
      .join(''),
  );
  expect(stderr).toBe('assay: 0 objects deleted, 3 objects left\n');
});

test('a key that the target does not take leaves all as it is, and the command can be given again', async () => {
  await begin({ collections: { pets: 'gone' } });
  leftByRun();
  const file = join(ground.cwd, 'assay.config.yaml');
  const right = readFileSync(file, 'utf8');
  writeFileSync(file, right.replace(/token: [\w-]+/, 'token: quite-another-token'));
  const { code, stdout } = await clean();
  expect(code).toBe(1);
  expect(stdout.match(/^left: POST \/pets → pets-\d+: its DELETE is answered 401$/gm)).toHaveLength(3);
  writeFileSync(file, right);
  expect((await clean()).code).toBe(0);
  expect(target.left()).toEqual({ pets: [] });
});

test('a target that does not answer ends it with 3 and one clear line, and nothing is marked as gone', async () => {
  await begin({ collections: { pets: 'gone' } });
  leftByRun();
  const before = readFileSync(join(ground.cwd, RUN, JOURNAL_FILE), 'utf8');
  const config = readFileSync(join(ground.cwd, 'assay.config.yaml'), 'utf8');
  // Nobody listens on port 1.
  const nowhere = 'http://127.0.0.1:1';
  writeFileSync(join(ground.cwd, 'assay.config.yaml'), config.replace(target.baseUrl, nowhere));
  const { code, stdout, stderr } = await clean('--base-url', nowhere);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/^assay: .*127\.0\.0\.1:1.*\n {2}hint: .*give the command again.*\n$/);
  expect(readFileSync(join(ground.cwd, RUN, JOURNAL_FILE), 'utf8')).toBe(before);
});

test('a journal that was cut in its last line is read up to there', async () => {
  await begin({ collections: { pets: 'gone' } });
  leftByRun();
  appendToJournal('{"n":4,"operation":"POST /pets","pa');
  expect(await clean()).toMatchObject({ code: 0, stdout: '' });
  expect(target.left()).toEqual({ pets: [] });
  expect(deletes()).toBe(3);
  expect((await clean()).stderr).toBe('assay: 0 objects deleted, nothing is left\n');
});

test('another target than that of the run is cleaned only where it is named', async () => {
  await begin({ collections: { pets: 'gone' } });
  leftByRun();
  const file = join(ground.cwd, RUN, JOURNAL_FILE);
  writeFileSync(file, readFileSync(file, 'utf8').replace(target.baseUrl, 'https://shop.example.com'));
  const { code, stderr } = await clean();
  expect(code).toBe(2);
  expect(stderr).toContain('run night created on https://shop.example.com, and the configuration names');
  expect(target.seen).toEqual([]);
  expect((await clean('--base-url', target.baseUrl)).code).toBe(0);
  expect(target.left()).toEqual({ pets: [] });
});

test('where mutations are denied nothing is sent', async () => {
  await begin({ collections: { pets: 'gone' }, configuration: ['mutations: deny'] });
  leftByRun();
  const { code, stderr } = await clean();
  expect([code, stderr]).toEqual([2, expect.stringContaining('mutations are denied')]);
  expect(target.seen).toEqual([]);
});

test('of the embedded platform nothing is left: it ended with the run', async () => {
  await begin({ collections: { pets: 'gone' } });
  leftByRun(true);
  expect(await clean()).toMatchObject({ code: 0, stdout: '' });
  expect(target.seen).toEqual([]);
});

test.each([
  ['that is not there', () => {}, 'reports/night does not exist'],
  [
    'of no run',
    (run: string) => mkdirSync(run, { recursive: true }),
    'reports/night is the folder of no run: it holds no created.jsonl',
  ],
  [
    'whose journal is none',
    (run: string) => {
      mkdirSync(run, { recursive: true });
      writeFileSync(join(run, JOURNAL_FILE), 'not a journal\n\u0000[]\n{"journal":2}\n');
    },
    'created.jsonl:3 is no line of a journal of this version',
  ],
])('a folder %s ends it with 2 and one clear line', async (_what, make, told) => {
  const run = join(ground.cwd, RUN);
  make(run);
  const { code, stdout, stderr } = await clean();
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.split('\n')).toEqual([expect.stringContaining(told), expect.stringMatching(/^ {2}hint: /), '']);
  if (existsSync(run)) expect(existsSync(join(run, JOURNAL_FILE))).toBe(told.includes('created.jsonl:3'));
});
