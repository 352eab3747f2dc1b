// The program that makes the platform deliver: run once, without a shell, with the receiver's address in its environment.
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { closeStreamsAtEnd } from '../clock/child-end.ts';
import type { Clock } from '../clock/clock.ts';

export interface Triggered {
  /** null: it ended well. */
  readonly failure: string | null;
  /** The end of what it printed. */
  readonly output: string;
}

export interface TriggerOptions {
  readonly command: readonly string[];
  readonly url: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Aborted: the program is ended. */
  readonly stop: AbortSignal;
}

export const URL_VARIABLE = 'ASSAY_WEBHOOK_URL';
const MAX_OUTPUT_CHARS = 4000;
/** Time after which a command that does not end when asked to is killed. ms. */
const GRACE_MS = 2000;

/** Resolves when the program has ended; never rejects. */
export function runTrigger({ command, url, env, clock, stop }: TriggerOptions): Promise<Triggered> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...env, [URL_VARIABLE]: url },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  closeStreamsAtEnd(child, clock);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARS);
    });
  }
  const end = (): void => {
    child.kill('SIGTERM');
    clock.after(GRACE_MS, () => child.kill('SIGKILL'));
  };
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  return new Promise((resolve) => {
    const ended = (failure: string | null): void => {
      stop.removeEventListener('abort', end);
      resolve({ failure, output });
    };
    const name = basename(program);
    child.once('error', (error: NodeJS.ErrnoException) => ended(`${name} cannot be run (${error.code})`));
    child.once('close', (code, signal) => {
      if (code === 0 || stop.aborted) ended(null);
      else ended(code === null ? `${name} was ended by ${signal}` : `${name} ended with ${code}`);
    });
  });
}
