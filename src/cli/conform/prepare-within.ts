// The preparation of a run ends with the signals and the time limit of the command: nothing was sent by then, and there is no report.
import type { Clock } from '../../clock/clock.ts';
import { NoVerdict } from '../process/failure.ts';

/**
 * The outcome of the work. Throws NoVerdict as soon as the signal aborts or the time limit is reached, whatever the work waits for;
 * its outcome is given to `late` then, should it come.
 */
export async function preparedWithin<T>(
  work: Promise<T>,
  {
    stop,
    limitSeconds,
    clock,
  }: { readonly stop: AbortSignal; readonly limitSeconds: number | null; readonly clock: Clock },
  late: (outcome: T) => void,
): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const end = (why: string): void => {
    work.then(late, () => {});
    ended.reject(new NoVerdict(`${why} while the run was prepared: nothing was sent`, null));
  };
  const onStop = (): void => end('interrupted');
  const timer =
    limitSeconds === null ? null : clock.after(limitSeconds * 1000, () => end('the time limit was reached'));
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    timer?.cancel();
    stop.removeEventListener('abort', onStop);
  }
}
