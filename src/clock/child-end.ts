// Lets the wait for a child process end with the process, whoever else holds its streams.
import type { ChildProcess } from 'node:child_process';
import { type Clock, LIMIT } from './clock.ts';

/** Time for which output from before the end is read. ms. */
const MAX_DRAIN_MS = 500;

/**
 * Closes the streams of a child a moment after its end. A process that it leaves behind may hold them for ever, and `close`, which
 * waits for them, would never be emitted.
 */
export function closeStreamsAtEnd(child: ChildProcess, clock: Pick<Clock, 'after'>): void {
  child.once('exit', () => {
    const limit = clock.after(
      MAX_DRAIN_MS,
      () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      },
      LIMIT,
    );
    child.once('close', () => limit.cancel());
  });
}
