import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleRun } from '../../../test/support/run/sample-run.ts';
import { recordRun } from '../../run/history/record.ts';
import { HistoryRows } from '../../run/history/rows.ts';
import { historyServer } from './history.ts';

const BIN = join(import.meta.dirname, '..', '..', '..', 'bin', 'assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-serve-'));
const file = join(folder, 'history.db');
recordRun(file, sampleRun('1'));
const rows = new HistoryRows(file);
const app = historyServer(rows);
afterAll(async () => {
  await app.close();
  rows.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the server of the history', () => {
  test.each(['127.0.0.1:8080', 'localhost', '[::1]:80'])('answers where it is called %s', async (host) => {
    const { statusCode, headers } = await app.inject({ url: '/', headers: { host } });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'a@b'])(
    'refuses whoever calls it "%s": a name that was pointed here',
    async (host) => {
      const { statusCode, body } = await app.inject({ url: '/', headers: { host } });
      expect([statusCode, body.includes('<')]).toEqual([421, false]);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('has nothing for %s', async (method) => {
    expect((await app.inject({ method, url: '/', headers: { host: 'localhost' } })).statusCode).toBe(404);
  });

  test('links a run to its report where that lies beside the history, and shows nothing else of the folder', async () => {
    const of = (url: string) => app.inject({ url, headers: { host: 'localhost' } });
    expect((await of('/')).body).not.toContain('/reports/1/');
    mkdirSync(join(folder, '1', 'evidence'), { recursive: true });
    writeFileSync(join(folder, '1', 'index.html'), '<p>the report</p>');
    writeFileSync(join(folder, '1', 'evidence', 'a.html'), '<p>evidence</p>');
    writeFileSync(join(folder, '1', 'report.json'), '{}');
    expect((await of('/')).body).toContain('href="/reports/1/index.html"');
    expect((await of('/reports/1/index.html')).body).toBe('<p>the report</p>');
    expect((await of('/reports/1/evidence/a.html')).body).toBe('<p>evidence</p>');
    for (const other of ['1/report.json', '1/..%2fhistory.db', '..%2f1/index.html', '2/index.html'])
      expect((await of(`/reports/${other}`)).statusCode).toBe(404);
  });

  test('says no word of an address that it does not know', async () => {
    const { statusCode, body } = await app.inject({ url: '/<b>', headers: { host: 'localhost' } });
    expect([statusCode, body]).toEqual([404, 'There is no such page.\n']);
  });
});

test('Ctrl-C ends it, and that is no failure', async () => {
  const child = spawn(process.execPath, [BIN, 'report', '--serve', '--history', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line));
  expect((await fetch(url)).status).toBe(200);
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
