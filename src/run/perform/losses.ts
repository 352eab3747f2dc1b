// Things that were read with success and could not be found later, though this run deleted none of them.
import type { Exchange } from '../../exchange/exchange.ts';
import { decodeSegment } from '../../probes/reach/recipe.ts';

/** So many things are remembered: what is lost of them shows on the first. */
const MAX_THINGS = 2000;
/** So much of an answer is looked through for names. Characters. */
const MAX_TEXT = 4000;

export class Losses {
  /** Paths that were read, with who read them, and the texts by which an answer calls the thing. */
  readonly #read = new Map<string, { readonly by: string; readonly calls: string }>();
  readonly #lost = new Set<string>();
  /** Last segments of what this run has deleted. */
  readonly #deleted = new Set<string>();

  observe({ plan, response }: Exchange): void {
    if (response === null || plan.query !== '' || plan.intent !== undefined) return;
    const path = plan.path.replace(/\/$/, '');
    const isSuccess = response.status >= 200 && response.status < 300;
    const by = JSON.stringify(plan.credential);
    if (plan.method === 'DELETE' && isSuccess) this.#deleted.add(decodeSegment(path.slice(path.lastIndexOf('/') + 1)));
    if (plan.method !== 'GET') {
      // A change may have renamed or archived it.
      if (isSuccess) for (const one of [path, path.replace(/\/[^/]*$/, '')]) this.#read.delete(one);
      return;
    }
    if (isSuccess && (this.#read.has(path) || this.#read.size < MAX_THINGS)) {
      this.#read.set(path, { by, calls: response.body.slice(0, MAX_TEXT) });
      this.#lost.delete(path);
    }
    const known = this.#read.get(path);
    if (response.status === 404 && known?.by === by && !this.#isOwn(path, known.calls)) this.#lost.add(path);
  }

  /** The first thing at the path, or above it, that is lost; null for none. */
  above(path: string): string | null {
    return [...this.#lost].find((lost) => `${path}/`.startsWith(`${lost}/`)) ?? null;
  }

  /** Whether this run deleted the thing, what it lies below, or either under another of its names. */
  #isOwn(path: string, calls: string): boolean {
    const segments = path.split('/').map(decodeSegment);
    return [...this.#deleted].some((name) => segments.includes(name) || calls.includes(name));
  }
}
