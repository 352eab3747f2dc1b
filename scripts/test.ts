// `npm test`: linter, types and every unit test, all of them even if one fails; in CI the audit of the packages, too. Prints
// the tally as its last line and leaves it in .assay/tally.txt.
// Linter, types and the build of k6 run beside the unit tests, and so do the tests that mostly wait: those over sockets in real time, and
// those that count what k6 sends. The unit tests yield to them. The tests that measure by k6 come last and have the machine to themselves.
// A skipped test counts as failed: nothing that a test needs is missing after `npm ci`, but for k6, which is built with Go
// where Go is, and a browser. Where they are missing the tests that need them are told as skipped. CI installs the browser
// and builds k6 where Go is: what is missing there all the same counts as failed.
// `npm test -- src/load` runs the tests of one folder or file; vitest takes whatever stands there. With `--tests-alone` nothing else is
// checked, and what an earlier run compiled is used: the parts of a night after its first.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { provideK6 } from '../src/load/k6/provide.ts';
import { NO_BROWSER, WITH_BROWSER } from '../test/browser.ts';
import { GO, PYTHON, SCHEMATHESIS } from '../test/languages.ts';
import { WITH_K6 } from '../test/support/load/k6/k6.ts';
import { audit } from './audit.ts';
import { childrenProcessorSeconds } from './processor-time.ts';
import { type Missing, sumOf, type Tally, tallyOfStep, tallyOfTests, told } from './tally.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.assay');
const TESTS_ALONE = '--tests-alone';
const isTestsAlone = process.argv.includes(TESTS_ALONE);
/** They go to vitest. */
const chosenTests = process.argv.slice(2).filter((argument) => argument !== TESTS_ALONE);
const compiled = join(folder, 'compiled');

/** Runs a program to its end; what it tells is shown at its end, in one piece, below the title. */
async function succeeds(title: string, command: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  console.log(`\n# ${title}\n${out}${errors}`);
  return code === 0;
}

/** Linter and types, and in CI the audit: all are quick, and what they find is wanted early. Development goes on without the network. */
function staticTallies(): Promise<readonly Tally[]> {
  const types = ['--noEmit', '--singleThreaded'];
  const steps = [succeeds('lint', 'biome', ['check']), succeeds('types', 'tsc', types)];
  return Promise.all([...steps.map((step) => step.then((ok) => tallyOfStep({ ok }))), ...(isCi ? [auditTally()] : [])]);
}

type K6ToTestWith = { readonly path: string } | { readonly why: string };

/** The k6 to test with, built when it has to be; or why there is none. */
async function k6ToTestWith(): Promise<K6ToTestWith> {
  try {
    const { path, version } = await provideK6(process.env, (line) => console.log(`k6: ${line}`));
    console.log(`k6 ${version} (${path})`);
    return { path };
  } catch (error) {
    const why = (error as Error).message;
    console.log(why);
    return { why };
  }
}

interface Tests {
  readonly projects: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly missing: readonly Missing[];
  /** What they tell is shown as they tell it; that of others at their end, in one piece. */
  readonly isShownAtOnce?: boolean;
  /** They run as far as others leave them a core. */
  readonly yields?: boolean;
}

/** Every worker of vitest loads hundreds of modules: each is compiled once. */
const COMPILED = { NODE_COMPILE_CACHE: compiled };

/** They load all but what one command alone needs. */
const LOADED = ['src/simulation/cases.ts', 'src/cli/conform/conform-once.ts', 'src/cli/load/run-once.ts'];

/** Compiles what the workers load before they begin: else each of them does, for a process keeps what it compiled when it ends. */
async function compile(): Promise<void> {
  const imports = LOADED.map((path) => `await import(${JSON.stringify(pathToFileURL(join(root, path)).href)});`);
  const args = ['--input-type=module', '--eval', imports.join('\n')];
  await once(
    spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...COMPILED }, stdio: 'inherit' }),
    'close',
  );
}

/** A vitest that yields, and what it starts, weighs a third of one that does not: while k6 is built it still gets on. */
const YIELDING = process.platform === 'win32' ? [] : ['nice', '-n', '5'];

async function testsTally({ projects, env, missing, isShownAtOnce, yields }: Tests): Promise<Tally> {
  const resultFile = join(folder, `vitest-${projects[0]}.json`);
  rmSync(resultFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`];
  const chosen = projects.map((project) => `--project=${project}`);
  // A folder that is asked for may have tests of one kind only.
  const run = ['vitest', 'run', ...chosen, ...reporters, '--passWithNoTests', ...chosenTests];
  const [command = '', ...args] = yields === true ? [...YIELDING, ...run] : run;
  const child = spawn(command, args, { cwd: root, env: { ...env, ...COMPILED }, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  if (isShownAtOnce === true) {
    child.stdout.pipe(process.stdout, { end: false });
    child.stderr.pipe(process.stderr, { end: false });
  } else {
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    console.log(`\n# ${projects.join(', ')}\n${out}${errors}`);
  }
  const [code] = await closed;
  try {
    const { tally, notes } = tallyOfTests(JSON.parse(readFileSync(resultFile, 'utf8')), { ok: code === 0 }, missing);
    for (const note of notes) console.log(note);
    return tally;
  } catch {
    console.log('vitest left no report of its tests, counted as a failure');
    return tallyOfStep({ ok: false });
  }
}

/** An audit that gets no answer is told, and counts neither as passed nor as failed. */
async function auditTally(): Promise<Tally> {
  const { outcome, lines } = await audit([]);
  console.log(['\n# audit', ...lines].join('\n'));
  return outcome === 'unreachable' ? { passed: 0, failed: 0, skipped: 0 } : tallyOfStep({ ok: outcome === 'clean' });
}

mkdirSync(folder, { recursive: true });
// No run finds what an earlier one compiled.
if (!isTestsAlone) rmSync(compiled, { recursive: true, force: true });
const isCi = process.env.CI !== undefined;
const hasGo = spawnSync('go', ['version']).status === 0;

function testsWithK6(project: 'counted' | 'load', k6: K6ToTestWith): Promise<Tally> {
  // Tests keep nothing in the user's cache and so find nothing there: the k6 that stands in it has to be named.
  const env = 'path' in k6 ? { ...process.env, ASSAY_K6: k6.path } : process.env;
  const missing = 'why' in k6 && !(isCi && hasGo) ? [{ suites: WITH_K6, why: k6.why }] : [];
  return testsTally({ projects: [project], env, missing });
}

function otherTests(): Promise<Tally> {
  const lacks = [{ suites: WITH_BROWSER, missing: isCi ? null : NO_BROWSER }, PYTHON, GO, SCHEMATHESIS];
  const missing = lacks.flatMap((one) => (one.missing === null ? [] : [{ suites: one.suites, why: one.missing }]));
  return testsTally({ projects: ['unit'], env: process.env, missing, isShownAtOnce: true, yields: true });
}

const checked = isTestsAlone ? [] : staticTallies();
// k6 is built meanwhile; what measures with it has the machine to itself, for a generator that is late measures itself.
const k6 = k6ToTestWith();
if (!isTestsAlone) await compile();
const beside = await Promise.all([
  otherTests(),
  testsTally({ projects: ['sockets'], env: process.env, missing: [] }),
  k6.then((found) => testsWithK6('counted', found)),
]);
const tests = sumOf([...beside, await testsWithK6('load', await k6)]);
const all = sumOf([...(await checked), tests]);
writeFileSync(join(folder, 'tally.txt'), `${told(all)}\n`);
const processorSeconds = childrenProcessorSeconds();
const cost = processorSeconds === null ? '' : `, ${Math.round(processorSeconds)} s of processor time`;
console.log(`\n${Math.round(performance.now() / 1000)} s${cost}`);
console.log(`\n${told(all)}`);
process.exitCode = all.failed > 0 || tests.passed === 0 ? 1 : 0;
