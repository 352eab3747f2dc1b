// What a run finds out of the embedded platform beyond the source is what that platform does.
import { expect, test } from 'vitest';
import type { Observation, Report } from '../src/contract/report.ts';
import { reportProblems } from '../src/reporters/formats/json.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { isNightly } from './programme.ts';
import { reducedDocuments } from './reduced-documents.ts';

const CLAUSES = ['PAG-13', 'IDEM-07', 'RATE-11', 'RATE-04', 'AUTH-07', 'AUTH-08', 'VER-03', 'SPEC-09', 'ERR-11'];
/** One window of the spare key is drained. */
const LIMITS = { standard: { calls: 80, seconds: 4 }, growth: { calls: 5000, seconds: 4 } };

test('the table tells page sizes, keys, limits and costs as they are, and links to findings and exchanges', async () => {
  const all = await reducedDocuments();
  // One service has a subject of each row; each night all three are looked at.
  const documents = isNightly ? all : all.filter(({ service }) => service === 'admin');
  const at = { world: WORLDS.calm, seed: 1, deviations: [] };
  const report = await simulate({ documents, limits: LIMITS, ...at, options: { clauses: CLAUSES } });
  const rows = report.observations ?? [];
  const valuesOf = (subject: string, of: Partial<Observation> = {}): readonly string[] => {
    const fits = (row: Observation) =>
      Object.entries(of).every(([name, value]) =>
        Object.entries(row).some(([key, own]) => key === name && own === value),
      );
    const found = rows.filter((row) => row.subject === subject && fits(row));
    return [...new Set(found.map(({ value, confidence }) => `${value} (${confidence})`))];
  };
  expect(valuesOf('default page size')).toEqual(['20 (sure)']);
  expect(valuesOf('form of the list', { operation: 'GET /api/v1/taxes/currencies' })).toEqual(['a bare array (sure)']);
  expect(valuesOf('the same key with another body')).toEqual(['refused: 409 idempotency_key_reused (sure)']);
  expect(valuesOf('the same key by another account')).toEqual(['an effect of its own (sure)']);
  expect(valuesOf('limit', { key: 'std-1' })).toEqual(['80 calls (sure)']);
  expect(valuesOf('meaning of Reset', { plan: 'standard' })).toEqual(['epoch seconds (sure)']);
  expect(valuesOf('burst', { key: 'std-1' })).toEqual(['80 calls (sure)']);
  expect(valuesOf('algorithm', { key: 'std-1' })[0]).toMatch(/^fixed-window/);
  expect(valuesOf('cost', { confidence: 'sure' })).toEqual(['1 call (sure)']);
  expect(valuesOf('what is under /api/v2')).toEqual(['nothing: 404 resource_not_found (sure)']);
  expect(new Set(rows.map(({ clause }) => clause))).toEqual(new Set(CLAUSES.filter((clause) => clause !== 'RATE-04')));
  expect(unlinked(report)).toEqual([]);
  expect(reportProblems(report)).toEqual([]);
});

/** Rows that point to a finding or an exchange which the report does not have. */
function unlinked({ observations = [], findings, exchanges }: Report): readonly Observation[] {
  const prints = new Set(findings.map(({ fingerprint }) => fingerprint));
  const ids = new Set(exchanges.map(({ id }) => id));
  return observations.filter(
    (row) => (row.finding !== null && !prints.has(row.finding)) || row.exchanges.some((id) => !ids.has(id)),
  );
}
