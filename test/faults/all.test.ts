// The proof of the verdict: every fault of the reference platform is caught by its clause and no other clause is blamed. The
// tables over them are beside. Here: that none is left out, and that the platform without a fault breaks nothing.
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CLAUSES } from '../../src/contract/clauses.ts';
import { isOfTermsAlone } from '../../src/contract/contract.ts';
import { JUDGED_BY_CONFORM } from '../../src/contract/judged-by.ts';
import { FAULTS } from '../../src/platform/faults/all.ts';
import { simulate } from '../../src/simulation/simulate.ts';
import { WORLDS } from '../../src/simulation/worlds.ts';
import { judgePlatform } from '../mutant.ts';
import { isNightly } from '../programme.ts';
import { reducedDocuments } from '../reduced-documents.ts';
import { FILES_OF_TABLE, TABLES } from './families.ts';

/** Families that no server fault can break: judged elsewhere. */
const WITHOUT_FAULTS = ['HOOK', 'CLIENT'];

/** Enough by day for every stage; at night the run is whole, and over real sockets. */
const REQUESTS_BY_DAY = 1500;

test('the unfaulted platform breaks nothing', async () => {
  const documents = await reducedDocuments();
  const byDay = { deviations: [], world: WORLDS.calm, seed: 1, options: { budget: REQUESTS_BY_DAY } };
  const report = await (isNightly ? judgePlatform({ documents }) : simulate({ documents, ...byDay }));
  expect(report.findings.filter((finding) => finding.kind === 'violation')).toEqual([]);
  expect(report.verdict).toBe('pass');
});

test('every must clause of the platform that is implemented has a fault', () => {
  const broken = new Set(FAULTS.map((fault) => fault.clause));
  const isOfPlatform = (id: string, family: string): boolean => !WITHOUT_FAULTS.includes(family) && !isOfTermsAlone(id);
  const must = CLAUSES.filter(
    ({ id, level, family }) => level === 'must' && JUDGED_BY_CONFORM.has(id) && isOfPlatform(id, family),
  );
  expect(must.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
});

test('every fault is in one table, and every table has a file', async () => {
  const families = Object.values(TABLES).flat();
  const astray = FAULTS.filter(
    ({ clause }) => families.filter((family) => clause.startsWith(`${family}-`)).length !== 1,
  );
  const message =
    'the family of each fault belongs into one line of TABLES in test/faults/families.ts; no table tries these';
  expect(
    astray.map(({ id }) => id),
    message,
  ).toEqual([]);
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.ts'));
  const several = Object.entries(FILES_OF_TABLE);
  const names = [
    ...Object.keys(TABLES).filter((name) => several.every(([one]) => one !== name)),
    ...several.flatMap(([name, count]) => Array.from({ length: count }, (_, at) => `${name}-${at + 1}`)),
  ];
  expect(files.sort()).toEqual(['all', ...names].map((name) => `${name}.test.ts`).sort());
});
