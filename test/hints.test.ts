// Every message with a hint that a user can meet is met here: the command does what a user's line says, and its message says what
// happened, its hint what to do. A place in the sources that makes such a message and that no case meets fails the test.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completed } from '../src/cli/main.ts';
import { ended, type HintCase, type Met, TOKEN, told } from './hints/case.ts';
import { COMMANDS } from './hints/commands.ts';
import { CONFIGURATION } from './hints/configuration.ts';
import { CONTRACT } from './hints/contract.ts';
import { DESCRIBED } from './hints/described.ts';
import { DESCRIPTIONS } from './hints/descriptions.ts';
import { ELSEWHERE, type Elsewhere } from './hints/elsewhere.ts';
import { LOAD } from './hints/load.ts';
import { REPORTS } from './hints/reports.ts';
import { sites } from './hints/sites.ts';
import { ROOT } from './root.ts';
import { warmAssay } from './warm/warm.ts';

const CASES: readonly HintCase[] = [
  ...CONFIGURATION,
  ...CONTRACT,
  ...DESCRIPTIONS,
  ...DESCRIBED,
  ...COMMANDS,
  ...REPORTS,
  ...LOAD,
];
const outcomes = new Map<HintCase, Met>();

const warm = warmAssay();
let recorded = '';
beforeAll(async () => {
  recorded = mkdtempSync(join(tmpdir(), 'assay-recorded-'));
  const line = 'conform --embedded --budget 60 --operation "* /api/v1/stores*" --out reports/main --quiet';
  const { code, text } = await ended({ line }, recorded, warm);
  expect(code, text).toBe(0);
});
afterAll(async () => {
  await warm.end();
  rmSync(recorded, { recursive: true, force: true });
});

describe.concurrent('a message with a hint', () => {
  test.each(CASES.map((one) => [one.line, one.says, one] as const))('assay %s: %s', async (_line, _says, one) => {
    const outcome = await told(one, recorded, warm);
    outcomes.set(one, outcome);
    const { code, text } = outcome;
    const { message, hint } = partsOf(text);
    expect(message, text).toContain(one.says);
    expect(hint, text).toContain(one.hint);
    expect(code, text).toBe(one.code ?? 2);
    expect(text).not.toContain(TOKEN);
    expect(outcome.emptyFolders, 'wrong usage leaves no empty folder').toEqual([]);
  });
});

describe('all cases together', () => {
  const all = sites();

  test('meet every place that makes such a message', () => {
    const met = new Set([...outcomes.values()].flatMap(({ text }) => placesIn(text)));
    const elsewhere = ELSEWHERE.map(placeOf);
    const unmet = all.filter((site) => !met.has(site) && !elsewhere.includes(site));
    expect(unmet, 'add a case to a file of test/hints/ that makes the command print the message of each').toEqual([]);
  });

  test('have hints that name only commands and options that there are', () => {
    const hints = [...outcomes.values()].map(({ text }) => partsOf(text).hint);
    expect(hints.flatMap(unknownIn)).toEqual([]);
  });

  test('leave to others only what is there, is not met here, and is met by the test that is named', () => {
    const met = new Set([...outcomes.values()].flatMap(({ text }) => placesIn(text)));
    const idle = ELSEWHERE.filter((one) => !all.includes(placeOf(one)) || met.has(placeOf(one)));
    expect(idle).toEqual([]);
    const unmet = ELSEWHERE.filter(({ metBy }) => !readFileSync(join(ROOT, metBy.file), 'utf8').includes(metBy.reads));
    expect(unmet).toEqual([]);
  });
});

/** What a hint calls that is no command of the program, or no option of that command; hints begin with a command, or quote it. */
function unknownIn(hint: string): readonly string[] {
  return [...hint.matchAll(/(?:^|`|; )assay ([a-z-][^`;,]*)/g)].flatMap(([line, text = '']) => {
    const words = text.split(' ');
    const command = words.reduce<Command>(
      (at, word) => at.commands.find((one) => one.name() === word) ?? at,
      completed(() => {}),
    );
    const options = words.filter((word) => word.startsWith('--'));
    const known = options.every((word) => word === '--help' || command.options.some(({ long }) => long === word));
    return command.parent !== null && known ? [] : [line];
  });
}

/** Between "assay: " and the hint; behind the hint stands the stack. */
function partsOf(text: string): { readonly message: string; readonly hint: string } {
  const [, message = '', hint = ''] =
    /^assay: ((?:(?!^assay: ).)*?)\n {2}hint: (.*)$/ms.exec(text.replace(/\n\w*Error: [\s\S]*/, '')) ?? [];
  return { message, hint };
}

/** "src/cli/load/elsewhere.ts:46" of each frame. */
function placesIn(text: string): readonly string[] {
  return [...text.matchAll(/\/(src\/[\w./-]+\.ts:\d+):\d+/g)].map(([, place = '']) => place);
}

/** "src/cli/load/elsewhere.ts:46" of the one line that reads so; the file alone where there is none, or several. */
function placeOf({ file, reads }: Elsewhere): string {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const found = lines.flatMap((line, at) => (line.includes(reads) ? [at + 1] : []));
  return found.length === 1 ? `${file}:${found[0]}` : file;
}
