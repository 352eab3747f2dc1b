// What is left on a target after a run: whatever way the run ends, and however the target deletes. In virtual time: what has to
// be undone within a time limit does not hang on how busy the machine is.
import { expect, test } from 'vitest';
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { simulatedClock } from '../../src/clock/simulated.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Report } from '../../src/contract/report.ts';
import { conform } from '../../src/run/perform/conform.ts';
import { chanceOf } from '../../src/simulation/chance.ts';
import { SimulatedSocket } from '../../src/simulation/conform-in-memory.ts';
import { Outages } from '../../src/simulation/outages.ts';
import { WORLDS } from '../../src/simulation/worlds.ts';
import { optionsWith } from '../support/run/test-config.ts';
import { filesOf } from './target.ts';
import { type Asked, type Collections, type Things, thingsOf } from './things.ts';

interface Ended {
  readonly report: Report;
  readonly target: Things;
  readonly seen: readonly Asked[];
}

interface Circumstances extends NonNullable<Parameters<typeof optionsWith>[0]> {
  /** Interrupts the run at the so many-th request. */
  readonly stopAfter?: number;
  /** What a message takes on its way. ms. */
  readonly oneWayMs?: number;
  /** Whether the answer to this request is lost on its way. */
  readonly isLost?: (request: Asked) => boolean;
}

const HOST = 'things.simulated';

/** A run against such a target. */
async function judged(collections: Collections, circumstances: Circumstances = {}): Promise<Ended> {
  const { stopAfter, oneWayMs = 0.5, isLost = () => false, ...given } = circumstances;
  const clock = simulatedClock();
  const stop = new AbortController();
  const target = thingsOf(collections, clock);
  const seen: Asked[] = [];
  const latency = { least: oneWayMs, most: oneWayMs, slowShare: 0, slowMs: 0 };
  const route = {
    ...{ clock, host: HOST, world: { ...WORLDS.calm, latency } },
    ...{ chance: chanceOf(1, 'network'), outages: new Outages(chanceOf(1, 'outages'), null) },
    platform: {
      receive({ method, url, headers, body }, onAnswer) {
        const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
        const request = { method, url, body: body ?? '', authorization: at < 0 ? undefined : headers[at + 1] };
        seen.push(request);
        if (seen.length === stopAfter) stop.abort();
        const answer = target.answer(request);
        const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
        const told =
          text === '' ? [] : ['content-type', 'application/json', 'content-length', `${Buffer.byteLength(text)}`];
        onAnswer(isLost(request) ? null : { status: answer.status, headers: told, body: Buffer.from(text) });
      },
    },
  } satisfies ConstructorParameters<typeof SimulatedSocket>[0];
  const files = await filesOf(`http://${HOST}`, { collections });
  try {
    const config = await loadConfig({ file: files.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the target has a configuration');
    const descriptions = await loadDescriptions(config);
    const run = conform({
      ...{ config, descriptions, options: optionsWith({ runId: '20260131-120000-9f3a2b', ...given }) },
      ...{ clock, onProgress: () => {}, stop: stop.signal },
      ...{ open: () => new SimulatedSocket(route), random: chanceOf(1, 'jitter').next },
    });
    return { report: await clock.drive(run), target, seen };
  } finally {
    await files.remove();
  }
}

const DELETABLE = { pets: 'gone', toys: 'gone' } as const;
const NOTHING = { pets: [], toys: [] };

test('a run leaves nothing where everything can be deleted, and has at most five of each at once', async () => {
  const { report, target, seen } = await judged(DELETABLE);
  expect(target.left()).toEqual(NOTHING);
  expect(report.leftovers).toEqual([]);
  for (const name of ['pets', 'toys']) expect(target.most(name)).toBeLessThanOrEqual(5);
  expect(seen.filter(({ method }) => method === 'POST').length).toBeGreaterThan(20);
  expect(target.isUntouched()).toBe(true);
});

test.each([5, 40, 41, 60, 90, 150])(
  'a budget of %i holds to the request, and pays for the clean-up',
  async (budget) => {
    const { report, target, seen } = await judged(DELETABLE, { budget });
    expect(seen.length).toBeLessThanOrEqual(budget);
    expect(report.counts.requests).toBe(seen.length);
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
  const { report, target } = await judged(DELETABLE, { oneWayMs: 10, timeLimitSeconds: 3 });
  expect(report.run).toMatchObject({ partial: true, note: 'the time limit was reached' });
  expect(report.run.durationMs).toBeLessThanOrEqual(3000);
  expect(target.left()).toEqual(NOTHING);
});

test('what a request made whose answer was lost is found and deleted', async () => {
  // Every third creation is executed, and its connection closed before the answer.
  let created = 0;
  const isLost = ({ method }: Asked): boolean => method === 'POST' && ++created % 3 === 0;
  const { report, target } = await judged(DELETABLE, { isLost, budget: 400 });
  expect(created).toBeGreaterThan(18);
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
  const { report, target, seen } = await judged({ pets: deletion });
  const left = target.left().pets?.length ?? 0;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(5);
  expect(report.leftovers).toHaveLength(left);
  expect(report.created?.operations.flatMap(({ reasons }) => reasons)).toContain(reason);
  const deletes = seen.filter(({ method, url }) => method === 'DELETE' && /pets-\d+$/.test(url));
  expect(deletes.length).toBeLessThan(60);
  expect(target.isUntouched()).toBe(true);
});

test.each(['accepted', 'soft'] as const)('a deletion that shows late or by a state (%s) is one', async (deletion) => {
  const { report, target } = await judged({ pets: deletion });
  expect(report.leftovers).toEqual([]);
  expect(target.left()).toEqual({ pets: [] });
});
