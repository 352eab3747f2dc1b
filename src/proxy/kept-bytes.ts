// Keeps bodies that pass the proxy until they are judged: so much of each, and so much of all together. A body for
// which there is no room passes through all the same, and is not judged.

const MAX_OF_ONE = 16 * 1024 * 1024;
const MAX_OF_ALL = 192 * 1024 * 1024;

export interface KeptBody {
  readonly bytes: Buffer;
  /** False where there was no room for all of it. */
  readonly isWhole: boolean;
}

export class KeptBytes {
  #held = 0;

  open(): Kept {
    return new Kept(this);
  }

  take(bytes: number): boolean {
    if (this.#held + bytes > MAX_OF_ALL) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}

export class Kept {
  readonly #all: KeptBytes;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isWhole = true;

  constructor(all: KeptBytes) {
    this.#all = all;
  }

  add(chunk: Buffer): void {
    if (!this.#isWhole) return;
    this.#isWhole = this.#bytes + chunk.length <= MAX_OF_ONE && this.#all.take(chunk.length);
    if (!this.#isWhole) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  body(): KeptBody {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    return { bytes, isWhole: this.#isWhole };
  }

  release(): void {
    this.#all.give(this.#bytes);
    this.#chunks = [];
    this.#bytes = 0;
  }
}
