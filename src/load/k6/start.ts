// One k6 process: started under a time limit, told everything by its environment, ended for certain. What it measured is in
// the file of samples; its exit code says only how it ended, for k6 ends 0 after runs that measured nothing.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { closeStreamsAtEnd } from '../../clock/child-end.ts';
import { type Clock, LIMIT, type Timer } from '../../clock/clock.ts';
import { systemClock } from '../../clock/system.ts';

/** Result of a k6 run, as far as the process tells. */
export interface K6Ended {
  /** null where a signal ended it. */
  readonly exitCode: number | null;
  /** Why Assay ended it; null where it ended by itself. */
  readonly stopped: 'time-limit' | 'silent' | 'interrupted' | null;
  /** CPU time that it took, s; null where this system does not tell. */
  readonly cpuSeconds: number | null;
  /** The last lines that it wrote of itself, without secrets. */
  readonly complaints: readonly string[];
}

export interface K6Start {
  readonly path: string;
  /** Absolute path of the script. */
  readonly script: string;
  /** Where the script's console lines go, one sample each; appended to. */
  readonly samplesFile: string;
  /** Variables that the script reads from __ENV. Tokens travel here, never by arguments. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeLimitSeconds: number;
  /** VUs that are there at once. */
  readonly senders: number;
  readonly stop: AbortSignal;
  /** k6's own outputs, `--out` values passed through. */
  readonly outputs: readonly string[];
  /** A line without any secret: k6 quotes addresses and headers in what it says of itself. */
  readonly conceal: (line: string) => string;
}

/** Shorter than the time that an interrupted run has for its report. */
const GRACE_MS = 2000;
const MAX_COMPLAINT_LINES = 20;
/** Nothing of the user's k6 settings reaches the run: what is measured is what the scripts say. */
export const OWN_SETTINGS = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false', K6_NO_COLOR: 'true' };
/** MB: what k6 needs by itself, and more than twice what each sender holds. */
const [MEMORY, MEMORY_PER_SENDER] = [96, 0.8];

/** k6 tells each second how far it is, whatever its plan: one that tells nothing for so long was halted, or hangs. */
export const MAX_SILENCE_MS = 60_000;

/** Runs k6 to its end. Never rejects for what k6 does; rejects where the program cannot be started. */
export async function startK6(
  { stop, timeLimitSeconds, ...start }: K6Start,
  clock: Clock = systemClock,
): Promise<K6Ended> {
  const child = spawn(start.path, argumentsOf(start), {
    env: { ...withoutK6Settings(process.env), ...OWN_SETTINGS, ...collecting(start.senders), ...start.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Out of reach of a terminal's Ctrl-C: k6 would take it and ours for two, and drop what it is measuring.
    detached: process.platform !== 'win32',
  });
  const closed = once(child, 'close');
  closeStreamsAtEnd(child, systemClock);
  const cpu = watchCpu(child.pid);
  const complaints: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints.push(...text.split('\n').filter((line) => line.trim() !== ''));
    complaints.splice(0, complaints.length - MAX_COMPLAINT_LINES);
  });
  let stopped: K6Ended['stopped'] = null;
  let [killer, silence]: (Timer | undefined)[] = [];
  const end = (why: NonNullable<K6Ended['stopped']>): void => {
    if (stopped !== null) return;
    stopped = why;
    child.kill('SIGINT');
    killer = systemClock.after(GRACE_MS, () => child.kill('SIGKILL'));
  };
  const listen = (): void => {
    silence?.cancel();
    silence = clock.after(MAX_SILENCE_MS, () => end('silent'), LIMIT);
  };
  // Nobody needs how far k6 is, but when this process was killed, nobody reads it either, and the system ends k6 for writing to a
  // pipe without a reader.
  child.stdout.on('data', listen);
  listen();
  const limit = clock.after(timeLimitSeconds * 1000, () => end('time-limit'), LIMIT);
  const onStop = (): void => end('interrupted');
  const onExit = (): void => void child.kill('SIGKILL');
  stop.addEventListener('abort', onStop, { once: true });
  process.once('exit', onExit);
  if (stop.aborted) onStop();
  try {
    const [exitCode] = await closed;
    return { exitCode, stopped, cpuSeconds: cpu.seconds(), complaints: complaints.map(start.conceal) };
  } finally {
    cpu.end();
    for (const timer of [limit, silence, killer]) timer?.cancel();
    stop.removeEventListener('abort', onStop);
    process.off('exit', onExit);
  }
}

/** Go's collector takes a quarter of k6's time unless garbage may lie longer; the limit holds what that costs in memory. */
function collecting(senders: number): NodeJS.ProcessEnv {
  return { GOGC: '400', GOMEMLIMIT: `${Math.ceil(MEMORY + MEMORY_PER_SENDER * senders)}MiB` };
}

/** Both summary and thresholds off: with either on, k6 keeps every sample in memory. */
function argumentsOf({ script, samplesFile, outputs }: Omit<K6Start, 'stop' | 'timeLimitSeconds'>): readonly string[] {
  return [
    'run',
    '--no-usage-report',
    '--no-thresholds',
    '--summary-mode=disabled',
    '--log-format=raw',
    `--console-output=${samplesFile}`,
    '--address=127.0.0.1:0',
    ...outputs.flatMap((output) => ['--out', output]),
    script,
  ];
}

function withoutK6Settings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('K6_')));
}

/** Between two looks at how much of the machine k6 takes. */
const EVERY_MS = 200;

/** Watches a process, for a generator that is busy measures itself; `seconds` is its CPU time when last seen, null where this system does not tell. */
function watchCpu(pid: number | undefined): { seconds(): number | null; end(): void } {
  let seen: number | null = null;
  const look = (): void => {
    seen = pid === undefined ? null : (cpuSeconds(pid) ?? seen);
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return { seconds: () => seen, end: () => clearInterval(timer) };
}

let ticksPerSecond: number | null = null;

/** From Linux's /proc: user and system time in ticks are the fields after the name, which may hold anything. */
function cpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
    const seconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    return Number.isFinite(seconds) ? seconds : null;
  } catch {
    // k6 has ended, or this is no Linux: the figure is missing.
    return null;
  }
}
