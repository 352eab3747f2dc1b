// A client's command may hang, fork, flood and leak: it ends with its group, and nothing of it is held.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../clock/system.ts';
import { type CommandOptions, MAX_OUTPUT_BYTES, runCommand } from './command.ts';
import { leaksInFiles } from './leaks.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = { token: 'c2lnbmF0dXJlLW9mLXRoZS10b2tlbg', message: 'a3f09bd1c2e84f5a' };
const SOUGHT = { token: [SECRET.token], message: [SECRET.message] };

function run(script: string, changes: Partial<CommandOptions> = {}) {
  return runCommand({
    ...{ command: [process.execPath, '-e', script], folder, env: { PATH: process.env.PATH }, clock: systemClock },
    ...{ limitMs: 50_000, stop: new AbortController().signal, enough: new AbortController().signal },
    ...{ sought: SOUGHT, ids: [], mark: 'a mark that nothing else has' },
    ...changes,
  });
}

describe('a command', () => {
  it('that ends by itself tells its code, the end of its errors, and the lines that are ids', async () => {
    const script =
      'console.log("id_1\\nid_2\\r\\nother\\nid_1"); process.stdout.write("id_3"); console.error("oh"); process.exit(7)';
    const told = await run(script, { ids: ['id_1', 'id_2', 'id_3', 'id_4'] });
    expect(told).toMatchObject({ ending: 'exited', exitCode: 7, ended: 'it ended with 7', errors: 'oh\n', leaks: [] });
    expect(Object.fromEntries(told.printed)).toEqual({ id_1: 2, id_2: 1, id_3: 1 });
  });

  it('that cannot be started says so', async () => {
    const told = await run('', { command: ['no-such-program'] });
    expect(told).toMatchObject({ ending: 'not-started', ended: 'no-such-program cannot be run (ENOENT)' });
  });

  it('that is ended by a signal says so', async () => {
    expect(await run('process.kill(process.pid, "SIGSEGV")')).toMatchObject({ ending: 'signal', exitCode: null });
  });

  it('that ignores SIGTERM is killed when its time is up', async () => {
    const told = await run('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', { limitMs: 1500 });
    expect(told).toMatchObject({ ending: 'limit', ended: 'it was ended by SIGKILL' });
  });

  it('ends with the whole run', async () => {
    const stop = new AbortController();
    const running = run('setInterval(() => {}, 1000)', { stop: stop.signal });
    stop.abort();
    expect((await running).ending).toBe('stopped');
    expect((await run('setInterval(() => {}, 1000)', { stop: stop.signal })).ending).toBe('stopped');
  });

  it('takes what it forked with it', async () => {
    const pids = join(folder, 'pids');
    const script = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, String(child.pid));
      process.exit(0)`;
    expect((await run(script)).ending).toBe('exited');
    const pid = Number(readFileSync(pids, 'utf8'));
    while (isAlive(pid)) await systemClock.sleep(20);
  });

  it('takes a daemon with it, which has a session of its own', async () => {
    const pids = join(folder, 'daemons');
    const mark = `mark-${process.pid}-${folder}`;
    const script = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
      child.unref();
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, String(child.pid));`;
    const told = await run(script, { env: { PATH: process.env.PATH, ASSAY_TOKEN: mark }, mark });
    const pid = Number(readFileSync(pids, 'utf8'));
    if (process.platform === 'linux') {
      expect(told).toMatchObject({ ending: 'exited', leftBehind: 1 });
      while (isAlive(pid)) await systemClock.sleep(20);
    } else process.kill(pid, 'SIGKILL');
  });

  it('that floods its output is ended', async () => {
    const script =
      'const piece = Buffer.alloc(1 << 20, "x"); const go = () => { while (process.stdout.write(piece)); process.stdout.once("drain", go) }; go()';
    expect((await run(script)).ending).toBe('flooded');
    expect(MAX_OUTPUT_BYTES).toBeGreaterThan(100 * 1024 * 1024);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended and was not yet waited for answers, too.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('what must not be written', () => {
  it.each([
    ['stdout', 'token', `console.log("x".repeat(300000) + "${SECRET.token}")`],
    ['stderr', 'message', `console.error("mail a.${SECRET.message}@example.org")`],
    ['stderr', 'token', `console.error(Buffer.from("user:${SECRET.token}").toString("base64"))`],
    ['stdout', 'token', `process.stdout.write(Buffer.from("${SECRET.token}", "utf16le"))`],
    ['stderr', 'token', `console.error(Buffer.from("${SECRET.token}").toString("hex"))`],
  ])('is found in %s: %s', async (where, of, script) => {
    expect((await run(script)).leaks).toEqual([{ of, where }]);
  });

  it('is found across pieces of a stream', async () => {
    const half = SECRET.token.length / 2;
    const script = `process.stdout.write("${SECRET.token.slice(0, half)}", () => setTimeout(() => process.stdout.write("${SECRET.token.slice(half)}"), 100))`;
    expect((await run(script)).leaks).toEqual([{ of: 'token', where: 'stdout' }]);
  });

  it('is found in files, and links are not followed', async () => {
    const own = mkdtempSync(join(folder, 'files-'));
    await run(
      `const fs = require('node:fs'); fs.mkdirSync('logs');
      fs.writeFileSync('logs/client.log', 'x'.repeat(262140) + '${SECRET.token}');
      fs.symlinkSync('logs', 'again'); fs.symlinkSync('/', 'root')`,
      { folder: own },
    );
    expect(await leaksInFiles(own, SOUGHT)).toEqual([{ of: 'token', where: join('logs', 'client.log') }]);
    writeFileSync(join(own, 'logs', 'client.log'), 'nothing');
    expect(await leaksInFiles(own, SOUGHT)).toEqual([]);
  });
});
