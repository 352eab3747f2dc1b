import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Announced,
  beginJournal,
  isToClean,
  JOURNAL_FILE,
  type JournalHead,
  openJournal,
  readJournal,
} from './journal.ts';

const HEAD: JournalHead = {
  run: 'run-7',
  startedAt: '2026-01-31T12:00:00.000Z',
  baseUrl: 'http://127.0.0.1:8080',
  config: 'assay.config.yaml',
};
const STORE: Announced = { service: 'admin', operation: 'POST /api/v1/stores', path: '/api/v1/stores', key: 'std-1' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const parts = () => readJournal(join(folder, JOURNAL_FILE));

describe('the journal', () => {
  it('holds a request before its answer, and what came of it after', async () => {
    const journal = await beginJournal(folder, HEAD);
    const [first, second] = [journal.intend(STORE), journal.intend({ ...STORE, mark: 'run-7-abcdef' })];
    expect(parts()).toMatchObject([{ head: HEAD, made: [], open: [STORE, { mark: 'run-7-abcdef' }] }]);
    journal.tell(first, { status: 201, made: '/api/v1/stores/1', undoable: true });
    journal.tell(second, { status: 400 });
    expect(parts()).toMatchObject([{ made: [{ path: '/api/v1/stores/1', undoable: true, isGone: false }], open: [] }]);
    journal.gone('/api/v1/stores/1');
    expect(parts().some(isToClean)).toBe(false);
  });

  it.each([
    ['no answer', [null], {}, 1],
    ['a failure of the server', [503], {}, 1],
    ['a failure and then a success, under no key', [500, 201], {}, 1],
    ['a failure and then a success, under one key', [500, 201], { idempotencyKey: 'k' }, 0],
    ['a refusal', [409], {}, 0],
  ])('counts a request as open after %s: %j %j', async (_what, statuses, changes, open) => {
    const journal = await beginJournal(folder, HEAD);
    const number = journal.intend({ ...STORE, ...changes });
    for (const status of statuses) journal.tell(number, { status });
    expect(parts()[0]?.open).toHaveLength(open);
  });

  it('knows what a list showed later of a success that named nothing', async () => {
    const journal = await beginJournal(folder, HEAD);
    const [first, second] = ['run-7-found', 'run-7-hidden'].map((mark) => journal.intend({ ...STORE, mark }));
    for (const number of [first, second]) journal.tell(number ?? 0, { status: 204, unnamed: '/api/v1/stores' });
    journal.settle('run-7-found', { path: '/api/v1/stores/1', undoable: true });
    journal.settle('run-7-hidden', null);
    expect(parts()[0]?.made.map(({ path, isNamed }) => [path, isNamed])).toEqual([
      ['/api/v1/stores', false],
      ['/api/v1/stores/1', true],
    ]);
  });

  it('is read though its last line was cut short', async () => {
    (await beginJournal(folder, HEAD)).intend(STORE);
    appendFileSync(join(folder, JOURNAL_FILE), '{"n":1,"stat');
    expect(parts()).toMatchObject([{ open: [STORE] }]);
  });

  it('is gone on with on a line of its own where the last one was cut short', async () => {
    const first = await beginJournal(folder, HEAD);
    first.tell(first.intend(STORE), { status: 201, made: '/api/v1/stores/1', undoable: true });
    first.close();
    appendFileSync(join(folder, JOURNAL_FILE), '{"n":1,"stat');
    openJournal(join(folder, JOURNAL_FILE), null).gone('/api/v1/stores/1');
    expect(parts()).toMatchObject([{ made: [{ isGone: true }], open: [] }]);
  });

  it('knows what a list showed later of requests that were not answered, in whatever part', async () => {
    const first = await beginJournal(folder, HEAD);
    for (const mark of ['run-7-made', 'run-7-nothing', 'run-7-unknown']) first.intend({ ...STORE, mark });
    const second = openJournal(join(folder, JOURNAL_FILE), { ...HEAD, run: 'run-8' });
    second.settle('run-7-made', { path: '/api/v1/stores/1', undoable: true });
    second.settle('run-7-nothing', null);
    expect(parts()).toMatchObject([
      { made: [{ path: '/api/v1/stores/1', undoable: true, isGone: false }], open: [{ mark: 'run-7-unknown' }] },
      { made: [], open: [] },
    ]);
    second.gone('/api/v1/stores/1');
    expect(parts()).toMatchObject([{ made: [{ isGone: true }] }, {}]);
  });

  it('counts what was sent many times as open until a list was read to its end', async () => {
    const journal = await beginJournal(folder, HEAD);
    journal.intend({ ...STORE, mark: 'run-7-many', isRepeated: true });
    for (const id of [1, 2]) journal.settle('run-7-many', { path: `/api/v1/stores/${id}`, undoable: true });
    expect(parts()).toMatchObject([{ made: [{}, {}], open: [{ mark: 'run-7-many' }] }]);
    journal.settle('run-7-many', null);
    expect(parts()).toMatchObject([{ made: [{}, {}], open: [] }]);
  });

  it('keeps of an earlier run in the folder what that may have left, and no more', async () => {
    const first = await beginJournal(folder, HEAD);
    for (const path of ['/api/v1/stores/gone', '/api/v1/stores/left'])
      first.tell(first.intend(STORE), { status: 201, made: path, undoable: true });
    first.tell(first.intend(STORE), { status: 201, unnamed: '/api/v1/stores' });
    first.tell(first.intend(STORE), { status: 400 });
    first.intend({ ...STORE, mark: 'run-7-abcdef' });
    first.gone('/api/v1/stores/gone');
    first.close();
    await beginJournal(folder, { ...HEAD, run: 'run-8' });
    expect(parts()).toMatchObject([
      {
        head: HEAD,
        made: [
          { path: '/api/v1/stores/left', isNamed: true, undoable: true },
          { path: '/api/v1/stores', isNamed: false },
        ],
        open: [{ mark: 'run-7-abcdef' }],
      },
      { head: { run: 'run-8' }, made: [], open: [] },
    ]);
    await beginJournal(folder, { ...HEAD, run: 'run-9' });
    expect(parts().map(({ head }) => head.run)).toEqual(['run-7', 'run-9']);
  });

  it('holds no secret that is known', async () => {
    const journal = await beginJournal(folder, HEAD, (text) => text.replaceAll('secret-of-mine', '[redacted]'));
    journal.intend({ ...STORE, path: '/api/v1/stores/secret-of-mine/domains' });
    expect(parts()[0]?.open[0]?.path).toBe('/api/v1/stores/[redacted]/domains');
  });

  it('writes nothing more once it is closed', async () => {
    const journal = await beginJournal(folder, HEAD);
    journal.close();
    journal.intend(STORE);
    expect(readFileSync(join(folder, JOURNAL_FILE), 'utf8').trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('a file that no run wrote', () => {
  it.each([
    ['a line of a later version', `{"journal":2}\n`, /:1 is no line of a journal/],
    [
      'a path that is none',
      `${JSON.stringify({ journal: 1, ...HEAD })}\n{"n":1,"made":"http://elsewhere/"}\n`,
      /:2 is/,
    ],
    ['notes', 'remember the milk\n', /is no journal of a run/],
  ])('is refused, and not written over: %s', async (_what, text, why) => {
    const file = join(folder, JOURNAL_FILE);
    appendFileSync(file, text);
    expect(() => parts()).toThrow(why);
    await expect(beginJournal(folder, HEAD)).rejects.toThrow(file);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
