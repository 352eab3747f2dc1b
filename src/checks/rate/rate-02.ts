// RATE-02 (must): 0 ≤ Remaining ≤ Limit; Limit is constant for one key within a window.
import { breached } from '../../contract/judgement.ts';
import { readingsOf } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { limitedIn } from './limited.ts';

export const rate02: ExchangeCheck = {
  clause: 'RATE-02',
  title: 'Remaining is at least 0 and at most Limit',
  applies: (subject) => whollyStated(subject).length > 0,
  judge(subject) {
    const stated = whollyStated(subject);
    const breaches = stated.flatMap(({ limit, remaining, names }) => {
      if (remaining >= 0 && remaining <= limit) return [];
      const expected = `a number from 0 to the Limit, ${limit}`;
      const values = { told: `${names.remaining} is ${remaining}`, actual: String(remaining), expected };
      return rate(remaining < 0 ? 'rate-02.negative' : 'rate-02.above-limit', values);
    });
    return breached(breaches, stated.length);
  },
};

/** The limits that the answer states with what is left of them. */
function whollyStated(subject: Subject) {
  return readingsOf(subject.exchange, limitedIn(subject)).flatMap(({ limit, remaining, names }) =>
    limit === null || remaining === null ? [] : [{ limit, remaining, names }],
  );
}
