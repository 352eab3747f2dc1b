import { describe, expect, it } from 'vitest';
import { Tally } from './tally.ts';

const answers = (status: number, count: number) =>
  ({ kind: 'histogram', step: 's', key: 'k', operation: 'o', status, buckets: new Map([[1, count]]) }) as const;

describe('a target', () => {
  it('is broken when half of at least fifty answers are errors', () => {
    const tally = new Tally();
    tally.add(answers(500, 49));
    expect(tally.isBroken()).toBe(false);
    tally.add(answers(0, 1));
    expect(tally.isBroken()).toBe(true);
  });

  it('that broke down after hours is told broken after few more', () => {
    const tally = new Tally();
    for (let second = 0; second < 7200; second += 1) tally.add(answers(200, 100));
    let errors = 0;
    while (!tally.isBroken()) {
      tally.add(answers(503, 100));
      errors += 100;
    }
    expect(errors).toBeLessThanOrEqual(2000);
    expect(tally.sums()).toMatchObject({ received: 720_000 + errors, serverErrors: errors });
  });

  it('is not broken by what is endured, which is counted all the same', () => {
    const tally = new Tally();
    tally.add(answers(500, 500), true);
    expect(tally.isBroken()).toBe(false);
    expect(tally.sums()).toMatchObject({ received: 500, serverErrors: 500 });
  });
});
