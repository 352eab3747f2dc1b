import { beforeAll, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop } from '../../../test/support/probes/world.ts';
import { benchWith, failing, getting, type Script, sending } from '../../../test/support/run/test-session.ts';
import type { Timing } from '../../clock/clock.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { RunEnded } from '../perform/interruption.ts';
import { TargetLost } from './alive.ts';
import { OutageWatch } from './outage-watch.ts';
import { DropWatch, KeyWatch } from './watches.ts';

const LISTS = ['products', 'orders', 'customers'].map((noun) => getting(`/api/v1/${noun}`));
const SERVED = 1;

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

interface Course {
  readonly told: string;
  readonly requests: number;
  readonly seconds: number;
}

/** One list is served; from then on the script answers, given the seconds that were waited. */
async function course(script: (seconds: number, ...call: Parameters<Script>) => ReturnType<Script>): Promise<Course> {
  let nowMs = 0;
  const timing: Timing = {
    now: () => nowMs,
    async sleep(delayMs) {
      nowMs += delayMs;
    },
  };
  const answer: Script = (plan, index) => (index < SERVED ? {} : script(nowMs / 1000, plan, index));
  const { session, plans } = benchWith(shop, answer, {
    contract: 'openapi',
    inRun: () => false,
    clock: { ...simulatedClock(), ...timing },
  });
  const told = await session.perform(sending([...LISTS, ...LISTS, ...LISTS])).then(
    () => 'goes on',
    (error: Error) => error.message,
  );
  return { told, requests: plans.length, seconds: nowMs / 1000 };
}

it('a target that answers 503 to one operation after the other ends the run, with what was asked and for how long', async () => {
  const { told, seconds } = await course(() => ({ status: 503 }));
  expect(told).toBe(
    'the target is down: every operation called answered 503, and so did GET /api/v1/products, which was answered before, for 75 s',
  );
  expect(seconds).toBe(75);
});

it('so do 502 and 504 of what stands before it', async () => {
  expect((await course((_seconds, _plan, index) => ({ status: 502 + 2 * (index % 2) }))).told).toContain('is down');
});

it('a bad minute is waited for, and the run goes on', async () => {
  const { told, seconds } = await course((elapsed) => ({ status: elapsed < 60 ? 503 : 200 }));
  expect([told, seconds]).toEqual(['goes on', 60]);
});

it('operations that are unavailable by themselves are no outage', async () => {
  const { told, seconds } = await course((_seconds, { path }) => ({ status: path.endsWith('products') ? 200 : 503 }));
  expect([told, seconds]).toEqual(['goes on', 0]);
});

it('what the run itself presses on is not asked about', async () => {
  const { session } = benchWith(shop, () => ({ status: 503 }), { inRun: () => false });
  session.sender.pressed = true;
  await expect(session.perform(sending(LISTS))).resolves.toBeUndefined();
});

it('a 503 that lasts is of an outage where another operation that was served answers so, too, and of its own where not', async () => {
  const answers = [503, 503, 200, 200];
  const sent: string[] = [];
  const watch = new OutageWatch(
    async (plan) => {
      sent.push(plan.path);
      return [exchangeWith({ plan, status: answers[sent.length - 1] ?? 200 })];
    },
    { now: () => 0, sleep: async () => {} },
  );
  const [products, orders] = LISTS;
  expect(await watch.observe(exchangeWith({ plan: products }), false)).toBe(false);
  expect(await watch.observe(exchangeWith({ plan: products, status: 503 }), true)).toBe(false);
  expect(sent).toEqual([]);
  expect(await watch.observe(exchangeWith({ plan: orders, status: 503 }), true)).toBe(true);
  expect(await watch.observe(exchangeWith({ plan: orders, status: 503 }), true)).toBe(false);
  expect(sent).toEqual(Array(4).fill(products?.path));
});

it('an idle connection that was closed is no sign of an outage, a new one that is refused is', async () => {
  const looks = async (isUp: boolean): Promise<boolean> => {
    let nowMs = 0;
    const unanswered = exchangeWith({ response: null });
    const watch = new OutageWatch(
      async (plan) => [plan.fresh === true && (isUp || nowMs > 0) ? exchangeWith({ plan }) : unanswered],
      {
        now: () => nowMs,
        async sleep(delayMs) {
          nowMs += delayMs;
        },
      },
    );
    const [products, orders] = LISTS;
    await watch.observe(exchangeWith({ plan: products }), false);
    return watch.observe(exchangeWith({ plan: orders, status: 503 }), true);
  };
  expect(await looks(true)).toBe(false);
  expect(await looks(false)).toBe(true);
});

const KEY = { kind: 'key', name: 'ent-1' } as const;
const LIST = getting('/api/v1/products', { credential: KEY });
const CREATE = { ...LIST, method: 'POST', operation: 'POST /api/v1/products' };

async function told(script: Script): Promise<string> {
  const { session } = benchWith(shop, script, { contract: 'openapi', inRun: () => false });
  return session.perform(sending([LIST, CREATE, LIST, LIST])).then(
    () => 'goes on',
    (error: Error) => error.message,
  );
}

it('a key that is refused for good ends the run, and the last change is named', async () => {
  expect(await told((_plan, index) => ({ status: index < 2 ? 200 : 401 }))).toMatch(
    /^key ent-1 was accepted and is refused now \(401\); the last call that changed something was POST \/api\/v1\/products/,
  );
});

it('one refusal among many does not', async () => {
  expect(await told((_plan, index) => ({ status: index === 2 ? 401 : 200 }))).toBe('goes on');
});

it('an operation that never served the key is no ground for doubt', async () => {
  expect(await told(() => ({ status: 401 }))).toBe('goes on');
});

/** A run over lists of three resources, and one create; what the script answers comes after all three were served. */
async function afterServed(script: Script): Promise<string> {
  const lists = ['products', 'orders', 'customers'].map((noun) => getting(`/api/v1/${noun}`, { credential: KEY }));
  const answer: Script = (plan, index) => (index < 4 ? {} : script(plan, index));
  const { session } = benchWith(shop, answer, { contract: 'openapi', inRun: () => false });
  return session.perform(sending([...lists, CREATE, ...lists, ...lists])).then(
    () => 'goes on',
    (error: Error) => error.message,
  );
}

it('a key that loses its rights everywhere ends the run, and the last change is named', async () => {
  expect(await afterServed(() => ({ status: 403 }))).toMatch(
    /^key ent-1 has lost its rights: it was accepted and is refused now \(403\); the last call that changed something was POST/,
  );
});

it('a 403 of some operations is their own affair, and is asked about once each', async () => {
  let asked = 0;
  const script: Script = ({ path, probe }) => {
    if (probe === 'run/key') asked += 1;
    return { status: path.endsWith('customers') ? 200 : 403 };
  };
  expect(await afterServed(script)).toBe('goes on');
  expect(asked).toBe(4);
});

it('a limiter that refuses by 403 takes no rights of a key, and one that refuses by 503 is no outage', async () => {
  const lists = LISTS.map((plan) => ({ ...plan, operation: `GET ${plan.path}`, credential: KEY }));
  const [first] = lists;
  const keys = new KeyWatch();
  for (const plan of lists) keys.observe(exchangeWith({ plan }));
  const refused = exchangeWith({ plan: { ...first }, status: 403 });
  expect(keys.doubt(refused)).toHaveLength(2);
  expect(keys.doubt({ ...refused, limited: true })).toEqual([]);
  const outage = new OutageWatch(() => Promise.reject(new Error('asked')), simulatedClock());
  await outage.observe(exchangeWith({ plan: { ...first } }), false);
  for (const plan of lists)
    expect(await outage.observe({ ...exchangeWith({ plan, status: 503 }), limited: true }, true)).toBe(false);
});

it('a request that ends the target is blamed; of several that were dropped together one is for sure, and none by name', async () => {
  const dropped = (sentAt: number) => ({ ...exchangeWith({ response: null }), failure: failing('reset'), sentAt });
  const told = async (...drops: readonly (readonly [sentAt: number, isGone: boolean])[]) => {
    const watch = new DropWatch(async () => [], { clock: simulatedClock(), terms: NO_TERMS });
    for (const [sentAt, isGone] of drops) {
      watch.count([dropped(sentAt), { ...dropped(sentAt), failure: failing('refused') }]);
      await watch.whileLooked(async () => isGone);
    }
    return watch.conclude().flatMap(({ judgement }) => (judgement.kind === 'breached' ? judgement.breaches : []));
  };
  expect(await told([0, true])).toMatchObject([{ weight: 'breach', code: 'req-09.dropped.ended' }]);
  expect(await told([0, true], [60_000, true])).toMatchObject([{ weight: 'breach' }, { weight: 'breach' }]);
  const oneOf = { weight: 'breach', code: 'req-09.dropped.ended.by-one' };
  expect(await told([0, true], [10, true])).toMatchObject([oneOf]);
  expect(await told([0, true], [10, true], [60_000, true])).toMatchObject([{ code: 'req-09.dropped.ended' }]);
  expect(await told([0, false])).toEqual([]);
});

it.each([
  ['is not blamed where it never does so again', 'GET', 1000, 0],
  ['is blamed where it does so again', 'GET', 5, 1],
  ['is blamed where sending it again may change something', 'POST', 1000, 1],
])('a request that ends the target, which is back, %s', async (_, method, endsAgainAfter, blamed) => {
  let sent = 0;
  const send = async () => [exchangeWith(++sent < endsAgainAfter ? { status: 200 } : { response: null })];
  const watch = new DropWatch(send, { clock: simulatedClock(), terms: NO_TERMS });
  watch.count([{ ...exchangeWith({ response: null, plan: { method } }), failure: failing('reset') }]);
  await watch.whileLooked(async () => true);
  await watch.clearSuspects();
  expect(watch.conclude()).toHaveLength(blamed);
});

it('a request is blamed that a target is stuck after, and none where it is back, or takes no connections', async () => {
  const told = async (end: RunEnded | null, ...sentAt: readonly number[]) => {
    const watch = new DropWatch(async () => [], { clock: simulatedClock(), terms: NO_TERMS });
    const silent = { ...exchangeWith({ response: null }), failure: failing('timeout'), durationMs: 30_000 };
    watch.count([{ ...exchangeWith({ status: 200 }), sentAt: 0 }]);
    watch.count(sentAt.map((at) => ({ ...silent, sentAt: at })));
    const isGone = async (): Promise<boolean> => {
      if (end === null) return true;
      throw end;
    };
    await watch.whileLooked(isGone).catch(() => {});
    return watch.conclude().flatMap(({ judgement }) => (judgement.kind === 'breached' ? judgement.breaches : []));
  };
  const lost = new RunEnded('target-lost', 'the target stopped answering');
  const stuck = new TargetLost(lost, failing('timeout'));
  expect(await told(stuck, 10)).toMatchObject([{ weight: 'breach', code: 'req-09.unanswered.stuck' }]);
  expect(await told(new TargetLost(lost, failing('refused')), 10)).toEqual([]);
  expect(await told(stuck, 10, 20)).toMatchObject([{ weight: 'breach', code: 'req-09.dropped.ended.by-one' }]);
  expect(await told(null, 10)).toEqual([]);
});

it.each([
  ['had been connected for long', 5000, ['req-09.unanswered.stuck']],
  ['had just been connected', 200, []],
  ['was never connected', undefined, []],
])(
  'a request is blamed that a target is stuck after where the run ends during a look that %s',
  async (_, ms, codes) => {
    const watch = new DropWatch(async () => [], { clock: simulatedClock(), terms: NO_TERMS });
    const lost = exchangeWith({ response: null });
    watch.count([exchangeWith({ status: 200 })]);
    watch.count([{ ...lost, failure: failing('timeout'), durationMs: 30_000, sentAt: lost.sentAt + 1 }]);
    const looking = watch.whileLooked(async () => {
      const failure = { ...failing('aborted'), ...(ms === undefined ? {} : { withinMs: ms }) };
      watch.leave({ ...lost, plan: { ...lost.plan, onlyAlive: true }, failure });
      throw new RunEnded('interrupted', 'the run was stopped');
    });
    await expect(looking).rejects.toThrow('the run was stopped');
    expect(
      watch.conclude().flatMap(({ judgement }) => ('breaches' in judgement ? judgement.breaches : [])),
    ).toMatchObject(codes.map((code) => ({ code })));
  },
);

it('a request that was cut before others were answered ended nothing', async () => {
  const watch = new DropWatch(async () => [], { clock: simulatedClock(), terms: NO_TERMS });
  const cut = { ...exchangeWith({ response: null }), failure: failing('reset'), durationMs: 5 };
  watch.count([{ ...cut, sentAt: 0 }]);
  watch.count([{ ...exchangeWith({ status: 200 }), sentAt: 3 }]);
  watch.count([{ ...cut, sentAt: 20 }]);
  watch.count([{ ...exchangeWith({ status: 200 }), sentAt: 10 }]);
  await watch.whileLooked(async () => true);
  expect(watch.conclude().map(({ evidence: [end] }) => end?.sentAt)).toEqual([20]);
});
