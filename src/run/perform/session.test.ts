import { beforeAll, describe, expect, it } from 'vitest';
import { errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, loadShop } from '../../../test/support/probes/world.ts';
import {
  benchWith,
  failing,
  getting,
  type Script,
  SOUND_LIST,
  sending,
} from '../../../test/support/run/test-session.ts';
import type { ExchangeCheck } from '../../checks/check.ts';
import { breached, holds } from '../../contract/judgement.ts';
import { waitsOf } from '../../contract/own-retry.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description, Parameter } from '../../openapi/model/operation.ts';
import {
  type Conversation,
  collectedOnCourse,
  type Experiment,
  endedBy,
  NotSent,
  type Outcome,
} from '../../probes/probe.ts';
import { RunEnded } from './interruption.ts';

const LIST = getting('/api/v1/products');
const LIVE = getting('/api/health/live');
const SPOT = { service: 'admin', operation: 'GET /api/v1/products' };
const JSON_LIST = { body: [] };
/** Keeps to the clauses that these tests are about. */
const FEW = { inRun: (clause: string) => clause === 'SCH-06' || clause === 'REQ-09' };
/** An answer that SCH-06 objects to. */
const broken = { status: 500, body: { error: errorObject({ status: 500, code: 'internal', instance: LIST.path }) } };

const thrown = (): never => {
  throw new TypeError('a defect');
};

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

describe('an exchange', () => {
  it('is judged by every check of the run and booked on its operation', async () => {
    const { session, ledger } = benchWith(shop, () => SOUND_LIST);
    await session.send(LIST);
    const clauses = ['SCH-01', 'SCH-06', 'VER-02', 'PAG-11', 'RATE-01'];
    expect(clauses.filter((clause) => !ledger.judged(clause, SPOT))).toEqual([]);
    expect(ledger.violations).toBe(0);
    expect(session.books.traffic.get('admin GET /api/v1/products')).toMatchObject({ requests: 1 });
  });

  it('shows that hostile input is answered only where it was hostile', async () => {
    const { session, ledger } = benchWith(shop, () => SOUND_LIST);
    await session.send(LIST);
    expect(ledger.judged('REQ-09', SPOT)).toBe(false);
    await session.send({ ...LIST, intent: 'hostile' });
    expect(ledger.judged('REQ-09', SPOT)).toBe(true);
  });

  it('names no trace where the operation takes the header as an input, so that it can be left out', async () => {
    const header = { name: 'Traceparent', in: 'header', required: true, schema: null, style: 'simple', explode: false };
    const operations = shop.operations.map((one) =>
      one.key === SPOT.operation ? { ...one, parameters: [...one.parameters, header as Parameter] } : one,
    );
    const { session } = benchWith({ ...shop, operations }, () => SOUND_LIST);
    const untraced: unknown[] = [];
    const send = async (plan: RequestPlan) => {
      untraced.push(plan.untraced);
      return [exchangeWith({ status: 200, body: [] })];
    };
    session.sender.attach({ sent: 0, send, close: async () => {} });
    await session.send({ ...LIST, retry: 'once' });
    await session.send({ ...LIVE, retry: 'once' });
    expect(untraced).toEqual([true, undefined]);
  });

  it('is judged by no check that is filtered out', async () => {
    const { session, ledger } = benchWith(shop, () => broken, { inRun: (clause) => clause === 'VER-02' });
    await session.send(LIST);
    expect(ledger.violations).toBe(0);
    expect(ledger.judged('VER-02', SPOT)).toBe(true);
  });

  it('of a path that no description has is booked on no operation', async () => {
    const { session, ledger } = benchWith(shop, () => broken);
    await session.send(getting('/api/v1/elsewhere', { service: null, operation: null }));
    expect(ledger.findings()[0]).toMatchObject({ service: null, operation: null });
  });

  it.each([
    { pressed: false, violations: 1 },
    { pressed: true, violations: 0 },
  ])('that stays 503 is a breach unless the run itself presses: $pressed', async ({ pressed, violations }) => {
    const error = errorObject({ status: 503, code: 'service_unavailable', instance: LIST.path });
    const { session, ledger } = benchWith(shop, () => SOUND_LIST, FEW);
    const attempts = Array.from({ length: waitsOf(NO_TERMS).maxRetries + 1 }, () =>
      exchangeWith({ status: 503, body: { error } }),
    );
    session.sender.attach({ sent: 0, send: async () => attempts, close: async () => {} });
    session.sender.pressed = pressed;
    await session.send(LIST);
    expect(ledger.violations).toBe(violations);
  });

  it('that stays 503 through all retries is asked for once more without any, and the operation is left alone then', async () => {
    const { session } = benchWith(shop, () => SOUND_LIST, FEW);
    const sent: RequestPlan[] = [];
    const send = async (plan: RequestPlan) => {
      sent.push(plan);
      const tries = plan.retry === 'once' ? 1 : waitsOf(NO_TERMS).maxRetries + 1;
      const exchange = exchangeWith({ status: plan.path === LIST.path ? 503 : 200, plan });
      const attempts = Array.from({ length: tries }, () => exchange);
      session.books.traffic.count(plan, exchange);
      return attempts;
    };
    session.sender.attach({ sent: 0, send, close: async () => {} });
    const [asked, other] = [{ ...LIST, retry: 'contract' } as const, getting('/api/v1/orders', { retry: 'contract' })];
    for (const plan of [asked, asked, other]) await session.send(plan);
    expect(sent.map(({ retry }) => retry)).toEqual(['contract', 'once', 'contract']);
    expect(session.books.traffic.hangs(SPOT)).toBe(true);
  });

  it('of an experiment that another shard answers for is used and neither judged, counted nor looked at again', async () => {
    const { session, ledger, plans, creations } = benchWith(shop, () => ({
      ...broken,
      status: 201,
      body: { id: 'p1' },
    }));
    const create = getting(LIST.path, { method: 'POST', operation: 'POST /api/v1/products' });
    await session.perform(sending([create, LIST], { repeatable: true }), false);
    expect(plans.length).toBe(2);
    expect([ledger.checks, ledger.violations]).toEqual([0, 0]);
    expect(session.books.traffic.get('admin GET /api/v1/products')).toMatchObject({ requests: 0 });
    expect(creations.left()).toMatchObject([{ id: 'p1', ours: false }]);
  });

  it('on which a check throws is judged by all others, and the error is noted', async () => {
    const failing = (clause: string, fails: 'applies' | 'judge'): ExchangeCheck => ({
      clause,
      title: 'fails',
      applies: () => fails === 'judge' || thrown(),
      judge: thrown,
    });
    const ownChecks = [failing('X-01', 'applies'), failing('X-02', 'judge')];
    const laws = [{ clause: 'ERR-06', title: 'fails', observe: thrown }];
    const { session, ledger } = benchWith(shop, () => broken, { ownChecks, laws });
    await session.send(LIST);
    expect(ledger.findings().map(({ clause }) => clause)).toContain('SCH-06');
    expect(session.books.errors.rows().map(({ clauses, error, exchange }) => [...clauses, error, exchange])).toEqual(
      expect.arrayContaining([
        ['ERR-06', 'TypeError', 'ex-1'],
        ['X-01', 'TypeError', 'ex-1'],
        ['X-02', 'TypeError', 'ex-1'],
      ]),
    );
  });

  it('is not judged while it is held, and is once released', async () => {
    const { session, ledger } = benchWith(shop, () => broken);
    session.books.answers.hold();
    await session.send(LIST);
    expect(ledger.violations).toBe(0);
    session.books.answers.release();
    expect(ledger.violations).toBeGreaterThan(0);
  });
});

describe('an experiment that fails for an error of the harness', () => {
  it.each<[string, Partial<Experiment>, string | null]>([
    ['before it sends', { run: thrown }, null],
    [
      'on an answer',
      {
        *run() {
          yield LIST;
          return thrown();
        },
      },
      'ex-1',
    ],
    ['when it is asked whether it stands', { stands: thrown, run: thrown }, null],
  ])('%s is noted with its clauses, and the next one is performed', async (_when, changes, exchange) => {
    const { session, plans } = benchWith(shop, () => SOUND_LIST, FEW);
    await session.perform(sending([LIST], { clauses: ['REQ-01'], ...changes }));
    expect(session.books.errors.rows()[0]).toMatchObject({ clauses: ['REQ-01'], where: 'probe test', exchange });
    const sent = plans.length;
    await session.perform(sending([LIST]));
    expect(plans.length).toBe(sent + 1);
  });

  it('ends the run all the same where that is over', async () => {
    const { session } = benchWith(shop, () => SOUND_LIST, { budget: 0 });
    await expect(session.perform(sending([LIST]))).rejects.toMatchObject({ reasonCode: 'budget' });
    expect(session.books.errors.rows()).toEqual([]);
  });
});

describe('a finding', () => {
  it('names the experiment that sent its evidence, and none where the run itself did', async () => {
    const { session, ledger } = benchWith(shop, () => broken, FEW);
    const named = { probe: 'test/one', service: 'admin', operation: 'GET /api/v1/products' };
    await session.perform(sending([LIST], named));
    await session.send(LIVE);
    const [live, list] = ledger.findings().toSorted((left, right) => (left.operation! < right.operation! ? -1 : 1));
    expect([live?.operation, live?.experiments]).toEqual(['GET /api/health/live', []]);
    expect([list?.operation, list?.experiments]).toEqual(['GET /api/v1/products', [{ ...named, companions: 'none' }]]);
  });
});

describe('a violation of a safe request', () => {
  it('is confirmed by sending it again, and is not intermittent when it shows every time', async () => {
    const { session, ledger, plans } = benchWith(shop, () => broken, FEW);
    await session.send(LIST);
    expect(plans).toEqual([LIST, LIST, LIST]);
    expect(ledger.findings()).toMatchObject([{ clause: 'SCH-06', occurrences: 3, intermittent: false }]);
  });

  it('is confirmed once by a run that fits itself to its time', async () => {
    const { session, ledger, plans } = benchWith(shop, () => broken, { ...FEW, isFitted: true });
    await session.send(LIST);
    expect(plans).toEqual([LIST, LIST]);
    expect(ledger.findings()).toMatchObject([{ clause: 'SCH-06', occurrences: 2, intermittent: false }]);
  });

  it('is intermittent when it does not show again, and still counts', async () => {
    const { session, ledger } = benchWith(shop, (_plan, index) => (index === 0 ? broken : JSON_LIST), FEW);
    await session.send(LIST);
    expect(ledger.findings()).toMatchObject([
      { clause: 'SCH-06', kind: 'violation', occurrences: 1, intermittent: true },
    ]);
  });

  it('is confirmed once: the next time it is only counted', async () => {
    const { session, plans } = benchWith(shop, () => broken, FEW);
    await session.send(LIST);
    await session.send(LIST);
    expect(plans).toHaveLength(4);
  });

  it('is confirmed with its own request, whatever else is under way', async () => {
    const slow = getting('/api/v1/products', { probe: 'slow' });
    const { session, ledger, plans } = benchWith(
      shop,
      ({ operation }) => (operation === LIVE.operation ? broken : JSON_LIST),
      FEW,
    );
    await Promise.all([session.send(slow), session.send(LIVE), session.send(slow)]);
    expect(ledger.findings()).toMatchObject([{ clause: 'SCH-06', intermittent: false }]);
    expect(plans.filter(({ operation }) => operation === LIVE.operation)).toHaveLength(3);
  });

  it('that was held is not laid to the request that comes next', async () => {
    const { session, ledger } = benchWith(
      shop,
      ({ operation }) => (operation === LIVE.operation ? broken : JSON_LIST),
      FEW,
    );
    session.books.answers.hold();
    await session.send(LIVE);
    session.books.answers.release();
    await session.send(LIST);
    expect(ledger.findings()).toMatchObject([{ clause: 'SCH-06', intermittent: false }]);
  });
});

it('a violation of a request that counts its calls is not sent again', async () => {
  const { session, plans } = benchWith(shop, () => broken, FEW);
  await session.send({ ...LIST, retry: 'once' });
  expect(plans).toHaveLength(1);
});

it('a violation of a request that changes something is not sent again', async () => {
  const { session, plans } = benchWith(shop, () => broken, FEW);
  await session.send(getting('/api/v1/products', { method: 'POST', operation: 'POST /api/v1/products' }));
  expect(plans).toHaveLength(1);
});

describe('a wrong request that is answered 500', () => {
  const POST = getting('/api/v1/products', { method: 'POST', operation: 'POST /api/v1/products', service: 'admin' });
  const WRONG = { ...POST, intent: 'hostile', makes: 'nothing' } as const;
  const options = { ...FEW, contract: 'openapi', consent: { isPayment: () => false, forbidding: () => null } } as const;
  const told = async (script: Script, ...plans: (typeof WRONG | typeof POST)[]) => {
    const { session, ledger, plans: sent } = benchWith(shop, script, options);
    for (const plan of plans) await session.send(plan);
    session.sender.concludeDrops();
    const findings = ledger.findings().filter(({ clause }) => clause === 'SCH-06');
    return {
      sent: sent.length,
      told: findings.map(({ code, seen, intermittent }) => ({ code, ...seen, intermittent })),
    };
  };

  it('each time is told of what was sent, among the answers to that', async () => {
    const { sent, told: findings } = await told(
      ({ intent }) => (intent === 'hostile' ? broken : JSON_LIST),
      ...Array(4).fill(POST),
      WRONG,
    );
    expect(sent).toBe(7);
    expect(findings).toEqual([
      { code: 'sch-06.answered-500.hostile', times: 3, of: 3, what: 'answers', intermittent: false },
    ]);
  });

  it('each time that it is answered is not called wavering for a connection that is closed after it', async () => {
    const closing: Script = ({ intent }, index) =>
      intent !== 'hostile' ? JSON_LIST : index % 2 === 0 ? broken : failing('reset');
    const { told: findings } = await told(closing, WRONG);
    expect(findings).toMatchObject([{ code: 'sch-06.answered-500.hostile', intermittent: false }]);
  });

  it('now and then is told as that, whatever was sent, among all answers', async () => {
    const twice: Script = (_plan, index) => (index === 2 || index === 7 ? broken : JSON_LIST);
    const { told: findings } = await told(
      twice,
      POST,
      POST,
      WRONG,
      POST,
      { ...POST, intent: 'invalid' } as typeof POST,
      POST,
    );
    expect(findings).toMatchObject([{ code: 'sch-06.answered-500.now-and-then', times: 2, of: 8, intermittent: true }]);
  });

  const looked = async (script: Script, ...between: readonly (typeof POST)[]) => {
    const { session, ledger } = benchWith(shop, script, options);
    const at = { method: 'DELETE', path: '/api/v1/products/1', operation: 'DELETE /api/v1/products/{productId}' };
    const wrong = { ...POST, ...at, intent: 'invalid' } as typeof POST;
    for (const plan of [wrong, POST, POST, { ...POST, intent: 'invalid' } as typeof POST, ...between])
      await session.send(plan);
    await session.lookInQuiet();
    session.sender.concludeDrops();
    return ledger
      .findings()
      .filter(({ operation }) => operation === at.operation)
      .map(({ code, intermittent }) => ({ code, intermittent }));
  };
  /** All that is sent within a moment, and one answer much later, are 500. */
  const bursting: Script = ({ method }, index) =>
    index < 3 ? broken : index === 5 ? broken : method === 'DELETE' ? { status: 404 } : JSON_LIST;

  it('for a moment is told as now and then, once it is looked at in quiet', async () => {
    expect(await looked(bursting)).toEqual([{ code: 'sch-06.answered-500.now-and-then', intermittent: true }]);
  });

  it('in quiet, too, is told as each time', async () => {
    const always: Script = ({ method }, index) => (method === 'DELETE' || index === 5 ? broken : JSON_LIST);
    expect(await looked(always)).toEqual([{ code: 'sch-06.answered-500.invalid', intermittent: false }]);
  });

  it('and stands where this run removed since what it was sent to', async () => {
    const removed = { ...POST, method: 'DELETE', path: '/api/v1/products' } as typeof POST;
    const script: Script = (plan, index) =>
      plan.path === removed.path && plan.method === 'DELETE' ? { status: 204 } : bursting(plan, index);
    expect(await looked(script, removed)).toEqual([{ code: 'sch-06.answered-500.invalid', intermittent: false }]);
  });

  it.each([404, 400])('is not called wavering for what its first send has done (%d)', async (status) => {
    const gone: Script = (_plan, index) => (index === 0 ? broken : { status });
    const remove = { ...POST, method: 'DELETE' } as typeof POST;
    expect((await told(gone, remove)).told).toMatchObject([{ intermittent: false }]);
  });
});

it('the end of the budget ends the run', async () => {
  const { session, plans } = benchWith(shop, () => SOUND_LIST, { budget: 2 });
  await session.send(LIST);
  await session.send(LIST);
  await expect(session.send(LIST)).rejects.toThrow(RunEnded);
  await expect(session.send(LIST)).rejects.toMatchObject({ reasonCode: 'budget' });
  expect(plans).toHaveLength(2);
});

describe('an experiment', () => {
  /** Breached by what is answered 404. */
  const judging = (changes: Partial<Experiment> = {}): Experiment => ({
    ...sending([LIST], { clauses: ['REQ-01'], repeatable: true, ...changes }),
    *run() {
      const { last } = yield LIST;
      const breach = {
        weight: 'breach',
        code: 'req-03.no',
        cause: 'no',
        message: 'no',
        expected: 'yes',
        actual: 'no',
      } as const;
      const judgement = last.response?.status === 200 ? holds() : breached([breach]);
      return [{ clause: 'REQ-01', ...SPOT, judgement, evidence: [last] }];
    },
  });
  const notFound = { status: 404, body: { error: errorObject({ instance: LIST.path }) } };
  const only: { inRun: (clause: string) => boolean } = { inRun: (clause) => clause === 'REQ-01' };
  const performed = async (script: Script, changes: Partial<Experiment> = {}) => {
    const bench = benchWith(shop, script, only);
    await bench.session.perform(judging(changes));
    return { sent: bench.plans.length, findings: bench.ledger.findings() };
  };

  it('that the end of the run cuts short tells what it has shown, and the run ends', async () => {
    const bench = benchWith(shop, () => notFound, { ...only, budget: 1 });
    const { run: _run, ...about } = judging();
    const shown = drive(judging().run(), () => notFound).outcomes;
    const cut: Conversation = {
      ...about,
      converse: async (send) => {
        try {
          await send(LIST);
          await send(LIST);
          return [];
        } catch (error) {
          throw endedBy(error, [...shown, { ...shown[0], judgement: holds() } as Outcome]);
        }
      },
    };
    await expect(bench.session.perform(cut)).rejects.toMatchObject({ reasonCode: 'budget' });
    expect(bench.ledger.findings().map(({ clause }) => clause)).toEqual(['REQ-01']);
  });

  it('of steps tells what it has shown where the run ends, or a later step must not be sent', async () => {
    const { run: _run, ...about } = judging({ repeatable: false });
    const shown = drive(judging().run(), () => notFound).outcomes;
    const steps = (): Experiment => ({
      ...about,
      run: () =>
        collectedOnCourse(function* (outcomes) {
          yield LIST;
          outcomes.push(...shown);
          yield LIST;
        }),
    });
    const ended = benchWith(shop, () => notFound, { ...only, budget: 1 });
    await expect(ended.session.perform(steps())).rejects.toMatchObject({ reasonCode: 'budget' });
    expect(ended.ledger.findings().map(({ clause }) => clause)).toEqual(['REQ-01']);
    const once: Script = (_plan, index) => {
      if (index > 0) throw new NotSent('precondition', 'limits.created is reached');
      return notFound;
    };
    const cut = benchWith(shop, once, only);
    await cut.session.perform(steps());
    expect(cut.ledger.findings().map(({ clause }) => clause)).toEqual(['REQ-01']);
  });

  it('that breaches is run again twice', async () => {
    expect(await performed(() => notFound)).toMatchObject({
      sent: 3,
      findings: [{ occurrences: 3, intermittent: false }],
    });
  });

  it('that breaches only sometimes makes an intermittent finding', async () => {
    const once: Script = (_plan, index) => (index === 0 ? notFound : JSON_LIST);
    expect(await performed(once)).toMatchObject({
      sent: 3,
      findings: [{ occurrences: 1, looks: 3, intermittent: true }],
    });
  });

  it('that must not be sent again is not intermittent for that', async () => {
    const once: Script = (_plan, index) => {
      if (index > 0) throw new NotSent('precondition', 'limits.created is reached');
      return notFound;
    };
    expect(await performed(once)).toMatchObject({ findings: [{ occurrences: 1, intermittent: false }] });
  });

  it('that must not be sent whole at first is intermittent where it does not show again', async () => {
    const bench = benchWith(
      shop,
      (_plan, index) => {
        if (index === 0) throw new NotSent('precondition', 'limits.created is reached');
        return JSON_LIST;
      },
      only,
    );
    const { run: _run, ...about } = judging();
    const shown = drive(judging().run(), () => notFound).outcomes;
    const cut: Conversation = {
      ...about,
      converse: async (send) => {
        await send(LIST).catch((error) => {
          throw endedBy(error, shown);
        });
        return [];
      },
    };
    await bench.session.perform(cut);
    expect(bench.ledger.findings()).toMatchObject([{ occurrences: 1, intermittent: true }]);
  });

  it('that holds, or cannot be repeated, is run once', async () => {
    expect(await performed(() => JSON_LIST)).toMatchObject({ sent: 1, findings: [] });
    expect(await performed(() => notFound, { repeatable: false })).toMatchObject({
      sent: 1,
      findings: [{ occurrences: 1 }],
    });
  });

  it('books nothing of a clause that is filtered out', async () => {
    const { session, ledger } = benchWith(shop, () => notFound, { inRun: () => false });
    await session.perform(judging());
    expect([ledger.checks, ledger.findings()]).toEqual([0, []]);
  });
});
