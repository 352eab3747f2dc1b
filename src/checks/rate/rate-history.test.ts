// The laws over a key's series: silent for every conformant limiter under every pattern of traffic, loud for each defect.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITED } from '../../../test/support/checks/readings.ts';
import {
  fixedWindow,
  type HeaderStyle,
  KINDS,
  type Limiter,
  limiterOf,
  PLAIN_STYLE,
  RESET_STYLES,
  tokenBucket,
} from '../../../test/support/limiters/limiters.ts';
import {
  type SimulatedCall,
  START,
  steady,
  type TrafficOptions,
  traffic,
  withHeader,
} from '../../../test/support/limiters/traffic.ts';
import type { RateTerms } from '../../contract/terms.ts';
import type { Limited } from '../../limiters/reading.ts';
import { RateBook } from './rate-history.ts';
import type { RateConclusion } from './series-law.ts';

const KEYS = [{ name: 'std-1', plan: 'standard' }];
const OPERATIONS = ['GET /a', 'GET /b', 'POST /c', 'GET /d'];

function concluded(limiter: Limiter, calls: readonly SimulatedCall[], options: TrafficOptions = {}) {
  const book = new RateBook(KEYS, LIMITED);
  for (const exchange of traffic(limiter, calls, options)) book.observe(exchange);
  return book.conclude();
}

/** "RATE-03 GET /a: cause" for every breach that is no observation. */
function breachesOf(conclusions: readonly RateConclusion[]): readonly string[] {
  return conclusions.flatMap(({ clause, operation, judgement }) =>
    judgement.kind === 'breached'
      ? judgement.breaches
          .filter(({ weight }) => weight === 'breach')
          .map(({ cause }) => `${clause} ${operation ?? '-'}: ${cause}`)
      : [],
  );
}

const style = fc.record<HeaderStyle>({
  reset: fc.constantFrom(...RESET_STYLES),
  rounding: fc.constantFrom('ceil', 'floor', 'round'),
  skewMs: fc.constantFrom(0, 400, -90_000, 300_000),
  date: fc.boolean(),
  dateAgeMs: fc.constantFrom(0, 950),
  retryAfter: fc.constantFrom('seconds', 'date', 'none'),
});

/** Workers that call, wait for the answer and call again, some pauses between. */
const workers = fc
  .array(
    fc.record({
      begin: fc.nat(2000),
      gaps: fc.array(
        fc.record({ pause: fc.oneof(fc.nat(3), fc.nat(40), fc.nat(1500)), before: fc.nat(30), after: fc.nat(30) }),
        {
          minLength: 5,
          maxLength: 60,
        },
      ),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) =>
    all.flatMap(({ begin, gaps }, worker) => {
      let at = begin;
      return gaps.map(({ pause, before, after }, index): SimulatedCall => {
        const call = { sentAt: at, before, after, operation: OPERATIONS[(worker + index) % 4] ?? 'GET /a' };
        at += before + after + pause + 1;
        return call;
      });
    }),
  );

describe('a conformant limiter', () => {
  it('raises nothing, whatever its kind, its headers and the traffic', () => {
    const scene = fc.record({
      kind: fc.constantFrom(...KINDS),
      limit: fc.constantFrom(5, 20, 100, 1000, 30_000),
      windowMs: fc.constantFrom(1000, 2000, 10_000, 60_000, 3_600_000),
      style,
      dear: fc.integer({ min: 1, max: 3 }),
      calls: workers,
    });
    fc.assert(
      fc.property(scene, ({ kind, limit, windowMs, style: headerStyle, dear, calls }) => {
        const cost = (operation: string) => (operation === 'POST /c' ? dear : 1);
        expect(breachesOf(concluded(limiterOf(kind, limit, windowMs), calls, { style: headerStyle, cost }))).toEqual(
          [],
        );
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  it('may be a short log whose calls leave before the Reset that it states', () => {
    const bursts = [0, 2400, 4800].flatMap((at) => [
      ...steady(40, 5, ['GET /a'], at),
      ...steady(6, 100, ['GET /a'], at + 1700),
    ]);
    for (const reset of RESET_STYLES)
      for (const limit of [60, 80]) {
        const found = concluded(limiterOf('log-till-empty', limit, 2000), bursts, { style: { ...PLAIN_STYLE, reset } });
        expect(breachesOf(found)).toEqual([]);
      }
  });

  it('may be a log that states when it is empty, asked now and then only, while a rise of Remaining is told of a window', () => {
    const calls = [0, 4300, 5600].flatMap((at) => steady(at === 0 ? 100 : 5, 5, ['GET /a'], at));
    const risen: TrafficOptions['change'] = (headers, { sentAt }) =>
      sentAt < 5600 ? headers : withHeader(headers, 'x-ratelimit-remaining', '140');
    for (const reset of RESET_STYLES)
      for (const dateAgeMs of [0, 950]) {
        const style = { ...PLAIN_STYLE, reset, dateAgeMs };
        const ofWindow = concluded(fixedWindow(150, 20_000), calls, { style, change: risen });
        expect(breachesOf(concluded(limiterOf('log-till-empty', 150, 5000), calls, { style }))).toEqual([]);
        expect(breachesOf(ofWindow)[0]).toMatch(/^RATE-03 .*Remaining rises within a window$/);
      }
  });

  it('may be a log whose Reset stands for a window, where calls cost two or others spend it, while a rise is told of a window', () => {
    const inTurn = steady(32, 500, ['GET /a']);
    const calls = [...inTurn, ...steady(3, 5, ['GET /a'], 16_010), ...steady(10, 400, ['GET /a'], 24_500)];
    const dear = [...inTurn.slice(0, 24), ...steady(25, 5, ['GET /a'], 16_000), ...calls.slice(-10)];
    /** Others make sixty calls at once. */
    const shared = (limiter: Limiter): Limiter => {
      let left = 60;
      return (nowMs, cost) => {
        for (; left > 0 && nowMs >= START + 16_000; left -= 1) limiter(START + 16_000, 1);
        return limiter(nowMs, cost);
      };
    };
    const log = () => limiterOf('log-in-windows', 100, 10_000);
    const window = fixedWindow(100, 60_000);
    const rising: Limiter = (nowMs, cost) => {
      const grant = window(nowMs, cost);
      return nowMs < START + 25_500 ? grant : { ...grant, remaining: Math.min(100, grant.remaining + 60) };
    };
    expect(breachesOf(concluded(log(), dear, { cost: () => 2 }))).toEqual([]);
    expect(breachesOf(concluded(shared(log()), calls))).toEqual([]);
    expect(breachesOf(concluded(shared(rising), calls))[0]).toMatch(/^RATE-03 .*Remaining rises within a window$/);
  });

  it('may be a bucket of five seconds whose Date is a second old', () => {
    const style = { ...PLAIN_STYLE, dateAgeMs: 950 };
    for (let phase = 0; phase < 5000; phase += 625) {
      const calls = [0, 1, 2, 3].flatMap((turn) => [
        ...steady(400, 1, ['GET /a'], turn * 10_000 + phase),
        ...[6000, 7000, 8000, 9000].flatMap((at) => steady(4, 5, ['GET /a'], turn * 10_000 + at)),
      ]);
      expect(breachesOf(concluded(limiterOf('bucket', 400, 5000), calls, { style }))).toEqual([]);
    }
  });

  it('may change its limit from one window to the next', () => {
    const windows = [fixedWindow(100, 2000), fixedWindow(200, 2000)];
    const limiter: Limiter = (nowMs, cost) => (windows[Math.floor(nowMs / 2000) % 2] as Limiter)(nowMs, cost);
    expect(breachesOf(concluded(limiter, steady(800, 10, OPERATIONS)))).toEqual([]);
  });

  it('may have a throttle of its own on one operation, with calls left', () => {
    const own = fixedWindow(3, 4000);
    const change: TrafficOptions['change'] = (headers) => headers;
    const book = new RateBook(KEYS, LIMITED);
    for (const exchange of traffic(fixedWindow(1000, 60_000), steady(400, 20, OPERATIONS), { change })) {
      const isThrottled = exchange.plan.operation === 'POST /c' && !own(exchange.sentAt, 1).granted;
      const response = exchange.response === null ? null : { ...exchange.response, status: isThrottled ? 429 : 200 };
      book.observe({ ...exchange, response });
    }
    expect(breachesOf(book.conclude())).toEqual([]);
  });
});

describe('limits of single operations', () => {
  const apart = { ...LIMITED, terms: { ...(LIMITED.terms as RateTerms), per: 'operation' } } as const;
  const limits = { 'GET /a': 50, 'GET /b': 50, 'POST /c': 10 };
  const told = (limited: Limited, cost = 1): readonly string[] => {
    const book = new RateBook(KEYS, limited);
    const lists = Object.entries(limits).map(([operation, limit], index) =>
      traffic(fixedWindow(limit, 60_000), steady(8, 90, [operation], 30 * index), { cost: () => cost }),
    );
    for (const exchange of lists.flat().toSorted((one, other) => one.sentAt - other.sentAt)) book.observe(exchange);
    return breachesOf(book.conclude());
  };

  it('are none of one key, unless the contract says so', () => {
    expect(told(LIMITED).map((one) => one.slice(0, 7))).toEqual(expect.arrayContaining(['RATE-02', 'RATE-03']));
    expect(told(apart)).toEqual([]);
  });

  it('are held to the laws each', () => {
    expect(told(apart, 0).map((one) => one.slice(0, 7))).toEqual(['RATE-03', 'RATE-03', 'RATE-03']);
  });
});

describe('a defect of the series', () => {
  /** The breaches found where answers from one call on state Reset in another form than all before them. */
  const told = (
    reset: HeaderStyle['reset'],
    change: (text: string) => string,
    operations: readonly string[] = OPERATIONS,
  ) => {
    const limiter = fixedWindow(50, 60_000);
    const changed: TrafficOptions['change'] = (headers, _call, index) => {
      const text = headers.find(([name]) => name === 'x-ratelimit-reset')?.[1] ?? '';
      return index < 50 ? headers : withHeader(headers, 'x-ratelimit-reset', change(text));
    };
    const calls = [...steady(50, 10, OPERATIONS), ...steady(20, 10, operations, 600)];
    return breachesOf(concluded(limiter, calls, { style: { ...PLAIN_STYLE, reset }, change: changed }));
  };
  const [seconds, delta] = ['epoch-seconds', 'delta-seconds'] as const;

  it('is told where refusals state Reset in another unit', () => {
    const expected = expect.arrayContaining([
      expect.stringMatching(/^RATE-03 .*: refusals tell Reset in another unit than other answers$/),
    ]);
    expect(told(seconds, (text) => `${text}000`)).toEqual(expected);
    expect(told(delta, (text) => `${text}000`)).toEqual(expected);
  });

  it('is none where they state it alike, later, or on one operation alone', () => {
    expect(told(seconds, (text) => text)).toEqual([]);
    expect(told(delta, (text) => `${text}0`)).toEqual([]);
    expect(told(seconds, (text) => `${text}000`, ['POST /c'])).toEqual([]);
  });

  const long = fixedWindow.bind(null, 1000, 60_000);
  const calls = steady(120, 25, OPERATIONS);

  it('is found where Limit differs on one operation', () => {
    const change: TrafficOptions['change'] = (headers, { operation }) =>
      operation === 'GET /d' ? withHeader(headers, 'x-ratelimit-limit', '1200') : headers;
    for (const reset of RESET_STYLES) {
      const found = breachesOf(concluded(long(), calls, { change, style: { ...PLAIN_STYLE, reset } }));
      expect(found).toEqual(['RATE-02 GET /d: Limit differs within a window']);
    }
  });

  it('is found where Limit changes once in each of two windows, and none where it changes once', () => {
    const told = (...changedAt: readonly number[]) => {
      const change: TrafficOptions['change'] = (headers, _call, index) => {
        const limit = 100 - changedAt.filter((at) => index >= at).length;
        return withHeader(headers, 'x-ratelimit-limit', String(limit));
      };
      return breachesOf(concluded(fixedWindow(100, 10_000), steady(90, 200, OPERATIONS), { change }));
    };
    expect(told(20, 70)).toEqual([expect.stringMatching(/^RATE-02 .*: Limit differs within a window$/)]);
    expect(told(20)).toEqual([]);
  });

  it('is found where refusals of a spent key state another Limit than the answers around them', () => {
    const told = (isRefused: boolean, window: number) => {
      const change: TrafficOptions['change'] = (headers) => {
        const isOdd = headers.some(([name]) => name === 'retry-after') === isRefused;
        return isOdd ? withHeader(headers, 'x-ratelimit-limit', '0') : headers;
      };
      const calls = [...steady(60, 10, OPERATIONS), ...steady(5, 10, OPERATIONS, window)];
      return breachesOf(concluded(fixedWindow(50, 10_000), calls, { change }));
    };
    expect(told(true, 11_000)).toEqual([expect.stringMatching(/^RATE-02 .*: Limit differs within a window$/)]);
    // Nothing tells what the Limit is afterwards.
    expect(told(true, 2_000)).toEqual([]);
  });

  it('is none where a refusal with calls left states the Limit of another throttle', () => {
    const change: TrafficOptions['change'] = (headers, { operation }, index) => {
      const changed = withHeader(withHeader(headers, 'x-ratelimit-limit', '5'), 'x-ratelimit-remaining', '0');
      return operation === 'GET /d' && index > 8 ? changed : headers;
    };
    const refuses = ({ operation }: SimulatedCall, index: number) => operation === 'GET /d' && index > 8;
    const calls = [...steady(40, 10, OPERATIONS), ...steady(5, 10, ['GET /a'], 11_000)];
    expect(breachesOf(concluded(fixedWindow(50, 10_000), calls, { change, refuses }))).toEqual([]);
  });

  it('is found where Remaining jumps up within a window', () => {
    const change: TrafficOptions['change'] = (headers, _call, index) =>
      index % 10 === 9 ? withHeader(headers, 'x-ratelimit-remaining', String(1000 - index + 5)) : headers;
    for (const reset of RESET_STYLES) {
      const found = concluded(long(), calls, { change, style: { ...PLAIN_STYLE, reset } });
      expect(breachesOf(found)[0]).toMatch(/^RATE-03 .*Remaining rises within a window$/);
    }
  });

  it('is found where two calls come back within a window, and not where one is not counted', () => {
    const told = (more: number) => {
      const change: TrafficOptions['change'] = (headers, _call, index) =>
        index === 50 ? withHeader(headers, 'x-ratelimit-remaining', String(1000 - index - 1 + more)) : headers;
      return breachesOf(concluded(long(), calls, { change }));
    };
    expect(told(1)).toEqual([]);
    expect(told(2)).toEqual([expect.stringMatching(/^RATE-03 .*Remaining rises within a window$/)]);
  });

  it('is found where the key is refused on all operations with calls left, until the reset', () => {
    const inner = fixedWindow(100, 10_000);
    const limiter: Limiter = (nowMs, cost) => {
      const grant = inner(nowMs, cost);
      return { ...grant, granted: grant.granted && grant.remaining >= 20, remaining: Math.max(20, grant.remaining) };
    };
    const found = breachesOf(concluded(limiter, steady(600, 40, OPERATIONS)));
    expect(found).toContain("RATE-04 -: the key's limiter refuses while calls are left");
  });

  it('is found where calls of several operations are refused at once with calls left, and told to wait for the reset', () => {
    const inner = fixedWindow(100, 10_000);
    const limiter: Limiter = (nowMs, cost) => {
      const grant = inner(nowMs, cost);
      return { ...grant, granted: grant.granted && grant.remaining >= 20, remaining: Math.max(20, grant.remaining) };
    };
    const told = "RATE-04 -: the key's limiter refuses while calls are left";
    const windows = (operations: readonly string[]) =>
      [0, 10_500, 21_000].flatMap((at) => steady(90, 1, operations, at));
    expect(breachesOf(concluded(limiter, windows(OPERATIONS)))).toContain(told);
    expect(breachesOf(concluded(limiter, windows(['GET /a'])))).not.toContain(told);
    const asksForLess: TrafficOptions['change'] = (headers) =>
      headers.some(([name]) => name === 'retry-after') ? withHeader(headers, 'retry-after', '2') : headers;
    expect(breachesOf(concluded(limiter, windows(OPERATIONS), { change: asksForLess }))).not.toContain(told);
  });

  it('is found where one call a window is refused with the same calls left, each time on another operation', () => {
    const windows = (least: readonly number[], turned: number) => {
      const inner = fixedWindow(100, 10_000);
      const limiter: Limiter = (nowMs, cost) => {
        const [grant, left] = [inner(nowMs, cost), least[Math.floor((nowMs - START) / 10_000)] ?? 0];
        return {
          ...grant,
          granted: grant.granted && grant.remaining >= left,
          remaining: Math.max(left, grant.remaining),
        };
      };
      const calls = least.flatMap((left, index) => {
        const turn = (index * turned) % OPERATIONS.length;
        const operations = [...OPERATIONS.slice(turn), ...OPERATIONS.slice(0, turn)];
        return steady(101 - left, 4, operations, index * 10_000 + 500);
      });
      return breachesOf(concluded(limiter, [...calls, ...steady(1, 1, ['GET /a'], least.length * 10_000 + 500)]));
    };
    const told = "RATE-04 -: the key's limiter refuses while calls are left";
    expect(windows([20, 20, 20], 1)).toContain(told);
    expect(windows([20, 20], 1)).not.toContain(told);
    expect(windows([20, 20, 20], 0)).not.toContain(told);
    expect(windows([20, 28, 36], 1)).not.toContain(told);
  });

  it('is found where the wait that Retry-After asks for is too short', () => {
    // Ten calls are granted, then one is sent every 1.2 s: told to wait 1 s, it waited.
    const calls = [...steady(10, 10, ['GET /a']), ...steady(8, 1200, ['GET /a'], 150)];
    const telling =
      (seconds: number): TrafficOptions['change'] =>
      (headers) =>
        headers.some(([name]) => name === 'retry-after')
          ? withHeader(headers, 'retry-after', String(seconds))
          : headers;
    expect(breachesOf(concluded(fixedWindow(10, 10_000), calls, { change: telling(1) }))).toEqual([
      'RATE-06 GET /a: a call is refused after waiting as Retry-After says',
    ]);
    const rounded = [...steady(10, 10, ['GET /a']), ...steady(2, 9100, ['GET /a'], 150)];
    expect(breachesOf(concluded(fixedWindow(10, 10_000), rounded, { change: telling(9) }))).toEqual([]);
  });

  it('is none where calls that were under way with a refusal took what had come back, and were answered after it', () => {
    const burst = (granted: number): readonly SimulatedCall[] => [
      ...Array.from({ length: granted }, () => ({ sentAt: 3200, before: 1, after: 30, operation: 'GET /a' })),
      ...Array.from({ length: 3 }, () => ({ sentAt: 3202, before: 2, after: 0, operation: 'GET /a' })),
    ];
    const untold: TrafficOptions['change'] = (headers) =>
      headers.flatMap(([name, value]) => {
        if (name === 'x-ratelimit-reset') return [];
        return [[name, name === 'retry-after' ? '0' : value] as const];
      });
    const spent = steady(12, 10, ['GET /a']);
    const told = (limiter: Limiter, granted: number) =>
      breachesOf(concluded(limiter, [...spent, ...burst(granted)], { change: untold }));
    expect(told(tokenBucket(10, 4 / 1000, 'next'), 10)).toEqual([]);
    expect(told(fixedWindow(10, 10_000), 0)).toEqual([
      'RATE-06 GET /a: a call is refused after waiting as Retry-After says',
    ]);
  });

  it('is none where calls succeed sooner than Retry-After says: that is observed', () => {
    const calls = [...steady(10, 10, ['GET /a']), ...steady(40, 200, ['GET /a'], 150)];
    const told: TrafficOptions['change'] = (headers) =>
      headers.some(([name]) => name === 'retry-after') ? withHeader(headers, 'retry-after', '30') : headers;
    const rowOf = (options: TrafficOptions) => {
      const found = concluded(fixedWindow(10, 5000), calls, options);
      expect(breachesOf(found)).toEqual([]);
      const rows = found.flatMap(({ judgement }) => judgement.observed ?? []);
      return rows.find(({ subject }) => subject === 'tightness of Retry-After')?.value;
    };
    expect(rowOf({ change: told })).toMatch(/^a call is accepted 2\d\.\d s before the wait is over$/);
    expect(rowOf({})).toBe('tight');
  });

  it('is found where Reset tells another time than the one at which calls come back', () => {
    const moved =
      (seconds: number): TrafficOptions['change'] =>
      (headers) =>
        withHeader(
          headers,
          'x-ratelimit-reset',
          String(Number(headers.find(([name]) => name === 'x-ratelimit-reset')?.[1]) + seconds),
        );
    const told = (seconds: number, gapMs = 30) => {
      const calls = steady(36_000 / gapMs, gapMs, ['GET /a']);
      return breachesOf(concluded(fixedWindow(18_000 / gapMs, 10_000), calls, { change: moved(seconds) }));
    };
    expect(told(0)).toEqual([]);
    expect(told(1)).toEqual([]);
    expect(told(-6)).toEqual(['RATE-03 -: nothing comes back at the stated Reset']);
    // Each sent as the one before is answered.
    expect(told(-6, 3)).toEqual(['RATE-03 -: nothing comes back at the stated Reset']);
    expect(told(6)).toContain('RATE-03 -: all comes back long before the stated Reset');
  });

  it('is found where a window grants too many, though its stated moment wobbles by a second either way', () => {
    const wobbling: TrafficOptions['change'] = (headers, _call, index) => {
      const reset = Number(headers.find(([name]) => name === 'x-ratelimit-reset')?.[1]);
      return withHeader(headers, 'x-ratelimit-reset', String(reset + [1, -1, 0, 1, -1, -1][index % 6]!));
    };
    const told = (beyond: number) => {
      const inner = fixedWindow(40 + beyond, 20_000);
      const limiter: Limiter = (nowMs, cost) => {
        const grant = inner(nowMs, cost);
        return { ...grant, limit: 40, remaining: Math.max(0, grant.remaining - beyond) };
      };
      return breachesOf(concluded(limiter, steady(200, 200, OPERATIONS), { change: wobbling }));
    };
    expect(told(0)).toEqual([]);
    expect(told(4)).toContain('RATE-04 -: more calls succeed in a window than Limit allows');
  });

  it('is none where HEAD is not counted, which no description has', () => {
    const calls = steady(400, 20, ['GET /a', 'HEAD /a', 'GET /b', 'HEAD /b', 'GET /d']);
    const cost = (operation: string) => (operation.startsWith('HEAD') ? 0 : 1);
    const told = (isDescribed: boolean) => {
      const book = new RateBook(KEYS, LIMITED);
      for (const exchange of traffic(fixedWindow(5000, 10_000), calls, { cost })) {
        const isOpen = !isDescribed && exchange.plan.method === 'HEAD';
        book.observe(isOpen ? { ...exchange, plan: { ...exchange.plan, operation: null } } : exchange);
      }
      return breachesOf(book.conclude());
    };
    expect(told(false)).toEqual([]);
    expect(told(true)).toEqual(['RATE-03 -: Remaining does not fall with the calls of its window']);
  });

  it('is found where one operation tells Reset in another unit than the others', () => {
    const inSeconds =
      (isOther: (operation: string, index: number) => boolean): TrafficOptions['change'] =>
      (headers, call, index) =>
        isOther(call.operation, index) ? withHeader(headers, 'x-ratelimit-reset', '4') : headers;
    const told = (isOther: (operation: string, index: number) => boolean) =>
      breachesOf(concluded(fixedWindow(600, 10_000), steady(80, 30, OPERATIONS), { change: inSeconds(isOther) }));
    expect(told((operation) => operation === 'POST /c')).toEqual([
      'RATE-03 POST /c: an operation tells Reset in another unit than others do',
    ]);
    // Two gateways, one behind the other, answer in turns: which one it is, no operation tells.
    expect(told((_operation, index) => index % 3 === 0)).toEqual([]);
  });

  it('is found where Retry-After is in milliseconds', () => {
    const limiter = fixedWindow(10, 5000);
    const change: TrafficOptions['change'] = (headers, call) =>
      headers.some(([name]) => name === 'retry-after')
        ? withHeader(headers, 'retry-after', String(5000 - ((call.sentAt + 1) % 5000)))
        : headers;
    const found = breachesOf(
      concluded(limiter, [...steady(12, 20, ['GET /a']), ...steady(3, 100, ['GET /a'], 5050)], { change }),
    );
    expect(found).toEqual(['RATE-05 GET /a: Retry-After is in milliseconds']);
  });
});

describe('plans', () => {
  const keys = ['standard', 'growth', 'enterprise'].map((plan) => ({ name: plan, plan }));
  function withLimits(limits: readonly number[], expected = {}) {
    const book = new RateBook(keys, LIMITED, expected);
    for (const [index, limit] of limits.entries()) {
      const calls = steady(3, 10, OPERATIONS).map((call) => ({ ...call, key: keys[index]?.name ?? '' }));
      for (const exchange of traffic(fixedWindow(limit, 10_000), calls)) book.observe(exchange);
    }
    return book.conclude();
  }

  it('are in order, or it is found', () => {
    expect(breachesOf(withLimits([100, 200, 400]))).toEqual([]);
    expect(breachesOf(withLimits([100, 80, 400]))).toEqual(['RATE-08 -: a ceiling falls from one plan to the next']);
    const same = withLimits([100, 100, 100]).find(({ clause }) => clause === 'RATE-08')?.judgement;
    expect(same?.kind === 'breached' && same.breaches[0]?.weight).toBe('advisory');
    const one = withLimits([100]).find(({ clause }) => clause === 'RATE-08')?.judgement;
    expect(one?.kind === 'cannot-tell' && one.reasonCode).toBe('no-credential');
  });

  it('have the limits that are configured, or it is found', () => {
    expect(breachesOf(withLimits([100], { standard: { limit: 100 } }))).toEqual([]);
    expect(breachesOf(withLimits([100], { standard: { limit: 120 } }))).toEqual([
      'RATE-10 -: the stated Limit of plan standard is not the configured one',
    ]);
  });

  it('have no window to compare where resets tell when a bucket grants the next call', () => {
    const book = new RateBook(KEYS, LIMITED, { standard: { windowSeconds: 10 } });
    const style = { ...PLAIN_STYLE, reset: 'epoch-milliseconds' } as const;
    for (const [turn, at] of [PLAIN_STYLE, style].entries()) {
      const calls = steady(300, 40, OPERATIONS, turn * 60_000);
      for (const exchange of traffic(limiterOf('bucket-next', 100, 10_000), calls, { style: at }))
        book.observe(exchange);
    }
    expect(breachesOf(book.conclude())).toEqual([]);
  });

  it('are told in one table, with the window and the form of Reset', () => {
    const book = new RateBook(KEYS, LIMITED);
    for (const exchange of traffic(fixedWindow(100, 2000), steady(700, 20, OPERATIONS))) book.observe(exchange);
    book.historyOf('std-1').drain = { kinds: ['fixed-aligned'], windowMs: 2000, burst: 100, calls: 104, tookMs: 900 };
    const [row] = book.conclude().filter(({ clause }) => clause === 'RATE-11');
    expect(row?.judgement.kind === 'breached' && row.judgement.breaches[0]?.actual).toBe(
      'limit 100 calls (sure); window 2 s (likely); meaning of Reset epoch seconds (sure); algorithm fixed-window (likely); burst 100 calls (sure)',
    );
  });
});
