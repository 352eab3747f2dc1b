// The command given broken files: exit 2, one message that names the file, and nothing is sent or written.
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sampleReport } from './support/reporters/sample-report.ts';
import { warmAssay } from './warm/warm.ts';

const warm = warmAssay();
afterAll(() => warm.end());
const DESCRIPTION = `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /api/v1/things: { get: { responses: { "200": { description: Found } } } }
`;
const BOMB = `l0: &l0 [x]\n${Array.from({ length: 9 }, (_, at) => `l${at + 1}: &l${at + 1} [${Array(10).fill(`*l${at}`).join()}]\n`).join('')}`;
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const REPORT = JSON.stringify(sampleReport());

let connections = 0;
const target = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
target.listen(0, '127.0.0.1');
await once(target, 'listening');
const { port } = target.address() as { port: number };
afterAll(() => {
  target.close();
});

const CONFIG = `target: { baseUrl: "http://127.0.0.1:${port}", environment: local }\nservices: { admin: { spec: admin.yaml } }\n`;
const SOUND = { 'assay.config.yaml': CONFIG, 'admin.yaml': DESCRIPTION };

type Files = Readonly<Record<string, string | Buffer>>;

it.each<[what: string, args: string, files: Files, message: RegExp]>([
  [
    'a configuration that is cut',
    'conform',
    { 'assay.config.yaml': CONFIG.slice(0, -9) },
    /assay\.config\.yaml:\d+:\d+: /,
  ],
  [
    'a configuration of aliases',
    'conform',
    { 'assay.config.yaml': BOMB },
    /assay\.config\.yaml: Excessive alias count/,
  ],
  [
    'a configuration in a circle',
    'conform',
    { 'assay.config.yaml': 'a: &a { b: *a }' },
    /assay\.config\.yaml: .*circle/,
  ],
  ['a configuration without end', 'conform', { 'assay.config.yaml': DEEP }, /assay\.config\.yaml: it is nested/],
  [
    'a configuration of another form',
    'conform',
    { 'assay.config.json': '{"target":[],"__proto__":1}' },
    /target: expected/,
  ],
  ['a description of aliases', 'conform', { 'admin.yaml': BOMB }, /admin\.yaml: /],
  ['a description without end', 'specs admin.yaml', { 'admin.yaml': DEEP }, /admin\.yaml: .*nested/],
  [
    'a description that is no text',
    'conform',
    { 'admin.yaml': Buffer.of(0xc0, 0xaf, 0xed, 0xa0) },
    /admin\.yaml: .*UTF-8/,
  ],
  ['waivers that are cut', 'conform --waivers w.yaml', { 'w.yaml': 'waivers: [{ clause: SCH-06' }, /w\.yaml:1:/],
  [
    'waivers of another form',
    'conform --waivers w.yaml',
    { 'w.yaml': 'waivers: { a: 1 }' },
    /w\.yaml: waivers: expected/,
  ],
  [
    'a baseline that is cut',
    'conform --baseline b.json',
    { 'b.json': REPORT.slice(0, -9) },
    /b\.json is no report: it holds no JSON/,
  ],
  [
    'a baseline that is forged',
    'conform --baseline b.json',
    { 'b.json': REPORT.replace('"findings":[', '"findings":[7,') },
    /b\.json is no report: \/findings/,
  ],
  ['a run to go on from that is none', 'conform --resume r', { 'r/report.json': 'null' }, /report\.json is no report/],
  [
    'a run to replay from that is none',
    'conform --replay x --from r',
    { 'r/report.json': DEEP },
    /report\.json is no report/,
  ],
  ['a history that is none', 'conform --history h.db', { 'h.db': 'no database at all' }, /h\.db: it is no history/],
  [
    'a history that is damaged',
    'conform',
    { 'reports/history.db': `SQLite format 3\0${'x'.repeat(9000)}` },
    /history\.db: it is/,
  ],
  ['a report that is cut', 'report b.json', { 'b.json': REPORT.slice(0, 99) }, /b\.json is no report/],
  ['a report to verify that is none', 'report --verify gone', {}, /gone is no folder/],
  [
    'samples of load that are none',
    'load ratelimit --from r',
    { 'r/load/operations.json': '{"reads":[{}]}' },
    /operations\.json does not say/,
  ],
  [
    'a bundle that is none',
    'load --collect r',
    { 'r/bundle.json': '{"instances":1e9}', 'r/plan.json': '[]' },
    /r is no bundle/,
  ],
  [
    'deliveries that are cut',
    'webhooks --deliveries d',
    { d: '{"at":', 'assay.config.yaml': `${CONFIG}webhooks: { secret: a-secret-of-this-test }\n` },
    /d:1: /,
  ],
  ['a glob that matches nothing', 'conform --operation *[', {}, /--operation/],
  ['an empty glob', 'conform --operation=', {}, /--operation/],
])('%s is refused', async (_, args, files, message) => {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-inputs-'));
  for (const [name, content] of Object.entries({ ...SOUND, ...files })) {
    if (name === 'assay.config.yaml' && 'assay.config.json' in files) continue;
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const env = { PATH: process.env.PATH, NO_COLOR: '1', ASSAY_CACHE: 'off' };
  const { code, told } = await warm.perform({ argv: args.split(' '), cwd, env });
  expect(told).toMatch(message);
  expect(told).not.toMatch(/\n\s+at |internal error|defect/);
  expect(code).toBe(2);
  expect(told.match(/hint:/g)).toHaveLength(1);
  expect(existsSync(join(cwd, 'reports')) && !('reports/history.db' in files)).toBe(false);
  expect(connections).toBe(0);
  rmSync(cwd, { recursive: true });
});
