// Hands tasks to threads, one to each at a time, for scripts and benches that fill all cores with runs in virtual time.
import { Worker } from 'node:worker_threads';

/**
 * Sends every task to a thread of the file, which answers each with one message; `onTold` sees the answers as they come. Resolves
 * when all are answered; rejects with what a thread threw.
 */
export async function inThreads<Task, Told>(
  file: string,
  tasks: Iterator<Task>,
  jobs: number,
  onTold: (told: Told) => void,
): Promise<void> {
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(file);
      const next = (): void => {
        const task = tasks.next();
        if (task.done !== true) worker.postMessage(task.value);
        else void worker.terminate().then(() => resolve());
      };
      worker.on('message', (told: Told) => {
        onTold(told);
        next();
      });
      worker.on('error', reject);
      next();
    });
  await Promise.all(Array.from({ length: jobs }, work));
}
