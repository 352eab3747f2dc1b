// `npm test`: linter, types and every unit test, all of them even if one fails; in CI the audit of the packages, too. Prints
// the tally as its last line and leaves it in .assay/tally.txt.
// A skipped test counts as failed: nothing that a test needs is missing after `npm ci`, but for k6, which is built with Go
// where Go is, and a browser. Where they are missing the tests that need them are told as skipped. CI installs the browser
// and builds k6 where Go is: what is missing there all the same counts as failed.
// `npm test -- src/load` runs the tests of one folder or file; vitest takes whatever stands there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideK6 } from '../src/load/k6/provide.ts';
import { WITH_K6 } from '../src/load/k6/testing/k6.ts';
import { NO_BROWSER, WITH_BROWSER } from '../test/browser.ts';
import { audit } from './audit.ts';
import { type Missing, sumOf, type Tally, tallyOfStep, tallyOfTests, told } from './tally.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.assay');
const resultFile = join(folder, 'vitest.json');

/** Runs a program to its end and tells whether it succeeded. */
function succeeds(title: string, [command = '', ...args]: readonly string[], env = process.env): boolean {
  console.log(`\n# ${title}`);
  return spawnSync(command, args, { cwd: root, env, stdio: 'inherit' }).status === 0;
}

/** The k6 to test with, built when it has to be; or why there is none. */
async function k6ToTestWith(): Promise<{ readonly path: string } | { readonly why: string }> {
  console.log('\n# k6');
  try {
    const { path, version } = await provideK6(process.env, console.log);
    console.log(`k6 ${version} (${path})`);
    return { path };
  } catch (error) {
    const why = (error as Error).message;
    console.log(why);
    return { why };
  }
}

function testsTally(env: NodeJS.ProcessEnv, missing: readonly Missing[]): Tally {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`];
  const projects = ['--project=unit', '--project=load'];
  const ok = succeeds('tests', ['vitest', 'run', ...projects, ...reporters, ...process.argv.slice(2)], env);
  try {
    const { tally, notes } = tallyOfTests(JSON.parse(readFileSync(resultFile, 'utf8')), ok, missing);
    for (const note of notes) console.log(note);
    return tally;
  } catch {
    console.log('vitest left no report of its tests, counted as a failure');
    return tallyOfStep(false);
  }
}

/** An audit that gets no answer is told, and counts neither as passed nor as failed. */
async function auditTally(): Promise<Tally> {
  console.log('\n# audit');
  const { outcome, lines } = await audit([]);
  for (const line of lines) console.log(line);
  return outcome === 'unreachable' ? { passed: 0, failed: 0, skipped: 0 } : tallyOfStep(outcome === 'clean');
}

mkdirSync(folder, { recursive: true });
rmSync(resultFile, { force: true });
const k6 = await k6ToTestWith();
const isCi = process.env.CI !== undefined;
const hasGo = spawnSync('go', ['version']).status === 0;
const missing: Missing[] = [];
if ('why' in k6 && !(isCi && hasGo)) missing.push({ suites: WITH_K6, why: k6.why });
if (NO_BROWSER !== null && !isCi) missing.push({ suites: WITH_BROWSER, why: NO_BROWSER });

// Development goes on without the network.
const audited = isCi ? [await auditTally()] : [];
const lint = tallyOfStep(succeeds('lint', ['biome', 'check']));
const types = tallyOfStep(succeeds('types', ['tsc', '--noEmit']));
// Tests keep nothing in the user's cache and so find nothing there: the k6 that stands in it has to be named.
const tests = testsTally('path' in k6 ? { ...process.env, ASSAY_K6: k6.path } : process.env, missing);
const all = sumOf([...audited, lint, types, tests]);
writeFileSync(join(folder, 'tally.txt'), `${told(all)}\n`);
console.log(`\n${told(all)}`);
process.exitCode = all.failed > 0 || tests.passed === 0 ? 1 : 0;
