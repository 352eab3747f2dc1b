// Keeps secrets out of everything that is recorded, reported or logged.
import { KnownSecrets, type Redactor, type Secret } from './secrets/known-secrets.ts';
import { MIN_RUN_CHARS, type RunFinder, type Stretch } from './secrets/runs.ts';

/** A redactor of these secrets, for any number of texts. */
export function createRedactor(secrets: Iterable<Secret> = []): Redactor {
  const redactor = new KnownSecrets(new RunTable());
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

const GROUP = 4;
const STEP = MIN_RUN_CHARS - GROUP + 1;
/** Bits of each table, as a power of two: 128 KiB, so that few groups of other texts are met by chance. */
const TABLE_BITS = 20;
/** Four characters without the case of letters; `@` and backtick, for example, count as one. */
const CASELESS = 0x20202020;
const BETWEEN_FORMS = '\u0100';

/**
 * Finds runs of secrets in many texts. Eight characters in a row always hold a group of four that begins at a multiple of
 * five: only these groups are looked up, in a table of bits, so that a text costs a nanosecond or two a character whatever
 * the number of secrets. Works on the lower byte of every code unit, which eight in a row do not share by chance.
 */
export class RunTable implements RunFinder {
  readonly #groups = new Uint8Array(2 ** (TABLE_BITS - 3));
  readonly #likely = new Uint8Array(2 ** (TABLE_BITS - 3));
  /** All forms in lower case, each between characters that no byte is. */
  #forms = '';
  /** Runs of the forms that were met. */
  readonly #met = new Set<string>();
  /** Where the latest of them stands in the forms. */
  #metAt = -1;
  #bytes = Buffer.alloc(16 * 1024);
  #view = viewOf(this.#bytes);

  add(form: string): void {
    if (form.length < MIN_RUN_CHARS) return;
    this.#read(form);
    this.#forms += `${this.#lowerAt(0, form.length)}${BETWEEN_FORMS}`;
    for (let at = 0; at + MIN_RUN_CHARS <= form.length; at += 1) {
      const mixed = mixOf(this.#groupAt(at), this.#groupAt(at + GROUP));
      set(this.#likely, hashOf(mixed));
      set(this.#likely, hashOf(again(mixed)));
    }
    for (let at = 0; at + GROUP <= form.length; at += 1) set(this.#groups, hashOf(this.#groupAt(at)));
  }

  holds(text: string): boolean {
    if (text.length < MIN_RUN_CHARS) return false;
    this.#read(text);
    return this.#next(0, text.length) !== -1;
  }

  runsIn(text: string): readonly Stretch[] {
    const runs: Stretch[] = [];
    if (text.length < MIN_RUN_CHARS) return runs;
    this.#read(text);
    let end = 0;
    for (;;) {
      const start = this.#next(end, text.length);
      if (start === -1) return runs;
      end = start + MIN_RUN_CHARS;
      const last = (): number => Math.min(end - 1, text.length - MIN_RUN_CHARS);
      for (let next = start + 1; next <= last(); next += 1) if (this.#isRun(next)) end = next + MIN_RUN_CHARS;
      runs.push([start, end]);
    }
  }

  #read(text: string): void {
    if (text.length > this.#bytes.length) {
      this.#bytes = Buffer.alloc(2 * text.length);
      this.#view = viewOf(this.#bytes);
    }
    this.#bytes.write(text, 'latin1');
  }

  /** Where the next run begins, at `from` or behind it, in a text of this length; -1: there is none. */
  #next(from: number, length: number): number {
    const view = this.#view;
    const groups = this.#groups;
    for (let at = from; at <= length - GROUP; at += STEP) {
      if (!isSet(groups, hashOf(view.getInt32(at, true) | CASELESS))) continue;
      const latest = Math.min(at, length - MIN_RUN_CHARS);
      for (let start = Math.max(from, at - STEP + 1); start <= latest; start += 1) if (this.#isRun(start)) return start;
    }
    return -1;
  }

  #isRun(at: number): boolean {
    const mixed = mixOf(this.#groupAt(at), this.#groupAt(at + GROUP));
    if (!isSet(this.#likely, hashOf(mixed)) || !isSet(this.#likely, hashOf(again(mixed)))) return false;
    const run = this.#lowerAt(at, at + MIN_RUN_CHARS);
    if (this.#met.has(run)) return true;
    // A text that holds a whole token holds its runs one after the other: all forms are searched for the first of them alone.
    const next = this.#metAt + 1;
    const found = this.#forms.startsWith(run, next) ? next : this.#forms.indexOf(run);
    if (found === -1) return false;
    this.#metAt = found;
    this.#met.add(run);
    return true;
  }

  #groupAt(at: number): number {
    return this.#view.getInt32(at, true) | CASELESS;
  }

  #lowerAt(start: number, end: number): string {
    return this.#bytes.toString('latin1', start, end).toLowerCase();
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function hashOf(group: number): number {
  return Math.imul(group, 0x9e3779b1) >>> (32 - TABLE_BITS);
}

function mixOf(low: number, high: number): number {
  return Math.imul(low, 0x85ebca6b) ^ Math.imul(high, 0xc2b2ae35);
}

/** Another mix of the same, so that two bits stand for a run. */
function again(mixed: number): number {
  return mixed ^ (mixed >>> 15) ^ (mixed << 7);
}

function set(table: Uint8Array, bit: number): void {
  table[bit >>> 3] = (table[bit >>> 3] as number) | (1 << (bit & 7));
}

function isSet(table: Uint8Array, bit: number): boolean {
  return (((table[bit >>> 3] as number) >>> (bit & 7)) & 1) === 1;
}
