// `npm run figures`: brings the figures of README.md up to what the code and the sample report have. A test compares them, so that
// no reader is told a count of last month.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUSES } from '../src/contract/clauses.ts';
import type { Report } from '../src/contract/report.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { HOOK_FAULTS } from '../src/platform/faults/hook.ts';
import { LOAD_FAULTS } from '../src/platform/faults/load.ts';
import { readModel } from '../src/platform/schema/model.ts';
import { operationsOf } from '../src/platform/schema/served.ts';
import { TOLERANCES } from '../src/platform/tolerances/all.ts';
import { HOOK_TOLERANCES } from '../src/platform/tolerances/hook.ts';
import { summarise } from '../src/reporters/terminal/terminal.ts';
import { CLIENT_FAULTS, CLIENT_TOLERANCES } from '../test/clients/deviations.ts';

const ROOT = join(import.meta.dirname, '..');
export const README = 'README.md';
/** The run whose last lines the page shows. */
const SAMPLE = 'reports/sample';
/** Lines of causes in the excerpt, with the one that counts them. */
const CAUSE_LINES = 5;
/** So wide that no cause is broken into two lines. */
const WIDTH = 200;
const EXCERPT = /(?<=<!-- the last lines of reports\/sample -->\n```\n)[\s\S]*?(?=```\n)/;

/** What the code knows, by the noun that stands behind the figure in the page. */
export async function figures(): Promise<Readonly<Record<string, number>>> {
  const operations = (await readModel({})).flatMap(operationsOf);
  return {
    clauses: CLAUSES.length,
    faults: [FAULTS, HOOK_FAULTS, LOAD_FAULTS, CLIENT_FAULTS].flat().length,
    oddities: [TOLERANCES, HOOK_TOLERANCES, CLIENT_TOLERANCES].flat().length,
    operations: operations.length,
  };
}

/** The page with every figure as it is now. Throws where the page no longer has one. */
export async function withFigures(page: string): Promise<string> {
  const known = Object.entries(await figures()).map(([noun, value]) => ({
    pattern: new RegExp(`(?<=\\*\\*)[\\d,]+ ${noun}(?=\\*\\*)`, 'g'),
    text: `${value} ${noun}`,
  }));
  return [...known, { pattern: EXCERPT, text: excerpt() }].reduce((text, figure) => {
    if (text.search(figure.pattern) < 0) throw new Error(`${README} does not have ${figure.pattern}`);
    return text.replace(figure.pattern, () => figure.text);
  }, page);
}

/** How the sample ends at a terminal: its gravest causes, without the commands that show them again, and the verdict. */
function excerpt(): string {
  const report: Report = JSON.parse(readFileSync(join(ROOT, SAMPLE, 'report.json'), 'utf8'));
  const [causes = '', verdict = ''] = summarise(report, {}, { color: false, width: WIDTH }).split('\n\n').slice(-2);
  const lines = causes.split('\n').filter((line) => !line.includes('npx assay'));
  return [...lines.slice(0, CAUSE_LINES), '  …', '', verdict, ''].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const path = join(ROOT, README);
  writeFileSync(path, await withFigures(readFileSync(path, 'utf8')));
}
