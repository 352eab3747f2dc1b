// Exchanges that several recordings hold: exports overlap, and one request counted twice would look like two that share an id.
import { hash } from 'node:crypto';
import type { Seen, SeenAnswer } from './seen.ts';

/** So many exchanges of earlier files are remembered. */
const MOST = 200_000;

export class Duplicates {
  readonly #earlier = new Set<string>();
  readonly #current = new Set<string>();
  #isFirst = true;

  beginFile(): void {
    if (!this.#isFirst) for (const digest of this.#current) if (this.#earlier.size < MOST) this.#earlier.add(digest);
    this.#isFirst = false;
    this.#current.clear();
  }

  /** Whether an earlier file holds the same exchange. Without times nothing is known to be the same. */
  has({ request, times }: Seen, { status, body }: SeenAnswer): boolean {
    if (times === null) return false;
    const told = `${times.sentAt} ${times.durationMs} ${request.method} ${request.url} ${status} ${body.bytes.length}`;
    const digest = hash('sha1', told, 'base64url');
    if (this.#current.size < MOST) this.#current.add(digest);
    return this.#earlier.has(digest);
  }
}
