import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { getting, sending } from '../../../test/support/run/test-session.ts';
import type { Experiment } from '../../probes/probe.ts';
import { depthPerOperation, heldTo, heldToBudget, repetitions, seldomRead } from './depth.ts';

const on = (operation: string | null, rank: number, changes: Partial<Experiment> = {}): Experiment =>
  sending([getting('/api/v1/products')], { stage: 'depth', operation, rank, clauses: ['REQ-04'], ...changes });

describe('depth', () => {
  it('has as much for each operation whatever shard it is in, and less the more operations there are', () => {
    expect(depthPerOperation(1674)).toBe(18);
    expect(depthPerOperation(30)).toBe(1000);
    expect(depthPerOperation(0)).toBeGreaterThan(0);
  });

  it('is held by cost on each operation, lower ranks first, in the order given', () => {
    const experiments = [on('GET a', 9), on('GET a', 1, { cost: 2 }), on('GET a', 5), on('GET b', 9)];
    expect(heldTo(3, experiments)).toEqual([experiments[1], experiments[2], experiments[3]]);
  });

  it('passes over what has nothing to send, and asks no further than it goes', () => {
    const asked: number[] = [];
    const asking = (rank: number, stands: boolean): Experiment =>
      on('GET a', rank, {
        stands: () => {
          asked.push(rank);
          return stands;
        },
      });
    const experiments = [asking(1, false), asking(2, true), asking(3, true), asking(4, true)];
    expect(heldTo(2, experiments)).toEqual([experiments[1], experiments[2]]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('leaves alone the lean pass and what concerns no operation', () => {
    const experiments = [on('GET a', 1, { stage: 'lean' }), on('GET a', 2), on(null, 1), on(null, 1)];
    expect(heldTo(0, experiments)).toEqual([experiments[0], experiments[2], experiments[3]]);
  });

  it('that no budget could pay for is not held, each operation having its first before any has its second', () => {
    const [a1, a2, a3] = [on('GET a', 5), on('GET a', 5), on('GET a', 5)];
    const [b1, b2] = [on('GET b', 5), on('GET b', 9)];
    const lean = on('GET a', 1, { stage: 'lean' });
    expect(heldToBudget(1, [lean, a1, a2, a3, b1, b2])).toEqual([lean, a1, b1, b2]);
    expect(heldToBudget(null, [a1, a2, a3])).toEqual([a1, a2, a3]);
  });

  it('is not held where a budget or a time limit says how far it goes', () => {
    const experiments = [on('GET a', 1, { cost: 1000 })];
    expect(heldTo(Number.POSITIVE_INFINITY, experiments)).toEqual(experiments);
  });

  it('calls what can be read, and nothing else, until it succeeded seven times', async () => {
    const shop = await loadShop();
    const world = worldWith();
    const reached = ['GET /api/v1/products', 'POST /api/v1/products'].map((key) => reachedWith(world, shop, key));
    let successes = 2;
    const calls = seldomRead(world, reached, () => successes);
    expect(calls.map(({ operation }) => operation)).toEqual(new Array(5).fill('GET /api/v1/products'));
    expect(calls.every(({ stands }) => stands?.() === true)).toBe(true);
    successes = 7;
    expect(calls.every(({ stands }) => stands?.() === false)).toBe(true);
    expect(seldomRead(world, reached, () => successes)).toEqual([]);
  });

  it('calls a stream without an end no further time', async () => {
    const shop = await loadShop();
    const world = worldWith();
    const one = reachedWith(world, shop, 'GET /api/v1/products');
    const events = exchangeWith({
      headers: [['content-type', 'text/event-stream']],
      body: 'data: 1\n\n',
      response: { truncated: true },
    });
    const answered = (durationMs: number): typeof one => ({ ...one, proof: { ...events, durationMs } });
    expect(repetitions(world, [answered(1000)], [], 1)).toEqual([]);
    expect(repetitions(world, [answered(20)], [], 1)).toHaveLength(7);
  });
});
