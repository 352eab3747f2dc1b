// Obtains the report before the suites are collected. Whoever starts vitest may provide one; else the coordinator
// runs first, by the code of `assay conform`.
import type { TestProject } from 'vitest/node';
import { CLAUSES } from '../../src/contract/clauses.ts';

/** The full name of the test that stands for a clause begins so; `-t` is matched against it. */
const clauseTest = ({ id, family, text }: (typeof CLAUSES)[number]) => `${family} ${id} ${text} the clause holds`;

export async function setup(project: TestProject): Promise<void> {
  if (project.getProvidedContext().reportPath !== undefined) return;
  const judge = async () => {
    const { conformForVitest } = await import('../../src/cli/conform/vitest-run.ts');
    const stop = new AbortController();
    const listening = project.vitest.onCancel(() => stop.abort());
    try {
      project.provide('reportPath', await conformForVitest(selectedClauses(project), stop.signal));
    } finally {
      listening();
    }
  };
  await judge();
  project.onTestsRerun(judge);
}

/** The clauses that `-t` names; none when it names all of them, or no clause but operations. */
function selectedClauses(project: TestProject): readonly string[] {
  const pattern = project.vitest.config.testNamePattern;
  if (pattern === undefined) return [];
  const selected = CLAUSES.filter((clause) => new RegExp(pattern.source, pattern.flags).test(clauseTest(clause)));
  return selected.length === CLAUSES.length ? [] : selected.map(({ id }) => id);
}
