// index.html: one self-contained page. Everything that the templates print is escaped; nothing is fetched.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Report } from '../contract/report.ts';
import { pageView } from './html-view.ts';
import { visibleText } from './text.ts';

/** Templates, style and script stand beside this module, in the sources as in the package. */
const PAGE = new URL('./page/', import.meta.url);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const eta = new Eta({
  views: fileURLToPath(PAGE),
  cache: true,
  autoEscape: true,
  escapeFunction: (value) => visibleText(String(value)).replace(/[&<>"']/g, (character) => ENTITIES[character]!),
});

/**
 * The report as one HTML page with inline style and script. A content security policy lets only that script run and
 * nothing be loaded, so that even a string that escaped its escaping does no harm. The same report gives the same page.
 */
export function renderHtml(report: Report): string {
  const style = readFileSync(new URL('style.css', PAGE), 'utf8');
  const script = readFileSync(new URL('script.js', PAGE), 'utf8');
  const scriptHash = createHash('sha256').update(script).digest('base64');
  return eta.render('./report', { page: pageView(report), style, script, scriptHash });
}
