import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import { exchangeWith } from '../testing/exchanges.ts';
import { spoken } from '../testing/judging.ts';
import { type Drops, isMoreThan, judgeDrops } from './dropped.ts';

const of = (drops: number, sends: number): Drops => ({ drops, sends });
const answer = exchangeWith({});
const drop: Exchange = {
  ...exchangeWith({ response: null }),
  failure: { kind: 'reset', message: 'reset', reusedSocket: false },
};

describe('drops of an operation', () => {
  it.each([
    ['one in seven, nothing elsewhere', of(4, 28), of(0, 1000), true],
    ['two of two, nothing elsewhere', of(2, 2), of(0, 1000), true],
    ['each of three, nothing else sent', of(3, 3), of(0, 0), true],
    ['one in seven everywhere', of(20, 140), of(150, 1000), true],
    ['one', of(1, 1), of(0, 5000), false],
    ['as many as elsewhere', of(8, 2000), of(4, 1000), false],
    ['some more than elsewhere', of(8, 1000), of(4, 1000), false],
    ['many more than elsewhere', of(30, 1000), of(1, 1000), true],
    ['two of many, nothing elsewhere', of(2, 500), of(0, 500), false],
    ['all there are, where nothing else was sent', of(2, 500), of(0, 0), false],
  ] as const)('%s', (_name, own, elsewhere, expected) => {
    expect(isMoreThan(own, elsewhere)).toBe(expected);
  });

  it('are not held against it where connections are lost as often everywhere, whatever their number', () => {
    for (const times of [1, 10, 100])
      expect(isMoreThan(of(4 * times, 1000 * times), of(4 * times, 1000 * times))).toBe(false);
  });

  it('that show on one request alone are told by its repeats', () => {
    const repeats = [drop, drop, drop];
    const own = { drops: 4, sends: 4000, evidence: [drop], looks: [{ first: drop, repeats }] };
    expect(spoken(judgeDrops(own, of(4, 4000)))).toMatchObject([{ cause: 'a request drops the connection' }]);
    const once = { ...own, looks: [{ first: drop, repeats: [answer, answer, drop] }] };
    expect(spoken(judgeDrops(once, of(4, 4000)))).toBe('cannot tell');
  });
});
