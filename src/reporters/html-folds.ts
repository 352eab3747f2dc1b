// What the page does not show at first – findings beyond the first causes, operations, evidence – is kept in it compressed,
// as finished markup: the page opens at once however long the run was, and nothing is fetched to unfold it.
import { gzipSync } from 'node:zlib';

/** Markup of the folds of one page. */
export class Folds {
  readonly #folds: string[] = [];

  /** Puts markup away; its number is what the page's script asks for. */
  add(markup: string): number {
    return this.#folds.push(markup.replace(/>\s+</g, '> <').trim()) - 1;
  }

  /** All of it, and the data of the charts, as one text for the page. */
  packed(data: unknown): string {
    return packed(JSON.stringify({ folds: this.#folds, data }));
  }
}

/** Text as base64 of gzip: no character in it can end the element that holds it. */
export function packed(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64');
}
