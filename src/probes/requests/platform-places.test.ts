import { describe, expect, it } from 'vitest';
import { errorExchange, errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, MAIN_KEY, OTHER_KEY, worldWith } from '../../../test/support/probes/world.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { judgeInternal, judgeLive, judgeSecondVersion, placeExperiments } from './platform-places.ts';

const world = worldWith();
const INTERNAL = ['a', 'b', 'c'].map((name) => `/api/internal/${name}`);
const NOWHERE = { unknown: [], internal: [] };
const NEXT = ['/api/v2', '/api/v2/stores'];
const all = placeExperiments(world, {
  unknown: ['/api/v1/assay-run-7', '/api/v1/stores/assay'],
  internal: INTERNAL,
  next: NEXT,
});
const plans = all.flatMap((experiment) => drive(experiment.run(), () => ({})).plans);

describe('probes on the target as a whole', () => {
  it('only read, and belong to no operation', () => {
    for (const plan of plans)
      expect(plan).toMatchObject({ method: 'GET', service: null, operation: null, retry: 'never' });
  });

  it('look at each clause once in the lean pass', () => {
    const lean = all.filter(({ stage }) => stage === 'lean').flatMap(({ clauses }) => clauses);
    expect(lean.toSorted()).toEqual(['HEALTH-01', 'INT-01', 'REQ-01', 'VER-03']);
  });

  it('ask liveness without a token, everything else with the key', () => {
    const withoutKey = plans.filter(({ credential }) => credential.kind !== 'key').map(({ path }) => path);
    expect(withoutKey).toEqual(['/api/health/live']);
  });

  it('ask every internal endpoint once with every key, with parameters and without', () => {
    const internal = plans.filter(({ path }) => path.startsWith('/api/internal/'));
    const asked = new Map(
      [...Map.groupBy(internal, ({ path }) => path)].map(([path, sent]) => [
        path,
        {
          keys: sent
            .map(({ credential }) => (credential.kind === 'key' ? credential.name : credential.kind))
            .toSorted(),
          queries: sent.map(({ query }) => query).toSorted(),
        },
      ]),
    );
    expect(asked.size).toBe(INTERNAL.length);
    for (const [path, { keys, queries }] of asked) {
      expect(keys, path).toEqual([MAIN_KEY.name, OTHER_KEY.name]);
      expect(queries, path).toEqual(['', 'limit=1']);
    }
  });

  it('ask for every second place that is not there in another language', () => {
    const inGerman = (probe: string): readonly boolean[] =>
      plans
        .filter((plan) => plan.probe === probe)
        .map(({ headers }) => headers.some(([name, value]) => name === 'Accept-Language' && value.startsWith('de')));
    for (const told of [inGerman('place/unknown'), inGerman('place/internal')])
      expect(told).toEqual(told.map((_, index) => index % 2 === 1));
  });

  describe('that were asked for before', () => {
    const { plan } = exchangeWith({});
    const ofPlace = (path: string, changes = {}) =>
      exchangeWith({ plan: { ...plan, path, query: '', credential: { kind: 'none' } }, ...changes });
    const live = (answered: readonly Exchange[]) => {
      const found = placeExperiments(worldWith(), NOWHERE, answered).find(({ probe }) => probe === 'place/health');
      if (found === undefined) throw new Error('no place/health');
      return {
        cost: found.cost,
        run: () => found.run(),
      };
    };

    it('are judged by that answer, and sent to look again', () => {
      const { cost, run } = live([ofPlace('/api/health/live', { status: 503 })]);
      const { plans, outcomes } = drive(run(), () => ({}));
      expect(cost).toBe(0);
      expect(plans).toEqual([]);
      expect(outcomes).toMatchObject([{ clause: 'HEALTH-01', judgement: { kind: 'breached' } }]);
      expect(drive(run(), () => ({})).plans).toHaveLength(1);
    });

    it.each([
      [2, 'holds'],
      [3, 'breached'],
    ])('are looked at again over connections of which %i are lost: %s', (lost, kind) => {
      const { run } = live([ofPlace('/api/health/live', { status: 200 })]);
      drive(run(), () => ({}));
      const again = drive(run(), (_, index) => (index < lost ? { response: null } : { status: 200 }));
      expect(again.outcomes).toMatchObject([{ clause: 'HEALTH-01', judgement: { kind } }]);
    });

    it.each([
      ['another place was asked for', '/api/health', {}],
      ['nothing was answered', '/api/health/live', { response: null }],
    ])('are asked for where %s', (_where, path, changes) => {
      const { cost, run } = live([ofPlace(path, changes)]);
      expect(cost).toBe(1);
      expect(drive(run(), () => ({ status: 200 })).plans).toHaveLength(1);
    });
  });

  it('are liveness and the second version alone where there is no key', () => {
    const keyless = placeExperiments(worldWith({ mainKey: null, keys: [] }), {
      next: NEXT,
      unknown: ['/api/v1/x'],
      internal: INTERNAL,
    });
    expect([...new Set(keyless.flatMap(({ clauses }) => clauses))]).toEqual(['HEALTH-01', 'VER-03']);
  });
});

it.each([
  [200, 'holds'],
  [204, 'breached'],
  [401, 'breached'],
  [404, 'breached'],
  [429, 'cannot-tell'],
  [503, 'breached'],
])('HEALTH-01 for a %i: %s', (status, kind) => {
  expect(judgeLive(exchangeWith({ status }), world).kind).toBe(kind);
  expect(judgeLive(exchangeWith({ response: null }), world).kind).toBe('breached');
});

it.each([
  [200, 'breached'],
  [204, 'breached'],
  [302, 'holds'],
  [401, 'holds'],
  [403, 'holds'],
  [404, 'holds'],
  [429, 'cannot-tell'],
  [500, 'cannot-tell'],
])('INT-01 for a %i: %s', (status, kind) => {
  expect(judgeInternal(exchangeWith({ status })).kind).toBe(kind);
  expect(judgeInternal(exchangeWith({ response: null })).kind).toBe('cannot-tell');
});

it('VER-03 is never more than an observation', () => {
  for (const exchange of [exchangeWith(), errorExchange(), errorExchange(errorObject({ status: 401 }))]) {
    expect(judgeSecondVersion(exchange, NEXT)).toMatchObject({
      kind: 'breached',
      breaches: [{ weight: 'observation' }],
    });
  }
  expect(judgeSecondVersion(exchangeWith({ status: 503 }), NEXT).kind).toBe('cannot-tell');
});

it('HEALTH-01 is asked for where there was no answer, three times at most', () => {
  const live = all.find(({ clauses }) => clauses.includes('HEALTH-01'));
  const told = (...answers: readonly object[]) =>
    live === undefined ? null : inWords(drive(live.run(), (_plan, index) => answers[index] ?? {}).outcomes);
  const lost = { response: null };
  expect(told(lost, lost, { status: 200 })).toEqual(['HEALTH-01 holds']);
  expect(told(lost, lost, lost, { status: 200 })).toEqual([expect.stringContaining('HEALTH-01 breached')]);
  expect(told({ status: 503 })).toEqual([expect.stringContaining('HEALTH-01 breached')]);
});
