// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax under test
// The command as people run it: its exit code, what stands on stdout and stderr. One process performs what needs none of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPILED } from '../../../test/compiled.ts';
import { oneDue } from '../../../test/programme.ts';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { warmAssay } from '../../../test/warm/warm.ts';
import { loadConfig } from '../../config/load.ts';
import type { Report } from '../../contract/report.ts';

const BIN = join(import.meta.dirname, '..', '..', '..', 'bin', 'assay.js');
const SPECS = join(import.meta.dirname, '..', '..', '..', 'specs');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function assay(cwd: string, ...args: readonly string[]): Promise<Ended> {
  return assayWith({}, cwd, args);
}

const warm = warmAssay();
afterAll(() => warm.end());

async function assayWith(more: NodeJS.ProcessEnv, cwd: string, argv: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ASSAY_CACHE: 'off', ...more };
  const { code, out, told } = await warm.perform({ argv, cwd, env });
  return { code, stdout: out, stderr: told };
}

function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** A target that only counts. */
let received = 0;
const target = createServer((_request, response) => {
  received += 1;
  response.end('hello');
});
let baseUrl = '';
beforeAll(async () => {
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  baseUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
});
afterAll(() => {
  target.close();
});

test('a defect that nothing waits for ends without a verdict, in one sentence', async () => {
  const boom = `process.on('newListener', (event) => {
    if (event === 'uncaughtException') setImmediate(() => { throw new Error('boom'); });
  })`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(boom)}`, BIN, 'platform', '--port', '0'];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...COMPILED },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(code).toBe(3);
  expect(stderr).toBe('assay: boom (a defect of assay, not of the target; ASSAY_DEBUG=1 shows where)\n');
});

describe('what a run cannot start with ends with exit 2, and nothing is written', () => {
  test.each([
    [
      'an invalid configuration',
      { 'assay.config.json': '{"target": {"baseUrl": "nowhere"}, "kees": []}' },
      /target\.baseUrl: expected .*\n.*kees: unknown key|kees: unknown key \(did you mean "keys"\?\)/,
    ],
    [
      'an unset variable',
      { 'assay.config.yaml': 'target: { baseUrl: "${ASSAY_NO_SUCH}" }' },
      /target\.baseUrl: the environment variable ASSAY_NO_SUCH is not set/,
    ],
    [
      'a missing description',
      { 'assay.config.yaml': 'target: { baseUrl: "http://127.0.0.1:1" }\nservices: { admin: { spec: gone.yaml } }' },
      /gone\.yaml: cannot be read: there is no such file/,
    ],
    [
      'a description of a version that is not read',
      {
        'assay.config.yaml': 'target: { baseUrl: "http://127.0.0.1:1" }\nservices: { admin: { spec: four.yaml } }',
        'four.yaml': 'openapi: 4.0.0\n',
      },
      /four\.yaml/,
    ],
    [
      'a list that no description has',
      {
        'assay.config.yaml': `target: { baseUrl: "http://127.0.0.1:1" }
services: { admin: { spec: "${join(SPECS, 'admin.openapi.yaml')}" } }
lists: { "GET /api/v1/stors": { items: /data } }`,
      },
      /lists\["GET \/api\/v1\/stors"\] \(did you mean "GET \/api\/v1\/stores"\?\): no match among/,
    ],
    [
      'a place that is no JSON pointer',
      { 'assay.config.yaml': 'target: { baseUrl: "http://127.0.0.1:1" }\nlists: { "GET /a": { items: data.rows } }' },
      /lists\.GET \/a\.items: expected a JSON pointer to the array of items, .*, found "data\.rows"/,
    ],
    [
      'a description that is no YAML',
      {
        'assay.config.yaml': 'target: { baseUrl: "http://127.0.0.1:1" }\nservices: { admin: { spec: bad.yaml } }',
        'bad.yaml': 'openapi: 3.0.0\ninfo: [\n',
      },
      /bad\.yaml:\d+/,
    ],
  ])('%s', async (_what, files, message) => {
    const folder = folderWith(files as Record<string, string>);
    const { code, stdout, stderr } = await assay(folder, 'conform');
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'reports'))).toBe(false);
  });
});

test('reports that cannot be written end with exit 3 before anything is sent', async () => {
  received = 0;
  const folder = folderWith({ 'in-the-way': '' });
  const { code, stderr } = await assay(folder, 'conform', '--base-url', baseUrl, '--out', 'in-the-way/x');
  expect(stderr).toMatch(/reports cannot be written to .*in-the-way/);
  expect(code).toBe(3);
  expect(received).toBe(0);
});

describe('assay specs', () => {
  test('prints what the interface promises as JSON', async () => {
    const { code, stdout } = await assay(folderWith(), 'specs', join(SPECS, 'admin.openapi.yaml'), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        file: join(SPECS, 'admin.openapi.yaml'),
        service: 'admin',
        openapi: '3.0.0',
        version: '1.0.0',
        operations: expect.any(Number),
        resources: expect.any(Number),
        problems: [],
      }),
    ]);
  });

  test('summarises the shipped descriptions where there is no configuration', async () => {
    const { code, stdout, stderr } = await assay(folderWith(), 'specs');
    expect([code, stdout]).toEqual([0, '']);
    for (const service of ['admin', 'store', 'ai']) expect(stderr).toMatch(new RegExp(`^${service} +3\\.`, 'm'));
  });

  test('ends with 1 and names file, line, pointer and rule of each problem', async () => {
    const folder = folderWith({
      'a.yaml':
        'openapi: 3.0.0\ninfo: { title: A, version: "1" }\npaths:\n  /api/v1/a:\n    get:\n      responses:\n        "200": { $ref: "#/components/responses/None" }\n',
    });
    const { code, stderr } = await assay(folder, 'specs', 'a.yaml');
    expect(stderr).toMatch(/a\.yaml:\d+ \/paths\/~1api~1v1~1a\/get\/responses\/200/);
    expect(code).toBe(1);
  });
});

describe('assay init', () => {
  test('writes a configuration that is accepted as it stands', async () => {
    const folder = folderWith();
    const { code } = await assay(
      folder,
      'init',
      '--base-url',
      'https://x.example',
      '--spec',
      'store=pending',
      '--environment',
      'local',
    );
    expect(code).toBe(0);
    const config = await loadConfig({ file: null, baseUrl: null, env: { ASSAY_STANDARD: 't' }, cwd: folder });
    expect(config).toMatchObject({
      target: { baseUrl: 'https://x.example', environment: 'local' },
      services: [
        { name: 'admin', spec: join(SPECS, 'admin.openapi.yaml') },
        { name: 'store', spec: null },
        { name: 'ai' },
      ],
      keys: [{ plan: 'standard', token: 't' }],
    });
  });

  test('never overwrites unless told to', async () => {
    const folder = folderWith({ 'assay.config.yaml': 'mine' });
    const refused = await assay(folder, 'init');
    expect(refused.stderr).toMatch(/exists and is left as it is/);
    expect(refused.code).toBe(2);
    expect(readFileSync(join(folder, 'assay.config.yaml'), 'utf8')).toBe('mine');
    expect((await assay(folder, 'init', '--force')).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['assay.config.yaml']);
  });
});

describe('assay doctor', () => {
  test('ends with 0 where a run can start, a line for each thing', async () => {
    const { code, stderr } = await assay(folderWith(), 'doctor', '--base-url', baseUrl);
    for (const subject of ['node', 'undici', 'k6', 'reports', 'configuration', 'descriptions', 'keys', 'target']) {
      expect(stderr).toMatch(new RegExp(`^(ok|warn) +${subject}: `, 'm'));
    }
    expect(code).toBe(0);
  });

  test('tells how much the mix of a load would create, and that nothing bounds it', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: { '/pets': { post: { responses: { 201: { description: 'Made' } } } } },
    };
    const configuration = (limits: string): Record<string, string> => ({
      'pets.json': JSON.stringify(document),
      'assay.config.yaml': `target: { baseUrl: "${baseUrl}", environment: local }\nmutations: allow\nservices: { pets: { spec: pets.json } }\nload: { mix: { "POST /pets": 1 } }\n${limits}`,
    });
    const unbounded = await assay(folderWith(configuration('')), 'doctor');
    expect(unbounded.stderr).toMatch(
      /^warn +load\.mix creates: about 400,000 objects at most, .* stay, .*: POST \/pets$/m,
    );
    const bounded = await assay(folderWith(configuration('limits: { created: { perOperation: 3 } }')), 'doctor');
    expect(bounded.stderr).toMatch(/^ok +load\.mix creates: at most 3 objects at once by one operation/m);
  });

  test('ends with 3 where the target does not answer, with 2 where the configuration is wrong', async () => {
    const dead = await assay(folderWith(), 'doctor', '--base-url', 'http://127.0.0.1:1', '--json');
    expect(JSON.parse(dead.stdout)).toContainEqual(expect.objectContaining({ subject: 'target', state: 'fail' }));
    expect(dead.code).toBe(3);
    const wrong = await assay(folderWith({ 'assay.config.yaml': 'targt: 1' }), 'doctor');
    expect(wrong.stderr).toMatch(/^fail +configuration: [\s\S]*targt: unknown key/m);
    expect(wrong.code).toBe(2);
  });
});

describe('assay platform', () => {
  test('prints one JSON line with a ready configuration when it listens, and ends with 0 on SIGTERM', async () => {
    const child = spawn(process.execPath, [BIN, 'platform', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    const [line] = await once(child.stdout, 'data');
    const { baseUrl: address, config: file } = JSON.parse(String(line));
    const config = await loadConfig({ file, baseUrl: null, env: {}, cwd: '/' });
    expect(config?.target).toMatchObject({ baseUrl: address, environment: 'local' });
    expect(config?.mutations).toBe('allow');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });

  test('lists its faults as JSON', async () => {
    // The platform is a process below the command, and writes to its stdout.
    const child = spawn(process.execPath, [BIN, 'platform', '--list-faults', '--json'], {
      env: { PATH: process.env.PATH, ...COMPILED },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(expect.any(Array));
  });

  test('refuses a fault that it does not know', async () => {
    const { code, stdout, stderr } = await assay(folderWith(), 'platform', '--fault', 'no-such-fault');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/no-such-fault/);
  });
});

describe('without a configuration', () => {
  test.each([
    [['conform'], {}, /nobody watches at a terminal/],
    [['conform', '--profile', 'ci'], {}, /--profile needs a target/],
    [['conform'], { CI: 'true' }, /CI is set/],
    [['certify'], {}, /assay certify needs a target/],
    [['load', 'ratelimit'], {}, /assay load ratelimit needs a target/],
  ])('%j with %j ends with exit 2, sends nothing and writes nothing', async (args, env, because) => {
    const folder = folderWith();
    const { code, stderr, stdout } = await assayWith(env, folder, args);
    expect(stderr).toMatch(because);
    expect(stderr).toMatch(/--embedded/);
    expect([code, stdout]).toEqual([2, '']);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a replay on another target than the finding is refused unless the target is named', async () => {
    const folder = folderWith({
      'report.json': JSON.stringify({
        ...sampleReport(),
        target: { baseUrl: 'http://127.0.0.1:9', environment: 'local' },
      }),
    });
    const print = sampleReport().findings[0]!.fingerprint;
    const { code, stderr } = await assay(folder, 'conform', '--embedded', '--replay', print, '--from', 'report.json');
    expect(stderr).toMatch(/the finding is of http:\/\/127\.0\.0\.1:9, and this run would look at the embedded/);
    expect(code).toBe(2);
  });
});

describe('assay conform', () => {
  test('judges the embedded platform within its budget and sums up as JSON on stdout', async () => {
    const folder = folderWith();
    const narrow = ['--budget', '90', '--quiet', '--json', '--out', 'out'];
    const { code, stdout } = await assay(folder, 'conform', '--embedded', ...narrow);
    const summary = JSON.parse(stdout);
    expect(summary.target.embedded).toBe(true);
    expect(summary.sentence).toContain('embedded reference platform');
    expect(summary.counts.requests).toBeLessThanOrEqual(90);
    expect(code).toBe({ pass: 0, fail: 1, none: 3 }[summary.verdict as 'pass']);
    // Evidence that does not fit into the page stands in a folder of its own.
    const files = readdirSync(join(folder, 'out')).filter((name) => name !== 'evidence');
    expect(files.sort()).toEqual([
      'created.jsonl',
      'ctrf.json',
      'evidence.har',
      'index.html',
      'junit.xml',
      'performed.txt',
      'report.json',
      'results.sarif',
      'summary.md',
    ]);
  });

  test('ends with 3, a report and few requests where another service answers', async () => {
    received = 0;
    const folder = folderWith();
    const { code, stdout } = await assay(folder, 'conform', '--base-url', baseUrl, '--out', 'out');
    expect(code).toBe(3);
    expect(stdout).toMatch(/out\/index\.html$/m);
    expect(received).toBeLessThanOrEqual(10);
  });
});

describe('what is thrown in a run where nothing waits for it', () => {
  test.each(
    oneDue([
      ['in a timer', "setTimeout(() => { throw new RangeError('boom'); })"],
      ['by a promise', "void Promise.reject(new RangeError('boom'))"],
    ]),
  )('is an error of Assay in the report, and the run goes on: %s', async (_, fail) => {
    const failing = `import { subscribe } from 'node:diagnostics_channel';
      let requests = 0;
      subscribe('undici:request:create', () => { requests += 1; if (requests === 20) ${fail}; });`;
    const out = mkdtempSync(join(tmpdir(), 'assay-stray-'));
    const run = ['conform', '--embedded', '--clause', 'SCH-06', '--budget', '60', '--quiet', '--out', out];
    const args = ['--import', `data:text/javascript,${encodeURIComponent(failing)}`, BIN, ...run];
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...COMPILED }, stdio: 'ignore' });
    const [code] = await once(child, 'close');
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
    rmSync(out, { recursive: true });
    expect(code).toBe(3);
    expect(report.verdict).toBe('none');
    expect(report.counts.requests).toBeGreaterThan(40);
    expect(report.harnessErrors).toMatchObject([{ where: 'something that nothing waited for', error: 'RangeError' }]);
  });
});
