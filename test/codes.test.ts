// Codes of breaches, over all checks: what they look like, that each stands for one kind of breach, and that no wording of any
// sentence reaches a fingerprint, a group or a decision.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, test } from 'vitest';
import { CLAUSES } from '../src/contract/clauses.ts';
import type { Finding } from '../src/contract/report.ts';
import { groupFindings } from '../src/reporters/grouping.ts';
import { findingsOfManyFaults } from './many-faults.ts';

import { ROOT } from './root.ts';
import { SOURCES } from './sources.ts';

describe('the codes in the sources', () => {
  const found = codesInSources();

  test('are many, so that this table is not empty by mistake', () => {
    expect(found.length).toBeGreaterThan(100);
  });

  test('begin with a clause of the contract, and name the kind in kebab-case', () => {
    const known = new Set(CLAUSES.map(({ id }) => id.toLowerCase()));
    const wrong = found.filter(({ clause, kind }) => !known.has(clause) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(kind));
    expect(wrong).toEqual([]);
  });

  test('stand in one place each', () => {
    const places = Map.groupBy(found, ({ clause, kind }) => `${clause}.${kind}`);
    const several = [...places]
      .filter(([, all]) => new Set(all.map(({ path }) => path)).size > 1)
      .map(([code]) => code);
    expect(several).toEqual([]);
  });
});

describe('on a platform of many faults', () => {
  let findings: readonly Finding[];
  let reworded: readonly Finding[];
  beforeAll(async () => {
    const told = once(new Worker(join(import.meta.dirname, 'reworded.ts')), 'message');
    findings = await findingsOfManyFaults();
    [reworded] = await told;
  });

  test('the faults show in many kinds of findings', () => {
    expect(groupFindings(findings).length).toBeGreaterThan(40);
    expect(
      new Set(findings.filter(({ kind }) => kind === 'violation').map(({ clause }) => clause)).size,
    ).toBeGreaterThan(12);
  });

  test('every finding has a code of its clause', () => {
    const wrong = findings.filter(({ clause, code = '' }) => !code.startsWith(`${clause.toLowerCase()}.`));
    expect(wrong).toEqual([]);
  });

  test('one code has one cause, and one cause of a clause one code', () => {
    const causes = Map.groupBy(findings, ({ code }) => code);
    const codes = Map.groupBy(findings, ({ clause, cause }) => `${clause} ${cause}`);
    const isSeveral = (values: readonly unknown[]): boolean => new Set(values).size > 1;
    expect([...causes.values()].filter((same) => isSeveral(same.map(({ cause }) => cause)))).toEqual([]);
    expect([...codes.values()].filter((same) => isSeveral(same.map(({ code }) => code)))).toEqual([]);
  });

  test('other words everywhere change no fingerprint, no finding and no group', () => {
    const said = new Set(findings.flatMap(({ cause, message }) => [cause, message]));
    expect(reworded.filter(({ cause, message }) => said.has(cause) || said.has(message))).toEqual([]);
    expect(reworded.map(withoutWords)).toEqual(findings.map(withoutWords));
    const sizes = (all: readonly Finding[]): readonly string[] =>
      groupFindings(all)
        .map((group) => `${group.kind} ${group.code} ${group.findings.length}`)
        .toSorted();
    expect(sizes(reworded)).toEqual(sizes(findings));
  });
});

function withoutWords({ cause: _cause, message: _message, expected: _expected, ...rest }: Finding) {
  return rest;
}

interface CodeInSource {
  readonly path: string;
  /** "err-04" */
  readonly clause: string;
  readonly kind: string;
}

/** Codes written out, and those made by `codeOf` of a clause that stands beside the kind. */
function codesInSources(): readonly CodeInSource[] {
  const paths = [...SOURCES.keys()].filter(
    (path) => /^src\/(checks|probes|load|run|grading)\//.test(path) && !/test/.test(path),
  );
  return paths.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const written = [...text.matchAll(/'([a-z]+-\d{2})\.([^'.]+)[^']*'/g)];
    const made = [...text.matchAll(/codeOf\(\s*'([A-Z]+-\d{2})',\s*'([^']+)'/g)];
    return [...written, ...made].map(([, clause = '', kind = '']) => ({ path, clause: clause.toLowerCase(), kind }));
  });
}
