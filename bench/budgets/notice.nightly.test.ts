import { describe, expect, test } from 'vitest';
import { readModel } from '../../src/platform/schema/model.ts';
import { CASES, smallModel } from '../../src/simulation/cases.ts';
import { lookWithin } from './notice.ts';

const BUDGET = 600;
/** Allowed oddities that are met where requests go out under other keys, and where lives are looked at with fewer requests. */
const ALLOWED = ['auth-08-own-items', 'life-02-late', 'life-03-state-led-on'];

describe(`a run on the platform's 57 operations within ${BUDGET} requests`, () => {
  test.each(ALLOWED)('blames nobody for %s', async (id) => {
    const allowed = CASES.find((one) => one.id === id);
    if (allowed === undefined) throw new Error(`there is no case ${id}`);
    const { findings } = await lookWithin(allowed, await readModel({}), BUDGET);
    expect(findings.filter(({ kind }) => kind === 'violation')).toEqual([]);
  });

  test('spends nothing on what can only be observed of a life', async () => {
    const [sound] = CASES;
    const report = await lookWithin(sound as NonNullable<typeof sound>, await smallModel(), BUDGET);
    const lives = report.clauses.filter(({ id }) => id.startsWith('LIFE-'));
    expect(lives.map(({ id, status }) => `${id} ${status}`)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7].map((number) => `LIFE-0${number} pass`),
      'LIFE-08 not-tested',
    ]);
    expect(lives.at(-1)).toMatchObject({ reasonCode: 'budget', checks: 0 });
  });

  test('tells of a law that it has no requests for that it was not tested', async () => {
    const [sound] = CASES;
    const report = await lookWithin(sound as NonNullable<typeof sound>, await readModel({}), 150);
    const row = report.clauses.find(({ id }) => id === 'RATE-09');
    expect(row).toMatchObject({ status: 'not-tested', reasonCode: 'budget', checks: 0 });
    expect(report.verdict).toBe('pass');
    expect(report.run.partial).toBe(true);
  });
});
