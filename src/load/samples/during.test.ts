import { expect, it } from 'vitest';
import type { CapacityPart, LoadOperation, SpikePart } from '../../contract/load-part.ts';
import { operationsUnder } from './during.ts';

const ROW: LoadOperation = {
  operation: 'GET /a',
  requests: 7,
  limited: 0,
  errors: {},
  p50Ms: 1,
  p95Ms: null,
  p99Ms: null,
};
const log = { operations: (steps?: ReadonlySet<string>) => [{ ...ROW, operation: [...(steps ?? ['all'])].join(' ') }] };
const told = (part: Parameters<typeof operationsUnder>[1]) =>
  operationsUnder(log, part).map(({ during, rows }) => [during, rows[0]?.operation]);

it('tells the operations of a peak, of the rate that met the objectives, and of the whole run', () => {
  expect(told({})).toEqual([['the whole run', 'all']]);
  expect(told({ spike: { peak: { step: 'spike.peak', rps: 200 } } as SpikePart })[0]).toEqual([
    'the peak, 200 requests/s',
    'spike.peak',
  ]);
  const step = (name: string, rps: number, decision: string) => ({ step: name, rps, decision });
  const steps = [
    step('c.1', 400.5, 'met'),
    step('c.2', 800, 'missed'),
    step('c.3', 400.5, 'met'),
    step('c.4', 400.5, 'missed'),
  ];
  const capacity = { met: 400.5, steps } as unknown as CapacityPart;
  expect(told({ capacity })[0]).toEqual(['steps that met the objectives at 400.5 requests/s', 'c.1 c.3']);
});

it('tells nothing twice, and nothing of a run that sent nothing', () => {
  const capacity = { met: 100, steps: [{ step: 'c.1', rps: 100, decision: 'met' }] } as unknown as CapacityPart;
  expect(told({ capacity })).toEqual([['the whole run', 'all']]);
  expect(operationsUnder({ operations: () => [] }, {})).toEqual([]);
});
