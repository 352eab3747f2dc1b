// Runs a client's command once: without a shell, in a process group of its own that is ended with it, its output read to its
// end and searched as it flows, and no more of it kept than a message needs.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '../../clock/clock.ts';
import type { ClientEnding } from '../../exchange/client-run.ts';
import { LeakSearch, type Sought } from './leaks.ts';

export interface CommandOptions {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly limitMs: number;
  /** Aborted: the whole run ends. */
  readonly stop: AbortSignal;
  /** Aborted: all was seen that this command can show. */
  readonly enough: AbortSignal;
  readonly sought: Sought;
  /** Lines of stdout that are counted. */
  readonly ids: readonly string[];
  /** Stands in the environment of this command and of no other. */
  readonly mark: string;
}

export interface CommandRun {
  readonly ending: ClientEnding;
  /** "it ended with 1". */
  readonly ended: string;
  readonly exitCode: number | null;
  /** The end of what it wrote to stderr. */
  readonly errors: string;
  readonly printed: ReadonlyMap<string, number>;
  readonly leaks: readonly { readonly of: 'token' | 'message'; readonly where: string }[];
  /** Processes that had left its group, and were ended. */
  readonly leftBehind: number;
}

const MAX_ERROR_CHARS = 8000;
/** More than this on one stream ends the command. */
export const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Time after which a command that does not end when asked to is killed. ms. */
const GRACE_MS = 1000;
/** A process that outlives the command may hold its streams: they are read for so long. ms. */
const DRAIN_MS = 500;

/** Groups that are running: this process takes them with it when it ends. */
const running = new Set<number>();
let isListening = false;

/** Resolves when the command and its group have ended; never rejects. */
export async function runCommand(options: CommandOptions): Promise<CommandRun> {
  const [program = '', ...args] = options.command;
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      ...{ cwd: options.folder, env: options.env, detached: true, windowsHide: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return notStarted(program, error as NodeJS.ErrnoException);
  }
  return await new Promise((resolve) => new Watch(child, program, options, resolve));
}

function notStarted(program: string, { code }: NodeJS.ErrnoException): CommandRun {
  const ended = `${basename(program)} cannot be run (${code})`;
  return { ending: 'not-started', ended, exitCode: null, errors: '', printed: new Map(), leaks: [], leftBehind: 0 };
}

class Watch {
  readonly #child: ChildProcess;
  readonly #options: CommandOptions;
  readonly #out: Output;
  readonly #err: Output;
  #cause: ClientEnding = 'exited';
  readonly #timer: { cancel(): void };

  constructor(child: ChildProcess, program: string, options: CommandOptions, done: (run: CommandRun) => void) {
    this.#child = child;
    this.#options = options;
    this.#out = new Output(options.sought, options.ids);
    this.#err = new Output(options.sought, []);
    this.#timer = options.clock.after(options.limitMs, () => this.#end('limit'));
    child.stdout?.on('data', (piece: Buffer) => this.#read(this.#out, piece));
    child.stderr?.on('data', (piece: Buffer) => this.#read(this.#err, piece));
    if (child.pid !== undefined) takeAlong(child.pid);
    const onStop = (): void => this.#end('stopped');
    const onEnough = (): void => this.#end('enough');
    options.stop.addEventListener('abort', onStop, { once: true });
    options.enough.addEventListener('abort', onEnough, { once: true });
    if (options.stop.aborted) onStop();
    const release = (): void => {
      this.#timer.cancel();
      options.stop.removeEventListener('abort', onStop);
      options.enough.removeEventListener('abort', onEnough);
    };
    child.once('error', (error) => {
      release();
      done(notStarted(program, error));
    });
    child.once('exit', (code, signal) => {
      release();
      // Processes that it left behind in its group go with it.
      this.#signal('SIGKILL');
      void this.#drained()
        .then(() => endLeftBehind(options.mark))
        .then((leftBehind) => done({ ...this.#told(code, signal), leftBehind }));
    });
  }

  #read(output: Output, piece: Buffer): void {
    output.push(piece);
    if (output.bytes > MAX_OUTPUT_BYTES) this.#end('flooded');
  }

  #end(cause: ClientEnding): void {
    if (this.#cause !== 'exited') return;
    this.#cause = cause;
    this.#signal('SIGTERM');
    this.#options.clock.after(GRACE_MS, () => this.#signal('SIGKILL'));
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined || !running.has(pid)) return;
    signalGroup(pid, signal);
    if (signal === 'SIGKILL' && hasEnded(this.#child)) running.delete(pid);
  }

  async #drained(): Promise<void> {
    const streams = [this.#child.stdout, this.#child.stderr].filter((stream) => stream !== null);
    const closed = Promise.all(
      streams.map((one) => (one.closed ? null : new Promise((end) => one.once('close', end)))),
    );
    await Promise.race([closed, this.#options.clock.sleep(DRAIN_MS)]);
    for (const stream of streams) stream.destroy();
  }

  #told(code: number | null, signal: NodeJS.Signals | null): Omit<CommandRun, 'leftBehind'> {
    this.#out.end();
    const ending = this.#cause === 'exited' && signal !== null ? 'signal' : this.#cause;
    const ended = code === null ? `it was ended by ${signal}` : `it ended with ${code}`;
    const leaks = [...leaksOf(this.#out, 'stdout'), ...leaksOf(this.#err, 'stderr')];
    return { ending, ended, exitCode: code, errors: this.#err.tail, printed: this.#out.printed, leaks };
  }
}

function leaksOf({ search }: Output, where: string): CommandRun['leaks'] {
  return [...search.found].map((of) => ({ of, where }));
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The longest line that can be an id. */
const MAX_LINE_CHARS = 200;

/** One stream: searched, its end kept, its lines counted. */
class Output {
  bytes = 0;
  tail = '';
  readonly search: LeakSearch;
  readonly printed = new Map<string, number>();
  readonly #ids: ReadonlySet<string>;
  #line = '';

  constructor(sought: Sought, ids: readonly string[]) {
    this.search = new LeakSearch(sought);
    this.#ids = new Set(ids);
  }

  push(piece: Buffer): void {
    this.bytes += piece.length;
    this.search.push(piece);
    this.tail = (this.tail + piece.subarray(-MAX_ERROR_CHARS).toString('utf8')).slice(-MAX_ERROR_CHARS);
    if (this.#ids.size > 0) this.#count(piece.toString('latin1'));
  }

  end(): void {
    this.#note(this.#line);
    this.#line = '';
  }

  #count(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#note(line);
  }

  #note(line: string): void {
    const id = line.trim();
    if (this.#ids.has(id)) this.printed.set(id, (this.printed.get(id) ?? 0) + 1);
  }
}

function takeAlong(pid: number): void {
  running.add(pid);
  if (isListening) return;
  isListening = true;
  process.on('exit', () => {
    for (const group of running) signalGroup(group, 'SIGKILL');
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

// Ends what a command leaves behind outside of its process group: a daemon has a session of its own, and still has the
// environment that it was started with, in which one variable is like no other.

/** A process that is ended may have started another one meanwhile. */
const MAX_ROUNDS = 5;

/**
 * Kills every process whose environment holds the text, this one aside, and returns how many they were. Only Linux shows the
 * environment of a process: elsewhere nothing is found. Neither is a process that cleared its environment, or another user's.
 */
async function endLeftBehind(mark: string): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = await processesWith(mark);
    if (left.length === 0) break;
    for (const pid of left) if (killed(pid)) ended.add(pid);
  }
  return ended.size;
}

async function processesWith(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const holding = pids.map(async (pid) => {
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
    return environment?.includes(mark) === true && pid !== process.pid ? [pid] : [];
  });
  return (await Promise.all(holding)).flat();
}

function killed(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
