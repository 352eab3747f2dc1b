import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, worldWith } from '../../../test/support/probes/world.ts';
import { benchWith, getting, NONCE, type Script, sending } from '../../../test/support/run/test-session.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { unwrittenJournal } from '../books/journal.ts';
import { Undoer } from './clean-up.ts';
import { Originals } from './originals.ts';

const PRODUCTS = '/api/v1/products';
const REGISTER = '/api/v1/auth/register';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const posting = (path: string, changes: Partial<RequestPlan> = {}): RequestPlan =>
  getting(path, { method: 'POST', operation: `POST ${path}`, ...changes });

/** A run that makes one object at each path and undoes that; `answer` has the word on all else. */
async function undone(paths: readonly string[], answer: Script, idOf = (made: number) => `id-${made}`) {
  let made = 0;
  const script: Script = (plan, index): Changes =>
    plan.method === 'POST' ? { status: 201, body: { id: idOf(++made) } } : (answer(plan, index) as Changes);
  const { session, catalogue, creations, plans } = benchWith(shop, script, {
    inRun: () => false,
    limits: { perOperation: 9, total: 9 },
  });
  const pauses: number[] = [];
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms);
  };
  const originals = new Originals({ world: worldWith(), catalogue, creations });
  const journal = unwrittenJournal();
  const undoer = new Undoer({ session, world: worldWith(), catalogue, creations, journal, originals, pause });
  await session.perform(sending(paths.map((path) => posting(path))));
  const cost = undoer.cost();
  plans.length = 0;
  await undoer.undoAll();
  const sent = plans.map(({ method, path }) => `${method} ${path}`);
  return {
    left: creations.lines(),
    reasons: creations.byOperation().flatMap(({ reasons }) => reasons),
    sent,
    cost,
    pauses,
    plans,
    undoer,
  };
}

/** Deletes answer the status; reads answer 404 for what was deleted. */
const deleting =
  (status: number): Script =>
  ({ method }) =>
    method === 'DELETE' ? { status } : { status: 404 };

describe('the clean-up', () => {
  it('deletes with the described DELETE, newest first, and looks once whether that is true', async () => {
    const { left, sent, cost } = await undone([PRODUCTS, PRODUCTS], deleting(204));
    expect(left).toEqual([]);
    expect(sent).toEqual([`DELETE ${PRODUCTS}/id-2`, `GET ${PRODUCTS}/id-2`, `DELETE ${PRODUCTS}/id-1`]);
    expect(cost).toBe(3);
  });

  it.each([[{}], [null]])('believes a DELETE after which %j is read', async (body) => {
    const { left, sent } = await undone([PRODUCTS], ({ method }) =>
      method === 'DELETE' ? { status: 200 } : { status: 200, body },
    );
    expect(left).toEqual([]);
    expect(sent).toEqual([`DELETE ${PRODUCTS}/id-1`, `GET ${PRODUCTS}/id-1`]);
  });

  it('keeps requests of a budget for what an unanswered request may have made, where a list would show it', () => {
    const costOf = (path: string): number => {
      const { session, catalogue, creations } = benchWith(shop, () => ({}));
      const originals = new Originals({ world: worldWith(), catalogue, creations });
      const options = { session, world: worldWith(), catalogue, creations, journal: unwrittenJournal(), originals };
      creations.requests.announce(1, posting(path));
      return new Undoer({ ...options, pause: async () => {} }).cost();
    };
    expect([costOf(PRODUCTS), costOf(REGISTER)]).toEqual([2, 0]);
  });

  it('deletes what reading it shows to be of this run, and leaves what may be of others', async () => {
    const name = `assay-${NONCE}-pqrstu`;
    const leftWhere = async (shown: string): Promise<[sent: readonly string[], left: number]> => {
      const answers: Changes[] = [
        { status: 200, body: { id: 'p' } },
        { body: { id: 'p', name: shown } },
        { status: 204 },
        { status: 404 },
      ];
      const script: Script = (_plan, index) => answers[index] ?? {};
      const { session, catalogue, creations, plans } = benchWith(shop, script, { inRun: () => false });
      const originals = new Originals({ world: worldWith(), catalogue, creations });
      const options = { session, world: worldWith(), catalogue, creations, journal: unwrittenJournal(), originals };
      const undoer = new Undoer({ ...options, pause: async () => {} });
      await session.perform(sending([posting(PRODUCTS, { body: { kind: 'json', value: { name } } })]));
      await undoer.undoAll();
      expect(undoer.hasWork).toBe(false);
      return [plans.slice(1).map(({ method }) => method), creations.count()];
    };
    expect(await leftWhere(name)).toEqual([['GET', 'DELETE', 'GET'], 0]);
    expect(await leftWhere('of others')).toEqual([['GET'], 1]);
  });

  it('deletes nothing of which it only knows by the answer of its create that it is its own, while no reading is answered', async () => {
    const name = `assay-${NONCE}-pqrstu`;
    const sentWhere = async (shown: string): Promise<readonly string[]> => {
      const lost = { kind: 'reset', message: 'gone', reusedSocket: false } as const;
      const reads = [lost, { body: { id: 'p', name: shown } }];
      const script: Script = ({ method, path }) => {
        if (method === 'POST') return { status: 201, body: { id: 'p' } };
        if (method === 'DELETE') return { status: 204 };
        return path === `${PRODUCTS}/p` ? (reads.shift() ?? { status: 404 }) : {};
      };
      const { session, catalogue, creations, plans } = benchWith(shop, script, { inRun: () => false });
      const originals = new Originals({ world: worldWith(), catalogue, creations });
      const options = { session, world: worldWith(), catalogue, creations, journal: unwrittenJournal(), originals };
      await session.perform(sending([posting(PRODUCTS, { body: { kind: 'json', value: { name } } })]));
      await new Undoer({ ...options, pause: async () => {} }).undoAll();
      return plans.filter(({ path }) => path === `${PRODUCTS}/p`).map(({ method }) => method);
    };
    expect(await sentWhere(name)).toEqual(['GET', 'GET', 'DELETE', 'GET']);
    expect(await sentWhere('of others')).toEqual(['GET', 'GET']);
  });

  it('takes a thing that can be read for deleted where its state says so', async () => {
    const stateOf = async (state: string): Promise<number> => {
      const answer: Script = ({ method }) => (method === 'DELETE' ? {} : { body: { id: 'id-1', status: { state } } });
      return (await undone([PRODUCTS], answer)).left.length;
    };
    expect([await stateOf('deleted'), await stateOf('expired'), await stateOf('open')]).toEqual([0, 0, 1]);
  });

  it('lists what cannot be deleted, and why', async () => {
    const { left, reasons, sent } = await undone([PRODUCTS, REGISTER], deleting(409));
    expect(sent).toEqual([`DELETE ${PRODUCTS}/id-1`, `DELETE ${PRODUCTS}/id-1`]);
    expect(left).toEqual([`POST ${REGISTER} → id-2`, `POST ${PRODUCTS} → id-1`]);
    expect(reasons).toEqual(['its DELETE is answered 409', 'no DELETE is described']);
  });

  it('gives a DELETE up that is refused three times in a row', async () => {
    const { left, sent } = await undone(Array(6).fill(PRODUCTS), deleting(405));
    expect(left).toHaveLength(6);
    expect(sent).toHaveLength(3);
  });

  it('looks at the end whether what it could not delete has gone with the rest', async () => {
    let reads = 0;
    const { left, sent } = await undone(Array(5).fill(PRODUCTS), ({ method, path }) => {
      if (method === 'DELETE') return { status: path.endsWith('id-5') ? 200 : 500 };
      reads += 1;
      return { status: reads <= 4 ? 200 : 404 };
    });
    expect(sent.filter((one) => one.startsWith('DELETE'))).toHaveLength(3);
    expect(left).toEqual([]);
  });

  it('counts what is not there any more as gone, where another one was where its create says', async () => {
    const answer: Script = ({ method, path }) => ({ status: method === 'DELETE' && path.endsWith('id-2') ? 204 : 404 });
    expect((await undone([PRODUCTS, PRODUCTS], answer)).left).toEqual([]);
  });

  it('does not count as gone what never was where the answer of its create says', async () => {
    const { left, reasons } = await undone([PRODUCTS], deleting(404));
    expect(left).toEqual([`POST ${PRODUCTS} → id-1`]);
    expect(reasons).toEqual(['it is not found where the answer of its create says']);
  });

  it('does not count as gone what is not found by its name, where others were found by their ids', async () => {
    const name = 'assay-20261127-181937-47489c-lyqolt';
    const answer: Script = ({ method, path }) => ({ status: method === 'DELETE' && path.endsWith('id-2') ? 204 : 404 });
    const { left } = await undone([PRODUCTS, PRODUCTS], answer, (made) => (made === 1 ? name : 'id-2'));
    expect(left).toEqual([`POST ${PRODUCTS} → ${name}`]);
  });

  it.each([204, 202, 404])('does not believe a %i while the object can be read', async (status) => {
    const { left, reasons, pauses } = await undone([PRODUCTS], ({ method }) => ({
      status: method === 'DELETE' ? status : 200,
    }));
    expect(left).toEqual([`POST ${PRODUCTS} → id-1`]);
    expect(reasons).toEqual([`its DELETE is answered ${status}, and it can still be read`]);
    expect(pauses.length).toBeGreaterThan(0);
  });

  it('waits for a deletion that was only accepted', async () => {
    let reads = 0;
    const { left, pauses } = await undone([PRODUCTS], ({ method }) =>
      method === 'DELETE' ? { status: 202 } : { status: ++reads < 3 ? 200 : 404 },
    );
    expect(left).toEqual([]);
    expect(pauses).toEqual([200, 800]);
  });

  it('may use what of the budget is kept for it, and has nothing left to do then', async () => {
    const { plans, undoer } = await undone([PRODUCTS], deleting(204));
    expect(plans.every(({ undoes }) => undoes === true)).toBe(true);
    expect(undoer.hasWork).toBe(false);
  });

  it('finds what a request made that was never answered, by what only that request held', async () => {
    const mark = `${NONCE}-abcdef`;
    const script: Script = ({ method, path }) => {
      if (method === 'POST') return { kind: 'reset', message: 'gone', reusedSocket: false };
      if (method === 'DELETE') return { status: 204 };
      return path === PRODUCTS
        ? {
            body: [
              { id: 'theirs', name: 'x' },
              { id: 'lost', name: `assay-${mark}` },
            ],
          }
        : { status: 404 };
    };
    const { session, catalogue, creations, plans } = benchWith(shop, script, { inRun: () => false });
    const settled: unknown[] = [];
    const journal = { ...unwrittenJournal(), settle: (...told: readonly unknown[]) => settled.push(told) };
    const originals = new Originals({ world: worldWith(), catalogue, creations });
    const pause = async (): Promise<void> => {};
    const undoer = new Undoer({ session, world: worldWith(), catalogue, creations, journal, originals, pause });
    const body = { kind: 'json', value: { name: `assay-${mark}` } } as const;
    await session.perform(sending([posting(PRODUCTS, { body }), posting(REGISTER)]));
    expect(undoer.hasWork).toBe(true);
    expect(await undoer.undoAll()).toMatchObject([{ path: REGISTER, mark: null }]);
    expect(settled).toEqual([[mark, { path: `${PRODUCTS}/lost`, undoable: true }]]);
    expect(plans.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([`${PRODUCTS}/lost`]);
    expect(creations.lines()).toEqual([]);
    expect(undoer.hasWork).toBe(false);
  });

  it('looks again for what is made without a name while it looks for others', async () => {
    const bodyOf = (mark: string) => ({ kind: 'json', value: { note: `assay-${NONCE}-${mark}` } }) as const;
    const { session, catalogue, creations, events } = benchWith(
      shop,
      ({ method, path }) => {
        if (method === 'POST') return { status: 201, body: {} };
        if (path === PRODUCTS && creations.count() === 1)
          events.tell({
            kind: 'exchange',
            exchange: exchangeWith({ plan: posting(PRODUCTS, { body: bodyOf('second') }), status: 201, body: {} }),
          });
        return { body: [] };
      },
      { inRun: () => false },
    );
    const originals = new Originals({ world: worldWith(), catalogue, creations });
    const options = { session, world: worldWith(), catalogue, creations, journal: unwrittenJournal(), originals };
    const undoer = new Undoer({ ...options, pause: async () => {} });
    await session.perform(sending([posting(PRODUCTS, { body: bodyOf('firsts') })]));
    await undoer.findNameless();
    expect(creations.nameless().map(({ mark }) => mark)).toEqual([`${NONCE}-second`]);
    await undoer.findNameless();
    expect(creations.nameless()).toEqual([]);
  });
});
