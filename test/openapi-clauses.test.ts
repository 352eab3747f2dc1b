// Every clause that `contract: openapi` decides can fail a run under it. Each has a defect that ends a run of that clause alone with exit 1: one
// of the planted API, which test/planted.test.ts runs, or a fault of the reference platform, judged here by its descriptions and by the laws that
// are claimed of it, in virtual time.
import { describe, expect, it } from 'vitest';
import type { Config } from '../src/config/config.ts';
import { ENTRIES } from '../src/contract/clauses.ts';
import type { Report } from '../src/contract/report.ts';
import { exitCode } from '../src/grading/exit-code.ts';
import { CASES, judgeCaseBy, smallModel } from '../src/simulation/cases.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { DEFECTS } from './planted/defects.ts';
import { shareDue } from './programme.ts';

/** By clause. */
const FAULTS: Readonly<Record<string, string>> = {
  'SPEC-01': 'spec-01-unknown-type',
  'SCH-09': 'sch-09-undescribed-member',
  'AUTH-03': 'auth-03-accepted',
  'AUTH-06': 'auth-06-register',
  'PAG-07': 'pag-07-rounded',
  'PAG-08': 'pag-08-second-page',
  'PAG-09': 'pag-09-one-more',
  'IDEM-01': 'idem-01-status',
  'IDEM-02': 'idem-02-second-effect',
  'IDEM-03': 'idem-03-within-5-ms',
  'IDEM-04': 'idem-04-case',
  'LIFE-01': 'life-01-unreadable',
  'LIFE-02': 'life-02-cut',
  'LIFE-03': 'life-03-others-changed',
  'LIFE-04': 'life-04-kept',
  'LIFE-05': 'life-05-kept-before-validation',
  'LIFE-06': 'life-06-each-reading',
  'LIFE-07': 'life-07-role',
};

const settings = {
  contract: 'openapi',
  laws: { pagination: ['GET *'], idempotency: ['POST /api/v1/stores'] },
} as const;
/** So many requests are enough for one clause on a few operations; where they are not, the run is looked at whole. */
const BUDGET = 100;

/** A run of the clause alone, on a case of the platform, until it is breached; advisories count. */
async function judged(id: string, clause: string): Promise<Report> {
  const found = CASES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`the catalogue has no case ${id}`);
  const look = { clauses: [clause], budget: BUDGET };
  const { report } = await judgeCaseBy({ ...found, promote: [clause] }, look, (subject, options) =>
    simulate({ ...subject, world: WORLDS.calm, seed: 1, settings, options, isUntilBreach: true }),
  );
  return report;
}

const failed = (report: Report): readonly string[] =>
  report.clauses.filter(({ status }) => status === 'fail').map(({ id }) => id);

/** A run of these clauses on the platform as it is, with seven operations. */
async function sound(clauses: readonly string[], expected: Partial<Config['expect']> = {}): Promise<Report> {
  const more = { ...settings, expect: { plans: {}, isolation: false, ...expected } };
  const platform = { documents: await smallModel(), deviations: [], world: WORLDS.calm, seed: 1 };
  return simulate({ ...platform, promote: clauses, settings: more, options: { clauses, budget: 400 } });
}

it('each clause that a description or a claim decides has a defect that breaks it', () => {
  const decided = ENTRIES.filter(({ openapi, level }) => openapi !== undefined && level !== 'discover');
  const planted = Object.values(DEFECTS).map(({ clause }) => clause);
  const without = decided.map(({ id }) => id).filter((id) => FAULTS[id] === undefined && !planted.includes(id));
  expect(without, 'each of these clauses belongs into FAULTS of this file, with one of its faults').toEqual([]);
});

describe('a run by the descriptions alone', () => {
  // By day a third of them, others each day: test/faults judges the same cases by the same judges, by the laws of the platform.
  it.each(shareDue(Object.entries(FAULTS), 3))('of %s fails on the platform with %s', async (clause, id) => {
    const report = await judged(id, clause);
    expect([failed(report), exitCode(report)]).toEqual([[clause], 1]);
  });

  it('of all these clauses fails none on the platform as it is', async () => {
    expect(failed(await sound(Object.keys(FAULTS)))).toEqual([]);
  });

  it('of AUTH-08 judges whether accounts are apart where that is expected, and tells of it elsewhere', async () => {
    const statusOf = ({ clauses }: Report) => clauses.find(({ id }) => id === 'AUTH-08')?.status;
    const expected = await sound(['AUTH-08'], { isolation: true });
    expect([statusOf(expected), expected.verdict, exitCode(expected)]).toEqual(['pass', 'pass', 0]);
    expect(statusOf(await sound(['AUTH-08']))).toBe('observed');
  });
});
