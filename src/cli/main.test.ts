// Tests refusals and explanations of the command line in this process: exit code, stdout and stderr.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { CLAUSES } from '../contract/clauses.ts';
import { completed, main } from './main.ts';

const SPECS = join(import.meta.dirname, '..', '..', 'specs');
const CONFIG = join(mkdtempSync(join(tmpdir(), 'assay-main-')), 'assay.config.yaml');
writeFileSync(
  CONFIG,
  `target: { baseUrl: "http://127.0.0.1:1" }\nservices: { admin: { spec: ${SPECS}/admin.openapi.yaml } }\n`,
);

const FOLDER = dirname(CONFIG);
const LAWS = join(FOLDER, 'laws.yaml');
writeFileSync(LAWS, `${readFileSync(CONFIG, 'utf8')}contract: openapi\nlaws: { pagination: ["GET /nothing"] }\n`);
const OPENAPI = CONFIG.replace('assay.', 'openapi.');
writeFileSync(OPENAPI, `${readFileSync(CONFIG, 'utf8')}contract: openapi\n`);
const EMPTY = join(FOLDER, 'report.json');
writeFileSync(EMPTY, '{}');

async function run(args: readonly string[]) {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk);
      return true;
    });
  }
  return { code: await main(args), ...written };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [['conform', '--bogus'], /unknown option '--bogus'/],
  [['conform', '--budgte', '3'], /did you mean --budget/i],
  [['conform', 'openapi.json', 'extra'], /too many arguments/],
  [['bogus'], /unknown command 'bogus'/],
  [[], /no command is given/],
  [['conform', '--seed', '1.5'], /--seed .* whole number/],
  [['conform', '--budget', '0'], /--budget .* at least 1/],
  [['conform', '--time-limit', 'soon'], /--time-limit .* seconds above 0/],
  [['conform', '--concurrency', '0'], /--concurrency .* from 1 to/],
  [['conform', '--run-id', '../x'], /--run-id .* letters, digits/],
  [['conform', '--clause', 'ERR-4'], /no clause ERR-4 \(did you mean "ERR-04"\?\)/],
  [
    ['webhooks', '--config', CONFIG, '--clause', 'ERR-04'],
    /assay webhooks judges HOOK-01, HOOK-02, HOOK-03, and not ERR-04/,
  ],
  [['webhooks', '--config', CONFIG, '--service', 'amdin'], /no service is named "amdin" \(did you mean "admin"\?\)/],
  [['webhooks', '--port', '99999'], /--port .* from 0 to 65535/],
  [['webhooks', '--seconds', '0'], /--seconds .* seconds above 0/],
  [['webhooks', '--deliveries', 'x', '--port', '1'], /--deliveries .* cannot be used with option '--port <n>'/],
  [['webhooks', '--config', CONFIG, '--deliveries', '/no/file'], /--deliveries: \/no\/file cannot be read \(ENOENT\)/],
  [['webhooks', '--config', CONFIG, '--out', FOLDER, '--host', '192.0.2.1'], /cannot be received at 192\.0\.2\.1/],
  [['conform', '--config', CONFIG, '--service', 'amdin'], /no service is named "amdin" \(did you mean "admin"\?\)/],
  [
    ['conform', '--config', CONFIG, '--operation', 'GET /nothing/here'],
    /"GET \/nothing\/here".* matches none of the \d+ operations/,
  ],
  [['conform', '--base-url', 'ftp://x'], /--base-url is not an http or https URL/],
  [['conform', '--config', 'absent.yaml'], /absent\.yaml does not exist/],
  [['conform', '--shard', '3/2'], /--shard .* I\/N/],
  [
    ['conform', '--replay', 'f1', '--clause', 'ERR-04'],
    /'--replay <fingerprint>' cannot be used with option '--clause/,
  ],
  [['conform', '--replay', 'f1', '--seed', '2'], /'--replay <fingerprint>' cannot be used with option '--seed/],
  [['conform', '--replay', 'f1', '--shard', '1/2'], /'--replay <fingerprint>' cannot be used with option '--shard/],
  [['conform', '--replay', 'f1', '--from', 'no-such-run'], /no-such-run does not exist/],
  [['conform', '--from', 'no-such-run'], /--from goes with --replay/],
  [['conform', '--config', CONFIG, '--fail-on', 'new'], /--fail-on new goes with --baseline/],
  [['conform', '--fail-on', 'some'], /expected one of new, any/],
  [['conform', '--config', CONFIG, '--baseline', 'no-such-run'], /no-such-run does not exist/],
  [['conform', '--config', CONFIG, '--waivers', 'absent.yaml'], /absent\.yaml does not exist/],
  [['conform', '--replay', 'f1', '--baseline', 'x'], /'--replay <fingerprint>' cannot be used with option '--baseline/],
  [
    ['conform', '--config', CONFIG, '--changed-since', 'no-such-rev'],
    /--changed-since: git knows no revision no-such-rev/,
  ],
  [
    ['conform', '--replay', 'f1', '--changed-since', 'x'],
    /'--replay <fingerprint>' cannot be used with option '--chan/,
  ],
  [['load', 'ceiling', '--budget', 'x'], /--budget .* at least 1/],
  [['load', 'soak', '--bogus'], /unknown option '--bogus'/],
  [['load', 'soak', '--from', 'no-such-run'], /soak tells cannot be made from samples/],
  [['certify', '--sign', 'absent.pem'], /--sign: absent\.pem cannot be read/],
  [['certify', '--sign', CONFIG], /--sign: .* holds no Ed25519 private key/],
  [['conform', '--config', '.'], /: is a folder, not a file/],
  [['conform', '--config', LAWS], /laws\.pagination: "GET \/nothing" matches none of the \d+ operations/],
  [['load', 'ceiling', '--from', 'no-such-run'], /no-such-run holds no samples of load/],
  [['load', 'capacity', '--from', 'no-such-run'], /capacity tells cannot be made from samples/],
  [['load', 'ceiling', '--resume', 'no-such-run'], /no-such-run does not exist/],
  [['load', 'soak', '--resume', 'no-such-run'], /unknown option '--resume'/],
  [['load', 'cieling'], /unknown command 'cieling' \(did you mean "ceiling"\?\)/],
  [['load', '--bogus'], /unknown option '--bogus'/],
  [['load', '--collect', 'no-such-bundle'], /no-such-bundle is no bundle that --distributed wrote/],
  [['load', '--collect', 'no-such-bundle', '--bogus'], /unknown option '--bogus'/],
  [['load', 'soak', '--collect', 'bundle'], /--collect goes without a suite/],
  [['load', 'ceiling', '--distributed', 'bundle'], /assay load ceiling cannot be shared by instances/],
  [['load', 'capacity', '--distributed', 'bundle'], /one step of it needs --rate and --seconds/],
  [['load', 'capacity', '--rate', '5'], /--rate goes with --distributed/],
  [['load', 'ratelimit', '--config', OPENAPI], /judges clauses on limits, and the contract openapi states none/],
  [['load', 'capacity', '--namespace', 'load'], /--namespace goes with --cluster/],
  [['load', 'soak', '--cluster', 'x'], /--cluster: assay load soak is made from one machine/],
  [
    ['load', 'capacity', '--cluster', 'x', '--distributed', 'bundle'],
    /--cluster sends from a cluster, and --distributed/,
  ],
  [['load', 'capacity', '--cluster', 'x', '--rate', '5'], /--rate goes with --distributed/],
  [['load', 'capacity', '--cluster', 'x', '--embedded'], /--cluster: the embedded platform ends with this command/],
  [['load', 'soak', '--distributed', 'bundle', '--instances', '0'], /--instances .* from 1 to 500/],
  [['load', 'soak', '--distributed', 'bundle', '--from', 'run'], /--from judges samples that are there/],
  [['report', EMPTY], /is no report: .* must have required property/],
  [['report', SPECS], /specs is the folder of no run: it holds no report\.json/],
  [['report', CONFIG], /assay\.config\.yaml is no report: it holds no JSON/],
  [['report', '--key', 'x', 'no-such-run'], /--key, --subject and --require go with --verify/],
  [['report', '--diff', '--out', 'x', 'a', 'b'], /'--diff' cannot be used with option '--out/],
  [['report', '--export', 'k6', '--diff', 'a', 'b'], /'--export <format>' cannot be used with option '--diff'/],
  [['report', '--export', 'k6'], /--export writes the tests of one run, and none is named/],
  [['report', '--export', 'jest', 'a'], /--export.*jest/],
  [['report', '--verify', 'no-such-run'], /no-such-run is no folder/],
  [['report', '--verify', SPECS, '--key', CONFIG], /--key: .*assay\.config\.yaml is no Ed25519 public key in PEM/],
  [['certify', '--subject', 'absent.tgz'], /--subject: absent\.tgz cannot be read/],
  [['report', '--merge', 'no-such-run'], /no-such-run does not exist/],
  [['specs', 'absent.yaml'], /absent\.yaml: cannot be read: there is no such file/],
  [['platform', '--port', '70000'], /--port .* from 0 to 65535/],
  [['init', '--base-url', 'x'], /--base-url .* http or https URL/],
])('assay %j is refused with exit 2, one message and nothing on stdout', async (args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(stdout).toBe('');
  expect(code).toBe(2);
});

test('--fail-on any without a baseline says that it changes nothing', async () => {
  const { stderr } = await run(['conform', '--config', CONFIG, '--fail-on', 'any', '--waivers', 'absent.yaml']);
  expect(stderr).toContain('without --baseline every violation fails the run');
});

/** Every command, those of commands among them, as what is typed. */
function pathsOf({ commands }: Command): readonly (readonly string[])[] {
  return [[], ...commands.flatMap((one) => pathsOf(one).map((path) => [one.name(), ...path]))];
}

test.each(pathsOf(completed(() => {})).map((path) => [[...path, '--help']]))(
  'assay %j shows examples on stdout and ends with 0',
  async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect(stdout).toMatch(/Examples:\n {2}assay /);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  },
);

test.each([
  [
    ['conform', '--budget', 'abc'],
    '--budget abc: expected a whole number of at least 1',
    'assay conform --budget 2000',
  ],
  [['conform', '--shard', '3'], '--shard 3: expected I/N', 'assay conform --shard 1/2'],
  [['conform', '--profile', 'x'], '--profile x: expected one of ci', 'assay conform --profile ci'],
  [
    ['load', 'spike', '--time-limit', 'x'],
    '--time-limit x: expected a number of seconds',
    'assay load spike --time-limit 600',
  ],
  [['completion', 'tcsh'], 'tcsh is not supported: bash, zsh, fish, powershell', 'assay completion bash'],
  [['conform', '--bogus'], "unknown option '--bogus'", 'assay conform --help'],
  [
    ['conform', '--clause', 'ERR-99'],
    'the contract has no clause ERR-99 (did you mean "ERR-09"?)',
    '`assay clauses` prints all of them',
  ],
  [
    ['clauses', 'EER-04'],
    'the contract has no clause EER-04 (did you mean "ERR-04"?)',
    '`assay clauses` prints all of them',
  ],
  [['report', '--verify', FOLDER], `there is no certificate in ${FOLDER}`, 'assay certify --help'],
  [['platform', '--fault', 'err-04-statuss'], '--fault: there is no err-04-statuss', 'assay platform --list-faults'],
  [['platform', '--fault', 'err-xx'], '(some are err-', 'assay platform --list-faults'],
  [['platform', '--fault', 'pag-06-of-no-kind-at-all'], '(some are pag-06-', 'assay platform --list-faults'],
] as const)('%j is told with a line that mends it', async (args, what, hint) => {
  const { code, stderr, stdout } = await run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const [first = '', second = '', ...rest] = stderr.split('\n');
  expect(first).toContain(what);
  expect(second).toMatch(/^ {2}hint: /);
  expect(second).toContain(hint);
  expect(rest).toEqual(['']);
});

test('assay clauses prints every clause, a family, or one clause in full', async () => {
  const all = JSON.parse((await run(['clauses', '--json'])).stdout);
  expect(all.map(({ id }: { id: string }) => id)).toEqual(CLAUSES.map(({ id }) => id));
  expect(all.every(({ sent }: { sent: string[] }) => sent.length > 0)).toBe(true);
  const text = (await run(['clauses'])).stdout;
  for (const { id } of CLAUSES) expect(text).toMatch(new RegExp(`^${id} `, 'm'));
  const family = (await run(['clauses', 'err'])).stdout.split('\n').filter((line) => /^\S/.test(line));
  expect(family).toHaveLength(CLAUSES.filter((clause) => clause.family === 'ERR').length);
  const one = (await run(['clauses', 'rate-04'])).stdout;
  for (const part of [
    'RATE-04',
    'must: a breach',
    'Tolerance',
    'at least 1 exhausted window',
    'limit is spent',
    'assay conform',
  ])
    expect(one).toContain(part);
});

test('the help of a command lists its options in groups, and none that do not serve it', async () => {
  const helpOf = async (...args: string[]) => (await run([...args, '--help'])).stdout;
  const conform = await helpOf('conform');
  const headings = conform.split('\n').filter((line) => /^[A-Z].*:$/.test(line));
  expect(headings).toEqual([
    ...['Arguments:', 'With a description:', 'What to judge:', 'How much:', 'Output:', 'Again:', 'What to accept:'],
    ...['Options:', 'Examples:'],
  ]);
  const [, judged = ''] = conform.split('What to judge:');
  expect(judged.trimStart()).toMatch(/^--config /);
  for (const option of ['--shard', '--operation', '--profile']) {
    expect(conform).toContain(`  ${option} `);
    expect(await helpOf('certify')).not.toContain(`  ${option} `);
  }
  expect(await helpOf('load', 'spike')).not.toMatch(/ {2}--(shard|profile) /);
});

test('a line is read without what runs are made of: help and refusals wait for none of it', () => {
  const script = `import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    await import(${JSON.stringify(join(import.meta.dirname, 'main.ts'))});
    console.log(JSON.stringify(urls));`;
  const args = ['--input-type=module', '--eval', script];
  const urls: readonly string[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const loaded = (pattern: RegExp) => new Set(urls.flatMap((url) => pattern.exec(url)?.[1] ?? []));
  expect([...loaded(/node_modules\/((?:@[^/]+\/)?[^/]+)/)]).toEqual(['commander']);
  const rooms = ['cli', 'clock', 'config', 'contract', 'disk', 'exchange', 'reporters'];
  expect([...loaded(/\/src\/([a-z-]+)\//)].sort()).toEqual(rooms);
});
