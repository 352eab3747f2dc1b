// index.html, one self-contained page, and the pages of single causes beside it. Everything that the templates print is
// escaped; nothing is fetched.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Report } from '../../contract/report.ts';
import { groupFindings } from '../grouping.ts';
import { factsOf, findingView, groupViews } from './findings.ts';
import { Folds, packed } from './folds.ts';
import { templatesIn } from './templates.ts';
import { codeParts } from './text.ts';
import { pageView } from './view.ts';

/** Templates, styles and scripts stand beside this module, in the sources as in the package. */
const PAGE = new URL('../page/', import.meta.url);
const STYLES = ['base', 'first', 'findings', 'tables', 'figures', 'narrow', 'paper'];
/** In the order in which they run. `charts` and what follows is for the report alone. */
const SCRIPTS = ['start', 'theme', 'store', 'links', 'search', 'copy', 'paper'];
const CHART_SCRIPTS = ['charts', 'matrix', 'load', 'load-capacity', 'load-time', 'ranges', 'figures'];

const eta = templatesIn(PAGE);

/**
 * The report as one HTML page. A content security policy lets only the page's own scripts run and nothing be loaded, so
 * that even a string that escaped its escaping does no harm. The same report gives the same page.
 */
export function renderHtml(report: Report): string {
  const page = pageView(report);
  const { matrix, timing, load, history } = page;
  const library = chartLibrary();
  const frame = newFrame([...SCRIPTS, ...CHART_SCRIPTS], [library.text]);
  const body = eta.render('./report', { page, fold: frame.fold });
  return frame.around({ title: page.sentence, body, data: { matrix, timing, load, history }, library: library.packed });
}

/** The pages of causes whose evidence does not fit into the report, by their path from index.html. */
export function* renderEvidence(report: Report): Generator<readonly [path: string, page: string]> {
  const facts = factsOf(report);
  const groups = groupFindings(report.findings);
  const views = groupViews(groups, facts);
  for (const [index, group] of groups.entries()) {
    const { file, id, cause, kind, kindWord } = views[index]!;
    if (file === '') continue;
    const frame = newFrame(SCRIPTS, []);
    const findings = group.findings.map((finding) => findingView(finding, facts, Number.POSITIVE_INFINITY));
    const { text } = facts.clauseOf(id);
    const view = { id, cause, kind, kindWord, text: codeParts(text), findings };
    const body = eta.render('./cause', { cause: view, fold: frame.fold });
    yield [file, frame.around({ title: `${id} ${cause}`, body, data: null, library: '' })];
  }
}

interface Framed {
  readonly title: string;
  readonly body: string;
  readonly data: unknown;
  readonly library: string;
}

/** The frame of a page: style, scripts, policy. `allowed` may run too, once the page's script asks for it. */
function newFrame(scripts: readonly string[], allowed: readonly string[]) {
  const folds = new Folds();
  const script = `(() => {\n'use strict';\n${scripts.map((name) => pagePart(`${name}.js`)).join('\n')}\n})();`;
  const style = STYLES.map((name) => pagePart(`${name}.css`)).join('\n');
  const hashes = [script, ...allowed].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return {
    fold: (markup: string): number => folds.add(markup),
    around: ({ data, ...framed }: Framed): string =>
      eta.render('./frame', { ...framed, style, script, hashes: hashes.join(' '), store: folds.packed(data) }),
  };
}

function pagePart(name: string): string {
  return readFileSync(new URL(name, PAGE), 'utf8');
}

let library: { readonly text: string; readonly packed: string } | undefined;

/** ECharts as its package ships it: the page unpacks it when a chart comes into view. */
function chartLibrary(): { readonly text: string; readonly packed: string } {
  if (library === undefined) {
    const folder = dirname(createRequire(import.meta.url).resolve('echarts/package.json'));
    const text = readFileSync(join(folder, 'dist', 'echarts.min.js'), 'utf8');
    library = { text, packed: packed(text) };
  }
  return library;
}
