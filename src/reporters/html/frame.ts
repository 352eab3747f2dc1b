// The frame of every page: style, scripts, and the policy that lets no other script run and nothing be loaded. What a page
// does not show at first is kept in it compressed, as finished markup: it opens at once however long the run was.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { visibleText } from '../text.ts';
import { templatesIn } from './templates.ts';

/** Templates, styles and scripts stand beside this module, in the sources as in the package. */
export const PAGE = new URL('../page/', import.meta.url);
const STYLES = ['base', 'first', 'findings', 'tables', 'figures', 'narrow', 'paper'];

export const eta = templatesIn(PAGE);

export interface Framed {
  readonly title: string;
  readonly body: string;
  readonly data: unknown;
  readonly library: string;
}

/** Parts of a page beside those that all pages share. */
export interface OwnParts {
  readonly styles: readonly URL[];
  readonly scripts: readonly URL[];
  /** True where its forms may be sent to where it came from. */
  readonly sendsForms: boolean;
}

const NONE: OwnParts = { styles: [], scripts: [], sendsForms: false };

/**
 * The frame of a page. `scripts` are the shared ones, in the order in which they run, those of its own after them; `allowed`
 * may run too, once the page's script asks for it.
 */
export function newFrame(scripts: readonly string[], allowed: readonly string[], own = NONE) {
  const folds = new Folds();
  const texts = [...scripts.map((name) => pagePart(`${name}.js`)), ...own.scripts.map(textOf)].map(withoutComments);
  const script = `(() => {\n'use strict';\n${texts.join('\n')}\n})();`;
  const style = [...STYLES.map((name) => pagePart(`${name}.css`)), ...own.styles.map(textOf)].join('\n');
  const hashes = [script, ...allowed].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const sends = own.sendsForms ? "'self'" : "'none'";
  return {
    fold: (markup: string): number => folds.add(markup),
    around: ({ data, ...framed }: Framed): string =>
      eta.render('./frame', { ...framed, style, script, hashes: hashes.join(' '), sends, store: folds.packed(data) }),
  };
}

/** Comments are for readers of the sources: each page would carry them. */
function withoutComments(script: string): string {
  return script.replaceAll(/^\s*(?:\/\/.*|\/\*\*[\s\S]*?\*\/)\n/gm, '');
}

function pagePart(name: string): string {
  return textOf(new URL(name, PAGE));
}

function textOf(file: URL): string {
  return readFileSync(file, 'utf8');
}

let library: { readonly text: string; readonly packed: string } | undefined;

/** ECharts as its package ships it: the page unpacks it when a chart comes into view. */
export function chartLibrary(): { readonly text: string; readonly packed: string } {
  if (library === undefined) {
    const folder = dirname(createRequire(import.meta.url).resolve('echarts/package.json'));
    const text = readFileSync(join(folder, 'dist', 'echarts.min.js'), 'utf8');
    library = { text, packed: packed(text) };
  }
  return library;
}

/** Markup of the folds of one page. */
class Folds {
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
function packed(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64');
}
