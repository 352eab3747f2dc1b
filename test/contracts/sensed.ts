// Runs on sound servers that tell what they would have noticed: a defect is planted where the contract says, and each one is noticed.
import { expect } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { type ForeignApi, judgedByContract } from './in-memory.ts';

/** How many defects are planted, by clause. */
export type Planted = Readonly<Record<string, number>>;

/** The report of the run; of the clauses so many defects are planted in it, and all are noticed. None named: none is planted. */
export async function judgedSensing(
  api: ForeignApi,
  planted: Planted = {},
  lines: readonly string[] = [],
): Promise<Report> {
  const ids = Object.keys(planted);
  const report = await judgedByContract(api, ids.length > 0 ? { sensitivity: true } : {}, lines);
  const { clauses = {} } = report.sensitivity ?? {};
  const all = Object.fromEntries(ids.map((id) => [id, { planted: planted[id], caught: planted[id] }]));
  expect(Object.fromEntries(ids.map((id) => [id, clauses[id]]))).toEqual(all);
  return report;
}
