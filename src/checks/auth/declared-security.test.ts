import { expect, it } from 'vitest';
import { exchangeWith } from '../testing/exchanges.ts';
import { inBrief, spoken } from '../testing/judging.ts';
import { judgeSecured } from './declared-security.ts';

const NO_TOKEN = { clause: 'auth-01', name: 'no-token', inWords: 'no token' } as const;
const said = (status: number) => {
  const outcome = spoken(judgeSecured(exchangeWith({ status }), NO_TOKEN));
  return typeof outcome === 'string' ? outcome : outcome.map(inBrief);
};

it.each([401, 403])('%i refuses', (status) => {
  expect(said(status)).toBe('holds');
});

it.each([200, 204])('%i accepts', (status) => {
  expect(said(status)).toEqual(['a request with no token is accepted']);
});

it.each([302, 400, 404, 422])('%i may have another ground', (status) => {
  expect(said(status)).toBe('cannot tell');
});

it.each([429, 500, 503])('%i tells nothing', (status) => {
  expect(said(status)).toBe('cannot tell');
});

it('no answer tells nothing', () => {
  expect(spoken(judgeSecured(exchangeWith({ response: null }), NO_TOKEN))).toBe('cannot tell');
});
