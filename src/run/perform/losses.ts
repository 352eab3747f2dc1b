// Things that were read with success and could not be found later, though this run deleted none of them.

import { uriDecoded } from '../../exchange/decoded.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { trimmed } from '../../facts/paths.ts';

/** Maximum number of things that are remembered: a loss among them shows on the first. */
const MAX_THINGS = 2000;
/** Maximum length of an answer's text that is looked through for names. Characters. */
const MAX_TEXT = 4000;

export class Losses {
  /** Paths that were read, with who read them, and the texts by which an answer calls the thing. */
  readonly #read = new Map<string, { readonly by: string; readonly calls: string }>();
  readonly #lost = new Set<string>();
  /** Last segments of what this run has deleted. */
  readonly #deleted = new Set<string>();

  observe({ plan, response }: Exchange): void {
    const path = trimmed(plan.path);
    const status = response?.status ?? 0;
    if (!isSafe(plan.method)) {
      if (status < 400 || status >= 500) this.#changed(plan.method, path);
      return;
    }
    if (response === null || plan.method !== 'GET' || plan.query !== '' || plan.intent !== undefined) return;
    const isSuccess = status >= 200 && status < 300;
    const by = JSON.stringify(plan.credential);
    if (isSuccess && (this.#read.has(path) || this.#read.size < MAX_THINGS)) {
      this.#read.set(path, { by, calls: response.body.slice(0, MAX_TEXT) });
      this.#lost.delete(path);
    }
    const known = this.#read.get(path);
    if (status === 404 && known?.by === by && !this.#isOwn(path, known.calls)) this.#lost.add(path);
  }

  /** Notes what was not refused: a change may have renamed or archived the thing, and a failure or silence may have done it. */
  #changed(method: string, path: string): void {
    const cut = path.lastIndexOf('/');
    if (method === 'DELETE') this.#deleted.add(uriDecoded(path.slice(cut + 1)));
    for (const one of [path, path.slice(0, cut)]) this.#read.delete(one);
  }

  /** The first thing at the path, or above it, that is lost; null for none. */
  above(path: string): string | null {
    return [...this.#lost].find((lost) => `${path}/`.startsWith(`${lost}/`)) ?? null;
  }

  /** Tells whether this run deleted the thing, what it lies below, or either under another of its names. */
  #isOwn(path: string, calls: string): boolean {
    const segments = path.split('/').map(uriDecoded);
    return [...this.#deleted].some((name) => segments.includes(name) || calls.includes(name));
  }
}
