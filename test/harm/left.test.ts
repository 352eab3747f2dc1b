// What is left on a target after a run: whatever way the run ends, and however the target deletes.
import { expect, test } from 'vitest';
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { systemClock } from '../../src/clock/system.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Report } from '../../src/contract/report.ts';
import { conform } from '../../src/run/perform/conform.ts';
import { optionsWith } from '../../src/run/testing/test-config.ts';
import { type HarmedTarget, startTarget, type TargetOptions } from './target.ts';

interface Ended {
  readonly report: Report;
  readonly target: HarmedTarget;
}

/** A run against such a target; `stopAfter` interrupts it at the so many-th request. */
async function judged(
  options: TargetOptions,
  changes: Parameters<typeof optionsWith>[0] & { readonly stopAfter?: number } = {},
): Promise<Ended> {
  const { stopAfter, ...given } = changes;
  const stop = new AbortController();
  const target = await startTarget({
    ...options,
    instead: (response, request, index) => {
      if (index + 1 === stopAfter) stop.abort();
      return options.instead?.(response, request, index) ?? false;
    },
  });
  try {
    const config = await loadConfig({ file: target.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the target has a configuration');
    const descriptions = await loadDescriptions(config);
    const report = await conform({
      ...{ config, descriptions, options: optionsWith({ runId: '20260131-120000-9f3a2b', ...given }) },
      ...{ clock: systemClock, onProgress: () => {}, stop: stop.signal },
    });
    return { report, target };
  } finally {
    await target.stop();
  }
}

const DELETABLE = { collections: { pets: 'gone', toys: 'gone' } } as const;
const NOTHING = { pets: [], toys: [] };

test('a run leaves nothing where everything can be deleted, and has at most five of each at once', async () => {
  const { report, target } = await judged(DELETABLE);
  expect(target.left()).toEqual(NOTHING);
  expect(report.leftovers).toEqual([]);
  for (const name of ['pets', 'toys']) expect(target.most(name)).toBeLessThanOrEqual(5);
  expect(target.seen.filter(({ method }) => method === 'POST').length).toBeGreaterThan(20);
  expect(target.isUntouched()).toBe(true);
}, 120_000);

test.each([5, 40, 41, 60, 90, 150])(
  'a budget of %i holds to the request, and pays for the clean-up',
  async (budget) => {
    const { report, target } = await judged(DELETABLE, { budget });
    expect(target.seen.length).toBeLessThanOrEqual(budget);
    expect(report.counts.requests).toBe(target.seen.length);
    expect(target.left()).toEqual(NOTHING);
  },
);

test.each([3, 25, 60, 100])('a run that is interrupted at its request %i cleans up', async (stopAfter) => {
  const { report, target } = await judged(DELETABLE, { stopAfter });
  expect(report.run.partial).toBe(true);
  expect(target.left()).toEqual(NOTHING);
  expect(report.leftovers).toEqual([]);
});

test('a time limit is kept, the clean-up included', async () => {
  const { report, target } = await judged({ ...DELETABLE, delayMs: 20 }, { timeLimitSeconds: 3 });
  expect(report.run).toMatchObject({ partial: true, note: 'the time limit was reached' });
  expect(report.run.durationMs).toBeLessThan(4000);
  expect(target.left()).toEqual(NOTHING);
});

test('what a request made whose answer was lost is found and deleted', async () => {
  let lost = 0;
  const { report, target } = await judged(
    {
      ...DELETABLE,
      // Every third creation is executed, and its connection closed before the answer.
      instead(response, { method }) {
        if (method === 'POST' && ++lost % 3 === 0) response.writeHead = () => response.destroy() as never;
        return false;
      },
    },
    { budget: 400 },
  );
  expect(lost).toBeGreaterThan(6);
  const left = Object.values(target.left()).flat();
  expect(left.filter((name) => name.includes('9f3a2b'))).toEqual([]);
  // Hostile values leave no room for a mark: then nobody can tell, and that is told.
  expect(report.created?.unknown ?? 0).toBeGreaterThanOrEqual(left.length);
  expect(report.leftovers).toEqual([]);
});

test.each([
  ['refused', 'its DELETE is answered 405'],
  ['denied', 'its DELETE is answered 403'],
  ['absent', 'its DELETE is answered 404, and it can still be read'],
  ['kept', 'its DELETE is answered 204, and it can still be read'],
  ['none', 'no DELETE is described'],
] as const)('what stays though it was to be deleted (%s) is told of, and is not much', async (deletion, reason) => {
  const { report, target } = await judged({ collections: { pets: deletion } });
  const left = target.left().pets?.length ?? 0;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(5);
  expect(report.leftovers).toHaveLength(left);
  expect(report.created?.operations.flatMap(({ reasons }) => reasons)).toContain(reason);
  const deletes = target.seen.filter(({ method, url }) => method === 'DELETE' && /pets-\d+$/.test(url));
  expect(deletes.length).toBeLessThan(60);
  expect(target.isUntouched()).toBe(true);
});

test.each(['accepted', 'soft'] as const)('a deletion that shows late or by a state (%s) is one', async (deletion) => {
  const { report, target } = await judged({ collections: { pets: deletion } });
  expect(report.leftovers).toEqual([]);
  expect(target.left()).toEqual({ pets: [] });
});
