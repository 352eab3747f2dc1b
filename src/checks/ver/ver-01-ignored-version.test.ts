import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { spoken } from '../../../test/support/checks/judging.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { judgeVersionIgnored } from './ver-01-ignored-version.ts';

const answer = (body: unknown, status = 200): Exchange => exchangeWith({ status, body });
const causes = (pairs: readonly (readonly [Exchange, Exchange])[]): unknown => {
  const said = spoken(judgeVersionIgnored(pairs));
  return typeof said === 'string' ? said : said.map(({ cause }) => cause);
};
const thrice = (plain: Exchange, versioned: Exchange): [Exchange, Exchange][] =>
  Array.from({ length: 3 }, () => [plain, versioned]);
const item = { id: 'a', price: 1, note: null };

describe('VER-01', () => {
  it.each([
    ['other values of one shape', [item], [{ id: 'b', price: 2, note: null }]],
    ['null in place of absent', [item], [{ id: 'b', price: 2 }]],
    ['more items of one shape', [item], [item, item]],
    ['members in another order', [item], [{ price: 1, id: 'a' }]],
  ])('holds for %s', (_name, plain, versioned) => {
    expect(causes([[answer(plain), answer(versioned)]])).toBe('holds');
  });

  it.each([
    ['a member more', [item], [{ ...item, version: 2 }], 'a version header changes the shape'],
    ['a member of another type', [item], [{ ...item, price: '1' }], 'a version header changes the shape'],
    ['an envelope for an array', [item], { data: [item] }, 'a version header changes the shape'],
  ])('is breached by %s every time', (_name, plain, versioned, cause) => {
    expect(causes(thrice(answer(plain), answer(versioned)))).toEqual([cause]);
  });

  it('is breached by another status every time', () => {
    expect(causes(thrice(answer([item]), answer([item], 404)))).toEqual(['a version header changes the status']);
  });

  it('holds when one pair of several is equal', () => {
    const differing = thrice(answer([item]), answer({ data: [item] }));
    expect(causes([...differing, [answer([item]), answer([item])]])).toBe('holds');
  });

  it('cannot be told where the plain answers differ among themselves', () => {
    const versioned = answer({ other: true });
    expect(
      causes([
        [answer([item]), versioned],
        [answer([]), versioned],
      ]),
    ).toBe('cannot tell');
  });

  it('cannot be told from no answer, 429, 5xx or nothing', () => {
    expect([429, 500, 503].map((status) => causes([[answer({}), answer({}, status)]]))).toEqual(
      Array(3).fill('cannot tell'),
    );
    expect(causes([[exchangeWith({ response: null }), answer({})]])).toBe('cannot tell');
    expect(causes([])).toBe('cannot tell');
  });
});
