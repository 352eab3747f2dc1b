// A HAR 1.2 file, read entry by entry: files of gigabytes take no more memory than their longest entry.
import { JSONParser } from '@streamparser/json';
import { plural } from '../../contract/numbers.ts';
import type { Seen } from '../../run/traffic/seen.ts';
import { EntryCutter } from './entry-cutter.ts';
import { completed, type HarEntry, seenInHar, withAttached } from './har-entry.ts';
import { type RecordingProblems, unreadableRecording } from './recording-problems.ts';
import { problemOf } from './shapes.ts';

/** One entry, or the text between two, may take so much. Bytes. */
const MOST_ENTRY_BYTES = 256 * 1024 * 1024;

export interface Reading {
  /** As messages name it. */
  readonly name: string;
  readonly problems: RecordingProblems;
  /** Aborted: reading ends where it is. */
  readonly stop: AbortSignal;
  onSeen(seen: Seen): void;
  /** Text of a body that the recorder keeps in a file beside; null: none. */
  attached?(file: string): string | null;
}

/** Hands over every entry. Resolves with false where the file ends within the text. Throws UsageError for what is no HAR. */
export async function readHar(source: AsyncIterable<Buffer>, reading: Reading): Promise<boolean> {
  const { name, stop } = reading;
  const text = new HarText(reading);
  for await (const chunk of source) {
    if (stop.aborted) return true;
    text.write(chunk);
  }
  text.end();
  if (!text.hasList) throw unreadableRecording(`${name}: there is no list at /log/entries, so it is no HAR file`);
  return text.isWhole;
}

/** The placeholder of an entry that was cut out. */
const PLACEHOLDER = Buffer.from('{}');

/** The text of a HAR file: what stands around its entries goes through a parser of streams, the entries through the engine's. */
class HarText {
  readonly #name: string;
  readonly #entries: Entries;
  readonly #cutter: EntryCutter;
  readonly #parser = new JSONParser({ paths: ['$.log.entries.*', '$.log.*'], keepStack: false });
  /** Bytes that went through the parser of streams, which tells places by them. */
  #parsedBytes = 0;
  #isEnded = false;
  /** Bytes that came since the last entry ended. */
  #waitingBytes = 0;
  /** The entry that was cut out last. */
  #entry: unknown;

  constructor(reading: Reading) {
    this.#name = reading.name;
    this.#entries = new Entries(reading);
    this.#parser.onValue = ({ value, key, stack }) => {
      const isEntry = typeof key === 'number' && stack.length === 3;
      if (isEntry) this.#entries.take(isCut(value) ? this.#entry : value);
      else if ((key === 'creator' || key === 'browser') && stack.length === 2)
        this.#entries.recorders.push(nameOf(value));
      else if (key === 'entries' && stack.length === 2) this.#entries.wereFound ||= Array.isArray(value);
    };
    this.#parser.onEnd = () => {
      this.#isEnded = true;
    };
    this.#cutter = new EntryCutter({
      onAround: (bytes, at) => this.#parse(bytes, at),
      onEntry: (bytes, at) => {
        this.#waitingBytes = 0;
        this.#entry = this.#parsed(bytes, at);
        this.#parse(PLACEHOLDER, at);
      },
    });
  }

  get hasList(): boolean {
    return this.#entries.wereFound || this.#cutter.hasBegun;
  }

  /** True where the text came to its end. */
  get isWhole(): boolean {
    return this.#isEnded;
  }

  write(chunk: Buffer): void {
    this.#waitingBytes += chunk.length;
    this.#cutter.write(chunk);
    if (this.#waitingBytes <= MOST_ENTRY_BYTES) return;
    const most = MOST_ENTRY_BYTES / 1024 / 1024;
    throw unreadableRecording(`${this.#name}: /log/entries/${this.#entries.count} is larger than ${most} MiB`);
  }

  /** Throws UsageError where the last entry does not end because it is broken. */
  end(): void {
    const { pendingBytes } = this.#cutter;
    if (pendingBytes > 0) this.#mustBegin(this.#cutter.pending(), this.#cutter.position - pendingBytes);
  }

  #parsed(bytes: Buffer, at: number): unknown {
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      // The parser's words quote the text, which may hold a secret.
      this.#mustBegin(bytes, at);
      throw this.#broken(`near byte ${at}`);
    }
  }

  /** Throws UsageError with the place at which a text is no JSON, unless more of it could make it some. */
  #mustBegin(bytes: Buffer, at: number): void {
    try {
      const parser = new JSONParser();
      parser.onValue = () => {};
      parser.write(bytes);
    } catch (error) {
      throw this.#broken(placeIn(error, at) ?? `near byte ${at}`);
    }
  }

  #parse(bytes: Buffer, at: number): void {
    if (this.#isEnded) {
      const rest = bytes.findIndex((byte) => !WHITESPACE.has(byte));
      if (rest >= 0) throw this.#followed(`at byte ${at + rest}`);
      return;
    }
    const shift = at - this.#parsedBytes;
    this.#parsedBytes += bytes.length;
    try {
      this.#parser.write(bytes);
    } catch (error) {
      const place = placeIn(error, shift) ?? `near byte ${at}`;
      throw this.#entries.failure ?? (this.#isEnded ? this.#followed(place) : this.#broken(place));
    }
  }

  #followed(place: string): Error {
    return unreadableRecording(`${this.#name}: more text follows the end of the HAR file ${place}`);
  }

  #broken(place: string): Error {
    const { count } = this.#entries;
    return unreadableRecording(
      `${this.#name}: broken JSON ${place}, after ${plural(count, 'entry', 'entries')} (in /log/entries/${count})`,
    );
  }
}

const WHITESPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function isCut(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function nameOf(value: unknown): string {
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : '';
  return typeof name === 'string' ? name : '';
}

/** The place in the file that an error of the parser names; null where it names none. */
function placeIn(error: unknown, shift: number): string | null {
  const position = /absolute position "(\d+)"/.exec((error as Error).message)?.[1];
  return position === undefined ? null : `at byte ${Number(position) + shift}`;
}

class Entries {
  readonly #reading: Reading;
  count = 0;
  wereFound = false;
  /** The program that wrote the file, and its browser, as far as they stand before the entries. */
  readonly recorders: string[] = [];
  /** The error that taking an entry threw: thrown within the parser, it would be called broken JSON. */
  failure: unknown = null;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  take(value: unknown): void {
    this.wereFound = true;
    const at = this.count;
    this.count += 1;
    try {
      this.#handOver(value, at);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  #handOver(recorded: unknown, at: number): void {
    const { name, problems, onSeen, stop, attached = () => null } = this.#reading;
    if (stop.aborted) return;
    const value = completed(recorded);
    const problem = problemOf(value, 'har-entry.schema.json');
    const place = `${name}#/log/entries/${at}`;
    if (problem === null) onSeen(seenInHar(withAttached(value as HarEntry, attached), place, this.recorders.join(' ')));
    else problems.add(`${name}: /log/entries/${at}${problem.startsWith('/') ? '' : ': '}${problem}`);
  }
}
