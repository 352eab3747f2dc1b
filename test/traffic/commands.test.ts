// `assay check` and `assay proxy` as people run them: their files, what they print, and their exit codes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../../src/contract/report.ts';
import { startPlatform } from '../../src/platform/start.ts';
import { COMPILED } from '../compiled.ts';
import { filesBelow, KNOWN } from '../leaks/artefacts.ts';
import { leaksIn } from '../leaks/search.ts';
import { blamed } from '../mutant.ts';
import { ROOT } from '../root.ts';
import { warmAssay } from '../warm/warm.ts';
import { type Call, chromeEntry, firefoxEntry, harOf, LOG_PAGE, notFound, SHOP, TOKEN } from './recorded.ts';

const BIN = join(ROOT, 'bin', 'assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-traffic-'));
afterAll(() => rmSync(folder, { recursive: true }));
const warm = warmAssay();
afterAll(() => warm.end());

function start(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ...COMPILED };
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stderr = text(child.stderr);
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  // All that a reader of the terminal sees.
  const ended = Promise.all([once(child, 'close'), stderr]).then(([[code], messages]) => ({
    code: Number(code),
    told: `${messages}${out}`,
  }));
  return { child, ended };
}

/** By the process that performs all of them but one. */
async function assay(...argv: readonly string[]) {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ASSAY_CACHE: 'off' };
  const { code, out, text: told } = await warm.perform({ argv, cwd: folder, env });
  return { code, out, told };
}

const check = (...args: readonly string[]) => assay('check', ...args);

function reportIn(out: string): Report {
  return JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8'));
}

function recording(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

describe('assay check', () => {
  const SECRETS = [
    'cookie-0123456789-abcdef',
    'refresh-9876543210-fedcba',
    'horse-battery-7-staple',
    'query-0123456789-uvwxyz',
    TOKEN,
  ];
  const login: Call = {
    ...{ method: 'POST', path: '/api/v1/session?api_key=query-0123456789-uvwxyz', status: 500 },
    sent: { email: 'a@b.test', password: 'horse-battery-7-staple' },
    body: { error: `no refresh-9876543210-fedcba for ${TOKEN}`, refresh_token: 'refresh-9876543210-fedcba' },
    requestHeaders: { cookie: 'sid=cookie-0123456789-abcdef' },
    headers: { 'set-cookie': 'sid=cookie-0123456789-abcdef; HttpOnly', 'x-trace': 'of cookie-0123456789-abcdef' },
  };

  test('passes what two browsers recorded, and says what was left out', async () => {
    const chrome = recording(
      'chrome.har',
      harOf([LOG_PAGE, notFound('/api/v1/x'), { ...LOG_PAGE, url: 'https://cdn.test/a.js' }].map(chromeEntry)),
    );
    const firefox = recording(
      'firefox.har',
      harOf([LOG_PAGE, { ...LOG_PAGE, status: 304 }].map(firefoxEntry), 'Firefox'),
    );
    const { code, told } = await check('--base-url', SHOP, '--out', 'pass', chrome, firefox);
    expect({ code, told }).toMatchObject({ code: 0, told: expect.stringContaining('https://cdn.test (1)') });
    expect(reportIn('pass')).toMatchObject({
      verdict: 'pass',
      run: { command: 'check', partial: false },
      counts: { requests: 2 },
    });
  });

  test('fails for a breach, and no secret of the traffic reaches a file or the terminal', async () => {
    const file = recording('fail.har', harOf([LOG_PAGE, login].map(chromeEntry)));
    const { code, told } = await check('--base-url', SHOP, '--out', 'fail', '--json', file);
    expect(code).toBe(1);
    expect(blamed(reportIn('fail'))).toEqual(expect.arrayContaining(['SCH-06', 'ERR-12']));
    const written = await filesBelow(join(folder, 'fail'));
    expect(written.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['report.json', 'index.html', 'junit.xml', 'results.sarif']),
    );
    expect(leaksIn([...written, { name: 'terminal', text: told }], SECRETS, KNOWN)).toEqual([]);
  });

  test('keeps what a file shows that ends early, without a verdict', async () => {
    const whole = harOf([LOG_PAGE, LOG_PAGE].map(chromeEntry));
    const { code } = await check('--base-url', SHOP, '--out', 'cut', recording('cut.har', whole.slice(0, -200)));
    expect(code).toBe(3);
    expect(reportIn('cut').run).toMatchObject({
      partial: true,
      note: 'cut.har ends too early: what was there was judged',
    });
  });

  test.each([
    ['2', 'a line that is broken', recording('broken.jsonl', '{"method":"GET"}\n'), 'broken.jsonl:1: /url is missing'],
    ['2', 'a file that is not there', 'none.har', 'none.har cannot be read (ENOENT)'],
    [
      '3',
      'other hosts alone',
      recording('other.har', harOf([chromeEntry({ ...LOG_PAGE, url: 'https://other.test/' })])),
      'the traffic goes to https://other.test (1)',
    ],
  ])('ends with %s for %s', async (code, _what, file, why) => {
    const { told, ...ended } = await check('--base-url', SHOP, '--out', `out-${code}`, file);
    expect({ code: String(ended.code), told }).toEqual({ code, told: expect.stringContaining(why) });
  });
});

describe('assay proxy', () => {
  const FAULTS = ['err-04-status-differs', 'auth-01-other-code', 'rate-02-above'];
  let platform: Awaited<ReturnType<typeof startPlatform>>;
  let token = '';
  beforeAll(async () => {
    platform = await startPlatform({ faults: FAULTS });
    token = parse(readFileSync(platform.config, 'utf8')).keys[0].token;
  });
  afterAll(() => platform.stop());

  /** A small client: calls every list with a token, one path that is unknown, and everything that is public or should be secured. */
  async function callsThrough(baseUrl: string): Promise<readonly number[]> {
    const authorization = { authorization: `Bearer ${token}` };
    const call = async (path: string, headers: Record<string, string> = authorization, method = 'GET') => {
      const answer = await fetch(`${baseUrl}${path}`, { method, headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    const paths = [
      'auth/profile',
      'auth/activity/logs',
      'themes',
      'taxes/currencies',
      'products',
      'customers',
      'orders',
      'nowhere',
    ];
    const lists = paths.map((path) => `/api/v1/${path}`);
    const statuses = [];
    for (const path of ['/api/v1/stores', ...lists]) statuses.push(await call(path));
    for (const path of ['/api/v1/stores', ...lists, '/api/v1/inventory', '/api/v1/settings'])
      statuses.push(await call(path, {}));
    statuses.push(await call('/api/v1/stores', { ...authorization, 'content-type': 'application/json' }, 'POST'));
    return statuses;
  }

  test('finds the faults of a platform by what passes through, and ends with its report when it is told to', async () => {
    const { child, ended } = start('proxy', '--config', platform.config, '--out', 'proxied');
    const [line] = await once(child.stdout, 'data');
    const { baseUrl } = JSON.parse(String(line));
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const statuses = await callsThrough(baseUrl);
    child.kill('SIGINT');
    const { code, told } = await ended;
    expect({ code, told }).toMatchObject({ code: 1 });
    const report = reportIn('proxied');
    expect(report).toMatchObject({ run: { command: 'proxy', partial: false }, counts: { requests: statuses.length } });
    expect(report.target.baseUrl).toBe(platform.baseUrl);
    expect(blamed(report).toSorted()).toEqual(['AUTH-01', 'ERR-04', 'RATE-02']);
    const written = await filesBelow(join(folder, 'proxied'));
    expect(leaksIn([...written, { name: 'stderr', text: told }], [token], KNOWN)).toEqual([]);
  });

  test('has no verdict where nothing passes through, and ends by itself', async () => {
    const { code, out, told } = await assay('proxy', '--config', platform.config, '--seconds', '0.2', '--out', 'idle');
    expect(out).toContain('baseUrl');
    expect({ code, told }).toEqual({ code: 3, told: expect.stringContaining('no exchange was seen') });
  });

  test('refuses a port that is taken', async () => {
    const port = new URL(platform.baseUrl).port;
    const { code, told } = await assay('proxy', '--config', platform.config, '--port', port);
    expect({ code, told }).toEqual({ code: 2, told: expect.stringContaining('EADDRINUSE') });
  });
});
