// What the page does not show at first – findings beyond the first causes, operations, evidence – is kept in it compressed,
// as finished markup: the page opens at once however long the run was, and nothing is fetched to unfold it.
import { gzipSync } from 'node:zlib';
import { visibleText } from '../text.ts';

/** Markup of the folds of one page. */
export class Folds {
  readonly #folds: string[] = [];

  /** Puts markup away; its number is what the page's script asks for. */
  add(markup: string): number {
    return this.#folds.push(markup.replace(/>\s+</g, '> <').trim()) - 1;
  }

  /** All of it, and the data of the charts, as one text for the page. Strings of the data are shown, so they are made visible. */
  packed(data: unknown): string {
    const shown = JSON.stringify(data, (_, value) => (typeof value === 'string' ? visibleText(value) : value));
    return packed(`{"folds":${JSON.stringify(this.#folds)},"data":${shown}}`);
  }
}

/** Text as base64 of gzip: no character in it can end the element that holds it. */
export function packed(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64');
}
