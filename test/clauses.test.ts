// The entries of the clauses say what the code does, and the page that shows them is current.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLAUSES_PAGE, clausesPage } from '../scripts/clauses-page.ts';
import { DESCRIPTION_CHECKS } from '../src/checks/description-checks.ts';
import { EXCHANGE_CHECKS } from '../src/checks/exchange-checks.ts';
import { CLAUSES, ENTRIES, idsWhere } from '../src/contract/clauses.ts';
import { SENT, sentFor } from '../src/contract/sent-words.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { HOOK_FAULTS } from '../src/platform/faults/hook.ts';
import { LOAD_FAULTS } from '../src/platform/faults/load.ts';
import { TOLERANCES } from '../src/platform/tolerances/all.ts';
import { HOOK_TOLERANCES } from '../src/platform/tolerances/hook.ts';
import { CLIENT_FAULTS, CLIENT_TOLERANCES } from './clients/deviations.ts';
import { CONTRACT_CASES } from './contracts/all-cases.ts';
import { ROOT } from './root.ts';
import { reachable } from './sources.ts';

const files = ENTRIES.flatMap(({ judges, experiments = [] }) => [...judges, ...experiments]);

describe('the entries of clauses', () => {
  test('name files that exist', () => {
    expect(files.map(sourceOf).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('name a file that mentions the clause, among judges and experiments', () => {
    const silent = ENTRIES.filter(({ id, judges, experiments = [] }) => {
      const named = [...judges, ...experiments];
      return named.length > 0 && !named.some((name) => readFileSync(join(ROOT, sourceOf(name)), 'utf8').includes(id));
    });
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  test('name every file that bears the id of a clause', () => {
    const named = new Set(files.map(sourceOf));
    const bearing = globSync('src/checks/*/*-[0-9][0-9]*.ts', { cwd: ROOT }).filter(
      (path) => !path.endsWith('.test.ts'),
    );
    expect(bearing.filter((path) => !named.has(path))).toEqual([]);
  });

  test('name every file that judges a clause by its id', () => {
    const named = new Set(files.map(sourceOf));
    const judging = globSync('src/checks/*/*.ts', { cwd: ROOT }).filter((path) => {
      const code = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
      return (
        !path.endsWith('.test.ts') && /'[A-Z]+-\d\d'/.test(code) && /import \{[^}]*\b(breached|holds)\b/.test(code)
      );
    });
    expect(judging.filter((path) => !named.has(path))).toEqual([]);
  });

  test('name judges that quote the law and its tolerance above the code', () => {
    const unquoted = ENTRIES.flatMap(({ id, level, text, tolerance, judges }) => {
      const law = `${id} (${level}): ${text}${tolerance === '' ? '' : ` Tolerance: ${tolerance}`}`;
      return judges
        .map(sourceOf)
        .filter((path) => !quotedIn(readFileSync(join(ROOT, path), 'utf8')).includes(law))
        .map((path) => `the comment that ${path} opens with does not hold: ${law}`);
    });
    expect(unquoted).toEqual([]);
  });

  test('lead to at most 25 files in the folders of their judges and experiments', () => {
    const wide = ENTRIES.flatMap(({ id, judges, experiments = [] }) => {
      const named = [...judges, ...experiments].map(sourceOf);
      const folders = new Set(named.map(dirname));
      const { size } = reachable(named, (path) => folders.has(dirname(path)));
      return size > 25 ? [`${id}: ${size} files`] : [];
    });
    expect(wide).toEqual([]);
  });

  test('say of each check on what it judges', () => {
    const on = (basis: string) => idsWhere((entry) => entry.on.some((one) => one === basis));
    expect(on('exchange')).toEqual(inOrder(EXCHANGE_CHECKS.map(({ clause }) => clause)));
    expect(on('description')).toEqual(inOrder(DESCRIPTION_CHECKS.map(({ clause }) => clause)));
  });

  test('say in a sentence what each experiment sends', () => {
    const named = ENTRIES.flatMap(({ experiments = [] }) => experiments);
    expect(new Set(Object.keys(SENT))).toEqual(new Set(named));
    expect(ENTRIES.filter(({ id }) => sentFor(id).length === 0)).toEqual([]);
  });

  test('have experiments where the clause is judged on them, and judges', () => {
    const wrong = ENTRIES.filter(
      ({ on, judges, experiments = [] }) =>
        (on.includes('experiment') && experiments.length === 0) || on.length === 0 || judges.length === 0,
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});

test('every clause that is judged has a fault that breaks it; what is only observed cannot be broken', () => {
  const foreign = CONTRACT_CASES.filter(({ is }) => is === 'defect');
  const faults = [...FAULTS, ...LOAD_FAULTS, ...HOOK_FAULTS, ...CLIENT_FAULTS, ...foreign];
  const judged = CLAUSES.filter(({ level }) => level !== 'discover').map(({ id }) => id);
  const message = 'each of these clauses needs a fault in src/platform/faults/, or in test/contracts/';
  expect(
    judged.filter((id) => !faults.some(({ clause }) => clause === id)),
    message,
  ).toEqual([]);
});

test('every clause has an oddity that it allows, and nothing is blamed for it', () => {
  const foreign = CONTRACT_CASES.filter(({ is }) => is === 'oddity');
  const oddities = [...TOLERANCES, ...HOOK_TOLERANCES, ...CLIENT_TOLERANCES, ...foreign];
  const ids = CLAUSES.map(({ id }) => id);
  const message = 'each of these clauses needs a case in src/platform/tolerances/, or in test/contracts/';
  expect(
    ids.filter((id) => !oddities.some(({ clause }) => clause === id)),
    message,
  ).toEqual([]);
});

test('every family is shown by one conformance suite', () => {
  const shown = globSync('suites/conformance/*.suite.ts', { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/'([A-Z]+)'/g)].map(([, family = '']) => family),
  );
  const families = new Set(CLAUSES.map(({ family }) => family));
  const message = 'each of these families belongs into the call of showFamilies in one file of suites/conformance/';
  expect(
    [...families].filter((family) => shown.filter((one) => one === family).length !== 1),
    message,
  ).toEqual([]);
});

test('the page of clauses is current; `npm run clauses` writes it', () => {
  expect(readFileSync(join(ROOT, CLAUSES_PAGE), 'utf8')).toBe(clausesPage());
});

/** The source file that an entry names. */
function sourceOf(name: string): string {
  return `src/${name}.ts`;
}

function inOrder(ids: readonly string[]): readonly string[] {
  return CLAUSES.map(({ id }) => id).filter((id) => ids.includes(id));
}

/** The comment that a file opens with, as one line. */
function quotedIn(source: string): string {
  const end = source.search(/^(?!\/\/)/m);
  return source
    .slice(0, end)
    .replace(/^\/\/ ?/gm, ' ')
    .replace(/\s+/g, ' ');
}
