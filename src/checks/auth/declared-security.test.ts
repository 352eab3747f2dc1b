import { expect, it } from 'vitest';
import { exchangeWith } from '../test-exchanges.ts';
import { inBrief, spoken } from '../test-judging.ts';
import { judgeSecured } from './declared-security.ts';

const said = (status: number, control = true) => {
  const outcome = spoken(judgeSecured(exchangeWith({ status }), 'no token', control));
  return typeof outcome === 'string' ? outcome : outcome.map(inBrief);
};

it.each([401, 403])('%i refuses', (status) => {
  expect([said(status), said(status, false)]).toEqual(['holds', 'holds']);
});

it.each([200, 204])('%i accepts, whether or not valid credentials ever succeeded', (status) => {
  const accepted = ['a request with no token is accepted'];
  expect([said(status), said(status, false)]).toEqual([accepted, accepted]);
});

it.each([302, 400, 404, 422])('%i refuses for another reason, which counts only beside a success', (status) => {
  expect(said(status)).toEqual(['advisory: a request with no token is refused, but not as unauthorised']);
  expect(said(status, false)).toBe('cannot tell');
});

it.each([429, 500, 503])('%i tells nothing', (status) => {
  expect(said(status)).toBe('cannot tell');
});

it('no answer tells nothing', () => {
  const silent = exchangeWith({ response: null });
  expect(spoken(judgeSecured(silent, 'no token', true))).toBe('cannot tell');
});
