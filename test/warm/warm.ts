// For tests with many command lines: one process has loaded `assay` and performs them one after the other, by the function that
// bin/assay.js calls. Half of what a short command takes is its start. What a test asks of a process (signals, standard input, what
// stands in NODE_OPTIONS) needs one of its own.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Line {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** All of the environment. */
  readonly env: NodeJS.ProcessEnv;
}

export interface Printed {
  readonly code: number;
  /** What was written to stdout and stderr, each in order. */
  readonly out: string;
  readonly told: string;
  /** Both, in the order in which they were written. */
  readonly text: string;
}

export interface WarmAssay {
  /** Waits until all lines before have ended. Rejects when the process ends instead. */
  perform(line: Line): Promise<Printed>;
  end(): Promise<void>;
}

/** Starts the process at the first line. */
export function warmAssay(): WarmAssay {
  let child: ChildProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const started = (): ChildProcess => {
    if (child !== null && child.exitCode === null && child.signalCode === null) return child;
    // Behind pipes: a command looks whether it prints to a terminal, which must not depend on where the tests are run.
    child = fork(join(import.meta.dirname, 'process.ts'), [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    child.stdout?.pipe(process.stdout, { end: false });
    child.stderr?.pipe(process.stderr, { end: false });
    return child;
  };
  const performed = async (line: Line): Promise<Printed> => {
    const process = started();
    process.send(line);
    const heard = new AbortController();
    const ended = once(process, 'exit', heard).then(([code]) => {
      throw new Error(`the process ended with ${code} instead of performing assay ${line.argv.join(' ')}`);
    });
    const [printed] = await Promise.race([once(process, 'message', heard), ended]).finally(() => heard.abort());
    return printed as Printed;
  };
  return {
    perform(line) {
      const printed = last.then(() => performed(line));
      last = printed.catch(() => {});
      return printed;
    },
    async end() {
      await last;
      if (child === null || !child.connected) return;
      const closed = once(child, 'exit');
      child.disconnect();
      await closed;
    },
  };
}
