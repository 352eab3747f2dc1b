// Starts the reference platform as a process of its own and waits until it listens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../clock/system.ts';
import type { Limit } from './limits/limiter.ts';

/** A platform that was asked to end and does not is killed after this long. ms. */
const LONGEST_END_MS = 2000;

export interface StartOptions {
  readonly port?: number;
  readonly faults?: readonly string[];
  readonly tolerances?: readonly string[];
  /** Description files by service ("admin", "store", "ai") in place of the platform's own. */
  readonly files?: Readonly<Record<string, string>>;
  /** A folder of descriptions to serve instead. */
  readonly folder?: string;
  /** Limits by plan name, or "export". */
  readonly limits?: Readonly<Record<string, Limit>>;
  readonly seed?: number;
}

export interface StartedPlatform {
  readonly baseUrl: string;
  /** Path of a ready configuration file; gone after `stop`. */
  readonly config: string;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Resolves when the platform listens. Rejects with what it wrote to stderr when it ends before. It ends with this process. */
export async function startPlatform(options: StartOptions = {}): Promise<StartedPlatform> {
  const main = join(import.meta.dirname, `main${extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [main, '--parent', ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Out of reach of a terminal's Ctrl-C: what is under way is not to find it gone before the run is told to stop.
    detached: process.platform !== 'win32',
  });
  const ended = once(child, 'close');
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-4000);
  });
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => null)]);
  if (line === null) throw new Error(`the reference platform did not start: ${reasonIn(complaint)}`);
  const { baseUrl, config } = JSON.parse(String(line[0])) as { baseUrl: string; config: string };
  const stop = async () => {
    child.stdin.end();
    child.kill('SIGTERM');
    const killer = systemClock.after(LONGEST_END_MS, () => child.kill('SIGKILL'));
    await ended;
    killer.cancel();
  };
  return { baseUrl, config, stop };
}

/** The line that names the error, of what Node prints when a program ends by one; else all that was said. */
function reasonIn(complaint: string): string {
  return /^\w*Error\b.*$/m.exec(complaint)?.[0] ?? (complaint.trim() || 'it ended without a word');
}

function argumentsOf(options: StartOptions): string[] {
  const repeated = (name: string, values: readonly string[]) => values.flatMap((value) => [name, value]);
  return [
    ...repeated('--port', options.port === undefined ? [] : [String(options.port)]),
    ...repeated('--fault', options.faults ?? []),
    ...repeated('--tolerance', options.tolerances ?? []),
    ...Object.entries(options.files ?? {}).flatMap(([service, file]) => [`--${service}`, file]),
    ...repeated('--specs', options.folder === undefined ? [] : [options.folder]),
    ...repeated(
      '--limit',
      Object.entries(options.limits ?? {}).map(([plan, { calls, seconds }]) => `${plan}=${calls}/${seconds}`),
    ),
    ...repeated('--seed', options.seed === undefined ? [] : [String(options.seed)]),
  ];
}
