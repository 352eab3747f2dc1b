// Faults and tolerance cases: complete, well named, and able to show on the platform's own model.
import { describe, expect, it } from 'vitest';
import { errorOf, openPlatform } from '../../test/support/platform/platform.ts';
import { simulatedClock } from '../clock/simulated.ts';
import { CLAUSES } from '../contract/clauses.ts';
import { selectDeviations } from './deviations.ts';
import { FAULTS } from './faults/all.ts';
import { HOOK_FAULTS } from './faults/hook.ts';
import { LOAD_FAULTS } from './faults/load.ts';
import { DOCS_URL } from './http/publish.ts';
import { Platform } from './platform.ts';
import { readModel } from './schema/model.ts';
import { TOLERANCES } from './tolerances/all.ts';
import { HOOK_TOLERANCES } from './tolerances/hook.ts';

describe.each([
  ['faults', [...FAULTS, ...LOAD_FAULTS, ...HOOK_FAULTS]],
  ['tolerances', [...TOLERANCES, ...HOOK_TOLERANCES]],
])('%s', (_kind, all) => {
  it('have unique ids that begin with their clause', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ id, clause }) => !id.startsWith(`${clause.toLowerCase()}-`))).toEqual([]);
    expect(all.filter(({ clause }) => !CLAUSES.some(({ id }) => id === clause))).toEqual([]);
  });

  it('all find their subject in the served descriptions', async () => {
    const documents = await readModel({});
    for (const deviation of all) {
      deviation.describe?.(new Map(documents.map(({ service, root }) => [service, structuredClone(root)])));
      new Platform({
        documents,
        deviations: [deviation],
        docsUrl: DOCS_URL,
        seed: 1,
        limits: {},
        clock: simulatedClock(),
        instance: 'test',
      });
    }
  });
});

it('there are many tolerance cases', () => {
  expect(TOLERANCES.length).toBeGreaterThanOrEqual(40);
});

it('a fault changes what it names and nothing else', async () => {
  const conformant = await openPlatform();
  const faulty = await openPlatform(selectDeviations(FAULTS, ['err-04-one-status'], 'fault'));
  const [right, wrong] = await Promise.all([conformant, faulty].map((one) => one.send('GET', '/api/v1/nowhere')));
  if (right === undefined || wrong === undefined) throw new Error('no answers');
  expect(errorOf(wrong)).toEqual({ ...errorOf(right), status: 400, request_id: expect.any(String) });
  expect((await faulty.send('GET', '/api/v1/stores')).text).toBe((await conformant.send('GET', '/api/v1/stores')).text);
});

it('an unknown id is refused with a hint', () => {
  expect(() => selectDeviations(FAULTS, ['err-04-nonsense'], 'fault')).toThrow('--list-faults');
});
