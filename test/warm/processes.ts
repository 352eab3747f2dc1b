// Keeps the processes that perform command lines for tests (warm.ts): each has loaded `assay` once, and serves one test file after the
// other, whichever worker runs it. They belong to the run of vitest as a whole, which waits for their ends.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { type Answer, CHANNEL, type Line, type Request } from './warm.ts';

/** Listens to all workers; returns what ends the processes. */
export function setup(): () => Promise<void> {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  const all = new Set<ChildProcess>();
  const byUser = new Map<string, ChildProcess>();

  const begun = (): ChildProcess => {
    const child = newProcess();
    all.add(child);
    child.once('exit', () => all.delete(child));
    return child;
  };
  const idle = (): ChildProcess | undefined => [...all].find((one) => ![...byUser.values()].includes(one));
  const processOf = (user: string): ChildProcess => {
    const own = byUser.get(user);
    const child = own !== undefined && all.has(own) ? own : (idle() ?? begun());
    byUser.set(user, child);
    return child;
  };

  /** Passes on what the process says of the line, until that has ended or the process has. */
  const perform = (user: string, line: Line): void => {
    const child = processOf(user);
    const heard = (told: Omit<Answer, 'user'>): void => {
      channel.postMessage({ user, ...told });
      if (told.out === undefined) child.off('message', heard).off('exit', exited);
    };
    const exited = (exit: number | null): void => heard({ exit });
    child.on('message', heard).on('exit', exited).send(line);
  };

  channel.onmessage = (message) => {
    const { user, line } = (message as { readonly data: Request }).data;
    if (line === null) byUser.delete(user);
    else perform(user, line);
  };
  return async () => {
    channel.close();
    const ends = [...all].map((child) => once(child, 'exit'));
    for (const child of all) child.disconnect();
    await Promise.all(ends);
  };
}

function newProcess(): ChildProcess {
  // Behind pipes: a command looks whether it prints to a terminal, which must not depend on where the tests are run.
  const child = fork(join(import.meta.dirname, 'process.ts'), [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  return child;
}
