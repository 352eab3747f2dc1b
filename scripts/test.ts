// `npm test`: linter, types and every unit test, all of them even if one fails. Prints the tally as its last line and
// leaves it in .assay/tally.txt. A skipped test counts as failed: nothing that a test needs is missing after `npm ci`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Counts from vitest's JSON reporter. A run that failed without a failed test (a suite that does not load) counts one. */
function vitestTally(ok: boolean): Tally {
  try {
    const result = JSON.parse(readFileSync(resultFile, 'utf8'));
    const failed = result.numTotalTests - result.numPassedTests;
    const skipped = result.numPendingTests + result.numTodoTests;
    if (skipped > 0) console.log(`${skipped} skipped or todo, counted as failed`);
    return { passed: result.numPassedTests, failed: failed === 0 && !ok ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

mkdirSync(folder, { recursive: true });
rmSync(resultFile, { force: true });
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
);
const passed = lint.passed + types.passed + tests.passed;
const failed = lint.failed + types.failed + tests.failed;
const line = `${passed} passed, ${failed} failed`;
writeFileSync(join(folder, 'tally.txt'), `${line}\n`);
console.log(`\n${line}`);
process.exitCode = failed > 0 || tests.passed === 0 ? 1 : 0;
