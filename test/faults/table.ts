// The tables over faults of the reference platform: each fault is caught by its clause, and no other clause is blamed.
import { afterAll, describe, expect, test } from 'vitest';
import { FAULTS } from '../../src/platform/faults/all.ts';
import { blamed, CASE_LIMIT_MS, clausesFor, judgePlatform } from '../mutant.ts';
import { reducedDocuments } from '../reduced-documents.ts';

/** Families of clauses by table. Each table is a file of its own here, so that two run at once. */
export const TABLES = {
  answers: ['SPEC', 'SCH'],
  errors: ['ERR'],
  requests: ['AUTH', 'REQ', 'VER', 'RED', 'HEALTH', 'INT'],
  paging: ['PAG'],
  idempotency: ['IDEM'],
  limits: ['RATE'],
} satisfies Record<string, readonly string[]>;

/** Some faults show only within milliseconds or a window: on a busy machine one more look is fair. */
const RETRY = 1;

/** Declares one test for each fault of the table, and prints how many were caught. */
export function faultTable(name: keyof typeof TABLES): void {
  const faults = FAULTS.filter(({ clause }) => TABLES[name].some((family) => clause.startsWith(`${family}-`)));
  let caught = 0;
  let strays = 0;
  afterAll(() => {
    const counts = `${caught} of ${faults.length}; other clauses blamed: ${strays}`;
    process.stdout.write(`\nfaults (${name}) caught by the right clause: ${counts}\n`);
  });
  describe.concurrent(`faults: ${name}`, { timeout: CASE_LIMIT_MS, retry: RETRY }, () => {
    test.each(faults.map((fault) => [fault.id, fault] as const))('%s', async (id, fault) => {
      const documents = await reducedDocuments();
      const report = await judgePlatform({ documents, faults: [id] }, { clauses: clausesFor(fault.clause) });
      const clauses = blamed(report);
      const allowed = [fault.clause, ...(fault.alsoBreaks ?? [])];
      expect(report.verdict).toBe('fail');
      const others = clauses.filter((clause) => !allowed.includes(clause));
      strays += others.length;
      expect(others).toEqual([]);
      expect(clauses).toContain(fault.clause);
      const unnamed = report.findings.filter((one) => one.code?.startsWith(`${one.clause.toLowerCase()}.`) !== true);
      expect(unnamed).toEqual([]);
      caught += 1;
    });
  });
}
