// What is packed for users, laid out as an install lays it out, and what the command says on a Node too old.
// package.nightly.test.ts installs it as a stranger would, and runs it.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { layOut, lockedPackages, manifest, type Outcome, packageFolder, packCopy, run as runIn } from './packed.ts';
import { ROOT } from './root.ts';

const folder = packageFolder();
const installed = join(folder, 'node_modules', 'assay');

function run(command: string, args: readonly string[]): Promise<Outcome> {
  return runIn(command, args, folder);
}

interface Component {
  readonly name: string;
  readonly version: string;
}

/** Every package that the lock file has for users, once each: "ajv@8.20.0". */
function lockedForUse(): readonly string[] {
  const used = Object.entries(lockedPackages()).filter(([, { dev }]) => dev !== true);
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
  await packCopy(folder);
  await layOut(folder);
});

describe('the installed package', () => {
  const script = join(installed, 'bin', 'assay.js');

  test('tells its version', async () => {
    expect(await run(process.execPath, [script, '--version'])).toMatchObject({
      code: 0,
      stdout: `${manifest.version}\n`,
    });
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

  test('is a library: what it exports runs a target and tells its verdict', async () => {
    const script = `import { CLAUSES, defineConfig, run } from 'assay';
      const report = await run({ embedded: true, clauses: ['ERR-04'], budget: 60 });
      console.log(CLAUSES.length, typeof defineConfig, report.verdict);`;
    const outcome = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(outcome.stdout, outcome.stderr).toMatch(/^\d+ function pass\n$/);
  });

  test('says in one line that this Node is too old', async () => {
    const outcome = await runAsNode('20.20.2', script, '--version');
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^assay: needs Node 22\.19 or newer, but this is Node 20\.20\.2; [^\n]+\n$/);
  });

  test('accepts the oldest Node that it promises, and no older', async () => {
    expect((await runAsNode('22.19.0', script, '--version')).code).toBe(0);
    expect((await runAsNode('22.18.9', script, '--version')).code).toBe(2);
  });
});

test('in the repository a Node too old hands over to the installed one', async () => {
  const outcome = await runAsNode('20.20.2', join(ROOT, 'bin', 'assay.js'), '--version');
  expect(outcome).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
});
