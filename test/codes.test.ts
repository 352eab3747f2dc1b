// Codes of breaches, over all checks: what they look like, that each stands for one kind of breach, and that no wording of any
// sentence reaches a fingerprint, a group or a decision.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { CLAUSES } from '../src/contract/clauses.ts';
import type * as judgement from '../src/contract/judgement.ts';
import type { Breach, OwnBreach } from '../src/contract/judgement.ts';
import type { Finding } from '../src/contract/report.ts';
import { selectDeviations } from '../src/platform/deviations.ts';
import { FAULTS } from '../src/platform/faults/all.ts';
import { groupFindings } from '../src/reporters/grouping.ts';
import { reducedModel } from '../src/simulation/cases.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { isNightly } from './programme.ts';
import { ROOT, SOURCES } from './sources.ts';

const wording = vi.hoisted(() => ({ isChanged: false }));

/** Every breach of every check goes through `breached`. */
vi.mock('../src/contract/judgement.ts', async (original) => {
  const actual = await original<typeof judgement>();
  const reworded = <B extends OwnBreach>(breach: B): B => {
    const [cause, message, expected] = [breach.cause, breach.message, breach.expected].map(otherWords);
    return { ...breach, cause, message, expected };
  };
  return {
    ...actual,
    breached: <B extends OwnBreach = Breach>(breaches: readonly B[], assertions?: number) =>
      actual.breached(wording.isChanged ? breaches.map(reworded) : breaches, assertions),
  };
});

function otherWords(text: string): string {
  return `other words ${hash('sha256', text).slice(0, 12)}`;
}

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

/** One fault of each kind of judge that can be seen in one run. */
const FAULTY = [
  'spec-03-second-scheme',
  'sch-01-nested',
  'sch-04-header-missing',
  'sch-05-undeclared-success',
  'sch-06-one-operation',
  'err-02-no-request-id',
  'err-04-one-status',
  'err-08-no-zone',
  'err-11-wrong-status',
  'auth-02-query',
  'req-02-made-up',
  'req-04-object-accepted',
  'pag-04-page-echo',
  'pag-08-border-lost',
  'pag-12-limit-0',
  'idem-01-status',
  'idem-04-case',
  'ver-02-sunset',
  'int-01-usage',
  'rate-03-uncounted',
];

describe('on a platform of many faults', () => {
  let findings: readonly Finding[];
  let reworded: readonly Finding[];
  beforeAll(async () => {
    findings = await findingsOf();
    wording.isChanged = true;
    reworded = await findingsOf();
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

async function findingsOf(): Promise<readonly Finding[]> {
  const documents = await reducedModel();
  const deviations = selectDeviations(FAULTS, FAULTY, 'fault');
  const report = await simulate({
    documents,
    deviations,
    world: WORLDS.calm,
    seed: 1,
    options: { budget: isNightly ? 1500 : 500 },
  });
  return report.findings;
}

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
