// `npm test`: linter, types and every unit test, all of them even if one fails. Prints the tally as its last line and
// leaves it in .assay/tally.txt. A skipped test counts as failed: nothing that a test needs is missing after `npm ci`, but
// for k6, which is built with Go where Go is, and a browser. Where they are not, the tests that need them are told as
// skipped; in CI, which installs the browser, those for want of it count as failed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideK6 } from '../src/load/k6/provide.ts';
import { WITH_K6 } from '../src/load/k6/test-k6.ts';
import { NO_BROWSER, WITH_BROWSER } from '../test/browser.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.assay');
const resultFile = join(folder, 'vitest.json');

interface Tally {
  passed: number;
  failed: number;
  /** For want of something that the machine may lack. */
  skipped: number;
}

function step(title: string, command: string, ...args: string[]): boolean {
  console.log(`\n# ${title}`);
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

function single(ok: boolean): Tally {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/** A test as vitest's JSON reporter tells it. */
interface Told {
  readonly status: string;
  readonly ancestorTitles: readonly string[];
}

/** Something that a machine may lack. */
interface Missing {
  /** How the suites that need it begin. */
  readonly suites: string;
  readonly why: string;
}

/** Counts from vitest's JSON reporter. A run that failed without a failed test (a suite that does not load) counts one. */
function vitestTally(ok: boolean, missing: readonly Missing[]): Tally {
  try {
    const { testResults } = JSON.parse(readFileSync(resultFile, 'utf8'));
    const open: Told[] = testResults.flatMap(({ assertionResults }: { assertionResults: Told[] }) =>
      assertionResults.filter(({ status }) => status !== 'passed'),
    );
    const passed = testResults.reduce(
      (sum: number, { assertionResults }: { assertionResults: Told[] }) => sum + assertionResults.length,
      -open.length,
    );
    const skips = open.filter(({ status }) => status !== 'failed');
    const excused = missing.flatMap(({ suites, why }) => {
      const own = skips.filter(({ ancestorTitles }) => ancestorTitles.some((title) => title.startsWith(suites)));
      if (own.length > 0) console.log(`${own.length} skipped: ${why}`);
      return own;
    });
    const failed = open.length - excused.length;
    const counted = skips.length - excused.length;
    if (counted > 0) console.log(`${counted} skipped or todo, counted as failed`);
    return { passed, failed: failed === 0 && !ok ? 1 : failed, skipped: excused.length };
  } catch {
    return single(false);
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
const whyNoBrowser = process.env.CI === undefined ? NO_BROWSER : null;
const lint = single(step('lint', 'biome', 'check'));
const types = single(step('types', 'tsc', '--noEmit'));
const tests = vitestTally(
  step(
    'tests',
    'vitest',
    'run',
    '--project=unit',
    '--project=load',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
  ),
  [
    ...(whyNoK6 === null ? [] : [{ suites: WITH_K6, why: whyNoK6 }]),
    ...(whyNoBrowser === null ? [] : [{ suites: WITH_BROWSER, why: whyNoBrowser }]),
  ],
);
const passed = lint.passed + types.passed + tests.passed;
const failed = lint.failed + types.failed + tests.failed;
const line = `${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`;
writeFileSync(join(folder, 'tally.txt'), `${line}\n`);
console.log(`\n${line}`);
process.exitCode = failed > 0 || tests.passed === 0 ? 1 : 0;
