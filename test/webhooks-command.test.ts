// `assay webhooks` as people run it: senders that share nothing with it, its files and exit codes.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { CLAUSES } from '../src/contract/clauses.ts';
import type { Report } from '../src/contract/report.ts';
import { COMPILED } from './compiled.ts';
import { inTurn } from './programme.ts';
import { ROOT } from './root.ts';
import { warmAssay } from './warm/warm.ts';

const BIN = join(ROOT, 'bin', 'assay.js');
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS13ZWJob29rcw==';
const folder = mkdtempSync(join(tmpdir(), 'assay-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const warm = warmAssay();
afterAll(() => warm.end());

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const CONFIG = file('assay.json', {
  target: { baseUrl: 'http://127.0.0.1:9', environment: 'local' },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: ${NAME} is taken from the environment
  webhooks: { secret: '${HOOK_SECRET}' },
});

function start(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', HOOK_SECRET: SECRET, ...COMPILED };
  const child = spawn(process.execPath, [BIN, 'webhooks', ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, ended: once(child, 'close') };
}

/** By the process that performs all of them but one; `hear` is given each line of stdout. */
function webhooks(args: readonly string[], hear: (line: string) => void = () => {}) {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ASSAY_CACHE: 'off', HOOK_SECRET: SECRET };
  return warm.perform({ argv: ['webhooks', ...args], cwd: folder, env }, hear);
}

function reportIn(out: string): Report {
  return JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8'));
}

/** A sender as somebody else would write it. */
async function sender(url: string, events: number, sign: (body: string) => Record<string, string>): Promise<void> {
  const deliver = async (body: string): Promise<void> => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...sign(body) },
        signal: AbortSignal.timeout(4000),
      }).catch(() => null);
      if (answer?.ok === true) return;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };
  const bodies = Array.from({ length: events }, (_, index) => `{"id": "evt_${index}", "event": "order.paid"}`);
  await Promise.all(bodies.map(deliver));
}

const hex = (content: string, key: string | Buffer = SECRET) => createHmac('sha256', key).update(content).digest('hex');

async function judged(out: string, sign: (body: string) => Record<string, string>, events = 4) {
  let sent: Promise<void> | null = null;
  const { code, out: said } = await webhooks(
    ['--config', CONFIG, '--out', out, '--seconds', '30', '--json'],
    (line) => {
      sent ??= sender(JSON.parse(line).url, events, sign);
    },
  );
  await sent;
  return { code, summary: JSON.parse(said.trim().split('\n').at(-1) ?? ''), report: reportIn(out) };
}

describe('a sender', () => {
  inTurn(
    () => {
      test('that signs as Standard Webhooks does keeps the contract: exit 0, all files, and no secret in any', async () => {
        const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
        const { code, summary, report } = await judged('right', (body) => {
          const [id, at] = [`msg_${hex(body).slice(0, 8)}`, String(Math.floor(Date.now() / 1000))];
          const made = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
          return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${made}` };
        });
        expect(code).toBe(0);
        expect(summary).toMatchObject({ verdict: 'pass', failed: [] });
        expect(report.clauses).toHaveLength(CLAUSES.length);
        const hooks = report.clauses.filter(({ id }) => id.startsWith('HOOK-')).map(({ status }) => status);
        expect(hooks).toEqual(['pass', 'pass', 'observed']);
        const files = globSync('**/*.*', { cwd: join(folder, 'right') });
        for (const name of ['index.html', 'junit.xml', 'results.sarif', 'report.json', 'summary.md'])
          expect(files).toContain(name);
        for (const name of files) {
          const content = unpacked(readFileSync(join(folder, 'right', name), 'utf8'));
          expect(content).not.toContain(SECRET.slice('whsec_'.length, 24));
        }
      });
    },
    () => {
      test('that signs the parsed body breaks it: exit 1, and the report says so', async () => {
        const { code, summary, report } = await judged('wrong', (body) => ({
          'x-sig': hex(JSON.stringify(JSON.parse(body))),
        }));
        expect(code).toBe(1);
        expect(summary).toMatchObject({ verdict: 'fail', failed: ['HOOK-01'] });
        const [finding] = report.findings;
        expect(finding?.cause).toBe('a delivery is signed over its body re-serialised, not over its raw bytes');
        expect(report.clauses.find(({ id }) => id === 'HOOK-02')).toMatchObject({ status: 'not-tested', checks: 0 });
        expect(readFileSync(join(folder, 'wrong', 'summary.md'), 'utf8')).not.toContain('--replay');
      });
    },
  );
});

/** The text with its compressed parts beside it. */
function unpacked(content: string): string {
  const packed = [...content.matchAll(/H4sI[A-Za-z0-9+/=]{20,}/g)].map(([part]) => {
    try {
      return gunzipSync(Buffer.from(part, 'base64')).toString('utf8');
    } catch {
      return '';
    }
  });
  return [content, ...packed].join('\n');
}

test('the embedded platform is received from with nothing but --embedded', async () => {
  const { code, out, told } = await webhooks(['--embedded', '--out', 'embedded', '--seconds', '30', '--quiet']);
  expect(Object.keys(JSON.parse(out))).toEqual(['url']);
  expect([code, told]).toEqual([0, '']);
  expect(reportIn('embedded')).toMatchObject({ verdict: 'pass', target: { embedded: true } });
});

test('nothing delivered is no verdict: exit 3', async () => {
  const { code, out } = await webhooks(['--config', CONFIG, '--out', 'silent', '--seconds', '1']);
  expect(code).toBe(3);
  expect(out).toMatch(/nothing was delivered within \d+ s/);
  expect(reportIn('silent').verdict).toBe('none');
});

test('Ctrl-C ends it with a report', async () => {
  const { child, ended } = start('--config', CONFIG, '--out', 'stopped');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await ended).toEqual([3, null]);
  expect(reportIn('stopped')).toMatchObject({ verdict: 'none', run: { partial: true } });
});

describe('recorded deliveries', () => {
  const line = (body: string, key?: string, rest = {}) =>
    JSON.stringify({
      ...{ at: '2026-01-31T12:00:00Z', method: 'POST', path: '/', headers: { 'X-Signature': hex(body, key) } },
      ...{ bodyBase64: Buffer.from(body).toString('base64'), ...rest },
    });

  const judge = (name: string, lines: readonly string[]) =>
    webhooks(['--config', CONFIG, '--out', name, '--deliveries', file(`${name}.jsonl`, lines.join('\n'))]);

  test('are judged without listening', async () => {
    expect((await judge('recorded', [line('a'), line('b')])).code).toBe(0);
    expect((await judge('tampered', [line('a'), line('b', 'other')])).code).toBe(1);
    expect((await judge('repeated', [line('a', SECRET, { status: 503 }), line('a', 'other')])).code).toBe(1);
    expect(reportIn('repeated').findings[0]?.clause).toBe('HOOK-02');
    expect((await judge('empty', [])).code).toBe(3);
  });

  test('that cannot be read are wrong usage, and the line is named', async () => {
    const { code, told } = await judge('broken', [line('a'), '{"at":1}']);
    expect(code).toBe(2);
    expect(told).toMatch(/broken\.jsonl:2: method: expected/);
  });
});
