import { expect, it, vi } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { AcceptedInput } from './accepted-input.ts';

it('remembers what stands beside what is nested too deeply to be written, and tries to write few of its levels', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const body = { kind: 'raw', text: `{"deep":${deep},"name":"wrong"}`, contentType: 'application/json' } as const;
  const exchange = exchangeWith({ plan: { method: 'POST', intent: 'hostile', body } });
  const accepted = new AcceptedInput();
  const written = vi.spyOn(JSON, 'stringify');
  accepted.observe(exchange);
  expect(written.mock.calls.length).toBeLessThan(20);
  written.mockRestore();
  expect([accepted.has('name', 'wrong'), accepted.has('name', 'right')]).toEqual([true, false]);
});

it('remembers the fields of a form, by the names in brackets, as texts and as numbers', () => {
  const text = 'name=too%20long&address%5Bcity%5D=nowhere&items%5B0%5D%5Bprice%5D=-7&tags%5B%5D=x';
  const contentType = 'application/x-www-form-urlencoded';
  const accepted = new AcceptedInput();
  const body = { kind: 'raw', text, contentType } as const;
  accepted.observe(exchangeWith({ plan: { method: 'POST', intent: 'invalid', body } }));
  const shown = [
    ['name', 'too long'],
    ['city', 'nowhere'],
    ['price', -7],
    ['price', '-7'],
    ['tags', 'x'],
  ] as const;
  expect(shown.filter(([name, value]) => !accepted.has(name, value))).toEqual([]);
  expect(accepted.has('city', 'too long') || accepted.has('price', 7)).toBe(false);
});
