// A simulated run is a real one that can be had again: same seed, same report; and what a world does to it shows.
import { getEventListeners } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneDue } from '../../test/programme.ts';
import type { Report } from '../contract/report.ts';
import type { Deviation } from '../platform/deviation.ts';
import type { ServedDocument } from '../platform/schema/served.ts';
import { CASES, judgeCase, smallModel } from './cases.ts';
import { type Simulation, simulate } from './simulate.ts';
import { WORLDS } from './worlds.ts';

let documents: readonly ServedDocument[];
let sound: Report;
beforeAll(async () => {
  documents = await smallModel();
  sound = await run();
});

/** Enough for every operation, and for a part of each stage. */
const options = { budget: 300 };

function run(changes: Partial<Simulation> = {}): Promise<Report> {
  return simulate({ documents, deviations: [], world: WORLDS.calm, seed: 7, options, ...changes });
}

const violations = ({ findings }: Report) => findings.filter(({ kind }) => kind === 'violation');

describe('a simulated run', () => {
  it('is the same for the same seed, byte for byte, whatever ran before', async () => {
    const first = JSON.stringify(sound);
    const other = JSON.stringify(await run({ seed: 8 }));
    expect(other).not.toBe(first);
    expect(JSON.stringify(await run())).toBe(first);
  });

  it('passes where nothing is wrong, and takes its time in virtual time alone', () => {
    expect(violations(sound)).toEqual([]);
    expect(sound.verdict).toBe('pass');
    expect(sound.run.durationMs).toBeGreaterThan(1000);
  });

  it('stops when it is told to', async () => {
    expect((await run({ stop: AbortSignal.abort() })).verdict).toBe('none');
  });

  it('stops when it is told to meanwhile', async () => {
    const stop = new AbortController();
    let calls = 0;
    const interrupting: Deviation = {
      id: 'interrupting',
      clause: 'ERR-01',
      description: 'The user interrupts the run.',
      hooks: () => ({
        act: (_call, proceed) => {
          calls += 1;
          if (calls === 20) stop.abort();
          return proceed();
        },
      }),
    };
    const report = await run({ deviations: [interrupting], stop: stop.signal });
    expect(report.verdict).toBe('none');
    expect(calls).toBeLessThan(40);
  });

  it('ends once a violation is found, where it is to', async () => {
    const deviations = CASES.find(({ id }) => id === 'auth-01-open-items')?.deviations ?? [];
    const cut = await run({ deviations, isUntilBreach: true });
    expect(cut.verdict).toBe('fail');
    expect(cut.counts.requests).toBeLessThan(sound.counts.requests);
  });

  it('ends so whoever finds it: a check of one answer, or an experiment', async () => {
    const deviations = CASES.find(({ id }) => id === 'req-01-400')?.deviations ?? [];
    const cut = await run({ deviations, isUntilBreach: true, options: { clauses: ['REQ-01'], budget: 100 } });
    expect(cut.verdict).toBe('fail');
    expect(cut.counts.requests).toBeLessThan(30);
  });

  it('leaves nothing of itself with the signal that may stop it', async () => {
    const stop = new AbortController().signal;
    await run({ stop, options: { budget: 40 } });
    expect(getEventListeners(stop, 'abort')).toEqual([]);
  });
});

// `npm run simulate` looks into all of them.
it.each([
  ['auth-01-open-items', 'few requests, where these show it', true],
  ['idem-06-used-key', 'a whole run, where few requests do not show it', false],
])('the fault %s is caught by %s', async (id, _by, isByFew) => {
  const fault = CASES.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  const look = { world: WORLDS.calm, seed: 1, budget: 100, clauses: [fault.clause ?? ''] };
  const { report, missed } = await judgeCase(fault, look);
  expect([missed, report.counts.requests <= look.budget]).toEqual([false, isByFew]);
});

describe.each(oneDue(['uneven', 'skewed', 'duplicating'] as const))('in the world "%s"', (name) => {
  it('the platform without a fault breaks nothing', async () => {
    const report = await run({ world: WORLDS[name] });
    expect(violations(report)).toEqual([]);
    expect(report.counts.operationsTested).toBe(report.counts.operations);
  });
});

it('answers that get lost are asked for again, as the contract has it', async () => {
  const report = await run({ world: { ...WORLDS.calm, lostAnswers: 0.05 } });
  const failed = report.operations.reduce((sum, { statuses }) => sum + (statuses.failed ?? 0), 0);
  expect(failed).toBeGreaterThan(0);
});
