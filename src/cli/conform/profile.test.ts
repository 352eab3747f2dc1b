import { expect, test } from 'vitest';
import { configWith } from '../../../test/support/run/test-config.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { profiled } from '../process/options.ts';
import { gated } from './prepare.ts';

const OPTIONS = {
  services: [],
  operations: [],
  clauses: [],
  budget: null,
  timeLimitSeconds: null,
} as unknown as RunOptions;
const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'DELETE', 'DELETE'];
const DESCRIPTION = {
  service: 'admin',
  document: {},
  operations: METHODS.map((method, at) => ({
    service: 'admin',
    method,
    path: `/api/v1/${at}`,
    key: `${method} /api/v1/${at}`,
    responses: [],
    tags: [],
    operationId: null,
    pointer: '',
  })),
} as unknown as Description;

function least(config: Partial<Config>, profile?: 'ci'): number | null {
  return gated(configWith(config), OPTIONS, [DESCRIPTION], profile).gate.minOperations;
}

test('ci fits a key of 100 calls a minute into a quarter of an hour', () => {
  const { budget, timeLimitSeconds } = profiled(OPTIONS, 'ci');
  expect((budget ?? Infinity) / 100).toBeLessThanOrEqual((timeLimitSeconds ?? 0) / 60);
  expect(timeLimitSeconds).toBeLessThan(15 * 60);
});

test('what is given wins', () => {
  expect(profiled({ ...OPTIONS, budget: 7 }, 'ci').budget).toBe(7);
  expect(profiled(OPTIONS, undefined)).toBe(OPTIONS);
  expect(least({ gate: { minOperations: 3 } }, 'ci')).toBe(3);
});

test('four fifths of the operations that may be called must be tested', () => {
  expect(least({}, 'ci')).toBe(8);
  expect(least({ mutations: 'deny' }, 'ci')).toBe(5);
  expect(least({})).toBeNull();
});
