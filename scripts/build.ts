// Compiles what the package ships into dist/: all that the entries named in tsconfig.build.json reach, laid out like
// the repository, with the data that sources read beside themselves. Node refuses to strip types below node_modules.
// Beside it stands the bill of materials (CycloneDX): every package that an install of this one brings on any platform.
//   node scripts/build.ts [--out FOLDER] [--unchecked]
// `--unchecked` leaves the types to whoever checks them: that takes two thirds of the time.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readArguments } from './command-line.ts';

const root = join(import.meta.dirname, '..');
const { values: flags } = readArguments('node scripts/build.ts [--out FOLDER] [--unchecked]', {
  options: { out: { type: 'string', default: join(root, 'dist') }, unchecked: { type: 'boolean', default: false } },
});
const dist = flags.out;

/** A package in the bill, as far as it is looked at here. */
interface Component {
  readonly 'bom-ref': string;
  readonly properties?: readonly { readonly name: string }[];
}

/** What a package needs. */
interface Needs {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/**
 * The bill that npm writes from the lock file, without the packages of development. npm's own `--omit=dev` leaves out what
 * development needs, too, ajv for one; and it takes the name of this package from its folder. Throws where npm fails.
 */
function billOfMaterials(): string {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', ...options], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`npm sbom failed, which needs npm 10 or newer:\n${stderr}`);
  const bill = JSON.parse(stdout);
  const { name, dependencies: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const component = { ...bill.metadata.component, name };
  const components = bill.components.filter((one: Component) => !isForDevelopment(one));
  const shipped = new Set(components.map((one: Component) => one['bom-ref']));
  const direct = new Set(Object.entries(own).map(([dependency, version]) => `${dependency}@${version}`));
  const dependencies = bill.dependencies
    .filter(({ ref }: Needs) => shipped.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }: Needs) => {
      const kept = ref === component['bom-ref'] ? direct : shipped;
      return { ref, dependsOn: dependsOn.filter((needed) => kept.has(needed)) };
    });
  return `${JSON.stringify({ ...bill, metadata: { ...bill.metadata, component }, components, dependencies }, null, 2)}\n`;
}

function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:development');
}

rmSync(dist, { recursive: true, force: true });
const unchecked = flags.unchecked ? ['--noCheck'] : [];
const compile = ['-p', 'tsconfig.build.json', '--outDir', dist, ...unchecked];
const compiled = spawnSync('tsc', compile, { cwd: root, stdio: 'inherit' });
if (compiled.status === 0) {
  const isShippedData = (path: string) => !path.endsWith('.ts') && basename(path) !== 'test-data';
  for (const folder of ['src', 'suites']) {
    cpSync(join(root, folder), join(dist, folder), { recursive: true, filter: isShippedData });
  }
  writeFileSync(join(dist, 'sbom.cdx.json'), billOfMaterials());
} else {
  process.exitCode = 1;
}
