// A file that grows line by line, each with the system before the call returns: what is written is there though the process
// is killed next. Lines that are there stay; one that was cut short is ended first, so that none is glued to it.
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { FileUnwritable } from './whole-file.ts';

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

  /** Whether the file ends within a line. */
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
