import { expect, it } from 'vitest';
import { readingWith } from '../../../test/support/checks/readings.ts';
import { type Drained, drainedOf } from '../../limiters/drained-window.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { TargetClock } from '../../limiters/reset-clock.ts';
import { judgeAdmission } from './rate-04-admission.ts';

const LIMIT = 100;

/** An answer at a time after the drain began, ms; the reset is always four seconds off, as whole seconds tell it. */
function answer(atMs: number, status: number, remaining: number): RateReading {
  return { ...readingWith({ limit: LIMIT, remaining, reset: '4', status }), sentAt: atMs, answeredAt: atMs + 1 };
}

/** Spent within 200 ms; then another operation succeeds three times between refusals, and `left` stands once a call is accepted again. */
function trace(left: number): Drained {
  const successes = Array.from({ length: LIMIT }, (_, call) => answer(2 * call, 200, LIMIT - 1 - call));
  const between = (atMs: number) => ({
    ...{ before: answer(atMs, 429, 0), other: answer(atMs + 2, 200, 0), after: answer(atMs + 4, 429, 0) },
  });
  return {
    ...drainedOf({
      ...{ key: 'std-1', limit: LIMIT, clock: new TargetClock(), windowMs: 4000 },
      ...{ isMeasure: true, movesEarly: false, isOverdrawn: false },
      ...{ readings: [...successes, answer(202, 429, 0)], answers: [], alone: LIMIT, callsBefore: 0, callsEver: 0 },
    }),
    elsewhere: [between(210), between(220), between(230)],
    back: answer(4200, 200, left),
  };
}

it('an operation that succeeds while the window is spent is blamed where all comes back with the next window', () => {
  expect(judgeAdmission(trace(LIMIT - 1)).judgement).toMatchObject({
    kind: 'breached',
    breaches: [{ code: 'rate-04.none-left' }],
  });
});

it('it is not where it states a limit of its own', () => {
  const { elsewhere, ...drained } = trace(LIMIT - 1);
  const named = (policy: string) => (reading: RateReading) => ({ ...reading, policy });
  const [search, core] = [named('search'), named('core')];
  const apart = elsewhere.map(({ before, other, after }) => ({
    ...{ before: search(before), other: core(other), after: search(after) },
  }));
  expect(judgeAdmission({ ...drained, elsewhere: apart }).judgement.kind).not.toBe('breached');
});

it('it is not where little by little comes back: it may have taken what was there for any call', () => {
  expect(judgeAdmission(trace(LIMIT / 2)).judgement.kind).not.toBe('breached');
});
