// `npm test`: linter, types and every unit test, all of them even if one fails. Prints the tally as its last line and
// leaves it in .assay/tally.txt. A skipped test counts as failed: nothing that a test needs is missing after `npm ci`, but
// for k6, which is built with Go where Go is. Where neither is there, the tests that need k6 are told as skipped.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideK6 } from '../src/load/k6/provide.ts';
import { WITH_K6 } from '../src/load/k6/test-k6.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.assay');
const resultFile = join(folder, 'vitest.json');

interface Tally {
  passed: number;
  failed: number;
}

function step(title: string, command: string, ...args: string[]): boolean {
  console.log(`\n# ${title}`);
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

function single(ok: boolean): Tally {
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A test as vitest's JSON reporter tells it. */
interface Told {
  readonly status: string;
  readonly ancestorTitles: readonly string[];
}

/** Counts from vitest's JSON reporter. A run that failed without a failed test (a suite that does not load) counts one. */
function vitestTally(ok: boolean, whyNoK6: string | null): Tally {
  try {
    const { testResults } = JSON.parse(readFileSync(resultFile, 'utf8'));
    const open: Told[] = testResults.flatMap(({ assertionResults }: { assertionResults: Told[] }) =>
      assertionResults.filter(({ status }) => status !== 'passed'),
    );
    const passed = testResults.reduce(
      (sum: number, { assertionResults }: { assertionResults: Told[] }) => sum + assertionResults.length,
      -open.length,
    );
    const excused = open.filter(
      ({ status, ancestorTitles }) =>
        whyNoK6 !== null && status !== 'failed' && ancestorTitles.some((title) => title.startsWith(WITH_K6)),
    );
    if (excused.length > 0) console.log(`${excused.length} skipped: ${whyNoK6}`);
    const failed = open.length - excused.length;
    const skipped = open.filter((told) => told.status !== 'failed' && !excused.includes(told)).length;
    if (skipped > 0) console.log(`${skipped} skipped or todo, counted as failed`);
    return { passed, failed: failed === 0 && !ok ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Why there is no k6 to test with; null where there is one, built when it has to be. */
async function missingK6(): Promise<string | null> {
  console.log('\n# k6');
  return provideK6(process.env, console.log).then(
    ({ path, version }) => {
      console.log(`k6 ${version} (${path})`);
      return null;
    },
    (error: Error) => error.message,
  );
}

mkdirSync(folder, { recursive: true });
rmSync(resultFile, { force: true });
const whyNoK6 = await missingK6();
const lint = single(step('lint', 'biome', 'check'));
const types = single(step('types', 'tsc', '--noEmit'));
const tests = vitestTally(
  step(
    'tests',
    'vitest',
    'run',
    '--project',
    'unit',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
  ),
  whyNoK6,
);
const passed = lint.passed + types.passed + tests.passed;
const failed = lint.failed + types.failed + tests.failed;
const line = `${passed} passed, ${failed} failed`;
writeFileSync(join(folder, 'tally.txt'), `${line}\n`);
console.log(`\n${line}`);
process.exitCode = failed > 0 || tests.passed === 0 ? 1 : 0;
