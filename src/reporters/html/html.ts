// index.html, one self-contained page, and the pages of single causes beside it. Everything that the templates print is
// escaped; nothing is fetched.
import type { Report } from '../../contract/report.ts';
import { groupFindings } from '../grouping.ts';
import { factsOf, findingView, groupViews } from './findings.ts';
import { chartLibrary, eta, newFrame } from './frame.ts';
import { codeParts } from './text.ts';
import { pageView } from './view.ts';

/** In the order in which they run. `charts` and what follows is for the report alone. */
const SCRIPTS = ['start', 'theme', 'store', 'links', 'search', 'copy', 'paper'];
const CHART_SCRIPTS = ['charts', 'matrix', 'load', 'load-capacity', 'load-time', 'ranges', 'figures'];

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
