// The pages of the history: each a pure function from rows and what its address asks for to one self-contained page. Everything
// that a template prints is escaped, for all of it may come from a target; nothing is fetched.
import type { HistoryRows } from '../../run/history/rows.ts';
import { chartLibrary, newFrame } from '../html/frame.ts';
import { templatesIn } from '../html/templates.ts';
import { compareView } from './compare.ts';
import { clausesView, latencyView, loadView, runsView, sensitivityView } from './over-time.ts';
import { type Asked, askedIn, linkTo, targetName } from './view.ts';

const OWN = new URL('page/', import.meta.url);
const PARTS = { styles: [new URL('history.css', OWN)], scripts: [new URL('history.js', OWN)], sendsForms: true };
const SCRIPTS = ['start', 'theme', 'store', 'charts'];

const eta = templatesIn(OWN);

interface View {
  readonly title: string;
  /** Its name in the bar, and that of its template. */
  readonly name: 'runs' | 'clauses' | 'latency' | 'sensitivity' | 'load' | 'compare';
  readonly of: (rows: HistoryRows, asked: Asked) => object;
}

const VIEWS: Readonly<Record<string, View>> = {
  '/': { name: 'runs', title: 'Runs', of: runsView },
  '/clauses': { name: 'clauses', title: 'Clauses that changed', of: clausesView },
  '/latency': { name: 'latency', title: 'Latency by operation', of: latencyView },
  '/sensitivity': { name: 'sensitivity', title: 'Planted defects noticed', of: sensitivityView },
  '/load': { name: 'load', title: 'Ceilings and capacity', of: loadView },
  '/compare': { name: 'compare', title: 'Two runs side by side', of: compareView },
};

/** The addresses that have a page. */
export const HISTORY_PATHS: readonly string[] = Object.keys(VIEWS);

/** The page at the path, as its query asks for it. The same history gives the same page. Throws an Error for another path. */
export function historyPage(rows: HistoryRows, path: string, query: URLSearchParams): string {
  const view = VIEWS[path];
  if (view === undefined) throw new Error(`the history has no page at ${path}`);
  const targets = rows.targets();
  const asked = askedIn(query);
  // Two targets have little in common over time: one is looked at, the newest unless another is asked for.
  const about = { ...asked, host: asked.host ?? targets[0]?.host ?? null };
  const page = view.of(rows, about);
  const library = chartLibrary();
  const frame = newFrame(SCRIPTS, [library.text], PARTS);
  const body = eta.render('./history', {
    ...{ view, page, path, asked: about, part: `./${view.name}` },
    links: Object.entries(VIEWS).map(([to, { name }]) => ({ name, href: linkTo(to, about), here: to === path })),
    targets: targets.map((target) => ({ value: target.host, label: targetName(target) })),
    branches: rows.branches(about.host),
  });
  return frame.around({ title: view.title, body, data: page, library: library.packed });
}
