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
