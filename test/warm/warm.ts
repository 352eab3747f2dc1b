// For tests with many command lines: a process that has loaded `assay` performs them one after the other, by the function that
// bin/assay.js calls. Most of what a short command takes is its start. What a test asks of a process (signals, standard input, what
// stands in NODE_OPTIONS) needs one of its own. The processes themselves are kept by processes.ts, for all workers.
import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';

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
  /** Waits until all lines before have ended. Rejects when the process ends instead. `hear` is given what stands on stdout, at once. */
  perform(line: Line, hear?: (out: string) => void): Promise<Printed>;
  /** Leaves the process to the next user. */
  end(): Promise<void>;
}

/** Where users and the keeper of the processes meet. */
export const CHANNEL = 'assay-warm';

/** From a user: a command line, or null at its end. */
export interface Request {
  readonly user: string;
  readonly line: Line | null;
}

/** To a user. */
export interface Answer {
  readonly user: string;
  /** A piece of stdout. */
  readonly out?: string;
  /** The line has ended. */
  readonly printed?: Printed;
  /** The process has ended. */
  readonly exit?: number | null;
}

/** One user: its lines are performed by one process. */
export function warmAssay(): WarmAssay {
  const user = randomUUID();
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  let last: Promise<unknown> = Promise.resolve();
  const performed = ({ argv, ...rest }: Line, hear: (out: string) => void): Promise<Printed> => {
    const { promise, resolve, reject } = Promise.withResolvers<Printed>();
    const take = ({ out, printed, exit }: Answer): void => {
      if (out !== undefined) hear(out);
      if (printed !== undefined) resolve(printed);
      if (exit !== undefined) reject(new Error(`the process ended with ${exit} in place of assay ${argv.join(' ')}`));
    };
    channel.onmessage = (message) => {
      const { data } = message as { readonly data: Answer };
      if (data.user === user) take(data);
    };
    channel.ref();
    channel.postMessage({ user, line: { argv, ...rest } } satisfies Request);
    return promise;
  };
  return {
    perform(line, hear = () => {}) {
      const printed = last.then(() => performed(line, hear));
      last = printed.catch(() => {}).finally(() => channel.unref());
      return printed;
    },
    async end() {
      await last;
      channel.postMessage({ user, line: null } satisfies Request);
      channel.close();
    },
  };
}
