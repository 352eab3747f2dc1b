// Laws that the configuration claims under `contract: openapi` can fail a run: for each of their clauses a fault of the reference platform
// ends a run of all clauses with exit 1. In virtual time.
import { describe, expect, it } from 'vitest';
import { DOSSIERS } from '../src/contract/dossiers.ts';
import { exitCode } from '../src/grading/exit-code.ts';
import { CASES, judgeCaseBy } from '../src/simulation/cases.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { CASE_LIMIT_MS } from './mutant.ts';

const FAULTS: Readonly<Record<string, string>> = {
  'PAG-07': 'pag-07-rounded',
  'PAG-08': 'pag-08-second-page',
  'PAG-09': 'pag-09-one-more',
  'IDEM-01': 'idem-01-status',
  'IDEM-02': 'idem-02-second-effect',
  'IDEM-03': 'idem-03-within-5-ms',
  'IDEM-04': 'idem-04-case',
};

const laws = { pagination: ['GET *'], idempotency: ['POST /api/v1/stores'] };

it('each clause that a claim brings into the contract has a fault', () => {
  const claimed = Object.entries(DOSSIERS).filter(([, { openapi }]) => (openapi ?? 'description') !== 'description');
  expect(claimed.map(([id]) => id)).toEqual(Object.keys(FAULTS));
});

describe('a run by the descriptions and the claims alone', { timeout: CASE_LIMIT_MS }, () => {
  it.each(Object.entries(FAULTS))('fails %s on the platform with %s', async (clause, id) => {
    const one = CASES.find((known) => known.id === id);
    if (one === undefined) throw new Error(`the catalogue has no case ${id}`);
    const settings = { contract: 'openapi', laws } as const;
    const { report } = await judgeCaseBy(one, {}, (subject, options) =>
      simulate({ ...subject, world: WORLDS.calm, seed: 1, settings, options }),
    );
    const failed = report.clauses.filter(({ status }) => status === 'fail').map((row) => row.id);
    expect(failed).toContain(clause);
    expect(exitCode(report)).toBe(1);
  });
});
