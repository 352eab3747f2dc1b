import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop, worldWith } from '../../../test/support/probes/world.ts';
import { type Bench, benchWith, getting, type Script, sending } from '../../../test/support/run/test-session.ts';
import type { CreationLimits } from '../../config/config.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { NotSent } from '../../probes/probe.ts';
import { Undoer } from '../perform/clean-up.ts';
import { Originals } from '../perform/originals.ts';
import { type CreationJournal, unwrittenJournal } from './journal.ts';

const PRODUCTS = '/api/v1/products';
const REGISTER = '/api/v1/auth/register';
const SPOT = { service: 'admin', operation: `POST ${REGISTER}` };

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const posting = (path: string, changes: Partial<RequestPlan> = {}): RequestPlan =>
  getting(path, { method: 'POST', operation: `POST ${path}`, ...changes });

/** A run whose POSTs make one object each, unless `refuses` says otherwise, and whose DELETEs delete. */
function running(
  limits: CreationLimits,
  { refuses = () => false, journal }: { refuses?: (plan: RequestPlan) => boolean; journal?: CreationJournal } = {},
): Bench & { readonly sent: () => readonly string[] } {
  let made = 0;
  const script: Script = (plan) => {
    if (plan.method === 'DELETE') return { status: 204 };
    if (plan.method === 'GET') return { status: 404 };
    return refuses(plan) ? { status: 400 } : { status: 201, body: { id: `id-${++made}` } };
  };
  const bench = benchWith(shop, script, {
    inRun: (clause) => clause === 'REQ-07',
    limits,
    ...(journal === undefined ? {} : { journal }),
  });
  const { session, catalogue, creations, bound, plans } = bench;
  bound.undoBy(
    new Undoer({
      session,
      world: worldWith(),
      originals: new Originals({ world: worldWith(), catalogue, creations }),
      catalogue,
      creations,
      journal: unwrittenJournal(),
      pause: async () => {},
    }),
  );
  return { ...bench, sent: () => plans.map(({ method, path }) => `${method} ${path.replace(`${PRODUCTS}/`, '')}`) };
}
const FEW = { perOperation: 5, total: 200 };

describe('what cannot be deleted', () => {
  const registering = (count: number, changes: Partial<RequestPlan> = {}) =>
    sending(Array(count).fill(posting(REGISTER, changes)), { clauses: ['REQ-07'], operation: `POST ${REGISTER}` });

  it('is made one time less than may be, until what should be refused has been sent', async () => {
    const { session, creations, bound } = running(FEW);
    await session.perform(registering(9));
    expect(creations.count()).toBe(4);
    await session.perform(registering(9, { makes: 'nothing' }));
    expect(creations.count()).toBe(5);
    bound.spendReserve();
    await session.perform(registering(9));
    expect(creations.count()).toBe(5);
  });

  it('is no reason not to send what is refused', async () => {
    const { session, plans } = running(FEW, { refuses: ({ makes }) => makes === 'nothing' });
    await session.perform(registering(9));
    await session.perform(registering(9, { makes: 'nothing' }));
    expect(plans).toHaveLength(4 + 9);
  });

  it('ends an experiment, and its clauses are told as untested with the reason', async () => {
    const { session, ledger, bound } = running(FEW);
    await session.perform(registering(9));
    expect(ledger.tallies('REQ-07').get(`admin POST ${REGISTER}`)).toMatchObject({
      checks: 0,
      reasonCode: 'precondition',
      reason: `limits.created is reached: POST ${REGISTER} made 4 objects that are there (perOperation: 5)`,
    });
    expect(bound.heldBack.get(`admin POST ${REGISTER}`)).toBe(1);
  });

  it('is bounded in all, a tenth kept for what should be refused', async () => {
    const { session, creations, bound } = running({ perOperation: 50, total: 10 });
    await session.perform(registering(20));
    expect(creations.count()).toBe(9);
    await expect(session.send(posting(REGISTER))).rejects.toThrow(/9 objects of this run are there \(total: 10\)/);
    bound.spendReserve();
    await session.perform(registering(20));
    expect(creations.count()).toBe(10);
  });

  it('counts what earlier runs left, for half of a limit at most', async () => {
    const { session, creations, bound } = running(FEW);
    for (const id of ['a', 'b', 'c', 'd'])
      creations.inherit({
        ...{ ...SPOT, collection: REGISTER, id, path: `${REGISTER}/${id}`, deleter: null, ours: true },
        credential: { kind: 'none' },
      });
    expect(bound.isSpare(shop.operations.find(({ key }) => key === SPOT.operation)!)).toBe(true);
    expect(bound.roomOf(SPOT)).toBe(3);
    bound.spendReserve();
    await session.perform(registering(9));
    expect(creations.count()).toBe(3);
    await expect(session.send(posting(REGISTER))).rejects.toThrow('are there, and 4 of earlier runs (perOperation: 5)');
    expect(creations.left()).toHaveLength(3);
  });

  it('is shared by experiments once something was made, unless much may be', async () => {
    const operation = shop.operations.find(({ key }) => key === SPOT.operation)!;
    const few = running(FEW);
    expect(few.bound.isSpare(operation)).toBe(false);
    await few.session.perform(registering(1));
    expect(few.bound.isSpare(operation)).toBe(true);
    const much = running({ perOperation: 500, total: 5000 });
    await much.session.perform(registering(1));
    expect(much.bound.isSpare(operation)).toBe(false);
  });
});

describe('what can be deleted', () => {
  it('makes room when it is not needed any more, the oldest first', async () => {
    const { session, creations, sent } = running({ perOperation: 2, total: 200 });
    await session.perform(sending(Array(4).fill(posting(PRODUCTS))));
    expect(sent()).toEqual([
      ...[`POST ${PRODUCTS}`, `POST ${PRODUCTS}`],
      // The first time it is looked whether the deletion is true.
      ...['DELETE id-1', 'GET id-1', `POST ${PRODUCTS}`],
      ...['DELETE id-2', `POST ${PRODUCTS}`],
    ]);
    expect(creations.count()).toBe(2);
  });

  it('that a probe deletes is looked for until its DELETE was once seen to be true', async () => {
    const { session, sent } = running(FEW);
    const deleting = (id: string): RequestPlan => {
      const operation = `DELETE ${PRODUCTS}/{productId}`;
      return getting(`${PRODUCTS}/${id}`, { method: 'DELETE', operation });
    };
    for (const id of ['id-1', 'id-2', 'id-3']) await session.perform(sending([posting(PRODUCTS), deleting(id)]));
    expect(sent().filter((one) => one.startsWith('GET'))).toEqual(['GET id-1']);
  });

  it('stays while the run or the experiment needs it, and the experiment ends where nothing makes room', async () => {
    const { session, creations, sent } = running({ perOperation: 2, total: 200 });
    const kept = [posting(PRODUCTS, { needed: 'run' }), posting(PRODUCTS, { needed: 'experiment' }), posting(PRODUCTS)];
    await session.perform(sending(kept));
    expect(sent()).toEqual([`POST ${PRODUCTS}`, `POST ${PRODUCTS}`]);
    await session.perform(sending([posting(PRODUCTS), posting(PRODUCTS)]));
    expect(sent().filter((one) => one.startsWith('DELETE'))).toEqual(['DELETE id-2', 'DELETE id-3']);
    expect(creations.left().map(({ id }) => id)).toEqual(['id-4', 'id-1']);
  });

  it('is needed for one turn until its experiment asks for that of the next', async () => {
    const { session, sent } = running({ perOperation: 3, total: 200 });
    await session.perform(sending(Array(5).fill(posting(PRODUCTS, { needed: 'turn' }))));
    expect(sent().filter((one) => one.startsWith('POST'))).toHaveLength(5);
  });

  it('is waited for by those at once that have no room until others are answered', async () => {
    const { session, creations, plans } = running({ perOperation: 3, total: 200 });
    await Promise.all(Array.from({ length: 6 }, () => session.send(posting(PRODUCTS))));
    expect(creations.count()).toBeLessThanOrEqual(3);
    expect(plans.filter(({ method }) => method === 'POST')).toHaveLength(6);
  });
});

it('nothing is made that could not be written down', async () => {
  const journal: CreationJournal = {
    ...unwrittenJournal(),
    intend() {
      throw new Error('no space left on device');
    },
  };
  const { session, plans } = running(FEW, { journal });
  await expect(session.send(posting(PRODUCTS))).rejects.toThrow(NotSent);
  expect(plans).toEqual([]);
});

it('a request is written down before it is sent, with its key and the text that only it holds', async () => {
  const seen: [unknown, number][] = [];
  let plansSent = (): number => 0;
  const journal: CreationJournal = {
    ...unwrittenJournal(),
    intend(intent) {
      seen.push([intent, plansSent()]);
      return seen.length;
    },
  };
  const { session, plans } = running(FEW, { journal });
  plansSent = () => plans.length;
  const body = { kind: 'json', value: { name: 'assay-run-7-abcdef' } } as const;
  await session.send(posting(PRODUCTS, { body, headers: [['idempotency-key', 'k-1']] }));
  const [intent] = seen;
  expect(intent).toEqual([
    {
      service: 'admin',
      operation: `POST ${PRODUCTS}`,
      path: PRODUCTS,
      key: 'std-1',
      idempotencyKey: 'k-1',
      mark: 'run-7-abcdef',
    },
    0,
  ]);
});
