import { expect, test } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { NoVerdict } from '../process/failure.ts';
import { extensionsOf } from './extensions.ts';
import { afterRun, beforeRun, type OwnHook, runAhead } from './hooks.ts';

const AHEAD = runAhead(configWith(), { runId: 'r1' }, '/reports/r1');

function hooksOf(...hooks: OwnHook[]) {
  return hooks.map((hook) => ({ hook, file: 'a.ts' }));
}

test('hooks are told of the run, in order before it and in the opposite order after it', async () => {
  const told: string[] = [];
  const named = (name: string): OwnHook => ({
    name,
    beforeRun: ({ baseUrl, runId }) => void told.push(`${name} before ${runId} on ${baseUrl}`),
    afterRun: async ({ verdict }) => void told.push(`${name} after ${verdict}`),
  });
  const hooks = hooksOf(named('one'), named('two'));
  const clock = simulatedClock();
  await clock.drive(beforeRun(hooks, AHEAD, clock));
  expect(await clock.drive(afterRun(hooks, sampleReport(), AHEAD, clock))).toEqual([]);
  expect(told).toEqual([
    'one before r1 on http://127.0.0.1:8080',
    'two before r1 on http://127.0.0.1:8080',
    'two after fail',
    'one after fail',
  ]);
});

test('a hook that fails before the run ends it before anything is sent', async () => {
  const clock = simulatedClock();
  const fails = hooksOf({ name: 'seed', beforeRun: () => Promise.reject(new Error('no database')) });
  const ended = clock.drive(beforeRun(fails, AHEAD, clock));
  await expect(ended).rejects.toThrow(NoVerdict);
  await expect(ended).rejects.toThrow('the hook seed of a.ts failed before the run: no database');
});

test('hooks that fail after the run, or do not end, are told, and the others are called all the same', async () => {
  const clock = simulatedClock();
  const told: string[] = [];
  const hooks = hooksOf(
    { name: 'last', afterRun: () => void told.push('last') },
    { name: 'hangs', afterRun: () => new Promise(() => {}) },
    {
      name: 'throws',
      afterRun() {
        throw new Error('gone');
      },
    },
  );
  expect(await clock.drive(afterRun(hooks, sampleReport(), AHEAD, clock))).toEqual([
    'the hook throws of a.ts failed after the run: gone',
    'the hook hangs of a.ts failed after the run: it does not end within 300 s',
  ]);
  expect(told).toEqual(['last']);
});

test.each([
  [{ name: 'x' }, 'hooks[0]: expected at least one of beforeRun, afterRun, beforeCall, afterCall'],
  [{ name: 'x', beforeRun: 3 }, 'hooks[0].beforeRun: expected a function'],
  [{ beforeRun: () => {} }, 'hooks[0].name: expected a name'],
  [3, 'hooks[0]: expected a hook'],
])('a hook such as %j is refused with its place', async (hook, message) => {
  const own = { checks: [], reporters: [], hooks: [hook], extend: [] };
  await expect(extensionsOf(configWith({ own }))).rejects.toThrow(message);
});
