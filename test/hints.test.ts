// Every message with a hint that a user can meet is met here: the command is started as a user starts it, and its message says what
// happened, its hint what to do. A place in the sources that makes such a message and that no case meets fails the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ended, type HintCase, type Told, TOKEN, told } from './hints/case.ts';
import { COMMANDS } from './hints/commands.ts';
import { CONFIGURATION } from './hints/configuration.ts';
import { DESCRIPTIONS } from './hints/descriptions.ts';
import { ELSEWHERE } from './hints/elsewhere.ts';
import { LOAD } from './hints/load.ts';
import { REPORTS } from './hints/reports.ts';
import { sites } from './hints/sites.ts';

const CASES: readonly HintCase[] = [...CONFIGURATION, ...DESCRIPTIONS, ...COMMANDS, ...REPORTS, ...LOAD];
const outcomes = new Map<HintCase, Told>();

let recorded = '';
beforeAll(async () => {
  recorded = mkdtempSync(join(tmpdir(), 'assay-recorded-'));
  const line = 'conform --embedded --budget 60 --operation "* /api/v1/stores*" --out reports/main --quiet';
  const { code, text } = await ended({ line }, recorded);
  expect(code, text).toBe(0);
});
afterAll(() => rmSync(recorded, { recursive: true, force: true }));

describe.concurrent('a message with a hint', () => {
  test.each(CASES.map((one) => [one.line, one.says, one] as const))('assay %s: %s', async (_line, _says, one) => {
    const outcome = await told(one, recorded);
    outcomes.set(one, outcome);
    const { code, text } = outcome;
    const { message, hint } = partsOf(text);
    expect(message, text).toContain(one.says);
    expect(hint, text).toContain(one.hint);
    expect(hint, text).not.toBe('');
    expect(code, text).toBe(one.code ?? 2);
    expect(text).not.toContain(TOKEN);
  });
});

describe('all cases together', () => {
  test('meet every place that makes such a message', () => {
    const met = new Set([...outcomes.values()].flatMap(({ text }) => placesIn(text)));
    const unmet = sites().filter((site) => !met.has(site) && !ELSEWHERE.some(({ file, line }) => isAt(site, file, line)));
    expect(unmet, 'add a case to a file of test/hints/ that makes the command print the message of each').toEqual([]);
  });
});

/** Between "assay: " and the hint; behind the hint stands the stack. */
function partsOf(text: string): { readonly message: string; readonly hint: string } {
  const [, message = '', hint = ''] = /^assay: ((?:(?!^assay: ).)*?)\n {2}hint: (.*)$/ms.exec(text.replace(/\n\w*Error: [\s\S]*/, '')) ?? [];
  return { message, hint };
}

/** "src/cli/load/cluster.ts:24" of each frame. */
function placesIn(text: string): readonly string[] {
  return [...text.matchAll(/\/(src\/[\w./-]+\.ts:\d+):\d+/g)].map(([, place = '']) => place);
}

function isAt(site: string, file: string, line: string): boolean {
  return site.startsWith(`${file}:`) && line !== '';
}
