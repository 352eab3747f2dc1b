// IDEM-02, -03, -04 and -08 on operations that change a thing: effects show in the thing, and what it does not show is not told.
import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadStores, performed } from '../../../test/support/probes/idempotency/stores.ts';
import { reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { type Answered, NotSent } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type World } from '../world.ts';
import { idempotencyExperiments } from './family.ts';
import { withKey } from './keys.ts';

const WALLET = '/api/v1/wallets/{walletId}';
const WALLET_ID = { name: 'walletId', in: 'path', required: true, schema: { type: 'string' } };
const KEY = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const amount = {
  type: 'object',
  required: ['amount'],
  properties: { amount: { type: 'integer', minimum: 10, maximum: 10 }, note: { type: 'string' } },
};
const PATHS = {
  [WALLET]: { parameters: [WALLET_ID], get: { responses: { 200: { description: 'The wallet' } } } },
  [`${WALLET}/topups`]: {
    parameters: [WALLET_ID],
    post: {
      parameters: [KEY],
      requestBody: { required: true, content: { 'application/json': { schema: amount } } },
      responses: { 204: { description: 'Done' } },
    },
  },
};

interface Wallet {
  readonly balance: number;
  readonly seen: number;
}

/** Ways in which the server differs from a sound one. */
interface Ways {
  /** Changes the wallet where a send is executed. */
  readonly executed?: (wallet: Wallet) => Wallet;
  /** The wallet after a key came again. */
  readonly again?: (wallet: Wallet) => Wallet;
  /** The wallet as it is read the so many-th time. */
  readonly shown?: (wallet: Wallet, reading: number) => object;
  readonly status?: number;
  /** The part of a request that the server takes for its key; null: none. */
  readonly keyOf?: (key: string | null, body: string) => string | null;
  /** Sends at once find no key that one of them brought. */
  readonly isRacing?: true;
  /** Sends at once under two keys read the wallet before either changes it. */
  readonly isLosing?: true;
  /** A key with another body is refused after it was executed. */
  readonly isExecutedFirst?: true;
  /** Readings and sends before one shows. */
  readonly isLate?: true;
  /** The wallet counts all requests for top-ups, refused ones and replays among them. */
  readonly isCounting?: true;
  /** The status of a replay. */
  readonly replay?: number;
  /** Keys are forgotten after this time. */
  readonly forgetsAfterMs?: number;
  /** Somebody else tops the wallet up as often, by as much. */
  readonly others?: { readonly everyMs: number; readonly by: number };
}

const OTHER_BODY = { idempotency: { otherBody: { statuses: [422], code: null } } } as unknown as World['terms'];
const topUp = (one: Wallet): Wallet => ({ ...one, balance: one.balance + 10 });

class Server {
  readonly #ways: Ways;
  readonly #bodies = new Map<string, { readonly body: string; readonly atMs: number }>();
  readonly #now: () => number;
  #wallet: Wallet = { balance: 100, seen: 0 };
  #late: Wallet = this.#wallet;
  #readings = 0;
  #underWay = 0;

  constructor(ways: Ways, now: () => number) {
    this.#ways = ways;
    this.#now = now;
  }

  read(): string {
    const { isLate = false, shown = (one: Wallet) => one } = this.#ways;
    this.#readings += 1;
    const { others } = this.#ways;
    const foreign = others === undefined ? 0 : Math.floor(this.#now() / others.everyMs) * others.by;
    const own = isLate ? this.#late : this.#wallet;
    const wallet = { ...own, balance: own.balance + foreign };
    this.#late = this.#wallet;
    return JSON.stringify(shown(wallet, this.#readings));
  }

  async post(sent: string | null, body: string): Promise<number> {
    if (this.#ways.isCounting === true) this.#wallet = { ...this.#wallet, seen: this.#wallet.seen + 1 };
    if (body.includes('"raw"')) return 400;
    const { again, keyOf = (key: string | null) => key, status = 204, replay = status } = this.#ways;
    const key = keyOf(sent, body);
    const known = key === null ? undefined : this.#bodies.get(key);
    const isKnown = known !== undefined && this.#now() - known.atMs <= (this.#ways.forgetsAfterMs ?? Number.MAX_VALUE);
    if (!isKnown) return status < 300 ? await this.#execute(key, body) : status;
    if (known.body !== body) return this.#refuse();
    this.#wallet = again?.(this.#wallet) ?? this.#wallet;
    return replay;
  }

  #refuse(): number {
    if (this.#ways.isExecutedFirst === true) this.#wallet = topUp(this.#wallet);
    return 422;
  }

  async #execute(key: string | null, body: string): Promise<number> {
    const { executed = topUp, isRacing = false, isLosing = false, status = 204 } = this.#ways;
    const before = this.#wallet;
    const keep = (): unknown => key !== null && this.#bodies.set(key, { body, atMs: this.#now() });
    if (!isRacing) keep();
    this.#underWay += 1;
    await Promise.resolve();
    keep();
    this.#wallet = executed(isLosing && this.#underWay > 1 ? before : this.#wallet);
    await Promise.resolve();
    this.#underWay -= 1;
    return status;
  }
}

interface Told {
  readonly paths?: Readonly<Record<string, unknown>>;
  readonly lasts?: boolean;
  /** Sends that the run allows. */
  readonly sends?: number;
}

/** The judgements of the experiment by clause, with what they say. */
async function toldOf(
  ways: Ways,
  { paths = PATHS, lasts = false, sends = Number.POSITIVE_INFINITY }: Told = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const usual = worldWith();
  let nowMs = 0;
  const timing = {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  const world = worldWith({ terms: { ...usual.terms, ...OTHER_BODY }, lasts: () => lasts, timing });
  const description = await loadStores(paths);
  const server = new Server(ways, timing.now);
  const answer = async (plan: RequestPlan): Promise<Exchange> => {
    const key = plan.headers.find(([name]) => name === KEY.name)?.[1] ?? null;
    if (plan.method === 'GET') return exchangeWith({ plan, status: 200, body: server.read() });
    return exchangeWith({ plan, status: await server.post(key, JSON.stringify(plan.body)), body: '' });
  };
  const first = description.operations.map(({ key }) =>
    reachedWith(world, description, key, { walletId: 'w1', currencyCode: 'EUR' }),
  );
  const reached = await Promise.all(
    first.map(async (one) => {
      const plan = planOf(one.recipe, 'reach', drawFor(world, 'reach'));
      const headers = withKey(one.operation, plan.headers, one.operation.method === 'GET' ? null : 'k1');
      return { ...one, proof: await answer({ ...plan, headers }) };
    }),
  );
  const one = idempotencyExperiments(world, reached).find(({ probe }) => probe === 'idempotency/on-a-thing');
  if (one === undefined) return {};
  let sent = 0;
  const outcomes = await performed(one, async (plan): Promise<Answered> => {
    if (plan.method !== 'GET') sent += 1;
    if (sent > sends) throw new NotSent('precondition', 'limits.created is reached');
    const last = await answer(plan);
    return { attempts: [last], last };
  });
  const told: Record<string, string[]> = {};
  for (const { clause, judgement } of outcomes) {
    told[clause] ??= [];
    if (judgement.kind === 'breached')
      told[clause].push(...judgement.breaches.map(({ code, message }) => `${code}: ${message}`));
    else told[clause].push(judgement.kind === 'cannot-tell' ? judgement.reason : judgement.kind);
  }
  return told;
}

it('a thing that others change is no breach where they do so every four seconds, or more often', async () => {
  for (let everyMs = 400; everyMs <= 4000; everyMs += 225)
    for (const by of [1, 10, 20]) {
      const said = Object.values(await toldOf({ others: { everyMs, by } })).flat();
      expect([everyMs, by, said.filter((one) => one.startsWith('idem-'))]).toEqual([everyMs, by, []]);
    }
});

const NOTHING_SHOWN: Ways = { shown: () => ({ owner: 'Ada' }) };

describe('an effect on a thing (IDEM-02)', () => {
  it.each<[string, Ways, string]>([
    ['holds where the thing stands still', {}, 'holds'],
    [
      'is breached where a key that comes again changes it once more',
      { again: (one) => ({ ...one, balance: one.balance + 10 }) },
      '2 sends with one key: 2: balance of /api/v1/wallets/w1 goes',
    ],
    ['is breached where keys are forgotten after a second', { forgetsAfterMs: 1000 }, 'changed-again'],
    ['holds where readings are counted', { shown: (one, reading) => ({ ...one, seen: reading }) }, 'holds'],
    [
      'holds where a key that comes again is noted elsewhere',
      { again: (one) => ({ ...one, seen: one.seen + 1 }) },
      'holds',
    ],
    [
      'holds where a key that comes again moves a time beside it alone',
      {
        again: (one) => ({ ...one, seen: one.seen + 1 }),
        shown: ({ balance, seen }) => ({
          data: { balance, updated: new Date(1_772_366_400_000 + seen * 1000 + balance) },
        }),
      },
      'holds',
    ],
    [
      'is breached where the thing shows it within a wrapper',
      { again: (one) => ({ ...one, balance: one.balance + 10 }), shown: ({ balance }) => ({ data: { balance } }) },
      '2 sends with one key: 2: data/balance of /api/v1/wallets/w1 goes',
    ],
    ['holds where effects show a reading later', { isLate: true }, 'holds'],
    ['holds where the thing counts requests', { isCounting: true }, 'holds'],
    [
      'is breached where another send lies between a value and its return',
      { executed: ({ seen }) => ({ balance: seen + 1, seen: seen + 1 }), again: (one) => ({ ...one, balance: 0 }) },
      '2 sends with one key: 2: balance of /api/v1/wallets/w1 goes',
    ],
    ['is not told where the thing does not show it', NOTHING_SHOWN, 'does not show it'],
    [
      'is not told where the thing keeps changing',
      { shown: (one, reading) => ({ balance: one.balance + reading }) },
      'does not show it',
    ],
    [
      'is not told where times alone change',
      { shown: (one) => ({ updated_at: 1_772_366_400 + one.balance }) },
      'does not show it',
    ],
    ['is not told where a send is refused', { status: 409 }, 'a send was no success'],
    ['holds where a replay is refused, and changes nothing', { replay: 409 }, 'holds'],
  ])('%s', async (_what, ways, told) => {
    const said = await toldOf(ways);
    expect(new Set(said['IDEM-02'])).toEqual(new Set([expect.stringContaining(told)]));
  });
});

describe('sends at once on a thing (IDEM-03)', () => {
  it('hold where the thing shows one effect', async () => {
    expect((await toldOf({}))['IDEM-03']).toContain('holds');
  });

  it('are breached where the thing shows several, though all are answered alike', async () => {
    const told = await toldOf({ isRacing: true });
    expect(told['IDEM-03']).toContainEqual(expect.stringMatching(/^idem-03\.several-effects: .*3: balance of .* goes/));
    expect(told['IDEM-04']).toEqual(expect.arrayContaining(['holds']));
  });

  it.each<[string, Ways]>([
    ['does not show them', NOTHING_SHOWN],
    ['shows the newest alone', { executed: () => ({ balance: 10, seen: 0 }), isRacing: true }],
  ])('are not told where the thing %s', async (_what, ways) => {
    expect((await toldOf(ways))['IDEM-03'] ?? []).not.toContainEqual(expect.stringMatching(/^(idem|holds)/));
  });
});

describe('other keys on a thing (IDEM-04)', () => {
  const breachesOf = async (ways: Ways): Promise<readonly string[]> => {
    const told = (await toldOf(ways))['IDEM-04'] ?? [];
    return [...new Set(told.flatMap((one) => /^idem-04\.no-effect\.[^:]*/.exec(one) ?? []))].toSorted();
  };

  it.each<[string, Ways, readonly string[]]>([
    ['hold where each has an effect', {}, []],
    ['hold where effects show a reading later', { isLate: true }, []],
    [
      'are breached where keys are compared in small letters',
      { keyOf: (key) => key?.toLowerCase() ?? null },
      ['idem-04.no-effect.key-case'],
    ],
    [
      'are breached where keys are cut',
      { keyOf: (key) => key?.slice(0, 40) ?? null },
      ['idem-04.no-effect.key-character'],
    ],
    [
      'are breached where a body without a key is its own',
      { keyOf: (key, body) => key ?? body },
      ['idem-04.no-effect.no-key-equal-body'],
    ],
    ['are breached where sends at once undo each other', { isLosing: true }, ['idem-04.no-effect.other-key-at-once']],
    [
      'are breached where the body is the key, and amounts tell that each has an effect',
      { keyOf: (_key, body) => body },
      expect.arrayContaining(['idem-04.no-effect.other-key-equal-body']) as unknown as readonly string[],
    ],
    ['are not told where the thing keeps what was sent last', { executed: () => ({ balance: 7, seen: 0 }) }, []],
  ])('%s', async (_what, ways, codes) => {
    expect(await breachesOf(ways)).toEqual(codes);
  });
});

it('another body under a known key is breached where it is refused and changes the thing (IDEM-08)', async () => {
  expect((await toldOf({}))['IDEM-08']).toEqual(['holds']);
  const told = await toldOf({ isExecutedFirst: true });
  expect(told['IDEM-08']).toContainEqual(
    expect.stringMatching(/^idem-08\.effect: .*answered 422, and balance of .* goes/),
  );
});

describe('a thing', () => {
  const TRANSFER = {
    type: 'object',
    required: ['amount', 'currency', 'walletId'],
    properties: {
      ...{ ...amount.properties, currency: { type: 'string', const: 'EUR' } },
      walletId: { type: 'string', const: 'w1' },
    },
  };
  const CODE = { name: 'currencyCode', in: 'path', required: true, schema: { type: 'string' } };
  const NAMED = {
    '/api/v1/currencies/{currencyCode}': { parameters: [CODE], get: { responses: { 200: { description: 'It' } } } },
    [WALLET]: PATHS[WALLET],
    '/api/v1/transfers': {
      post: {
        parameters: [KEY],
        requestBody: { required: true, content: { 'application/json': { schema: TRANSFER } } },
        responses: { 204: { description: 'Done' } },
      },
    },
  };
  const again = topUp;

  it('may be named by the body of a send, by an id before any other member', async () => {
    expect((await toldOf({}, { paths: NAMED }))['IDEM-03']).toContain('holds');
    expect((await toldOf({ again }, { paths: NAMED }))['IDEM-02']).toEqual([
      expect.stringContaining('changed-again: 2 sends with one key: 2: balance of /api/v1/wallets/w1'),
    ]);
  });

  it('shows effects of the turns that were taken before no more might be made', async () => {
    const told = await toldOf({}, { sends: 4 });
    expect([told['IDEM-02'], told['IDEM-04']]).toEqual([['holds'], undefined]);
  });

  it('shows a second effect by an amount that was sent, where little may be made', async () => {
    expect(await toldOf({ again }, { lasts: true })).toEqual({ 'IDEM-02': [expect.stringContaining('changed-again')] });
    const noted = (one: Wallet): Wallet => ({ ...one, seen: one.seen + 1 });
    for (const ways of [{}, { again: noted }])
      expect(await toldOf(ways, { lasts: true })).toEqual({
        'IDEM-02': [expect.stringContaining('neither a list, nor a thing')],
      });
  });
});
