// What is left on a target after a run: whatever way the run ends, and however the target deletes. In virtual time: what has to
// be undone within a time limit does not hang on how busy the machine is.
import { expect, test } from 'vitest';
import { simulatedClock } from '../../src/clock/simulated.ts';
import type { Report } from '../../src/contract/report.ts';
import type { optionsWith } from '../support/run/test-config.ts';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, type Collections, type Things, thingsOf } from './things.ts';

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

/** A run against such a target. */
async function judged(collections: Collections, circumstances: Circumstances = {}): Promise<Ended> {
  const { stopAfter, oneWayMs, isLost, ...given } = circumstances;
  const clock = simulatedClock();
  const stop = new AbortController();
  const target = thingsOf(collections, clock);
  const seen: Asked[] = [];
  const answer = (request: Asked): Answer => {
    seen.push(request);
    if (seen.length === stopAfter) stop.abort();
    return target.answer(request);
  };
  const network = { oneWayMs, isLost, stop: stop.signal };
  return { report: await judgedInMemory({ collections }, answer, given, clock, network), target, seen };
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

test('a run leaves nothing where all paths end with a slash, and none without it is served', async () => {
  const target = thingsOf(DELETABLE, { after: () => ({ cancel: () => {} }) });
  const asked: string[] = [];
  const answer = (request: Asked): Answer => {
    const [path = '', ...query] = request.url.split('?');
    asked.push(path);
    if (!path.endsWith('/')) return { status: 404, body: { error: 'no such path' } };
    return target.answer({ ...request, url: [path.slice(0, -1), ...query].join('?') });
  };
  const described = (description: Record<string, unknown>): unknown => ({
    ...description,
    paths: Object.fromEntries(Object.entries(description.paths ?? {}).map(([path, item]) => [`${path}/`, item])),
  });
  const report = await judgedInMemory({ collections: DELETABLE, described }, answer);
  expect(report.counts.operationsTested).toBe(report.counts.operations);
  expect(target.left()).toEqual(NOTHING);
  expect(asked.filter((path) => /^\/\w+\/\/$/.test(path))).toEqual([]);
});

test('a run leaves nothing where paths name items in brackets', async () => {
  const target = thingsOf(DELETABLE, { after: () => ({ cancel: () => {} }) });
  const answer = (request: Asked): Answer => {
    const url = request.url.replace(/^(\/\w+)\(([^()/]*)\)/, '$1/$2');
    return /^\/\w+\//.test(request.url) ? { status: 404 } : target.answer({ ...request, url });
  };
  const described = (whole: Record<string, unknown>): unknown =>
    JSON.parse(JSON.stringify(whole).replaceAll('/{id}"', '({id})"'));
  const report = await judgedInMemory({ collections: DELETABLE, described }, answer);
  expect(report.counts.operationsTested).toBe(report.counts.operations);
  expect(report.created).toMatchObject({ left: 0, deleted: report.created?.made });
  expect(report.clauses.find(({ id }) => id === 'LIFE-01')?.status).toBe('pass');
  expect(target.left()).toEqual(NOTHING);
  expect(target.isUntouched()).toBe(true);
});

test('what a request made whose answer was lost is deleted where paths name items in brackets', async () => {
  const clock = simulatedClock();
  const target = thingsOf(DELETABLE, clock);
  const answer = (request: Asked): Answer => {
    const url = request.url.replace(/^(\/\w+)\(([^()/]*)\)/, '$1/$2');
    return /^\/\w+\//.test(request.url) ? { status: 404 } : target.answer({ ...request, url });
  };
  const described = (whole: Record<string, unknown>): unknown =>
    JSON.parse(JSON.stringify(whole).replaceAll('/{id}"', '({id})"'));
  let created = 0;
  const isLost = ({ method }: Asked): boolean => method === 'POST' && ++created % 3 === 0;
  await judgedInMemory({ collections: DELETABLE, described }, answer, { budget: 300 }, clock, { isLost });
  const left = Object.values(target.left()).flat();
  expect(left.filter((name) => name.includes('9f3a2b'))).toEqual([]);
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

test.each([3, 25, 60, 110])('a run that is interrupted at its request %i cleans up', async (stopAfter) => {
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

/** A run against a target where others live, which answers a create that it has performed so. */
async function judgedAnswering(
  change: (path: string, answered: Answer) => Answer,
  deletions: Collections = DELETABLE,
): Promise<Omit<Ended, 'seen'>> {
  const clock = simulatedClock();
  const target = thingsOf(deletions, clock);
  const answer = (request: Asked): Answer => {
    const answered = target.answer(request);
    if (request.method !== 'POST' || answered.status !== 201) return answered;
    return change(`${request.url.split('?')[0]}`, answered);
  };
  const described = (whole: Record<string, unknown>): unknown =>
    JSON.parse(JSON.stringify(whole).replaceAll('"201":{', '"202":{"description":"soon"},"201":{'));
  const options = { collections: deletions, described, environment: 'staging', configuration: ['mutations: allow'] };
  return { report: await judgedInMemory(options, answer, {}, clock), target };
}

const idOf = ({ body }: Answer): string => (body as { id: string }).id;

test.each([
  ['itself', (path: string, id: string) => `${path}/${id}`],
  ['what was there', (path: string) => `${path}/${path.slice(1)}-theirs-0`],
])('what was accepted is deleted, and nothing else, where Location names %s', async (_what, placeOf) => {
  const { report, target } = await judgedAnswering((path, answered) => ({
    status: 202,
    location: placeOf(path, idOf(answered)),
  }));
  expect(report.created?.deleted).toBeGreaterThan(0);
  expect(report.created?.left).toBe(Object.values(target.left()).flat().length);
  expect(target.isUntouched()).toBe(true);
});

test('what was accepted is not what Location names elsewhere, where the work can be followed', async () => {
  const { report, target } = await judgedAnswering(() => ({ status: 202, location: '/operations/pets-theirs-0' }));
  expect(target.most('pets')).toBeGreaterThan(0);
  expect(report.created?.left).toBe(Object.values(target.left()).flat().length);
  expect(target.isUntouched()).toBe(true);
});

test('what a create answers is neither changed nor deleted where a list showed it before', async () => {
  const { report, target } = await judgedAnswering((path, { body }) => ({
    status: 201,
    body: { ...(body as object), id: `${path.slice(1)}-theirs-1` },
  }));
  expect(report.created?.left).toBe(Object.values(target.left()).flat().length);
  expect(target.isUntouched()).toBe(true);
});

test.each([
  ['nothing', () => ({ status: 204 })],
  ['a message', () => ({ status: 200, body: { message: 'created' } })],
  [
    'an id that is not its',
    (_path: string, { body }: Answer) => ({ status: 201, body: { ...(body as object), id: crypto.randomUUID() } }),
  ],
])('what a create made that shows %s is told of', async (_what, change) => {
  const { report, target } = await judgedAnswering(change);
  expect(report.created?.made).toBeGreaterThan(0);
  expect(report.created?.left).toBeGreaterThanOrEqual(Object.values(target.left()).flat().length);
  expect(target.isUntouched()).toBe(true);
});
