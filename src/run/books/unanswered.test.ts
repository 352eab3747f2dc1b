import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import { type Bench, benchWith, failing, getting, type Script } from '../../../test/support/run/test-session.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import type { Failure } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Session } from '../perform/session.ts';

const LIST = getting('/api/v1/products');
const LIVE = getting('/api/health/live');
const SPOT = { service: 'admin', operation: 'GET /api/v1/products' };
const CREATE = getting('/api/v1/products', { method: 'POST', operation: 'POST /api/v1/products', makes: 'nothing' });
const JSON_LIST = { body: [] };
const FEW = { inRun: (clause: string) => clause === 'SCH-06' || clause === 'REQ-09' };
/** Number of calls that are answered on other operations. */
const ELSEWHERE = 1000;

async function callElsewhere(session: Session): Promise<void> {
  for (let call = 0; call < ELSEWHERE; call += 1) await session.send(LIVE);
}

/** Answers liveness, and everything else by the script. */
const alive =
  (script: Script): Script =>
  (plan, index) =>
    plan.probe === 'run/alive' || plan.path === LIVE.path ? {} : script(plan, index);

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

describe('a request that is not answered', () => {
  const req09 = ({ session, ledger }: Pick<Bench, 'session' | 'ledger'>): readonly string[] => {
    session.sender.concludeDrops();
    return ledger.findings().flatMap(({ clause, cause }) => (clause === 'REQ-09' ? [cause] : []));
  };

  it('within the time limit breaches REQ-09 at once', async () => {
    const { session, ledger, plans } = benchWith(
      shop,
      alive(() => failing('timeout')),
      FEW,
    );
    await session.send(LIST);
    expect(req09({ session, ledger })).toEqual(['a request goes unanswered']);
    expect(plans.filter(({ path }) => path === LIST.path)).toHaveLength(1);
  });

  it('because the connection is dropped is sent again, and breaches REQ-09 when it is dropped again', async () => {
    const { session, ledger } = benchWith(
      shop,
      alive((_plan, index) => (index % 3 === 0 ? failing('reset') : JSON_LIST)),
      FEW,
    );
    await session.send(LIST);
    expect(req09({ session, ledger })).toEqual(['a request drops the connection']);
  });

  it('once and never again breaches nothing', async () => {
    const { session, ledger } = benchWith(
      shop,
      alive((_plan, index) => (index === 0 ? failing('reset') : JSON_LIST)),
      FEW,
    );
    await session.send(LIST);
    expect(req09({ session, ledger })).toEqual([]);
  });

  it('on a socket that had served before breaches nothing where fresh ones are served', async () => {
    const { session, ledger, plans } = benchWith(
      shop,
      alive(({ fresh }) => (fresh === true ? JSON_LIST : failing('reset', true))),
      FEW,
    );
    await session.send(LIST);
    expect(req09({ session, ledger })).toEqual([]);
    expect(plans.filter(({ path, fresh }) => path === LIST.path && fresh === true)).toHaveLength(14);
  });

  it('on a socket that had served before, and on each fresh one, breaches REQ-09', async () => {
    const { session, ledger, plans } = benchWith(
      shop,
      alive(({ fresh }) => failing('reset', fresh !== true)),
      FEW,
    );
    await session.send(LIST);
    expect(req09({ session, ledger })).toEqual(['a request drops the connection']);
    expect(plans.filter(({ path }) => path === LIST.path).map(({ fresh }) => fresh ?? false)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('has the next requests of its operation go over fresh connections, and looks at it so closely once', async () => {
    const { session, plans } = benchWith(
      shop,
      alive((_plan, index) => (index === 0 ? failing('reset', true) : JSON_LIST)),
      FEW,
    );
    await session.send(LIST);
    const before = plans.length;
    await session.send(LIST);
    await session.send(LIVE);
    expect(plans.slice(before).map(({ path, fresh }) => [path, fresh ?? false])).toEqual([
      [LIST.path, true],
      [LIVE.path, false],
    ]);
  });

  it('more than once over the run, though no closer look showed it, breaches REQ-09', async () => {
    const dropped = new Set([0, 20, 24, 30]);
    const { session, ledger } = benchWith(
      shop,
      alive((_plan, index) => (dropped.has(index) ? failing('reset') : JSON_LIST)),
      FEW,
    );
    for (let call = 0; call < 20; call += 1) await session.send(LIST);
    expect(req09({ session, ledger })).toEqual([]);
    await callElsewhere(session);
    expect(req09({ session, ledger })).toEqual(['a request drops the connection']);
  });

  it('though it would change something is not sent again, and breaches REQ-09 the second time', async () => {
    const create = getting('/api/v1/products', { method: 'POST', operation: 'POST /api/v1/products' });
    const { session, ledger, plans } = benchWith(
      shop,
      alive(() => failing('reset')),
      FEW,
    );
    await session.send(create);
    expect([plans.filter(({ method }) => method === 'POST').length, req09({ session, ledger })]).toEqual([1, []]);
    await session.send(create);
    await callElsewhere(session);
    expect(plans.filter(({ method }) => method === 'POST')).toMatchObject([{}, { fresh: true }]);
    expect(req09({ session, ledger })).toEqual(['a request drops the connection']);
  });

  it.each([
    ['every third', 3, ['a request drops the connection']],
    ['two', 9, []],
  ])(
    'or %s of its sound requests, is held against these, whatever is refused beside them',
    async (_name, each, expected) => {
      let served = 0;
      const bench = benchWith(
        shop,
        alive(({ intent }) => {
          if (intent === 'invalid') return { status: 400, body: { error: {} } };
          served += 1;
          return served % each === 0 ? failing('reset') : { status: 201, body: {} };
        }),
        FEW,
      );
      for (let call = 0; call < 120; call += 1)
        await bench.session.send(call % 6 === 0 ? CREATE : { ...CREATE, intent: 'invalid' });
      for (let call = 0; call < 300; call += 1) await bench.session.send(LIVE);
      expect(req09(bench)).toEqual(expected);
    },
  );

  it('marks an operation that hangs', async () => {
    const { session } = benchWith(
      shop,
      alive(() => failing('timeout')),
      FEW,
    );
    await session.send(LIST);
    expect(session.books.traffic.hangs(SPOT)).toBe(false);
    await session.send(LIST);
    expect(session.books.traffic.hangs(SPOT)).toBe(true);
  });

  it('nor is liveness, ends the run: the target is lost, and nothing is blamed', async () => {
    const bench = benchWith(shop, () => failing('refused'), FEW);
    const { session, plans } = bench;
    await expect(session.send(LIST)).rejects.toMatchObject({ reasonCode: 'target-lost' });
    expect(plans.map(({ path }) => path)).toEqual([LIST.path, '/api/health/live', '/api/v1']);
    expect(req09(bench)).toEqual([]);
    for (const look of plans.slice(1)) expect(look).toMatchObject({ fresh: true, credential: { kind: 'none' } });
  });

  it('goes on while anything else answers', async () => {
    const { session, plans } = benchWith(
      shop,
      ({ path }) => (path === '/api/v1' ? { status: 404 } : failing('timeout')),
      FEW,
    );
    await session.send(LIST);
    expect(plans.map(({ path }) => path)).toEqual([LIST.path, '/api/health/live', '/api/v1']);
  });

  it('and ends the target with it, breaches REQ-09, whether it is started again or not', async () => {
    for (const startsAfterMs of [10_000, Number.POSITIVE_INFINITY]) {
      const clock = simulatedClock();
      const isUp = (index: number): boolean => index === 0 || clock.monotonic() > startsAfterMs;
      const answer: Script = ({ path }, index) =>
        path === LIST.path ? failing('reset') : isUp(index) ? {} : failing('refused');
      const bench = benchWith(shop, answer, { ...FEW, clock });
      await clock.drive(bench.session.send(LIVE));
      await clock.drive(bench.session.send(CREATE)).catch(() => {});
      expect(req09(bench)).toEqual(['a request drops the connection, and nothing is answered after it']);
      expect(bench.plans.filter(({ path }) => path === LIST.path)).toHaveLength(1);
    }
  });

  it('ends the run, and not the harness, where the budget allows no second look', async () => {
    const { session } = benchWith(shop, () => failing('reset'), { ...FEW, budget: 1 });
    await expect(session.send(LIST)).rejects.toMatchObject({ reasonCode: 'budget' });
  });
});

describe('an error whose body breaks off', () => {
  const BROKEN = { inRun: (clause: string) => clause === 'ERR-01' || clause === 'REQ-09' };
  const breakingOff = (status: number): Failure => ({ ...failing('reset', true), status });
  const found = ({ session, ledger }: Bench): readonly string[] => {
    session.sender.concludeDrops();
    return ledger.findings().flatMap(({ code }) => code ?? []);
  };

  it('each time breaches ERR-01, on any socket, and nobody asks whether the target is there', async () => {
    const bench = benchWith(shop, () => breakingOff(404), BROKEN);
    await bench.session.send(LIST);
    expect(found(bench)).toEqual(['err-01.breaks-off']);
    expect(new Set(bench.plans.map(({ path }) => path))).toEqual(new Set([LIST.path]));
  });

  it('once is a connection that was lost', async () => {
    const bench = benchWith(
      shop,
      (_plan, index) => (index === 0 ? breakingOff(404) : { status: 404, body: { error: {} } }),
      BROKEN,
    );
    await bench.session.send(LIST);
    expect(found(bench)).toEqual([]);
  });

  it('under one status alone is held against the answers of that status, though the request is not repeated', async () => {
    const bench = benchWith(
      shop,
      (_plan, index) =>
        index % 4 === 0 ? breakingOff(409) : { status: index % 2 === 0 ? 400 : 201, body: { error: {} } },
      BROKEN,
    );
    for (let call = 0; call < 12; call += 1) await bench.session.send(CREATE);
    expect(found(bench)).toEqual(['err-01.breaks-off']);
  });

  it('is of REQ-09 where the answer was a success', async () => {
    const bench = benchWith(shop, () => breakingOff(200), BROKEN);
    await bench.session.send(LIST);
    expect(found(bench)).toMatchObject([/^req-09.dropped/]);
  });
});

it('what is no HTTP each time breaches REQ-09', async () => {
  const { session, ledger } = benchWith(
    shop,
    alive(() => failing('protocol')),
    FEW,
  );
  await session.send(LIST);
  session.sender.concludeDrops();
  expect(ledger.findings().map(({ code }) => code)).toEqual(['req-09.dropped']);
});

it('connections that are lost as often everywhere breach nothing, however often one operation is called', async () => {
  const operations = [1, 2, 3, 4].map((n) => getting(`/api/v1/products?of=${n}`, { operation: `GET /of/${n}` }));
  const { session, ledger } = benchWith(
    shop,
    alive((_plan, index) => (index % 200 === 199 ? failing('reset') : JSON_LIST)),
    FEW,
  );
  for (let call = 0; call < 3000; call += 1) await session.send(call % 3 === 0 ? (operations[call % 4] ?? LIST) : LIST);
  session.sender.concludeDrops();
  expect(ledger.findings()).toEqual([]);
});

it('one call in seven that is dropped breaches REQ-09', async () => {
  const { session, ledger } = benchWith(
    shop,
    alive((_plan, index) => (index % 7 === 6 ? failing('reset') : JSON_LIST)),
    FEW,
  );
  for (let call = 0; call < 8; call += 1) await session.send(LIST);
  session.sender.concludeDrops();
  expect(ledger.findings().map(({ clause }) => clause)).toContain('REQ-09');
});

it('a target that does not answer breaches nothing while it is not known to be the right one', async () => {
  const { session, ledger } = benchWith(shop, () => failing('timeout'), FEW);
  session.books.answers.hold();
  await session.send(LIVE);
  expect(ledger.violations).toBe(0);
});
