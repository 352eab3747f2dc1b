// A file of samples read while it grows: every line once, in order, without holding the file in memory.
import { open } from 'node:fs/promises';
import { systemClock } from '../../clock/system.ts';
import type { Sample } from './line.ts';
import { sampleIn } from './reading.ts';

const PAUSE_MS = 100;
const CHUNK_BYTES = 256 * 1024;

/**
 * Hands over every sample of the file from the byte offset on, until `ended` is true and all is read. Lines that are no
 * samples are passed over; a last line without its end is not read. Resolves with the offset after the last line read.
 * Rejects where the file cannot be read; a file that is not there yet is waited for.
 */
export async function followSamples(
  path: string,
  offset: number,
  ended: () => boolean,
  onSample: (sample: Sample) => void,
): Promise<number> {
  let at = offset;
  for (;;) {
    const isLast = ended();
    at = await readNew(path, at, onSample);
    if (isLast) return at;
    await systemClock.sleep(PAUSE_MS);
  }
}

/** Reads the whole lines that are there now. */
async function readNew(path: string, offset: number, onSample: (sample: Sample) => void): Promise<number> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return offset;
  let rest: Buffer = Buffer.alloc(0);
  let at = offset;
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at + rest.length);
      if (bytesRead === 0) return at;
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const end = rest.lastIndexOf(0x0a) + 1;
      for (const line of rest.toString('utf8', 0, end).split('\n')) {
        const sample = line === '' ? null : sampleIn(line);
        if (sample !== null) onSample(sample);
      }
      at += end;
      rest = rest.subarray(end);
    }
  } finally {
    await file.close();
  }
}
