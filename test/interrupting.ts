// Whole commands that are interrupted: started with folders of their own, and afterwards searched for what they left.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../src/contract/report.ts';
import { exitCode } from '../src/grading/exit-code.ts';
import { reportProblems } from '../src/reporters/formats/json.ts';
import { COMPILED } from './compiled.ts';
import { PATIENCE_MS } from './programme.ts';
import { ROOT } from './root.ts';
import type { WarmAssay } from './warm/warm.ts';

const BIN = join(ROOT, 'bin', 'assay.js');
/** Every process of a command inherits it: so they are found even when their parents are gone. */
const MARK = 'ASSAY_TEST_MARK';
const LOOK_MS = 50;

/** A working folder, and one for temporary files that nobody else uses. */
export interface Ground {
  readonly cwd: string;
  readonly tmp: string;
  remove(): void;
}

export function newGround(): Ground {
  const root = mkdtempSync(join(tmpdir(), 'interrupted-'));
  const [cwd, tmp] = [join(root, 'work'), join(root, 'tmp')];
  for (const folder of [cwd, tmp]) mkdirSync(folder);
  return { cwd, tmp, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Started {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once stderr holds the pattern. Rejects where the command ends before. */
  saw(pattern: RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
  /** The processes of the command that are there now, itself included. */
  processes(): readonly number[];
  /** Resolves with those that are still there after a while; empty when all are gone. */
  left(): Promise<readonly number[]>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Node's own options. */
  readonly node?: readonly string[];
  /** Set: another process starts the command, as npm does. */
  readonly byNpm?: true;
}

/** What a command gets of the environment, on this ground. */
function environmentOn({ cwd, tmp }: Ground): NodeJS.ProcessEnv {
  const { PATH, ASSAY_K6, GOPROXY } = process.env;
  const passedOn = Object.entries({ PATH, ASSAY_K6, GOPROXY }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(passedOn), TMPDIR: tmp, HOME: cwd, ASSAY_CACHE: 'off', NO_COLOR: '1' };
}

/** Code of a process that starts the rest of its arguments and waits. */
const STARTER = `require('child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' });`;

/** Starts `assay` with these arguments. Nothing of the user's folders reaches it. */
export function startAssay(ground: Ground, args: readonly string[], options: StartOptions = {}): Started {
  const mark = randomUUID();
  const command = [...(options.node ?? []), BIN, ...args];
  const child = spawn(process.execPath, options.byNpm === true ? ['-e', STARTER, '--', ...command] : command, {
    cwd: ground.cwd,
    env: {
      ...environmentOn(ground),
      ...{ [MARK]: mark, ...COMPILED },
      ...(options.byNpm === true ? { npm_command: 'exec' } : {}),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = [heard(child.stdout!), heard(child.stderr!)];
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }));
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const processes = () => processesWith(mark);
  return {
    child,
    ended,
    processes,
    stdout: out,
    stderr: err,
    async saw(pattern) {
      while (!pattern.test(err())) {
        if (hasEnded) throw new Error(`the command ended before it said ${pattern}:\n${err()}`);
        await sleep(LOOK_MS);
      }
    },
    async left() {
      for (let waitedMs = 0; waitedMs < PATIENCE_MS && processes().length > 0; waitedMs += LOOK_MS)
        await sleep(LOOK_MS);
      return processes();
    },
  };
}

/** A conformance run that is well under way. */
export async function conformUnderWay(ground: Ground, ...args: readonly string[]): Promise<Started> {
  const started = startAssay(ground, ['conform', '--embedded', '--out', 'out', ...args]);
  await started.saw(/^breadth: /m);
  return started;
}

/** The reference platform as a command, once it has said that it listens. */
export async function platformListening(ground: Ground): Promise<Started> {
  const started = startAssay(ground, ['platform', '--port', '0']);
  while (!started.stdout().includes('\n')) await sleep(LOOK_MS);
  return started;
}

/** Everything that the command left though it was not to: processes, and files that were meant to be there for a while. */
export async function leavingsOf(started: Started, { cwd, tmp }: Ground): Promise<readonly string[]> {
  const processes = await started.left();
  return [...processes.map((pid) => `process ${pid}`), ...readdirSync(tmp), ...passingIn(cwd)];
}

/** Has a command performed to its end by a process that serves others, too: nothing of the process itself is under test. */
export async function performAssay(warm: WarmAssay, ground: Ground, argv: readonly string[]) {
  const { code, out, told } = await warm.perform({ argv, cwd: ground.cwd, env: environmentOn(ground) });
  return { code, stdout: out, stderr: told };
}

/** Runs a command to its end, as a process of its own. */
export async function runAssay(ground: Ground, args: readonly string[], options: StartOptions = {}) {
  const started = startAssay(ground, args, options);
  const { code } = await started.ended;
  return { code, stdout: started.stdout(), stderr: started.stderr() };
}

function heard(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  return () => text;
}

function processesWith(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isMarked(pid, mark));
}

function isMarked(pid: number, mark: string): boolean {
  try {
    const isZombie = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return !isZombie && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
  } catch {
    return false;
  }
}

/** What in the folder was meant to be there for a while only. */
export function passingIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return globSync('**/*', { cwd: folder, exclude: (name) => name === 'node_modules' })
    .concat(globSync('**/.*', { cwd: folder }))
    .filter((path) => /(^|\/)(\.assay-|assay-)|\.tmp$/.test(path));
}

/** The report in the folder, which is valid. Throws where it is not. */
export function reportIn(folder: string): Report {
  const report: Report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  const [problem] = reportProblems(report);
  if (problem !== undefined) throw new Error(`report.json ${problem.pointer}: ${problem.message}`);
  return report;
}

/** Whether the exit code is the one that the report tells. */
export function agrees({ code }: Pick<Ended, 'code'>, report: Report): boolean {
  return code === exitCode(report);
}
