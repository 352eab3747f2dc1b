// Files that grow by whole lines. A line that was cut short is ended first, so that none is glued to it.
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { appendFile, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sweepBelowOnce } from './passing.ts';
import { FileUnwritable, makeFolder } from './whole-file.ts';

const NEWLINE = 0x0a;

/** Grows not by our hand alone: k6 appends to it, too. It is read while it grows. */
export class GrowingFile {
  readonly path: string;
  #begun: Promise<void> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Adds a line. Throws `FileUnwritable`. */
  async append(line: string): Promise<void> {
    await this.ready();
    await this.#written(appendFile(this.path, `${line}\n`));
  }

  /**
   * Makes sure that what is appended next begins a line. The first time, whatever an earlier run left is removed; later, a
   * line that was cut off is ended. Throws `FileUnwritable`.
   */
  async ready(): Promise<void> {
    if (this.#begun === null) {
      this.#begun = this.#written(this.#begin());
      await this.#begun;
      return;
    }
    await this.#begun;
    if (await this.#isCut()) await this.#written(appendFile(this.path, '\n'));
  }

  async #begin(): Promise<void> {
    await makeFolder(dirname(this.path));
    await sweepBelowOnce(dirname(this.path));
    await rm(this.path, { force: true });
  }

  /** Tells whether the last line lacks its end: its writer was killed. */
  async #isCut(): Promise<boolean> {
    const file = await open(this.path, 'r').catch(() => null);
    if (file === null) return false;
    try {
      const { size } = await file.stat();
      if (size === 0) return false;
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      return buffer[0] !== NEWLINE;
    } finally {
      await file.close();
    }
  }

  async #written(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (cause) {
      if (cause instanceof FileUnwritable) throw cause;
      throw new FileUnwritable(this.path, cause);
    }
  }
}

/**
 * Grows by our hand, each line with the system before the call returns: what is written is there though the process is
 * killed next. Lines that are there stay.
 */
export class LineFile {
  readonly path: string;
  #descriptor: number | null;

  /** Opens the file, which is made where it is not there. Throws `FileUnwritable`. */
  constructor(path: string) {
    this.path = path;
    this.#descriptor = this.#written(() => openSync(path, 'a+'));
    if (this.#isCut(this.#descriptor)) this.append('');
  }

  /** Adds a line; nothing once it is closed. Throws `FileUnwritable`. */
  append(line: string): void {
    const descriptor = this.#descriptor;
    if (descriptor !== null) this.#written(() => writeSync(descriptor, `${line}\n`));
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** Tells whether the file ends within a line. */
  #isCut(descriptor: number): boolean {
    const last = Buffer.alloc(1);
    const { size } = fstatSync(descriptor);
    return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  }

  #written<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new FileUnwritable(this.path, error);
    }
  }
}
