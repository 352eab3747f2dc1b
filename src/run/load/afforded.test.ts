import { expect, it } from 'vitest';
import { StepLost } from '../../load/caller/caller.ts';
import { allowanceOf } from './afforded.ts';

it('what a load run may send is its budget less what reached operations', () => {
  const state = { session: { sent: 40 }, input: { options: { budget: 100 } } } as Parameters<typeof allowanceOf>[0];
  const ground = { config: { load: { caps: { requests: 5000 } } } } as unknown as Parameters<typeof allowanceOf>[1];
  const allowance = allowanceOf(state, ground);
  allowance.charge(60);
  expect(() => allowance.charge(1)).toThrow(StepLost);
  expect(() =>
    allowanceOf(
      { ...state, input: { ...state.input, options: { ...state.input.options, budget: null } } },
      ground,
    ).charge(4961),
  ).toThrow(StepLost);
});
