// One run of Assay against the reference platform behind the proxy, as a process of its own, and what must hold of any run
// whatever it was answered: it ends in time, with the exit code of its verdict, a sound report, and within its memory.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../src/contract/report.ts';
import { exitCode } from '../../src/grading/exit-code.ts';
import { servePlatform } from '../../src/platform/http/serve.ts';
import { readModel } from '../../src/platform/schema/model.ts';
import { reportProblems } from '../../src/reporters/formats/json.ts';
import { chanceOf } from './chance.ts';
import { type Meddling, startProxy } from './proxy.ts';

const MOST_BYTES = 2 ** 30;
/** By so much the run itself may overstep its limit: what is under way when the time is up is judged to its end. */
const OVERTIME_SECONDS = 5;
/** Starting, writing the reports and showing them comes on top. It ends what hangs, and judges nothing: a busy machine takes its time. */
const GRACE_SECONDS = 120;
const LOOK_EVERY_MS = 40;

export interface RunLimits {
  readonly seconds: number;
  readonly requests: number;
}

export interface HostileRun {
  /** Null where it had to be killed. */
  readonly code: number | null;
  readonly seconds: number;
  /** Peak resident memory in bytes; null where the system does not tell. */
  readonly peakBytes: number | null;
  /** How long it was ready to compute and got no processor; 0 where the system does not tell. */
  readonly waitedSeconds: number;
  readonly report: Report | null;
  readonly stderr: string;
  /** What should have held and does not, a sentence each. */
  readonly breaches: readonly string[];
}

/** Read once: what each round compiles of them would stay. */
let documents: ReturnType<typeof readModel> | null = null;

const MAIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');

/** Runs `assay conform`. `ends`: exit codes that are right; null: any that agrees with the report. */
export async function hostileRun(
  meddling: Meddling,
  { seconds, requests }: RunLimits,
  seed: number,
  ends: readonly number[] | null,
): Promise<HostileRun> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-hostile-'));
  documents ??= readModel({});
  const platform = await servePlatform({
    documents: await documents,
    deviations: [],
    limits: {},
    seed: 1,
    port: 0,
  });
  const proxy = await startProxy(platform.baseUrl, meddling, chanceOf(seed));
  try {
    const limits = ['--time-limit', String(seconds), '--budget', String(requests), '--seed', String(seed % 1000)];
    const target = ['--config', platform.config, '--base-url', proxy.baseUrl, '--out', folder];
    const ended = await watched(['conform', ...target, ...limits, '--quiet'], (seconds + GRACE_SECONDS) * 1000);
    const report = await readReport(join(folder, 'report.json'));
    const run = { ...ended, report };
    return { ...run, breaches: breachesOf(run, { seconds, requests }, ends) };
  } finally {
    await proxy.stop();
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Ended = Omit<HostileRun, 'report' | 'breaches'>;

/** Runs the command; kills it when its time is up. */
function watched(args: readonly string[], mostMs: number): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ASSAY_CACHE: 'off' },
  });
  let stderr = '';
  let peakBytes: number | null = null;
  let waitedSeconds = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-20_000);
  });
  const looking = setInterval(() => {
    void peakOf(child.pid).then((bytes) => {
      peakBytes = bytes ?? peakBytes;
    });
    void waitedOf(child.pid).then((waited) => {
      waitedSeconds = Math.max(waited, waitedSeconds);
    });
  }, LOOK_EVERY_MS);
  const killing = setTimeout(() => child.kill('SIGKILL'), mostMs);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearInterval(looking);
      clearTimeout(killing);
      resolve({ code, seconds: (performance.now() - startedAt) / 1000, peakBytes, waitedSeconds, stderr });
    });
  });
}

/** The peak of the process's resident memory so far; null where the system does not tell. */
async function peakOf(pid: number | undefined): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Seconds that the process's first thread, which does all the work of a run, has waited for a processor. */
async function waitedOf(pid: number | undefined): Promise<number> {
  const [, nanoseconds = '0'] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')).split(' ');
  return Number(nanoseconds) / 1e9;
}

async function readReport(file: string): Promise<Report | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}

function breachesOf(
  { code, waitedSeconds, peakBytes, report, stderr }: Omit<HostileRun, 'breaches'>,
  limits: RunLimits,
  ends: readonly number[] | null,
): readonly string[] {
  const said = stderr.trim().split('\n').slice(-3).join(' | ');
  const breach = (isBroken: boolean, sentence: string): readonly string[] => (isBroken ? [sentence] : []);
  const problems = report === null ? [] : reportProblems(report).slice(0, 3);
  const errors = report?.harnessErrors ?? [];
  const tookSeconds = (report?.run.durationMs ?? 0) / 1000;
  return [
    ...breach(code === null, `it did not end within ${limits.seconds} s and ${GRACE_SECONDS} s of grace`),
    ...breach(report === null, `it wrote no report: ${said}`),
    ...breach(ends !== null && !ends.includes(code ?? -1), `it ended ${code}, not ${ends?.join(' or ')}: ${said}`),
    ...breach(
      report !== null && code !== null && exitCode(report) !== code,
      `it ended ${code}, and its report says "${report?.verdict}": ${said}`,
    ),
    ...problems.map(({ pointer, message }) => `the report is not sound: ${pointer}: ${message}`),
    ...errors.map(({ where, error, at, clauses }) => `an error of Assay: ${error} in ${where} (${at}) ${clauses}`),
    ...breach(
      /\n\s+at \S+.*:\d+:\d+|internal error|defect of assay/.test(stderr),
      `it told an error of its own: ${said}`,
    ),
    ...breach((peakBytes ?? 0) > MOST_BYTES, `it took ${Math.round((peakBytes ?? 0) / 2 ** 20)} MiB`),
    ...breach((report?.counts.requests ?? 0) > limits.requests, `it sent ${report?.counts.requests} requests`),
    ...breach(
      tookSeconds > limits.seconds + OVERTIME_SECONDS + waitedSeconds,
      `the run itself took ${Math.round(tookSeconds)} s, ${Math.round(waitedSeconds)} s of them without a processor`,
    ),
  ];
}

/** "FAIL exit 1, 12 violations, 54 requests, 3.1 s, 210 MiB". */
export function inWords({ code, report, seconds, peakBytes }: HostileRun): string {
  const found =
    report === null ? 'no report' : `${report.counts.violations} violations, ${report.counts.requests} requests`;
  const memory = peakBytes === null ? '' : `, ${Math.round(peakBytes / 2 ** 20)} MiB`;
  return `exit ${code}, ${found}, ${seconds.toFixed(1)} s${memory}`;
}
