import { expect, it } from 'vitest';
import { countedStatus } from './counting.ts';

it('a refusal is counted as 429, whichever status the contract states of it', () => {
  expect([429, 403, 200].map((status) => countedStatus(status))).toEqual([429, 403, 200]);
  expect([429, 403, 200].map((status) => countedStatus(status, 403))).toEqual([429, 429, 200]);
});
