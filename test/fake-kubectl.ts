// For tests: a program that speaks as much of kubectl as a search needs, its cluster a folder. Instances of a TestRun are
// processes of this machine, started as k6-operator starts them, each with its log in a file.
//
//   FAKE_CLUSTER=folder node test/fake-kubectl.ts create -f - …
//
// `fault` in the folder names what goes wrong: `image` (no instance begins), `late` (the second begins after the others),
// `silent` (the second cannot reach anything).
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { segmentOf, sequenceOf } from '../src/load/distributed/segment.ts';

const folder = process.env.FAKE_CLUSTER ?? '';
const [verb = '', what = '', ...rest] = process.argv.slice(2);
const fault = readOr('fault', '').trim();
const LATE_SECONDS = 2;

function readOr(name: string, otherwise: string): string {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : otherwise;
}

function say(value: unknown): void {
  process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value));
}

function create(): void {
  const { items } = JSON.parse(readFileSync(0, 'utf8'));
  const [configMap, secret, testRun] = items;
  const { name } = testRun.metadata;
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, 'testrun.json'), JSON.stringify(testRun));
  const { file } = testRun.spec.script.configMap;
  writeFileSync(join(home, file), Buffer.from(configMap.binaryData[file], 'base64'));
  if (fault === 'image') return;
  const count = testRun.spec.parallelism;
  for (let instance = 1; instance <= count; instance += 1) start(home, testRun, secret.stringData, instance, count);
}

function start(
  home: string,
  testRun: {
    readonly spec: { readonly script: { configMap: { file: string } }; readonly runner: { env: Variable[] } };
  },
  secrets: Readonly<Record<string, string>>,
  instance: number,
  count: number,
): void {
  const env = Object.fromEntries(
    testRun.spec.runner.env.map(({ name, value, valueFrom }) => [
      name,
      value ?? secrets[valueFrom?.secretKeyRef?.key ?? ''] ?? '',
    ]),
  );
  const part = [
    `--execution-segment=${segmentOf(instance, count)}`,
    `--execution-segment-sequence=${sequenceOf(count)}`,
  ];
  const log = openSync(join(home, `pod-${instance}.log`), 'a');
  const delay = fault === 'late' && instance === 2 ? LATE_SECONDS : 0;
  const proxy = fault === 'silent' && instance === 2 ? { K6_BLACKLIST_IPS: '127.0.0.0/8' } : {};
  const script = `sleep ${delay}; "$@"; echo $? > "${join(home, `pod-${instance}.code`)}"`;
  const { file } = testRun.spec.script.configMap;
  const k6 = [process.env.FAKE_K6 ?? 'k6', 'run', '--quiet', '--address=127.0.0.1:0', ...part, join(home, file)];
  spawn('sh', ['-c', script, 'sh', ...k6], {
    env: { PATH: process.env.PATH, ...proxy, ...env },
    stdio: ['ignore', log, log],
    detached: true,
  }).unref();
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly key: string } };
}

function pods(): object {
  const selector = rest[rest.indexOf('-l') + 1] ?? '';
  const name = /k6_cr=([^,]+)/.exec(selector)?.[1] ?? '';
  const home = join(folder, name);
  const { spec } = JSON.parse(readFileSync(join(home, 'testrun.json'), 'utf8'));
  const items = Array.from({ length: spec.parallelism }, (_, at) => ({
    metadata: { name: `${name}-${at + 1}-x`, labels: { k6_cr: name, runner: 'true' } },
    status: statusOf(home, at + 1),
  }));
  return {
    items: rest.some((word) => word.includes('Failed'))
      ? items.filter(({ status }) => status.phase === 'Failed')
      : items,
  };
}

function statusOf(home: string, instance: number): { readonly phase: string; readonly containerStatuses: object[] } {
  if (fault === 'image')
    return {
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull', message: 'manifest unknown' } } }],
    };
  const code = join(home, `pod-${instance}.code`);
  if (!existsSync(code)) return { phase: 'Running', containerStatuses: [] };
  const exitCode = Number(readFileSync(code, 'utf8'));
  return {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: [{ state: { terminated: { exitCode } } }],
  };
}

function log(pod: string): string {
  const [, name = '', instance = ''] = /^(.*)-(\d+)-x$/.exec(pod) ?? [];
  return readFileSync(join(folder, name, `pod-${instance}.log`), 'utf8');
}

appendFileSync(join(folder, 'calls'), `${process.argv.slice(2).join(' ')}\n`);
if (verb === 'config') process.exitCode = rest[0] === 'proof' ? 0 : 1;
else if (verb === 'create') create();
else if (verb === 'logs') say(log(what));
else if (verb === 'get' && what === 'pods') say(pods());
else if (verb === 'get') say({ status: { stage: 'started' } });
else if (verb === 'delete') writeFileSync(join(folder, 'deleted'), readdirSync(folder).join('\n'));
