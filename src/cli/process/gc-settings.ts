// How much garbage may stand in memory: by default V8 lets the heap grow to a multiple of what lives in it, up to a share
// of the machine. A run over a large description is to fit into 1 GiB, at the price of a few more collections.
// V8 holds its flags for all threads of a process: only the main thread, which is the command, sets any that last.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** Between two full collections the heap may grow by so much of what lives. V8 reads it at each collection. */
const GROWING_PERCENT = 16;

/** Below this there is no garbage worth holding short or giving back. */
const LARGE_MB = 256;

function isHeapLarge(): boolean {
  return getHeapStatistics().total_heap_size >= LARGE_MB * 2 ** 20;
}

/** Holds garbage short once the heap is large: a short command would collect a tenth of its time. Looked at after each collection. */
export function keepHeapSmall(): void {
  if (!isMainThread) return;
  const collections = new PerformanceObserver(() => {
    if (!isHeapLarge()) return;
    collections.disconnect();
    setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  });
  collections.observe({ type: 'gc' });
}

/** Where new objects lie, in MB: two halves, of which one is empty. V8 would take 128 MB within seconds, and keep them. */
const NEW_SPACE_MB = 64;
/** New space grows when enough of it survives: so many numbers at a time, so often at most. Node 22 ends at half the size. */
const NUMBERS = 10_000;
const MOST_TRIES = 400;

/** Lets the space for new objects grow to its size at once, and no further. Its size can be told to V8 at its start only. */
export function holdNewSpace(): void {
  if (!isMainThread) return;
  setFlagsFromString('--semi-space-growth-factor=2');
  const surviving: number[][] = [];
  for (let tries = 0; newSpaceMb() < NEW_SPACE_MB && tries < MOST_TRIES; tries += 1)
    surviving.push(new Array(NUMBERS).fill(tries));
  setFlagsFromString('--semi-space-growth-factor=1');
}

function newSpaceMb(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return (space?.space_size ?? 0) / 2 ** 20;
}

/**
 * Collects all garbage of a large heap, and gives its pages back to the system: V8 would keep them, and what is not on its
 * heap (buffers, another thread's heap) would come on top. Space for new objects is then as `holdNewSpace` leaves it.
 */
export async function giveBackGarbage(): Promise<void> {
  if (!isHeapLarge()) return;
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction | undefined = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  await collect?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
  holdNewSpace();
}
