import { describe, expect, it } from 'vitest';
import { getting, sending } from '../../../test/support/run/test-session.ts';
import type { Experiment } from '../../probes/probe.ts';
import { byNeed, worthOf } from './by-need.ts';

const on = (operation: string, clauses: readonly string[], changes: Partial<Experiment> = {}): Experiment =>
  sending([getting('/api/v1/products')], { stage: 'lean', operation, clauses, ...changes });
const resourceOf = ({ operation }: { operation: string | null }): string => operation?.split(' ')[1] ?? '';
/** Turns as the operations in them. */
const told = (turns: ReturnType<typeof byNeed>): readonly (readonly (string | null)[])[] =>
  turns.map(({ experiments }) => experiments.map(({ operation }) => operation));
const named = (method: string, names: string, clauses: readonly string[], changes: Partial<Experiment> = {}) =>
  [...names].map((name) => on(`${method} ${name}`, clauses, changes));

describe('the order within a budget', () => {
  it('looks at each clause once before it looks at any a second time', () => {
    const turns = byNeed(
      { first: [...named('GET', 'ab', ['AUTH-01']), ...named('POST', 'ab', ['REQ-08'])], further: [] },
      resourceOf,
    );
    expect(told(turns)[0]).toEqual(['GET a', 'POST a']);
    expect(turns[0]?.worthPerRequest).toBeNull();
    expect(turns.slice(1).every(({ worthPerRequest }) => worthPerRequest !== null)).toBe(true);
  });

  it('goes on with what is gravest for the fewest requests', () => {
    const first = [
      ...named('PUT', 'ab', ['REQ-08']),
      ...named('GET', 'ab', ['AUTH-02'], { cost: 5 }),
      ...named('PATCH', 'ab', ['AUTH-01']),
    ];
    const [, ...rest] = told(byNeed({ first, further: [] }, resourceOf));
    expect(rest).toEqual([['PATCH b'], ['PUT b'], ['GET b']]);
  });

  it('gives way to lesser clauses as one clause was looked at on more operations', () => {
    const first = [...named('GET', 'abcdefghijklmnop', ['AUTH-01']), ...named('PUT', 'abc', ['REQ-08'])];
    const [, ...rest] = told(byNeed({ first, further: [] }, resourceOf));
    expect(rest.map((turn) => [turn[0]?.split(' ')[0], turn.length])).toEqual([
      ['GET', 1],
      ['GET', 2],
      ['PUT', 1],
      ['GET', 4],
      ['PUT', 1],
      ['GET', 8],
    ]);
  });

  it('takes the first experiment in each resource before the second in any', () => {
    const first = ['GET x', 'GET a', 'PUT a', 'GET b'].map((operation) => on(operation, ['AUTH-01']));
    expect(told(byNeed({ first, further: [] }, resourceOf))).toEqual([['GET x'], ['GET a'], ['GET b', 'PUT a']]);
  });

  it('looks at a grave clause further before first looks at forms go on for long', () => {
    const first = named('GET', 'abcdefgh', ['VER-01']);
    const further = [on('POST a', ['AUTH-01'], { stage: 'depth', leaves: 0 })];
    const order = told(byNeed({ first, further }, resourceOf)).map(([operation]) => operation);
    expect(order).toEqual(['GET a', 'POST a', 'GET b', 'GET c', 'GET e']);
  });

  it('begins anew with each kind of look at one clause', () => {
    const first = ['none', 'basic'].flatMap((kind) => named('GET', 'abc', ['AUTH-02'], { kind }));
    const [, ...rest] = byNeed({ first, further: [] }, resourceOf);
    expect(rest.map(({ experiments }) => experiments.map(({ kind }) => kind).join())).toEqual([
      'none',
      'basic',
      'none',
      'basic,basic',
    ]);
  });

  it('does not open with what the first calls have shown already', () => {
    const first = [on('GET a', ['AUTH-01']), on('POST a', ['SCH-01', 'SCH-06'])];
    expect(told(byNeed({ first, further: [] }, resourceOf))).toEqual([['GET a'], ['POST a']]);
  });

  it('ends with what can only be observed, and opens with it where this run judges it', () => {
    const first = [...named('PUT', 'a', ['AUTH-08']), ...named('GET', 'ab', ['HEALTH-01'])];
    const turns = byNeed({ first, further: [] }, resourceOf);
    expect(told(turns)).toEqual([['GET a'], ['GET b'], ['PUT a']]);
    expect(turns.at(-1)?.worthPerRequest).toBe(0);
    const [opening] = byNeed({ first, further: [], demanded: ['AUTH-08'] }, resourceOf);
    expect(opening).toMatchObject({
      worthPerRequest: null,
      experiments: [{ operation: 'PUT a' }, { operation: 'GET a' }],
    });
  });

  it('counts what is to be deleted in the end among the requests of what makes it', () => {
    const further = [
      on('POST a', ['IDEM-04'], { kind: 'leaving', cost: 4 }),
      on('PUT a', ['IDEM-04'], { kind: 'clean', cost: 6 }),
    ];
    expect(told(byNeed({ first: [], further }, resourceOf))).toEqual([['PUT a'], ['POST a']]);
  });

  it('gives a turn to what takes no request', () => {
    const first = named('GET', 'ab', ['AUTH-06'], { cost: 0 });
    expect(told(byNeed({ first, further: [] }, resourceOf))).toEqual([['GET a'], ['GET b']]);
  });

  it('leaves nothing out and repeats nothing', () => {
    const first = ['GET a', 'GET a', 'GET b'].map((operation) => on(operation, ['AUTH-01', 'REQ-08']));
    const further = ['GET a', 'GET b'].map((operation, rank) => on(operation, ['SCH-01'], { stage: 'depth', rank }));
    const all = byNeed({ first, further }, resourceOf).flatMap(({ experiments }) => experiments);
    expect(new Set(all)).toEqual(new Set([...first, ...further]));
    expect(all).toHaveLength(5);
  });
});

it('what costs less is worth more of the same clause, and what is sent for no clause of its own is worth what its answer shows', () => {
  expect(worthOf(on('GET a', ['RATE-06'], { cost: 10 }))).toBeGreaterThan(
    worthOf(on('GET b', ['RATE-09'], { cost: 200 })),
  );
  expect(worthOf(on('GET c', []))).toBe(worthOf(on('GET c', ['SCH-01'])));
});
