import { describe, expect, it } from 'vitest';
import { getting, sending } from '../../../test/support/run/test-session.ts';
import type { Experiment } from '../../probes/probe.ts';
import { byYield, promiseOf } from './by-yield.ts';

const on = (operation: string, clauses: readonly string[], changes: Partial<Experiment> = {}): Experiment =>
  sending([getting('/api/v1/products')], { stage: 'lean', operation, clauses, ...changes });
const resourceOf = ({ operation }: { operation: string | null }): string => operation?.split(' ')[1] ?? '';
/** Turns as the operations in them. */
const told = (turns: ReturnType<typeof byYield>): readonly (readonly (string | null)[])[] =>
  turns.map(({ experiments }) => experiments.map(({ operation }) => operation));

describe('the order within a budget', () => {
  it('looks at each clause once before it looks at any a second time', () => {
    const first = [
      on('GET a', ['AUTH-01']),
      on('GET b', ['AUTH-01']),
      on('POST a', ['REQ-08']),
      on('POST b', ['REQ-08']),
    ];
    const turns = byYield({ first, further: [] }, resourceOf);
    expect(told(turns)[0]).toEqual(['GET a', 'POST a']);
    expect(turns[0]?.perRequest).toBeNull();
    expect(turns.slice(1).every(({ perRequest }) => perRequest !== null)).toBe(true);
  });

  it('goes on with what shows most faults per request, and ends with what never showed any', () => {
    const first = [
      ...['a', 'b', 'c'].map((name) => on(`PUT ${name}`, ['REQ-08'])),
      ...['a', 'b', 'c'].map((name) => on(`GET ${name}`, ['VER-01'], { cost: 5 })),
      ...['a', 'b', 'c'].map((name) => on(`POST ${name}`, ['AUTH-01'])),
    ];
    const [, ...rest] = told(byYield({ first, further: [] }, resourceOf));
    expect(rest).toEqual([
      ['POST b', 'POST c'],
      ['GET b', 'GET c'],
      ['PUT b', 'PUT c'],
    ]);
  });

  it('takes the first experiment in each resource before the second in any', () => {
    const first = ['GET x', 'GET a', 'PUT a', 'GET b'].map((operation) => on(operation, ['AUTH-01']));
    expect(told(byYield({ first, further: [] }, resourceOf))).toEqual([['GET x'], ['GET a', 'GET b'], ['PUT a']]);
  });

  it('looks at a clause further where that promises more than first looks elsewhere', () => {
    const first = ['GET a', 'GET b'].map((operation) => on(operation, ['VER-01'], { cost: 60 }));
    const further = [
      on('POST a', ['SCH-06'], { stage: 'depth', rank: 25 }),
      on('POST a', ['REQ-08'], { stage: 'depth' }),
    ];
    expect(told(byYield({ first, further }, resourceOf))).toEqual([['GET a'], ['POST a'], ['GET b'], ['POST a']]);
  });

  it('opens with each variant of a first look where variants show faults of their own', () => {
    const first = ['none', 'basic', 'none'].map((name) => on('GET a', ['AUTH-02'], { probe: `auth/invalid/${name}` }));
    expect(byYield({ first, further: [] }, resourceOf).map(({ experiments }) => experiments.length)).toEqual([2, 1]);
  });

  it('opens with each kind of refusal of what the description does not have', () => {
    const first = ['method/GET', 'media-type', 'method/GET'].map((name) =>
      on('POST a', ['REQ-06'], { probe: `request/${name}` }),
    );
    expect(byYield({ first, further: [] }, resourceOf).map(({ experiments }) => experiments.length)).toEqual([2, 1]);
  });

  it('does not open with what the first calls have shown already', () => {
    const first = [on('GET a', ['AUTH-01']), on('POST a', ['SCH-01', 'SCH-06'])];
    expect(told(byYield({ first, further: [] }, resourceOf))).toEqual([['GET a'], ['POST a']]);
  });

  it('ends with what can only be observed, the first look at it too', () => {
    const first = [
      ...['a', 'b'].map((name) => on(`PUT ${name}`, ['AUTH-08'])),
      ...['a', 'b'].map((name) => on(`GET ${name}`, ['HEALTH-01'])),
    ];
    const turns = byYield({ first, further: [] }, resourceOf);
    expect(told(turns)).toEqual([['GET a'], ['GET b'], ['PUT a', 'PUT b']]);
    expect(turns.at(-1)?.perRequest).toBe(0);
  });

  it('opens with what is only observed as a rule where this run judges it', () => {
    const first = ['a', 'b'].map((name) => on(`PUT ${name}`, ['AUTH-08']));
    const [opening, rest] = byYield({ first, further: [], demanded: ['AUTH-08'] }, resourceOf);
    expect(opening).toMatchObject({ perRequest: null, experiments: [{ operation: 'PUT a' }] });
    expect(rest?.perRequest).toBeGreaterThan(0);
  });

  it('counts what is to be deleted in the end among the requests of what makes it', () => {
    const further = [
      on('POST a', ['IDEM-04'], { probe: 'leaving', shows: 2, cost: 4 }),
      on('PUT a', ['IDEM-04'], { probe: 'clean', shows: 2, cost: 6 }),
    ];
    expect(told(byYield({ first: [], further }, resourceOf))).toEqual([['PUT a'], ['POST a']]);
  });

  it('weighs experiments of one name apart where they show more on some operations', () => {
    const courses = ([2, 5, 2] as const).map((shows, index) =>
      on(`POST ${'abc'[index]}`, ['LIFE-01'], { probe: 'life/course', shows, leaves: 0, cost: 5 }),
    );
    const turns = byYield({ first: [], further: courses }, resourceOf);
    expect(told(turns)).toEqual([['POST b'], ['POST a', 'POST c']]);
    expect(turns.map(({ perRequest }) => perRequest)).toEqual([1, 0.2]);
  });

  it('asks creates first what the catalogue has faults of on creates alone', () => {
    const opening = on('POST z', ['REQ-03']);
    const first = [opening, ...['PUT a', 'POST a', 'PATCH b', 'POST b'].map((operation) => on(operation, ['REQ-03']))];
    const turns = byYield({ first, further: [] }, resourceOf);
    expect(told(turns)).toEqual([['POST z'], ['POST a', 'POST b'], ['PUT a', 'PATCH b']]);
    expect(turns.at(-1)?.perRequest).toBeGreaterThan(0);
  });

  it('reads without an id first what the catalogue has faults of on such reads alone', () => {
    const first = ['GET z', 'PUT a', 'GET a/{id}', 'GET a', 'PUT b', 'GET b'].map((name) => on(name, ['AUTH-03']));
    const turns = byYield({ first, further: [] }, resourceOf);
    expect(told(turns)).toEqual([['GET z'], ['GET a', 'GET b'], ['PUT a', 'GET a/{id}', 'PUT b']]);
  });

  it('weighs experiments of one kind together, whatever else their names tell', () => {
    const first = ['a', 'b', 'c'].map((name) =>
      on(`GET ${name}`, ['AUTH-02'], { probe: `auth/invalid/none/${name}`, kind: 'auth/invalid/none' }),
    );
    expect(told(byYield({ first, further: [] }, resourceOf))).toEqual([['GET a'], ['GET b', 'GET c']]);
  });

  it('gives a turn to what takes no request', () => {
    const first = ['a', 'b'].map((name) => on(`GET ${name}`, ['AUTH-06'], { cost: 0 }));
    const turns = byYield({ first, further: [] }, resourceOf);
    expect(told(turns)).toEqual([['GET a'], ['GET b']]);
    expect(turns.at(-1)?.perRequest).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  it('leaves nothing out and repeats nothing', () => {
    const first = ['GET a', 'GET a', 'GET b'].map((operation) => on(operation, ['AUTH-01', 'REQ-08']));
    const further = ['GET a', 'GET b'].map((operation, rank) => on(operation, ['SCH-01'], { stage: 'depth', rank }));
    const all = byYield({ first, further }, resourceOf).flatMap(({ experiments }) => experiments);
    expect(new Set(all)).toEqual(new Set([...first, ...further]));
    expect(all).toHaveLength(5);
  });
});

it('what costs less promises more of the same clause, and a clause without faults promises nothing', () => {
  const [cheap, dear, idle] = [
    on('GET a', ['RATE-06'], { cost: 10 }),
    on('GET b', ['RATE-09'], { cost: 200 }),
    on('GET c', []),
  ];
  const promise = promiseOf([cheap, dear, idle]);
  expect(promise(cheap)).toBeGreaterThan(promise(dear));
  expect(promise(idle)).toBe(0);
});
