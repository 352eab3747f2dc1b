// Repeats a reading after a write until it shows the effect, or until the target has had the time that LIFE grants it.
import type { Exchange } from '../../exchange/exchange.ts';
import type { World } from '../world.ts';

/** Source: LIFE, "Reads after a write are repeated for up to 5 s"; 30 s where the write was answered 202. ms. */
const PATIENCE_MS = 5_000;
const PATIENCE_AFTER_202_MS = 30_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 4_000;

/** Since when the target has had time (epoch ms), and how much it gets. */
export interface Since {
  readonly from: number;
  readonly patienceMs: number;
}

/** How long a target may take to show what the write did. ms. */
export function patienceAfter(write: Exchange): number {
  return write.response?.status === 202 ? PATIENCE_AFTER_202_MS : PATIENCE_MS;
}

/** Reads until `isDone`, for as long as the patience lasts; resolves with the last reading. */
export async function readUntil<T>(
  { timing }: World,
  until: Since,
  read: () => Promise<T>,
  isDone: (reading: T) => boolean,
): Promise<T> {
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const reading = await read();
    const leftMs = until.from + until.patienceMs - timing.now();
    if (isDone(reading) || leftMs <= 0) return reading;
    await timing.sleep(Math.min(pauseMs, leftMs));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
