// The table over faults of the reference platform: each is caught by its clause, and no other clause is blamed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deviation } from '../src/platform/deviation.ts';
import { blamed, clausesFor, judgePlatform } from './mutant.ts';
import { type Reduced, reducedDescriptions } from './reduced-descriptions.ts';

export const CASE_LIMIT_MS = 600_000;
/** Some faults show only within milliseconds or a window: on a busy machine one more look is fair. */
const RETRY = 1;

/** Declares one test a fault, and prints how many were caught. */
export function faultTable(title: string, faults: readonly Deviation[]): void {
  let reduced: Reduced;
  let caught = 0;
  let strays = 0;
  beforeAll(async () => {
    reduced = await reducedDescriptions();
  }, CASE_LIMIT_MS);
  afterAll(async () => {
    await reduced.remove();
    process.stdout.write(
      `\n${title} caught by the right clause: ${caught} of ${faults.length}; other clauses blamed: ${strays}\n`,
    );
  });
  describe.concurrent(title, { timeout: CASE_LIMIT_MS, retry: RETRY }, () => {
    test.each(faults.map((fault) => [fault.id, fault] as const))('%s', async (id, fault) => {
      const report = await judgePlatform({ faults: [id], files: reduced.files }, { clauses: clausesFor(fault.clause) });
      const clauses = blamed(report);
      const allowed = [fault.clause, ...(fault.alsoBreaks ?? [])];
      expect(report.verdict).toBe('fail');
      const others = clauses.filter((clause) => !allowed.includes(clause));
      strays += others.length;
      expect(others).toEqual([]);
      expect(clauses).toContain(fault.clause);
      caught += 1;
    });
  });
}
