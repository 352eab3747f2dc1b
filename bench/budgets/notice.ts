// How much of the catalogue of faults a run notices within a budget of requests: one fault at a time on a platform that is
// otherwise sound, in virtual time.
import type { Report } from '../../src/contract/report.ts';
import type { ServedDocument } from '../../src/platform/schema/served.ts';
import { CASES, type Case } from '../../src/simulation/cases.ts';
import { simulate } from '../../src/simulation/simulate.ts';
import { WORLDS } from '../../src/simulation/worlds.ts';

/** The cases of faults, in the order of the catalogue. */
export const FAULT_CASES: readonly Case[] = CASES.filter(({ kind }) => kind === 'fault');

export interface Notice {
  readonly fault: string;
  readonly clause: string;
  /** Most requests of the run; null: none. */
  readonly budget: number | null;
  readonly caught: boolean;
  /** Requests that the run sent. */
  readonly requests: number;
  /** The experiments that showed the first violation of the clause; empty where none did. */
  readonly by: readonly string[];
}

/** Whether the fault is blamed on its clause by a run within the budget on a platform that serves the documents. Throws NoSubject. */
export async function noticeWithin(
  one: Case,
  documents: readonly ServedDocument[],
  budget: number | null,
  seed = 1,
): Promise<Notice> {
  const { findings, counts } = await lookWithin(one, documents, budget, seed);
  const clause = one.clause ?? '';
  const found = findings.find((finding) => finding.kind === 'violation' && finding.clause === clause);
  const by = (found?.experiments ?? []).map(({ probe }) => probe);
  return { fault: one.id, clause, budget, caught: found !== undefined, requests: counts.requests, by };
}

/** The report of a run within the budget. Throws NoSubject. */
export function lookWithin(
  { deviations, promote }: Case,
  documents: readonly ServedDocument[],
  budget: number | null,
  seed = 1,
): Promise<Report> {
  return simulate({ documents, deviations, promote, world: WORLDS.calm, seed, options: { budget } });
}
