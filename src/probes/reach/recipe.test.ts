import { describe, expect, it } from 'vitest';
import { loadShop, operationOf, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { fillPath } from '../../facts/paths.ts';
import type { FixedInput } from '../../openapi/model/operation.ts';
import { drawFor, ordinaryCredential } from '../world.ts';
import { cookieText, firstRecipe, planOf, queryText } from './recipe.ts';

it('a path is filled percent-encoded, each value one segment', () => {
  expect(fillPath('/a/{x}/b/{y}', { x: 'p/q', y: 'é?#' })).toBe('/a/p%2Fq/b/%C3%A9%3F%23');
  expect(fillPath('/a/{x}', { x: '\ud800' })).toBe('/a/%EF%BF%BD');
  expect(
    queryText([
      ['a', '1&2'],
      ['b c', '\ud800'],
    ]),
  ).toBe('a=1%262&b%20c=%EF%BF%BD');
  // A query that is one text as a whole.
  expect(queryText([['', '{"a":"&="}']])).toBe('%7B%22a%22%3A%22%26%3D%22%7D');
});

it('a cookie holds its value as it is, but for what no cookie may hold', () => {
  expect(
    cookieText([
      ['ids', '1,2'],
      ['since', '2026-01-31T10:00:00Z'],
      ['key', 'YQ+/=='],
      ['odd name', 'a;b "c" 5% é'],
    ]),
  ).toBe('ids=1,2; since=2026-01-31T10:00:00Z; key=YQ+/==; odd%20name=a%3Bb%20%22c%22%205%25%20%C3%A9');
});

describe('a first recipe', () => {
  const required = (name: string, place: string, schema: unknown) => ({ name, in: place, required: true, schema });
  const paths = {
    '/api/v1/stores/process-payment': {
      post: {
        parameters: [
          required('Idempotency-Key', 'header', { type: 'string' }),
          required('mode', 'query', { type: 'string', enum: ['test'] }),
          { name: 'optional', in: 'query', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'Paid' } },
      },
    },
  };
  interface Wish {
    readonly nonce: string;
    readonly probe: string;
    readonly change: Partial<RequestPlan>;
    readonly paths: Record<string, unknown>;
    readonly key: string;
    readonly fixed?: FixedInput;
    /** Set: the contract binds the laws of keys to the operation. */
    readonly keyed?: true;
  }
  const PAYMENT: Wish = {
    nonce: 'run-7',
    probe: 'test',
    change: {},
    paths,
    key: 'POST /api/v1/stores/process-payment',
  };
  const planned = async (label: string, wish: Partial<Wish> = {}): Promise<RequestPlan> => {
    const { nonce, probe, change, paths: described, key, fixed, keyed } = { ...PAYMENT, ...wish };
    const description = await loadShop(described);
    const world = worldWith({ nonce });
    const marks = { ...(fixed === undefined ? {} : { fixed }), ...(keyed === undefined ? {} : { keyed }) };
    const operation = { ...operationOf(description, key), ...marks };
    const recipe = firstRecipe(description, operation, {}, ordinaryCredential(world, operation), drawFor(world, 'a0'));
    return planOf(recipe, probe, drawFor(world, label), change);
  };
  const keyIn = ({ headers }: RequestPlan): string | undefined =>
    headers.find(([name]) => name === 'Idempotency-Key')?.[1];

  it('sends what the configuration fixes, optional parameters too, with the key that it names', async () => {
    const fixed = { body: {}, parameters: { optional: 'always', mode: 'live' }, key: 'std-1' };
    const { query, credential } = await planned('a', { fixed });
    expect({ query, credential }).toEqual({
      query: 'mode=live&optional=always',
      credential: { kind: 'key', name: 'std-1' },
    });
  });

  it('sends the required parameters and leaves out the optional ones', async () => {
    const { query, headers, body } = await planned('a');
    expect({ query, names: headers.map(([name]) => name), body }).toEqual({
      query: 'mode=test',
      names: ['Idempotency-Key'],
      body: { kind: 'none' },
    });
  });

  it('has an idempotency key of its own for every request, and for every run', async () => {
    const plans = [
      await planned('a'),
      await planned('b'),
      await planned('a', { nonce: 'run-8' }),
      await planned('a', { probe: 'other' }),
      await planned('a', { change: { body: { kind: 'json', value: { amount: 1 } } } }),
      await planned('a', { change: { credential: { kind: 'none' } } }),
    ];
    expect(new Set(plans.map(keyIn)).size).toBe(plans.length);
    expect(keyIn(await planned('a'))).toBe(keyIn(await planned('a')));
  });

  it('has a key on the operations that the contract binds to keys, declared or not, and on no other', async () => {
    const responses = { 200: { description: 'Yes' } };
    const undeclared = { '/api/v1/stores': { post: { responses } }, '/api/v1/boxes': { post: { responses } } };
    expect(keyIn(await planned('a', { paths: undeclared, key: 'POST /api/v1/stores', keyed: true }))).toMatch(
      /^run-7-/,
    );
    expect(keyIn(await planned('a', { paths: undeclared, key: 'POST /api/v1/boxes' }))).toBeUndefined();
  });
});
