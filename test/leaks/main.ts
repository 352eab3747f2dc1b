// `npm run leaks -- --draws 10000 [--seed N]`: the property on leaks at length, on every core.
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readArguments } from '../../scripts/command-line.ts';
import { assertNoLeaks } from './property.ts';

/** What one worker draws. */
interface Share {
  readonly draws: number;
  readonly seed: number;
}

/** Draws that are told as made, at most once each so many. */
const TOLD_DRAWS = 500;

if (isMainThread) await drawOnEveryCore();
else {
  const { draws, seed } = workerData as Share;
  await assertNoLeaks(draws, seed, (made) => parentPort?.postMessage(made));
}

async function drawOnEveryCore(): Promise<void> {
  const { values } = readArguments('npm run leaks -- [--draws 1000] [--seed N]', {
    options: { draws: { type: 'string', default: '1000' }, seed: { type: 'string' } },
  });
  const draws = Number(values.draws);
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
  if (!Number.isInteger(draws) || draws < 1 || !Number.isInteger(seed)) {
    console.error('--draws and --seed are whole numbers: npm run leaks -- --draws 10000 --seed 1');
    process.exit(2);
  }
  const workers = Math.min(draws, availableParallelism());
  console.log(`${draws} draws, seed ${seed}, ${workers} at a time`);
  const startedAt = performance.now();
  const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
  const made = Array.from({ length: workers }, () => 0);
  let told = 0;
  await Promise.all(
    made.map((_, at) =>
      // The seeds of workers follow one another: a leak names its own, and one worker makes it again.
      drawn({ draws: Math.ceil((draws - at) / workers), seed: seed + at }, (count) => {
        made[at] = count;
        const sum = made.reduce((total, one) => total + one, 0);
        if (sum < told + TOLD_DRAWS) return;
        told = sum;
        console.log(`${sum} draws without a leak, ${seconds()}`);
      }),
    ),
  );
  console.log(`No leak in ${draws} draws, ${seconds()}`);
}

/** Ends once the worker has drawn its share; rejects with the leak that it found. */
function drawn(share: Share, onMade: (made: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', onMade);
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
  });
}
