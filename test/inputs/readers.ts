// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax under test
// Every parser of what somebody hands over: a valid example, and how it is read, and used, as a command does it.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyPackage } from '../../src/certify/verify.ts';
import { privateKey } from '../../src/cli/certify/certify-once.ts';
import { partsOf } from '../../src/cli/conform/clean-once.ts';
import { checkHistory } from '../../src/cli/conform/record-history.ts';
import { mustBeItsTarget, replayOptions } from '../../src/cli/conform/replayed.ts';
import { recordedDeliveries } from '../../src/cli/receiving/deliveries-file.ts';
import { earlierRun, readRun } from '../../src/cli/report/earlier-run.ts';
import { loadConfig } from '../../src/config/load.ts';
import { loadWaivers } from '../../src/config/waivers.ts';
import { operationMatcher } from '../../src/contract/operation-glob.ts';
import { partedPath } from '../../src/facts/paths.ts';
import { accept } from '../../src/grading/acceptance.ts';
import { changesSince } from '../../src/grading/changes.ts';
import { MergeRefused, mergeShards } from '../../src/grading/merge.ts';
import { sampleIn } from '../../src/load/samples/reading.ts';
import { createCatalogue } from '../../src/openapi/model/catalogue.ts';
import { TooCostly } from '../../src/openapi/patterns/too-costly.ts';
import { loadDescription } from '../../src/openapi/read/load.ts';
import { deleterAt } from '../../src/probes/reach/undoing.ts';
import { renderMarkdown } from '../../src/reporters/formats/markdown.ts';
import { renderHtml } from '../../src/reporters/html/html.ts';
import { compacted, isToClean, readJournal } from '../../src/run/books/journal.ts';
import { recordRun } from '../../src/run/history/record.ts';
import { readBundle } from '../../src/run/load/distributed.ts';
import { recordedIn } from '../../src/run/load/record.ts';
import { documentWith } from '../support/openapi/descriptions.ts';
import { sampleReport } from '../support/reporters/sample-report.ts';
import { configWith, optionsWith } from '../support/run/test-config.ts';

export interface Reader {
  readonly what: string;
  /** Of the file. */
  readonly name: string;
  readonly valid: Buffer;
  /** Whether the file holds JSON, so that values in it can be changed. */
  readonly isJson: boolean;
  /** Reads the file in the folder, and does with it what a command would. */
  readonly read: (folder: string, name: string) => unknown;
}

function reader(name: string, valid: Buffer, read: Reader['read'], isJson = false): Reader {
  return { what: name, name, valid, read, isJson };
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const CONFIG = {
  target: { baseUrl: 'http://127.0.0.1:1', environment: 'local' },
  services: { admin: { spec: 'admin.yaml' }, store: { spec: 'pending' } },
  keys: [{ name: 'std-1', plan: 'standard', token: '${ASSAY_TOKEN}' }],
  fixtures: { storeId: 'store_1', count: 3 },
  expect: { plans: { standard: { limit: 100, windowSeconds: 60 } }, isolation: true },
  promote: ['REQ-08'],
};
const YAML = `# ours
target: &t { baseUrl: "http://127.0.0.1:1" }
services:
  admin: { spec: admin.yaml }
keys:
  - { name: std-1, plan: standard, token: "\${ASSAY_TOKEN}" }
fixtures: { storeId: store_1 }
`;
const WAIVERS = {
  waivers: [{ clause: 'SCH-06', operation: 'GET /api/v1/*', reason: 'known', owner: 'shop', expires: '2030-01-31' }],
};

async function configured(folder: string, name: string): Promise<void> {
  const env = { ASSAY_TOKEN: 'a-token-of-this-test' };
  await loadConfig({ file: join(folder, name), baseUrl: null, env, cwd: folder });
}

const DESCRIPTION = documentWith('3.1.0', {
  A: {
    type: 'object',
    required: ['id'],
    properties: { id: { $ref: '#/components/schemas/B' }, next: { $ref: '#/components/schemas/A' } },
  },
  B: { anyOf: [{ type: 'string', pattern: '^a+$', maxLength: 9 }, { enum: [1, 2] }] },
});

async function described(folder: string, name: string): Promise<void> {
  const description = await loadDescription({ service: 'admin', file: join(folder, name), remoteRefs: [] });
  for (const { responses } of description.operations)
    for (const { content } of responses)
      for (const { schema } of content)
        if (schema !== null) unlessTooCostly(() => description.validator(schema, 'response')?.({ id: 'aaa' }));
}

/** A pattern that nobody can follow is told when it is asked: checks then cannot tell. */
function unlessTooCostly(ask: () => unknown): void {
  try {
    ask();
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
  }
}

/** What every command does with a report that it has read. */
async function told(folder: string): Promise<void> {
  const { report } = await readRun(folder);
  renderHtml(report);
  renderMarkdown(report);
  changesSince(sampleReport(), report);
  accept(sampleReport(), { waivers: [], baseline: report, failOn: 'new', allowsSecurity: false, today: '2025-03-01' });
  try {
    mergeShards([report, sampleReport()]);
  } catch (error) {
    if (!(error instanceof MergeRefused)) throw error;
  }
}

async function goneOnWith(folder: string): Promise<void> {
  await writeFile(join(folder, 'report.json'), json(sampleReport()));
  await earlierRun(folder, optionsWith({ seed: 42 }));
}

async function replayed(folder: string): Promise<void> {
  const { fingerprint } =
    sampleReport().findings.find(({ experiments }) => experiments !== undefined) ?? sampleReport().findings[0]!;
  const { replay } = await replayOptions({ fingerprint, from: folder, cwd: folder });
  if (replay !== undefined)
    mustBeItsTarget(replay, configWith({ target: { ...TARGET, docsUrl: null } }), { isNamed: false });
}

const TARGET = { baseUrl: 'https://api.staging.example.com', environment: 'staging' as const };

/** A history of one run, as bytes. */
async function aHistory(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-inputs-'));
  recordRun(join(folder, 'history.db'), smallReport());
  const bytes = await readFile(join(folder, 'history.db'));
  await rm(folder, { recursive: true });
  return bytes;
}

/** What is no history is refused before a run; what is one only at first sight is told by SQLite after it. */
function remembered(folder: string): void {
  const file = join(folder, 'history.db');
  checkHistory(file);
  try {
    recordRun(file, smallReport());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR') throw error;
  }
}

/** Beside a report that is whole. */
async function verified(folder: string): Promise<void> {
  await writeFile(join(folder, 'report.json'), json(smallReport()));
  await verifyPackage(folder, { publicKey: null, subject: [] });
}

const CERTIFICATE = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'shop.tgz', digest: { sha256: '0'.repeat(64) } }],
  predicateType: 'https://assay.example/certificate/v1',
  predicate: { verdict: 'conforms', sentence: 'It conforms.', remarks: [], evidence: [], seal: '0'.repeat(64) },
};

/** The sample without its megabytes. */
function smallReport(): ReturnType<typeof sampleReport> {
  const { exchanges, findings, ...rest } = sampleReport();
  return { ...rest, findings: findings.slice(0, 3), exchanges: exchanges.slice(0, 2) };
}

const JOURNAL = [
  { journal: 1, run: 'r', startedAt: '2026-01-31T12:00:00.000Z', baseUrl: 'http://127.0.0.1:1', config: null },
  { n: 1, service: 'admin', operation: 'POST /a', path: '/a', key: 'std-1', mark: 'r-abc', isRepeated: true },
  { n: 1, status: 201, made: '/a/1', undoable: true },
  { n: 2, service: null, operation: 'POST /b', path: '/b', key: null, idempotencyKey: 'k' },
  { n: 2, status: 500, unnamed: '/b' },
  { sought: 'r-abc', made: '/a/2', undoable: true },
  { gone: '/a/1' },
];
const catalogue = createCatalogue([]);

/** What a run left, as `assay clean` and the next run in the same folder take it; an array of lines where it is JSON. */
async function leftBehind(folder: string, name: string): Promise<void> {
  const file = join(folder, name);
  const lines: unknown = parsed(await textIn(folder, name));
  if (Array.isArray(lines)) await writeFile(file, linesOf(lines));
  const parts = partsOf(file);
  for (const { made, open, head } of parts) {
    for (const { path, intent } of made)
      [partedPath(path), deleterAt(catalogue, path), catalogue.operation(intent.operation, intent.service)];
    for (const { path } of open) deleterAt(catalogue, path);
    new URL(head.baseUrl);
  }
  await writeFile(file, compacted(parts));
  if (parts.some(isToClean) && readJournal(file).length === 0) throw new TypeError('objects were forgotten');
}

/** A line an item; the first alone where one is nested too deep to be written again. */
function linesOf(items: readonly unknown[]): string {
  try {
    return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  } catch {
    return `${JSON.stringify(JOURNAL[0])}\n${'{"n":1,"operation":'.repeat(20_000)}1${'}'.repeat(20_000)}\n`;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const KEY = Buffer.from(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
const SAMPLE = [
  'B',
  'step',
  'std-1',
  'GET /a',
  '200',
  JSON.stringify({ method: 'GET', path: '/a', startMs: 1, durationMs: 2, headers: { a: 'b' }, body: '{}' }),
];
const FACTS = {
  suite: 'capacity',
  instances: 2,
  ratePerSecond: 9,
  rampSeconds: 1,
  seconds: 9,
  baseUrl: 'http://127.0.0.1:1',
  services: { 'GET /a': 'admin' },
};
const PLAN = { run: 'r', step: 's', legs: [{ perTenSeconds: 90, seconds: 9 }] };

/** Bundles are refused with the error's sentence. */
async function collected(folder: string): Promise<void> {
  await rename(join(folder, 'facts'), join(folder, 'bundle.json'));
  await writeFile(join(folder, 'plan.json'), json(PLAN));
  await readBundle(folder).catch((error: Error) => {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
  });
}

async function textIn(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}

const DELIVERY = {
  at: '2026-01-31T12:00:00Z',
  method: 'POST',
  path: '/hooks',
  headers: { 'X-Signature': 'a' },
  bodyBase64: 'e30=',
  status: 500,
};

export const READERS: readonly Reader[] = [
  reader('assay.config.json', json(CONFIG), configured, true),
  reader('assay.config.yaml', Buffer.from(YAML), configured),
  reader('waivers.yaml', json(WAIVERS), (folder) => loadWaivers(null, folder, folder), true),
  reader('admin.json', json(DESCRIPTION), described, true),
  reader('admin.yaml', json(DESCRIPTION), described, true),
  reader('report.json', json(smallReport()), told, true),
  { ...reader('report.json', json(smallReport()), replayed, true), what: 'the report that a finding is replayed from' },
  reader('performed.txt', Buffer.from(`# run ${sampleReport().run.id}\nreach GET /api/v1/stores\n`), goneOnWith),
  reader('history.db', await aHistory(), remembered),
  reader('certificate.json', json(CERTIFICATE), verified, true),
  reader('created.jsonl', json(JOURNAL), leftBehind, true),
  {
    ...reader('created.jsonl', Buffer.from(JOURNAL.map((line) => `${JSON.stringify(line)}\n`).join('')), leftBehind),
    what: 'created.jsonl, a line an object',
  },
  reader('deliveries.jsonl', json(DELIVERY), (folder, name) => recordedDeliveries(join(folder, name)), true),
  reader(
    'operations.json',
    json({ reads: [{ service: 'a', operation: 'GET /a' }], priced: [] }),
    async (folder, name) => recordedIn(await textIn(folder, name)),
    true,
  ),
  reader('facts', json(FACTS), collected, true),
  reader('samples.tsv', Buffer.from(SAMPLE.join('\t')), async (folder, name) => {
    for (const line of (await textIn(folder, name)).split('\n')) sampleIn(line);
  }),
  reader('key.pem', KEY, async (folder, name) => {
    await privateKey(join(folder, name));
  }),
];

/** Any text may be a glob over operations. */
export function matched(glob: string): boolean {
  return operationMatcher([glob])(`GET /api/v1/${'stores/'.repeat(30)}{storeId}`);
}
