// Operation × clause family: how each operation fares in each family, as a letter a cell. For the chart, and by resource
// for the table that says the same without it.

import type { ClauseFamily } from '../../contract/clause.ts';
import { plural } from '../../contract/numbers.ts';
import { clausesOf } from '../../contract/own-clauses.ts';
import type { OperationRow, Report } from '../../contract/report.ts';
import { cut } from '../text.ts';
import { FAMILY_WORDS } from '../words.ts';
import { anchor } from './text.ts';

const NAME_CHARS = 200;
/** Operations that a table names one by one. */
const MAX_NAMED = 80;

/** States of a cell, the worst first. The page's script reads the letter. */
const STATES = [
  { letter: 'f', state: 'fail', word: 'fails' },
  { letter: 'a', state: 'advisory', word: 'advisory' },
  { letter: 'p', state: 'pass', word: 'holds' },
  { letter: 'o', state: 'observed', word: 'observed' },
  { letter: 'n', state: 'not-tested', word: 'not tested' },
  { letter: '-', state: 'not-applicable', word: 'not applicable' },
] as const;
export type Letter = (typeof STATES)[number]['letter'];

/** The families that some operation has, the services with their resources and operations, a letter a cell. */
export function matrixView(report: Report) {
  const { operations, services } = report;
  const familyOf = new Map(clausesOf(report).map(({ id, family }) => [id, family]));
  const families = [...new Set(familyOf.values())];
  const letters = new Map(operations.map((row) => [row, lettersOf(row, families, familyOf)]));
  const columns = families.filter((_, at) => [...letters.values()].some((row) => row[at] !== '-'));
  const of = (row: OperationRow) => columns.map((family) => letters.get(row)?.[families.indexOf(family)] ?? '-');
  const byService = Map.groupBy(operations, ({ service }) => service);
  return {
    /** True where every operation stands by its name in a table; else a chart shows them at a glance. */
    isNamed: operations.length <= MAX_NAMED,
    states: STATES.map(({ letter, state, word }) => ({ letter, state, word })),
    families: columns.map((family) => ({ id: family, name: FAMILY_WORDS[family] })),
    services: services.flatMap(({ name }) => {
      const rows = byService.get(name) ?? [];
      if (rows.length === 0) return [];
      return [{ name, count: plural(rows.length, 'operation'), resources: resourcesOf(rows, of) }];
    }),
  };
}

/** How an operation fares in a family. */
export function lettersByFamily(report: Report): (row: OperationRow, family: ClauseFamily) => Letter {
  const familyOf = new Map(clausesOf(report).map(({ id, family }) => [id, family]));
  return (row, family) => lettersOf(row, [family], familyOf)[0]!;
}

/** The worst of the letters; `-` of none. */
export function worstLetter(letters: readonly Letter[]): Letter {
  return STATES.find(({ letter }) => letters.includes(letter))?.letter ?? '-';
}

/** The state that a letter stands for. */
export function stateOfLetter(wanted: Letter) {
  return STATES.find(({ letter }) => letter === wanted)!;
}

function resourcesOf(rows: readonly OperationRow[], of: (row: OperationRow) => readonly Letter[]) {
  return [...Map.groupBy(rows, ({ resource }) => resource)].map(([name, members]) => ({
    name: cut(name, NAME_CHARS),
    operations: members.map((row) => ({
      name: cut(row.operation, NAME_CHARS),
      id: anchor('op', row.service, row.operation),
      cells: of(row).join(''),
      states: of(row).map((letter) => stateOfLetter(letter)),
    })),
    cells: worstOf(members.map(of)),
    inputs: shareOfInputs(members),
  }));
}

/** "93 %" of the input targets; empty where no row tells. Rounded down: 100 % is only said of all. */
function shareOfInputs(rows: readonly OperationRow[]): string {
  const inputs = rows.flatMap(({ inputs = [] }) => inputs);
  const targets = inputs.reduce((sum, row) => sum + row.targets, 0);
  const exercised = inputs.reduce((sum, row) => sum + row.exercised, 0);
  return targets === 0 ? '' : `${Math.floor((100 * exercised) / targets)} %`;
}

/** A cell of a resource: the worst of its operations, and how many of them are so. */
function worstOf(rows: readonly (readonly Letter[])[]) {
  return (rows[0] ?? []).map((_, at) => {
    const worst = STATES.find(({ letter }) => rows.some((row) => row[at] === letter))!;
    return { ...worst, count: rows.filter((row) => row[at] === worst.letter).length };
  });
}

function lettersOf(
  { clauses }: OperationRow,
  families: readonly ClauseFamily[],
  familyOf: ReadonlyMap<string, ClauseFamily>,
): readonly Letter[] {
  const byFamily = Map.groupBy(Object.entries(clauses), ([id]) => familyOf.get(id));
  return families.map((family) => {
    const own = byFamily.get(family)?.map(([, clause]) => clause) ?? [];
    if (own.length === 0) return '-';
    if (own.some(({ status }) => status === 'fail')) return 'f';
    if (own.some(({ advisories }) => advisories > 0)) return 'a';
    if (own.some(({ status }) => status === 'pass')) return 'p';
    return own.some(({ status }) => status === 'observed') ? 'o' : 'n';
  });
}
