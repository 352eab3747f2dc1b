// The packed package, installed elsewhere as a stranger would, and what the command says on a Node too old.
// One install for all tests; its packages come from npm's cache, at the versions of the lock file.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { SHOP_TOKEN, startShop } from './shop-server.ts';
import { ROOT } from './sources.ts';

const INSTALL_LIMIT_MS = 300_000;
const RUN_LIMIT_MS = 180_000;
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'assay-package-'));
const installed = join(folder, 'node_modules', 'assay');

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], cwd = folder): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, maxBuffer: 2 ** 26 }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

async function mustRun(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const outcome = await run(command, args, cwd);
  expect(outcome.code, `${command} ${args.join(' ')}\n${outcome.stdout}${outcome.stderr}`).toBe(0);
}

/** A lock file that installs the tarball with the very packages that the repository is locked to. */
function lockFor(tarball: string): unknown {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { '': _repository, ...locked } = packages;
  const dependencies = { assay: `file:${tarball}` };
  const { version, bin, dependencies: needed } = manifest;
  const assay = { version, bin, dependencies: needed, resolved: dependencies.assay };
  return {
    lockfileVersion: 3,
    requires: true,
    packages: { '': { dependencies }, ...locked, 'node_modules/assay': assay },
  };
}

interface Component {
  readonly name: string;
  readonly version: string;
}

/** Every package that the lock file has for users, once each: "ajv@8.20.0". */
function lockedForUse(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { '': _repository, ...locked } = packages as Record<string, { version: string; dev?: boolean }>;
  const used = Object.entries(locked).filter(([, { dev }]) => dev !== true);
  const names = used.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  return [...new Set(names)].sort();
}

/** The validator of CycloneDX's own schema, which refers to others by the names of their files. */
function billSchema(version: string): ValidateFunction {
  const folder = join(ROOT, 'node_modules', '@cyclonedx', 'cyclonedx-library', 'res', 'schema');
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  // ajv-formats does not know these two.
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  for (const file of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(read(file), `http://cyclonedx.org/schema/${file}`);
  }
  return ajv.compile(read(`bom-${version}.SNAPSHOT.schema.json`));
}

/** Runs the command as if this Node were of another version. */
function runAsNode(version: string, script: string, ...args: string[]): Promise<Outcome> {
  const pretend = join(folder, `node-${version}.cjs`);
  const versions = `{ value: { ...process.versions, node: '${version}' } }`;
  writeFileSync(pretend, `Object.defineProperty(process, 'versions', ${versions});\n`);
  return run(process.execPath, ['--require', pretend, script, ...args]);
}

beforeAll(async () => {
  const tarball = `assay-${manifest.version}.tgz`;
  await mustRun('npm', ['pack', '--pack-destination', folder], ROOT);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { assay: `file:${tarball}` } }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockFor(tarball)));
  await mustRun('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']);
}, INSTALL_LIMIT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the installed package', () => {
  const command = join(folder, 'node_modules', '.bin', 'assay');

  test('tells its version', async () => {
    expect(await run(command, ['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  });

  test('holds compiled code and no sources to strip', () => {
    expect(existsSync(join(installed, 'src'))).toBe(false);
    expect(existsSync(join(installed, 'dist', 'src', 'cli', 'main.js'))).toBe(true);
  });

  test('holds nothing that only tests and benchmarks use', () => {
    const files = globSync('**/*', { cwd: installed });
    const isForUsers = (file: string): boolean =>
      !/(^|\/)(test|testing|bench|scripts|scale-model)\/|\.test\./.test(file);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !file.includes('node_modules') && !isForUsers(file))).toEqual([]);
  });

  test('holds a bill of materials that follows CycloneDX and names each package that an install brings', () => {
    const text = readFileSync(join(installed, 'dist', 'sbom.cdx.json'), 'utf8');
    const bill = JSON.parse(text);
    const isBill = billSchema(bill.specVersion);
    isBill(bill);
    expect(isBill.errors).toBeNull();
    expect(bill.metadata.component).toMatchObject({ name: manifest.name, version: manifest.version });
    const named = bill.components.map(({ name, version }: Component) => `${name}@${version}`);
    expect(named.toSorted()).toEqual(lockedForUse());
    const needs = bill.dependencies.find(({ ref }: { ref: string }) => ref === bill.metadata.component['bom-ref']);
    const direct = Object.entries(manifest.dependencies).map(([name, version]) => `${name}@${version}`);
    expect(needs.dependsOn.toSorted()).toEqual(direct.sort());
    expect(text).not.toContain(ROOT);
  });

  test('publishes the schemas of its report and its configuration, and types', async () => {
    const names = Object.keys(manifest.exports).map((name) => name.replace('.', 'assay'));
    const script = `for (const name of ${JSON.stringify(names)}) console.log(import.meta.resolve(name));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    const files = stdout
      .trim()
      .split('\n')
      .map((url) => new URL(url));
    expect(files).toHaveLength(names.length);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(existsSync(join(installed, manifest.exports['.'].types))).toBe(true);
  });

  test(
    'runs the example of checks and reporters, which import it by its name',
    async () => {
      cpSync(join(ROOT, 'examples', 'extending'), join(folder, 'extending'), { recursive: true });
      const shop = await startShop(null);
      vi.stubEnv('ASSAY_TOKEN', SHOP_TOKEN);
      const config = join('extending', 'assay.config.ts');
      const options = ['--base-url', shop.baseUrl, '--budget', '40', '--out', 'extended', '--quiet'];
      const outcome = await run(command, ['conform', '--config', config, ...options]).finally(() => shop.close());
      vi.unstubAllEnvs();
      expect(outcome.code, outcome.stdout + outcome.stderr).toBe(1);
      const { findings } = JSON.parse(readFileSync(join(folder, 'extended', 'report.json'), 'utf8'));
      expect(findings[0]).toMatchObject({ clause: 'X-CACHE-01', kind: 'violation' });
      expect(existsSync(join(folder, 'extended', 'metrics.prom'))).toBe(true);
    },
    RUN_LIMIT_MS,
  );

  test('is a library: what it exports runs a target and tells its verdict', async () => {
    const script = `import { CLAUSES, defineConfig, run } from 'assay';
      const report = await run({ embedded: true, clauses: ['ERR-04'], budget: 60 });
      console.log(CLAUSES.length, typeof defineConfig, report.verdict);`;
    const outcome = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(outcome.stdout, outcome.stderr).toMatch(/^\d+ function pass\n$/);
  });

  test(
    'judges the embedded platform for a user without a home, as containers have them, and writes nothing into itself',
    async () => {
      vi.stubEnv('HOME', join(folder, 'package.json'));
      vi.stubEnv('ASSAY_CACHE', '');
      const options = ['--embedded', '--seed', '1', '--budget', '150', '--out', 'homeless', '--quiet'];
      const outcome = await run(command, ['conform', ...options]).finally(() => vi.unstubAllEnvs());
      expect(outcome.code, outcome.stdout + outcome.stderr).toBe(0);
      expect(JSON.parse(readFileSync(join(folder, 'homeless', 'report.json'), 'utf8')).verdict).toBe('pass');
      expect(existsSync(join(folder, 'homeless', 'index.html'))).toBe(true);
      expect(globSync('node_modules/{,assay/node_modules/}.vitest*', { cwd: folder })).toEqual([]);
    },
    RUN_LIMIT_MS,
  );

  test(
    'is what the step of action.yml runs, its options read as a shell reads them',
    async () => {
      const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
      const step = runs.steps.find(({ id }: { id?: string }) => id === 'run');
      // npx would install what lies here already.
      const bin = join(folder, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift 2\nexec '${command}' "$@"\n`, { mode: 0o755 });
      const shop = await startShop(null);
      const env = {
        ...{ PATH: `${bin}:${process.env.PATH}`, ASSAY_TOKEN: SHOP_TOKEN, ASSAY_CACHE: 'off', GITHUB_ACTIONS: 'true' },
        ...{ GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') },
        ...{ GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '1', VERSION: 'latest', PROFILE: 'ci', BASELINE: '' },
        ...{ CONFIG: join(ROOT, 'examples', 'extending', 'assay.config.ts') },
        ARGS: `--base-url ${shop.baseUrl} --operation "GET /things" --clause X-CACHE-01 --budget 20`,
      };
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      const outcome = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run]).finally(() => {
        vi.unstubAllEnvs();
        return shop.close();
      });
      expect(outcome.code, outcome.stderr).toBe(1);
      expect(outcome.stderr).toContain('::error ');
      expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('report=reports/7-1\n');
      expect(readFileSync(join(folder, 'summary'), 'utf8')).toContain('FAIL');
      const { operations } = JSON.parse(readFileSync(join(folder, 'reports', '7-1', 'report.json'), 'utf8'));
      expect(operations.map(({ operation }: { operation: string }) => operation)).toEqual(['GET /things']);
    },
    RUN_LIMIT_MS,
  );

  test('says in one line that this Node is too old', async () => {
    const outcome = await runAsNode('20.20.2', join(installed, 'bin', 'assay.js'), '--version');
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^assay: needs Node 22\.19 or newer, but this is Node 20\.20\.2; [^\n]+\n$/);
  });

  test('accepts the oldest Node that it promises, and no older', async () => {
    const script = join(installed, 'bin', 'assay.js');
    expect((await runAsNode('22.19.0', script, '--version')).code).toBe(0);
    expect((await runAsNode('22.18.9', script, '--version')).code).toBe(2);
  });
});

test('in the repository a Node too old hands over to the installed one', async () => {
  const outcome = await runAsNode('20.20.2', join(ROOT, 'bin', 'assay.js'), '--version');
  expect(outcome).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
});
