// Exchanges that several recordings hold: exports overlap, and one request counted twice would look like two that share an id.
import type { Seen, SeenAnswer } from './seen.ts';

/** So many exchanges of earlier files are remembered. */
const MOST = 200_000;

export class Duplicates {
  readonly #earlier = new Set<string>();
  readonly #current = new Set<string>();
  #isFirst = true;

  beginFile(): void {
    if (!this.#isFirst) for (const told of this.#current) if (this.#earlier.size < MOST) this.#earlier.add(told);
    this.#isFirst = false;
    this.#current.clear();
  }

  /** Whether an earlier file holds the same exchange. Without times nothing is known to be the same. */
  has({ request, times }: Seen, { status, body }: SeenAnswer): boolean {
    if (times === null) return false;
    const told = `${times.sentAt} ${times.durationMs} ${request.method} ${request.url} ${status} ${body.content.length}`;
    if (this.#current.size < MOST) this.#current.add(told);
    return this.#earlier.has(told);
  }
}
