import { describe, expect, it } from 'vitest';
import { resetOf } from '../limiters/reset-forms.ts';
import { rateState, resetDelayMs, retryAfterMs } from './rate-headers.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const http = (atMs: number) => new Date(atMs).toUTCString();

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 3 ', 3000],
    [http(NOW + 9000), 9000],
    [http(NOW - 9000), 0],
    ['soon', null],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['-1', null],
    ['', null],
    [null, null],
  ])('reads %s as %s', (value, expected) => {
    expect(retryAfterMs(value, http(NOW), NOW)).toBe(expected);
  });
});

describe('resetDelayMs', () => {
  it.each([
    ['epoch seconds', String(NOW / 1000 + 30), 30_000],
    ['epoch milliseconds', String(NOW + 30_000), 30_000],
    ['delta seconds', '30', 30_000],
    ['an HTTP date', http(NOW + 30_000), 30_000],
    ['an ISO date', new Date(NOW + 30_000).toISOString(), 30_000],
    ['a time gone by', String(NOW / 1000 - 30), -30_000],
    ['a negative number', '-30', null],
    ['a word', 'later', null],
  ])('reads %s', (_, value, expected) => {
    expect(resetDelayMs(resetOf(value), http(NOW), NOW)).toBe(expected);
  });

  it.each([
    ['6m0s', 360_000],
    ['7.66s', 7660],
    ['120ms', 120],
    ['1h0m1.5s', 3_601_500],
    ['0s', 0],
    ['30', null],
    ['s', null],
    ['', null],
    ['1s ago', null],
    [`${'9'.repeat(400)}s`, null],
  ])('reads %s as a duration where that is stated, and only there', (value, expected) => {
    expect(resetDelayMs(resetOf(value, 'duration'), http(NOW), NOW)).toBe(expected);
    expect(value === '30' ? null : resetOf(value)).toBeNull();
  });

  it("counts from the response's Date when the clocks differ", () => {
    const serverMs = NOW + 600_000;
    expect(resetDelayMs(resetOf(String(serverMs / 1000 + 5)), http(serverMs), NOW)).toBe(5000);
  });
});

describe('rateState', () => {
  it('needs 0 <= Remaining <= Limit', () => {
    const state = (limit: string, remaining: string) =>
      rateState([
        ['x-ratelimit-limit', limit],
        ['x-ratelimit-remaining', remaining],
      ]);
    expect(state('10', '3')).toEqual({ limit: 10, remaining: 3, reset: null, date: null });
    for (const [limit, remaining] of [
      ['10', '11'],
      ['10', '-1'],
      ['0', '0'],
      ['x', '1'],
      ['10', ''],
    ] as const) {
      expect(state(limit, remaining)).toBeNull();
    }
  });
});

it.each(['Infinity', '1e400', '9'.repeat(400)])('a limit without measure is none: %s', (limit) => {
  expect(
    rateState([
      ['x-ratelimit-limit', limit],
      ['x-ratelimit-remaining', '5'],
    ]),
  ).toBeNull();
});
