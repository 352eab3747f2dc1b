import { describe, expect, it } from 'vitest';
import { breached, holds } from '../../contract/judgement.ts';
import { rate } from '../../wording/rate.ts';
import { unlessByOthers, unlessUnrecorded } from './others.ts';
import { blaming, onTarget, type RateConclusion } from './series-law.ts';

const BREACH = rate('rate-03.no-return', { told: 'it is', actual: 'so', expected: 'otherwise' });
const blamed = (clause: string): RateConclusion => blaming(clause, BREACH);
const NOBODY = { mayTake: false, seenOn: null };

describe('others who use a key', () => {
  it.each(['RATE-03', 'RATE-06'])('may have taken what did not come back (%s)', (clause) => {
    const breach = { ...blamed(clause), isOfReturn: true } as const;
    expect(unlessByOthers(breach, { mayTake: true, seenOn: null }).judgement).toMatchObject({
      kind: 'cannot-tell',
      reason: expect.stringContaining('may have taken what came back'),
    });
    expect(unlessByOthers(breach, NOBODY)).toEqual(breach);
  });

  it('explain no other breach', () => {
    for (const clause of ['RATE-02', 'RATE-03', 'RATE-04'])
      expect(unlessByOthers(blamed(clause), { mayTake: true, seenOn: 'a' }).judgement.kind).toBe('breached');
  });

  it('hide calls that are not counted where they were seen, on one key or another (RATE-03)', () => {
    const told = (clause: string, seenOn: string | null) =>
      unlessByOthers(onTarget(clause, holds()), { mayTake: true, seenOn }).judgement.kind;
    expect([told('RATE-03', 'a'), told('RATE-03', null), told('RATE-06', 'a')]).toEqual([
      'cannot-tell',
      'holds',
      'holds',
    ]);
  });
});

it('a recording that may lack calls shows no breach that takes all of a key', () => {
  const told = (clause: string) => unlessUnrecorded({ ...onTarget(clause, breached([BREACH])) }).judgement.kind;
  expect(['RATE-04', 'RATE-06'].map(told)).toEqual(['cannot-tell', 'cannot-tell']);
  expect(['RATE-02', 'RATE-03', 'RATE-05'].map(told)).toEqual(['breached', 'breached', 'breached']);
  expect(unlessUnrecorded(onTarget('RATE-06', holds())).judgement.kind).toBe('holds');
});
