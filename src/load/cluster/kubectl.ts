// kubectl as a program: which cluster and namespace it speaks to, what it is handed by its standard input, and how long it
// may take. Objects never travel by arguments: other users of this machine can read those, and a Secret is among them.
import { spawn } from 'node:child_process';
import { closeStreamsAtEnd } from '../../clock/child-end.ts';
import { type Clock, LIMIT } from '../../clock/clock.ts';
import { systemClock } from '../../clock/system.ts';

export interface KubectlEnded {
  /** null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl to its end. Never rejects for what kubectl says; rejects with KubectlMissing where there is none. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<KubectlEnded>;

/** Where the instances run. */
export interface ClusterPlace {
  /** A context of the kubectl configuration. */
  readonly context: string;
  /** null: that of the context. */
  readonly namespace: string | null;
}

/** No kubectl is on PATH. Caught by the command, which adds a hint. */
export class KubectlMissing extends Error {}

/** Longer than any call takes that is answered; the logs of an instance are some megabytes. */
const LIMIT_MS = 120_000;
const REQUEST_TIMEOUT = '--request-timeout=60s';

/** kubectl, as PATH has it, for the place. */
export function kubectlFor({ context, namespace }: ClusterPlace): Kubectl {
  const place = [`--context=${context}`, ...(namespace === null ? [] : [`--namespace=${namespace}`]), REQUEST_TIMEOUT];
  return (args, input = '') =>
    new Promise((resolve, reject) => {
      // Out of reach of a terminal's Ctrl-C: what was made must still be deleted then.
      const child = spawn('kubectl', [...args, ...place], { stdio: 'pipe', detached: process.platform !== 'win32' });
      closeStreamsAtEnd(child, systemClock);
      const limit = systemClock.after(LIMIT_MS, () => child.kill('SIGKILL'));
      const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
      child.on('error', (error: NodeJS.ErrnoException) => {
        limit.cancel();
        reject(error.code === 'ENOENT' ? new KubectlMissing('kubectl is not on PATH') : error);
      });
      child.on('close', (code) => {
        limit.cancel();
        resolve({ code, stdout: stdout(), stderr: stderr() });
      });
      // Who ends early reads no input; its exit code tells.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
    });
}

/** The same, each call within a limit on the clock of a run: whoever watches the run sees that something is still to come. */
export function withinLimit(kubectl: Kubectl, clock: Pick<Clock, 'after'>): Kubectl {
  return async (args, input) => {
    const limit = clock.after(LIMIT_MS, () => {}, LIMIT);
    try {
      return await kubectl(args, input);
    } finally {
      limit.cancel();
    }
  };
}

/** The whole text of the stream, once it has ended. */
function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The last line of what kubectl says of a failure, without its prefix. */
export function complaintOf({ stderr, code }: KubectlEnded): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' ? `kubectl ended with ${code}` : line.replace(/^(error|Error from server[^:]*): /, '');
}
