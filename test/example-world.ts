// Where the examples of the documents are executed: a folder as a reader of a page has it, against the reference platform with
// few operations, with programs that stand in for npx and a desktop. What a page names by example has a value of this world.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse, stringify } from 'yaml';
import { systemClock } from '../src/clock/system.ts';
import { readModel } from '../src/platform/schema/model.ts';
import { type StartOptions, startPlatform } from '../src/platform/start.ts';
import { COMPILED } from './compiled.ts';
import { blocksOf } from './documented.ts';
import { ROOT } from './root.ts';

/** Paths and methods by service. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  admin: { '/api/v1/stores': 'get', '/api/health/live': 'get' },
  ai: { '/api/v1/ai/agents': 'post' },
};
/** A command that is to be ended by its reader has this long to begin, and to end. ms. */
const LONGEST_WAIT_MS = 890_000;
/** Printed by what listens until Ctrl-C, as soon as it does. */
const LISTENS = /127\.0\.0\.1:\d+/;

export interface Ended {
  readonly code: number | null;
  readonly told: string;
}

export interface ExampleWorld {
  /** A folder of its own for one page. */
  folderOf(page: string): string;
  /** The line with the values of this world. */
  inThisWorld(line: string): string;
  /** Executes the line by a shell; `endsBy` Ctrl-C: as soon as it listens. */
  execute(line: string, cwd: string, endsBy?: 'itself' | 'Ctrl-C'): Promise<Ended>;
  end(): Promise<void>;
}

/**
 * `limits` by plan, as the platform takes them; `configuration`: more of it, or in place of it; `k6`: path of the program;
 * `plans`: of the keys of others none is named; `isJudgedBefore` false: no run was made before, for no line asks for one.
 */
export interface WorldOptions {
  readonly limits?: StartOptions['limits'];
  readonly configuration?: object;
  readonly k6?: string | null;
  readonly plans?: readonly string[];
  readonly isJudgedBefore?: boolean;
}

export async function exampleWorld({
  limits,
  configuration = {},
  k6 = null,
  plans,
  isJudgedBefore = true,
}: WorldOptions = {}): Promise<ExampleWorld> {
  const root = mkdtempSync(join(tmpdir(), 'assay-examples-'));
  const template = join(root, 'template');
  await writeDescriptions(join(template, 'specs'));
  const options = { folder: join(template, 'specs'), ...(limits === undefined ? {} : { limits }) };
  const platform = await startPlatform(options);
  const bin = standIns(join(root, 'bin'));
  const offered = parse(readFileSync(platform.config, 'utf8'));
  const token = offered.keys[0].token as string;
  const env = {
    ...{ PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter), HOME: root, LANG: 'C' },
    ...{ NO_COLOR: '1', ASSAY_CACHE: join(root, 'cache'), ASSAY_STANDARD: token, ASSAY_TOKEN: token, ...COMPILED },
    // The home folder is another one here: what `go install` put there is not found.
    ...(k6 === null ? {} : { ASSAY_K6: k6 }),
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
    ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
  };
  const execute = (line: string, cwd: string, endsBy: 'itself' | 'Ctrl-C' = 'itself') => shell(line, cwd, env, endsBy);
  const keys = offered.keys.filter(({ plan }: { plan: string }) => plans === undefined || plans.includes(plan));
  const own = { ...offered, keys, load: {}, ...configuration };
  fill(template, own);
  if (isJudgedBefore) await judgeBefore(template, platform.baseUrl, options, execute);
  await remember(template, execute);
  const values = valuesOf(
    platform.baseUrl,
    template,
    isJudgedBefore ? findingIn(join(template, 'reports', 'main')) : '',
  );
  return {
    execute,
    folderOf(page) {
      const folder = join(root, page.replaceAll('/', '-'));
      cpSync(template, folder, { recursive: true });
      return folder;
    },
    inThisWorld: (line) => values.reduce((told, [example, value]) => told.replaceAll(example, value), line),
    async end() {
      await platform.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The platform's own descriptions, each with a few operations: a run takes a second. */
export async function writeDescriptions(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { service, root } of await readModel({})) {
    const kept = Object.entries(KEPT[service] ?? {}).map(([path, method]) => {
      const { parameters = [], [method]: operation } = Object(Object(root.paths)[path]);
      return [path, { parameters, [method]: operation }];
    });
    if (kept.length === 0) continue;
    const document = JSON.stringify({ ...root, paths: Object.fromEntries(kept) });
    writeFileSync(join(folder, `${service}.openapi.json`), document);
  }
}

/** Programs that examples start: npx starts this source, and nothing opens a browser. */
function standIns(folder: string): string {
  mkdirSync(folder);
  const programs = {
    npx: `shift\nexec '${process.execPath}' '${join(ROOT, 'bin', 'assay.js')}' "$@"`,
    'xdg-open': 'exit 0',
    'my-client': `exec '${process.execPath}' '${join(ROOT, 'examples', 'clients', 'right.ts')}'`,
  };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

interface Configuration {
  readonly target: { readonly baseUrl: string };
  readonly webhooks: { readonly secret: string; readonly trigger: unknown };
}

/** The files that pages speak of: a configuration, recordings, keys. */
function fill(folder: string, configuration: Configuration): void {
  const { baseUrl } = configuration.target;
  const specs = Object.fromEntries(Object.keys(KEPT).map((name) => [name, { spec: `specs/${name}.openapi.json` }]));
  const { trigger: _trigger, ...webhooks } = configuration.webhooks;
  const environments = { staging: { target: { baseUrl } }, preview: { target: { baseUrl } } };
  const document = { ...configuration, services: specs, webhooks, environments };
  writeFileSync(join(folder, 'assay.config.yaml'), stringify(document));
  const call = jsonOf('docs/traffic.md').replaceAll('https://shop.example.com', baseUrl);
  writeFileSync(join(folder, 'sdk-tests.jsonl'), call);
  writeFileSync(join(folder, 'recorded.jsonl'), signed(jsonOf('docs/webhooks.md'), configuration.webhooks.secret));
  cpSync(join(folder, 'specs/admin.openapi.json'), join(folder, 'exports/admin.json'));
  cpSync(join(ROOT, 'examples/clients/right.py'), join(folder, 'my_client.py'));
  writeFileSync(join(folder, 'my-client.js'), `import '${join(ROOT, 'examples/clients/right.ts')}';\n`);
  writeFileSync(join(folder, 'shop-1.4.2.tgz'), 'a packed shop');
}

/** Earlier runs, one of them with a finding, and recordings of them. `options`: of the platform. */
async function judgeBefore(folder: string, baseUrl: string, options: StartOptions, execute: Execute): Promise<void> {
  const ran = async (flags: string, expected: number): Promise<void> => {
    const { code, told } = await execute(`npx assay conform ${flags}`, folder);
    if (code !== expected) throw new Error(`conform ${flags} ended with ${code}: ${told}`);
  };
  const faulty = await startPlatform({ ...options, faults: ['err-02-no-title'] });
  try {
    await ran(`--config '${faulty.config}' --out reports/main --budget 150`, 1);
  } finally {
    await faulty.stop();
  }
  const report = join(folder, 'reports/main/report.json');
  writeFileSync(report, readFileSync(report, 'utf8').replaceAll(faulty.baseUrl, baseUrl));
  await ran('--config assay.config.yaml --out reports/20260131-120000-9f3a2b', 0);
  const recording = readFileSync(join(folder, 'reports/20260131-120000-9f3a2b/evidence.har'));
  writeFileSync(join(folder, 'browser.har'), recording);
  writeFileSync(join(folder, 'browser.har.gz'), gzipSync(recording));
}

/** A repository with a history. */
async function remember(folder: string, execute: Execute): Promise<void> {
  await execute(
    'git init -q && git add specs && git commit -qm specs && git update-ref refs/remotes/origin/main HEAD',
    folder,
  );
}

/** The fingerprint of the first finding of a run. */
function findingIn(folder: string): string {
  const { findings } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  return findings[0]?.fingerprint ?? '';
}

/** The delivery with a signature in place of the dots. */
function signed(delivery: string, secret: string): string {
  const body = Buffer.from(JSON.parse(delivery).bodyBase64, 'base64');
  return delivery.replace('…', createHmac('sha256', secret).update(body).digest('hex'));
}

function jsonOf(page: string): string {
  return blocksOf(page).find(({ language }) => language === 'json')?.text ?? '';
}

/** What pages name by example, and what it is here; longer examples stand first. */
function valuesOf(baseUrl: string, folder: string, fingerprint: string): readonly Value[] {
  return [
    ['npx assay init', 'cd "$(mktemp -d fresh-XXXX)" && npx assay init'],
    ['https://staging.example.com', baseUrl],
    ['https://api.example.com/openapi.json', `${join(folder, 'specs/admin.openapi.json')} --base-url ${baseUrl}`],
    ['env:API_KEY', 'env:ASSAY_TOKEN'],
    ['https://shop.example.com', baseUrl],
    ['OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318', 'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1'],
    ['3f9c1d2e4b5a6078', fingerprint],
    ['reports/<run id>', 'reports/20260131-120000-9f3a2b'],
    ['<ID>', 'err-02-no-title'],
    ['--port 8080', '--port 0'],
    ['--port 8081', '--port 0'],
    ['--port 4567', '--port 0'],
    ['--seconds 120', '--seconds 1'],
    ['--specs DIR', '--specs specs'],
    ['./my-client', 'my-client'],
  ];
}

type Value = readonly [example: string, value: string];
type Execute = (line: string, cwd: string) => Promise<Ended>;

async function shell(line: string, cwd: string, env: NodeJS.ProcessEnv, endsBy: 'itself' | 'Ctrl-C'): Promise<Ended> {
  // A group of its own, as a terminal gives it: Ctrl-C reaches the shell and what it started.
  const child = spawn('/bin/sh', ['-c', endsBy === 'Ctrl-C' ? `exec ${line}` : line], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const interrupt = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);
  const killer = systemClock.after(LONGEST_WAIT_MS, () => interrupt('SIGKILL'));
  let seen = '';
  let isInterrupted = endsBy === 'itself';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      seen += chunk.toString('utf8');
      if (isInterrupted || !LISTENS.test(seen)) return;
      isInterrupted = true;
      interrupt('SIGINT');
    });
  const [code] = await once(child, 'close');
  killer.cancel();
  return { code, told: seen };
}
