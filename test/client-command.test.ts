// `assay client` as people run it: the example clients in three languages, its files and exit codes.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CLAUSES } from '../src/contract/clauses.ts';
import type { Report } from '../src/contract/report.ts';
import { LEAN_BUILD } from '../src/load/k6/provide.ts';
import { COMPILED } from './compiled.ts';
import { GO, PYTHON } from './languages.ts';
import { isNightly, shareDue } from './programme.ts';
import { ROOT } from './root.ts';
import { warmAssay } from './warm/warm.ts';

/** At night: a client is started for each scenario, and Go's own library has to be compiled. By day the right one in TypeScript stands for all. */
const OTHERS = isNightly ? [PYTHON, GO] : [];
const PYTHON_DUE = OTHERS.filter((one) => one === PYTHON).map(({ suites }) => suites);
const GO_DUE = OTHERS.filter((one) => one === GO).map(({ suites }) => suites);

const BIN = join(ROOT, 'bin', 'assay.js');
const EXAMPLES = join(ROOT, 'examples', 'clients');
const folder = mkdtempSync(join(tmpdir(), 'assay-clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENV = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...COMPILED };

/** By a process that is kept for it; those that are performed at once have one each. */
async function client(...args: readonly string[]) {
  const warm = warmAssay();
  return warm.perform({ argv: ['client', ...args], cwd: folder, env: ENV }).finally(() => warm.end());
}

function reportIn(out: string): Report {
  return JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8'));
}

function statuses({ clauses }: Report): Readonly<Record<string, string>> {
  const own = clauses.filter(({ id }) => id.startsWith('CLIENT-'));
  return Object.fromEntries(own.map(({ id, status }) => [id, status]));
}

const IDS = CLAUSES.filter(({ family }) => family === 'CLIENT').map(({ id }) => id);
/** A client is started for each scenario: by day those of some clauses, others on each of eight days. */
const DUE = shareDue(IDS, 8);
const ALL_PASS = Object.fromEntries(IDS.map((id) => [id, 'pass']));

/** The client's exit code and the clauses that it breaks; the report holds all eleven. */
async function judged(out: string, ...command: readonly string[]) {
  const { code } = await client('--out', out, '--quiet', '--', ...command);
  const rows = statuses(reportIn(out));
  return { code, rows, failed: Object.keys(rows).filter((id) => rows[id] === 'fail') };
}

function clauses(...numbers: readonly string[]): readonly string[] {
  return numbers.map((number) => `CLIENT-${number}`);
}

// Side by side: they wait most of the time.
describe.concurrent('the example clients', () => {
  describe('in TypeScript', () => {
    test('are right: exit 0, all files, every clause holds', async () => {
      const asked = DUE.flatMap((id) => ['--clause', id]);
      const right = ['--', process.execPath, join(EXAMPLES, 'right.ts')];
      const { code, out } = await client('--out', 'right', '--json', ...asked, ...right);
      const report = reportIn('right');
      expect(DUE.map((id) => [id, statuses(report)[id]])).toEqual(DUE.map((id) => [id, 'pass']));
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ verdict: 'pass', failed: [] });
      expect(report.clauses).toHaveLength(CLAUSES.length);
      const files = globSync('*', { cwd: join(folder, 'right') });
      for (const name of ['index.html', 'junit.xml', 'results.sarif', 'summary.md']) expect(files).toContain(name);
      expect(readFileSync(join(folder, 'right', 'summary.md'), 'utf8')).not.toContain('--replay');
    });

    // By day test/clients.test.ts has every kind of wrong client, in memory.
    if (isNightly)
      test('and wrong: exit 1', async () => {
        const { code, failed } = await judged('wrong', process.execPath, join(EXAMPLES, 'wrong.ts'));
        expect(code).toBe(1);
        expect(failed).toEqual(clauses('01', '02', '03', '04', '05', '06', '07', '09', '10', '11'));
      });
  });

  describe.skipIf(PYTHON.missing !== null).each(PYTHON_DUE)('%s', () => {
    test('are right', async () => {
      const { code, rows } = await judged('python-right', 'python3', join(EXAMPLES, 'right.py'));
      expect(rows).toEqual(ALL_PASS);
      expect(code).toBe(0);
    });

    test('and wrong', async () => {
      const { code, failed } = await judged('python-wrong', 'python3', join(EXAMPLES, 'wrong.py'));
      expect(code).toBe(1);
      expect(failed).toEqual(clauses('03', '04', '06', '07', '09', '10', '11'));
    });
  });

  describe.skipIf(GO.missing !== null).each(GO_DUE)('%s', () => {
    function built(name: string): string {
      const path = join(folder, `${name}.bin`);
      // As k6 is built: what both need of Go's library is compiled once.
      const args = ['build', ...LEAN_BUILD.flags, '-o', path, join(EXAMPLES, name, 'main.go')];
      const { status, stderr } = spawnSync('go', args, { env: { ...process.env, ...LEAN_BUILD.env } });
      if (status !== 0) throw new Error(`${name} cannot be built: ${stderr}`);
      return path;
    }

    test('are right', async () => {
      const { code, rows } = await judged('go-right', built('go-right'));
      expect(rows).toEqual(ALL_PASS);
      expect(code).toBe(0);
    });

    test('and wrong', async () => {
      const { code, failed } = await judged('go-wrong', built('go-wrong'));
      expect(code).toBe(1);
      expect(failed).toEqual(clauses('01', '02', '03', '04', '05', '06', '07', '10', '11'));
    });
  });
});

describe('a command', () => {
  test('that sends nothing leaves no verdict: exit 3', async () => {
    const { code, out } = await client('--out', 'silent', '--', 'true');
    expect(code).toBe(3);
    expect(out).toContain('the command sent nothing: it ended with 0');
    expect(reportIn('silent').verdict).toBe('none');
  });

  test('is found beside where it is named, and runs in a folder of its own', async () => {
    mkdirSync(join(folder, 'mine'));
    const script = `const fs = require('node:fs'); if (fs.readdirSync('.').length > 0) process.exit(1);
      fs.writeFileSync('made.txt', 'x');
      fetch(process.env.ASSAY_BASE_URL + '/api/v1/stores/' + process.env.ASSAY_STORE_ID, { headers: {
        authorization: 'Bearer ' + process.env.ASSAY_TOKEN, 'content-type': 'application/json' } })`;
    writeFileSync(join(folder, 'mine', 'client.cjs'), script);
    const narrow = ['--out', 'mine/out', '--clause', 'CLIENT-09'];
    const { code } = await client(...narrow, '--', process.execPath, 'mine/client.cjs');
    expect(code).toBe(0);
    expect(reportIn('mine/out').target.client).toContain('mine/client.cjs');
    expect(globSync('**/made.txt', { cwd: folder })).toEqual([]);
  });

  test('is ended with the run at Ctrl-C, and a report is written', async () => {
    const args = ['client', '--out', 'stopped', '--', process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: folder,
      env: ENV,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const closed = once(child, 'close');
    await once(child.stderr, 'data');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    child.kill('SIGINT');
    expect(await closed).toEqual([3, null]);
    expect(reportIn('stopped')).toMatchObject({ verdict: 'none', run: { partial: true, command: 'client' } });
  });

  test.each([
    [['--clause', 'ERR-04', '--', 'true'], 'assay client judges CLIENT-01'],
    [[], "missing required argument 'command'"],
    [['--service', 'nowhere', '--', 'true'], 'no service is named "nowhere"'],
  ])('%j is wrong usage: exit 2', async (args, message) => {
    const { code, told } = await client(...args);
    expect(code).toBe(2);
    expect(told).toContain(message);
  });
});
