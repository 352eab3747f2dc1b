import { describe, expect, it } from 'vitest';
import { type SimulatedClock, simulatedClock } from '../clock/simulated.ts';
import { termsOf } from '../contract/terms-of.ts';
import type { Limited } from '../limiters/reading.ts';
import { type Answer, createPace } from './pace.ts';

/** Answers one call at the given time. */
type Limiter = (nowMs: number) => Answer;

interface Run {
  readonly accepted: number;
  readonly refused: number;
  readonly durationMs: number;
}

/** `calls` successes wanted by `workers` workers through one pace; every answer takes 5 to 14 ms. */
async function run(
  limiter: Limiter,
  { calls = 300, workers = 16, key = 'std-1' as string | null, limited = undefined as Limited | undefined } = {},
): Promise<Run> {
  const clock = simulatedClock();
  const pace = createPace(clock, undefined, undefined, undefined, limited);
  const startMs = clock.now();
  let accepted = 0;
  let refused = 0;
  const worker = async (number: number) => {
    for (let call = 0; accepted < calls; call += 1) {
      const ticket = await pace.enter(key);
      await clock.sleep(2 + ((number * 7 + call * 3) % 5));
      const answer = limiter(clock.now());
      await clock.sleep(3 + ((number * 3 + call * 7) % 5));
      pace.leave(key, ticket, answer);
      if (answer.status === 429) refused += 1;
      else accepted += 1;
    }
  };
  await clock.drive(Promise.all(Array.from({ length: workers }, (_, number) => worker(number))));
  return { accepted, refused, durationMs: clock.now() - startMs };
}

function answer(status: number, headers: Record<string, string | number>): Answer {
  return { status, headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as const) };
}

function rateHeaders(limit: unknown, remaining: unknown, reset: unknown): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
  };
}

type ResetForm = (resetAtMs: number, nowMs: number) => string | number;
const EPOCH_SECONDS: ResetForm = (atMs) => Math.ceil(atMs / 1000);
const RESETS: Record<string, ResetForm> = {
  'epoch seconds': EPOCH_SECONDS,
  'epoch milliseconds': (atMs) => atMs,
  'delta seconds': (atMs, nowMs) => Math.ceil((atMs - nowMs) / 1000),
  'an HTTP date': (atMs) => new Date(Math.ceil(atMs / 1000) * 1000).toUTCString(),
};

function fixedWindow(limit: number, windowMs: number, reset: ResetForm = EPOCH_SECONDS, skewMs = 0): Limiter {
  let windowStart = 0;
  let used = 0;
  return (localMs) => {
    const nowMs = localMs + skewMs;
    const start = Math.floor(nowMs / windowMs) * windowMs;
    if (start !== windowStart) used = 0;
    windowStart = start;
    const isOver = used >= limit;
    if (!isOver) used += 1;
    const at = start + windowMs;
    const headers = { date: new Date(nowMs).toUTCString(), ...rateHeaders(limit, limit - used, reset(at, nowMs)) };
    return answer(isOver ? 429 : 200, isOver ? { ...headers, 'retry-after': Math.ceil((at - nowMs) / 1000) } : headers);
  };
}

function tokenBucket(burst: number, ratePerSecond: number, untilFull: boolean): Limiter {
  let tokens = burst;
  let lastMs: number | null = null;
  return (nowMs) => {
    tokens = Math.min(burst, tokens + ((nowMs - (lastMs ?? nowMs)) * ratePerSecond) / 1000);
    lastMs = nowMs;
    const isOver = tokens < 1;
    if (!isOver) tokens -= 1;
    const missing = untilFull ? burst - tokens : Math.max(0, 1 - tokens);
    const headers = rateHeaders(burst, Math.floor(tokens), Math.ceil(nowMs + (missing / ratePerSecond) * 1000));
    return answer(isOver ? 429 : 200, isOver ? { ...headers, 'retry-after': 1 } : headers);
  };
}

describe('a tight plan', () => {
  it.each(Object.entries(RESETS))('of 100 calls in 10 s is kept with reset as %s', async (_, reset) => {
    const { accepted, refused, durationMs } = await run(fixedWindow(100, 10_000, reset), { calls: 1000 });
    expect(refused / (accepted + refused)).toBeLessThan(0.02);
    expect(durationMs).toBeLessThan(110_000);
  });

  it.each([-3_600_000, 7_200_000])('is kept when clocks differ by %i ms', async (skewMs) => {
    const { accepted, refused, durationMs } = await run(fixedWindow(100, 10_000, EPOCH_SECONDS, skewMs), {
      calls: 1000,
    });
    expect(refused / (accepted + refused)).toBeLessThan(0.02);
    expect(durationMs).toBeLessThan(120_000);
  });

  it('with a limit below the number of workers is kept', async () => {
    const { refused, durationMs } = await run(fixedWindow(5, 1000), { calls: 100 });
    expect(refused).toBeLessThanOrEqual(4);
    expect(durationMs).toBeLessThan(25_000);
  });

  it.each([true, false])(
    'of a token bucket runs at the rate of its refill (reset when full: %s)',
    async (untilFull) => {
      const { accepted, refused, durationMs } = await run(tokenBucket(50, 10, untilFull), { calls: 500 });
      expect(refused / (accepted + refused)).toBeLessThan(0.05);
      expect(durationMs).toBeLessThan(1.3 * 45_000);
    },
  );
});

describe('a limiter that refuses with another status', () => {
  it('holds the key as a 429 does', async () => {
    const clock = simulatedClock();
    const terms = termsOf({
      name: 'Acme',
      rateLimits: { headers: 'x-ratelimit', refused: { status: 503 } },
    }).rateLimits;
    const pace = createPace(clock, undefined, undefined, undefined, { terms, isAnonymous: false });
    pace.leave('std-1', await pace.enter('std-1'), answer(503, { 'retry-after': 7 }));
    const began = clock.now();
    await clock.drive(Promise.resolve(pace.enter('std-1')));
    expect(clock.now() - began).toBe(7000);
  });
});

describe('an ample plan', () => {
  it('costs no wait at all', () => {
    const clock = simulatedClock();
    const pace = createPace(clock);
    for (let call = 0; call < 1000; call += 1) {
      const ticket = pace.enter('ent-1');
      expect(ticket).toBeTypeOf('number');
      pace.leave('ent-1', ticket as number, answer(200, rateHeaders(10_000, 9999 - call, clock.now() + 60_000)));
    }
    expect(clock.sleeps).toEqual([]);
  });
});

describe('headers that make no sense', () => {
  const far = (nowMs: number) => nowMs + 10 * 365 * 86_400_000;
  it.each<[string, (nowMs: number) => Record<string, string>]>([
    ['absent', () => ({})],
    ['not numeric', () => rateHeaders('many', 'some', 'later')],
    ['a negative Remaining', (nowMs) => rateHeaders(100, -5, nowMs + 60_000)],
    ['a Limit of 0', (nowMs) => rateHeaders(0, 0, nowMs + 60_000)],
    ['a Reset in the past', (nowMs) => rateHeaders(100, 0, nowMs - 60_000)],
    ['a Reset years ahead', (nowMs) => rateHeaders(100, 0, far(nowMs))],
    ['a Remaining that is always 0', (nowMs) => rateHeaders(100, 0, nowMs + 60_000)],
    ['a Remaining that is always 1', (nowMs) => rateHeaders(100, 1, nowMs + 60_000)],
  ])('never stall a run: %s', async (_, headers) => {
    const { durationMs } = await run((nowMs) => answer(200, headers(nowMs)));
    expect(durationMs).toBeLessThan(5000);
  });

  it('cause one bounded hold when Remaining falls and sticks at 0', async () => {
    let left = 20;
    const { durationMs } = await run((nowMs) => {
      left = Math.max(0, left - 1);
      return answer(200, rateHeaders(100, left, nowMs + 60_000));
    });
    expect(durationMs).toBeLessThan(65_000);
  });

  it.each([
    ['absent', {}],
    ['absurd', { 'retry-after': '86400' }],
  ])('cause a bounded wait after a real 429 with Retry-After %s', async (_, headers) => {
    let calls = 0;
    const limiter = () => {
      calls += 1;
      return answer(calls === 20 ? 429 : 200, headers);
    };
    const { refused, durationMs } = await run(limiter, { workers: 1, calls: 100 });
    expect(refused).toBe(1);
    expect(durationMs).toBeLessThan(3000);
  });
});

describe('a hold', () => {
  it.each(Array.from({ length: 20 }, (_, index) => index / 4))(
    'lets its request in where its end comes between two looks at the clock, after a timer that is %f ms early',
    async (earlyMs) => {
      const time = simulatedClock();
      let lookedMs = 0;
      // Time passes while it is asked for.
      const clock = {
        ...time,
        now: () => {
          lookedMs += 0.5;
          return Math.floor(time.now() + lookedMs);
        },
        sleep: (delayMs: number, signal?: AbortSignal) => time.sleep(delayMs - earlyMs, signal),
      };
      const pace = createPace(clock);
      pace.leave('std-1', pace.enter('std-1') as number, answer(429, {}));
      const late = time.sleep(60_000).then(() => 'never let in');
      expect(await time.drive(Promise.race([pace.enter('std-1'), late]))).toBe(2);
    },
  );
});

describe('other throttles', () => {
  it('do not hold the key: a 429 while calls are left concerns its own request', async () => {
    let calls = 0;
    const { durationMs } = await run((nowMs) => {
      calls += 1;
      const headers = rateHeaders(10_000, 9000 - calls, nowMs + 60_000);
      return calls % 50 === 0 ? answer(429, { ...headers, 'retry-after': 60 }) : answer(200, headers);
    });
    expect(durationMs).toBeLessThan(1000);
  });

  it('hold requests without a key only after a 429 of their own', async () => {
    const { durationMs } = await run((nowMs) => answer(200, rateHeaders(10, 0, nowMs + 60_000)), { key: null });
    expect(durationMs).toBeLessThan(1000);
    let calls = 0;
    const limiter = () => {
      calls += 1;
      return calls === 10 ? answer(429, { 'retry-after': 7 }) : answer(200, {});
    };
    expect((await run(limiter, { key: null })).durationMs).toBeGreaterThan(7000);
  });
});

describe('stopping', () => {
  it('lets every waiting request through', async () => {
    const stop = new AbortController();
    const clock: SimulatedClock = simulatedClock();
    const pace = createPace(clock, stop.signal);
    pace.leave('std-1', pace.enter('std-1') as number, answer(429, { 'retry-after': 60 }));
    const waiting = Promise.all([pace.enter('std-1'), pace.enter('std-1')]);
    stop.abort();
    await expect(waiting).resolves.toEqual([2, 3]);
  });
});

it("holds calls without a key where the limit is the address's", async () => {
  const plain = await run(fixedWindow(30, 5000), { key: null, calls: 90 });
  const paced = await run(fixedWindow(30, 5000), { key: null, calls: 90, limited: { terms: null, isAnonymous: true } });
  expect([plain.refused > 0, paced.refused, paced.accepted >= 90]).toEqual([true, 0, true]);
});

it('holds calls by the headers that the contract names', async () => {
  const inner = fixedWindow(30, 5000);
  const limiter: Limiter = (nowMs) => {
    const { status, headers } = inner(nowMs);
    const given = Object.fromEntries(headers);
    const { 'x-ratelimit-remaining': left = '', 'x-ratelimit-reset': reset = '' } = given;
    return answer(status, { date: given.date ?? '', 'x-quota': 30, 'x-quota-left': left, 'x-quota-reset': reset });
  };
  const headers = { limit: 'X-Quota', remaining: 'X-Quota-Left', reset: 'X-Quota-Reset', resetForm: null };
  const limited = { terms: { ...TERMS, headers }, isAnonymous: false };
  expect((await run(limiter, { calls: 90 })).refused).toBeGreaterThan(0);
  expect((await run(limiter, { calls: 90, limited })).refused).toBe(0);
});

it('holds calls by the nearest of several limits', async () => {
  const inner = fixedWindow(30, 5000, (atMs, nowMs) => Math.ceil((atMs - nowMs) / 1000));
  const limiter: Limiter = (nowMs) => {
    const { status, headers } = inner(nowMs);
    const { 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset } = Object.fromEntries(headers);
    return answer(status, {
      'ratelimit-policy': '"day";q=5000;w=86400, "burst";q=30;w=5',
      ratelimit: `"day";r=4000;t=80000, "burst";r=${left};t=${reset}`,
    });
  };
  expect((await run(limiter, { calls: 90 })).refused).toBe(0);
});

const TERMS = {
  ...{ headers: null, isIetf: false, per: 'key' as const, exempt: [], plans: {}, rising: [], throttles: [] },
  refused: { status: 429, retryAfter: 'optional' },
} as const;
