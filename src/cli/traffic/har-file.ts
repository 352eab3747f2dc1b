// A HAR 1.2 file, read entry by entry: files of gigabytes take no more memory than their longest entry.
import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';
import type { Seen } from '../../run/traffic/seen.ts';
import { type HarEntry, seenInHar } from './har-entry.ts';
import { type RecordingProblems, unreadableRecording } from './recording-problems.ts';
import { problemOf } from './shapes.ts';

/** One entry may take so much. Bytes. */
const MOST_ENTRY_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

export interface Reading {
  /** As messages name it. */
  readonly name: string;
  readonly problems: RecordingProblems;
  /** Aborted: reading ends where it is. */
  readonly stop: AbortSignal;
  onSeen(seen: Seen): void;
}

/** Hands over every entry. Resolves with false where the file ends within the text. Throws UsageError for what is no HAR. */
export async function readHar(file: string, reading: Reading): Promise<boolean> {
  const { name, stop } = reading;
  const entries = new Entries(reading);
  const parser = new JSONParser({ paths: ['$.log.entries.*', '$.log.*'], keepStack: false });
  parser.onValue = ({ value, key, stack }) => entries.take(value, key, stack.length);
  let isFirst = true;
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    if (stop.aborted) return true;
    parse(parser, isFirst ? withoutMark(chunk) : chunk, name, entries);
    isFirst = false;
    entries.mustBeBounded(chunk.length);
  }
  if (!entries.wereFound) throw unreadableRecording(`${name}: there is no list at /log/entries, so it is no HAR file`);
  return parser.isEnded;
}

function withoutMark(chunk: Buffer): Buffer {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
}

function parse(parser: JSONParser, chunk: Buffer, name: string, entries: Entries): void {
  try {
    if (!parser.isEnded) parser.write(chunk);
  } catch (error) {
    if (entries.failure !== null) throw entries.failure;
    const position = /absolute position "(\d+)"/.exec((error as Error).message)?.[1];
    const at = position === undefined ? '' : ` at byte ${position}`;
    throw unreadableRecording(
      `${name}: broken JSON${at}, after ${entries.count} entries (in /log/entries/${entries.count})`,
    );
  }
}

class Entries {
  readonly #reading: Reading;
  count = 0;
  wereFound = false;
  /** What taking an entry threw: the parser has it in its hands, and would call it broken JSON. */
  failure: unknown = null;
  #pendingBytes = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  take(value: unknown, key: unknown, depth: number): void {
    const isEntry = typeof key === 'number' && depth === 3;
    if (!isEntry) {
      if (key === 'entries' && depth === 2) this.wereFound ||= Array.isArray(value);
      return;
    }
    this.wereFound = true;
    this.#pendingBytes = 0;
    const at = this.count;
    this.count += 1;
    try {
      this.#handOver(value, at);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  #handOver(value: unknown, at: number): void {
    const { name, problems, onSeen, stop } = this.#reading;
    if (stop.aborted) return;
    const problem = problemOf(value, 'har-entry.schema.json');
    if (problem === null) onSeen(seenInHar(value as HarEntry, `${name}#/log/entries/${at}`));
    else problems.add(`${name}: /log/entries/${at}${problem.startsWith('/') ? '' : ': '}${problem}`);
  }

  mustBeBounded(bytes: number): void {
    this.#pendingBytes += bytes;
    if (this.#pendingBytes <= MOST_ENTRY_BYTES) return;
    const most = MOST_ENTRY_BYTES / 1024 / 1024;
    throw unreadableRecording(`${this.#reading.name}: /log/entries/${this.count} is larger than ${most} MiB`);
  }
}
