// Tests the course of things that are made by a PUT under a name which the sender chooses.
import { beforeAll, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isObject, type JsonObject } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { lifeExperiments } from './family.ts';

const PATH = '/kv/{key}';
const text = { type: 'string' };
const content = {
  'application/json': {
    schema: { type: 'object', required: ['note'], properties: { key: text, note: text, tag: text } },
  },
};
const one = { responses: { 200: { description: 'One', content } } };
let store: Description;
beforeAll(async () => {
  const parameters = [{ name: 'key', in: 'path', required: true, schema: text }];
  const put = { requestBody: { required: true, content }, ...one };
  const gone = { responses: { 204: { description: 'Gone' } } };
  store = await loadShop({
    [PATH]: { parameters, get: one, put, delete: gone },
    '/settings/{key}': { parameters, get: one, put },
  });
});

interface Ways {
  /** The value that it keeps of what was sent. */
  readonly keep?: (sent: JsonObject) => JsonObject;
  /** Status of a PUT under a name that is new. */
  readonly made?: number;
  readonly isForgetful?: boolean;
}

/** The clauses that the course on such a store blames, and what it holds in the end. */
async function lived({ keep = (sent) => sent, made = 200, isForgetful = false }: Ways = {}, path = PATH) {
  let nowMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const world = worldWith({ contract: 'openapi', timing: { now: () => nowMs, sleep } });
  const kept = new Map<string, JsonObject>([[path.replace('{key}', 'theirs'), { key: 'theirs', note: 'old' }]]);
  const plans: RequestPlan[] = [];
  const put = ({ path: at, body }: RequestPlan) => {
    const value = body.kind === 'json' && isObject(body.value) ? body.value : {};
    if (typeof value.note !== 'string') return { status: 400, body: { message: 'note is missing' } };
    const status = kept.has(at) ? 200 : made;
    const { note, tag } = value;
    kept.set(at, {
      ...keep({ note, ...(tag === undefined ? {} : { tag }) }),
      key: decodeURIComponent(at.slice(PATH.indexOf('{'))),
    });
    return { status, body: kept.get(at) };
  };
  const answered = (plan: RequestPlan) => {
    const was = kept.get(plan.path);
    if (plan.method === 'PUT') return put(plan);
    if (was === undefined) return { status: 404, body: { message: 'Not found' } };
    if (plan.method === 'GET') return { status: 200, body: was };
    if (!isForgetful) kept.delete(plan.path);
    return { status: 204 };
  };
  const reached = ['GET', 'PUT', 'DELETE']
    .filter((method) => store.operations.some(({ key }) => key === `${method} ${path}`))
    .map((method) => reachedWith(world, store, `${method} ${path}`, { key: 'theirs' }));
  const blamed = new Set<string>();
  for (const course of lifeExperiments(world, reached)) {
    const outcomes = await course.converse(async (plan) => {
      plans.push(plan);
      nowMs += 10;
      const last = { ...exchangeWith({ plan, ...answered(plan) }), sentAt: nowMs };
      return { last, attempts: [last] };
    });
    for (const { clause, judgement } of outcomes) if (judgement.kind === 'breached') blamed.add(clause);
  }
  return { blamed: [...blamed].toSorted(), plans, theirs: kept.get(path.replace('{key}', 'theirs')) };
}

it.each([200, 201])(
  'is blamed for nothing on a sound store that answers %i, and leaves alone what was there',
  async (made) => {
    const { blamed, plans, theirs } = await lived({ made });
    expect(blamed.filter((clause) => clause !== 'LIFE-08')).toEqual([]);
    expect(theirs).toEqual({ key: 'theirs', note: 'old' });
    const makers = plans.filter(({ method, makes }) => method === 'PUT' && makes === 'named');
    expect(new Set(makers.map(({ path }) => path)).size).toBe(makers.length);
    expect(makers.length).toBeGreaterThan(1);
  },
);

it('finds what a store loses of what was sent, and what it goes on to serve after a delete', async () => {
  const losing = await lived({ keep: (sent) => ({ ...sent, note: 'another' }) });
  expect(losing.blamed).toContain('LIFE-02');
  expect((await lived({ isForgetful: true })).blamed).toContain('LIFE-04');
});

it('makes nothing under a name of its own where nothing deletes it again', async () => {
  expect((await lived({}, '/settings/{key}')).plans).toEqual([]);
});
