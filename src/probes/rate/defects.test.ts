// The probes of limits against simulated limiters with one defect each: found, and blamed on its clause. What the platform has as a
// fault (src/platform/faults/rate.ts) is tried in test/faults/limits.test.ts; here stands what shows at a border, or by another limiter.
import { describe, expect, it } from 'vitest';
import {
  fixedWindow,
  type Grant,
  type Limiter,
  limiterOf,
  PLAIN_STYLE,
  RESET_STYLES,
  sharedWith,
  tokenBucket,
} from '../../../test/support/limiters/limiters.ts';
import { withHeader } from '../../../test/support/limiters/traffic.ts';
import {
  breachesOf,
  exportThrottle,
  type RunOptions,
  runnerOn,
  spareBy,
} from '../../../test/support/probes/rate/run.ts';
import type { TargetOptions } from '../../../test/support/probes/rate/target.ts';
import { MAIN_KEY } from '../../../test/support/probes/world.ts';
import { simulatedClock } from '../../clock/simulated.ts';

const run = runnerOn(simulatedClock);

describe('a defect', () => {
  const window = (limit: number, seconds = 10) => fixedWindow(limit, seconds * 1000);
  const found = async (options: RunOptions, probes = ['rate/drain']) => breachesOf(await run(options, probes));

  it('of one plan alone is found, though the key of another plan has the smaller limit', async () => {
    const limiterOf: TargetOptions['limiterOf'] = (key) =>
      key === MAIN_KEY.name ? stating(window(150), 200) : window(100);
    expect(await found({ limiterOf })).toContain('RATE-10: the measured ceiling is not the stated Limit');
  });

  it('is found where 130 calls are admitted and 100 stated, though the run ends before the limit is back', async () => {
    const ran = await run({ limiterOf: spareBy(() => stating(window(130), 100)) }, ['rate/drain'], 145);
    expect(breachesOf(ran)).toEqual(['RATE-04: more calls succeed in a window than Limit allows']);
  });

  it('is found where 110 calls are admitted and 100 stated, though the first answer is told just before its window ends', async () => {
    /** Its windows begin half a second after the first call. */
    const late = (): Limiter => {
      const inner = stating(window(110), 100);
      let offsetMs: number | null = null;
      return (nowMs, cost) => {
        offsetMs ??= 9500 - (nowMs % 10_000);
        const grant = inner(nowMs + offsetMs, cost);
        return { ...grant, resetMs: grant.resetMs - offsetMs, againMs: grant.againMs - offsetMs };
      };
    };
    expect(await found({ limiterOf: spareBy(late) })).toEqual([
      'RATE-04: more calls succeed in a window than Limit allows',
      'RATE-10: the measured ceiling is not the stated Limit',
    ]);
  });

  it('of the drained key is found though the run ends while another key is looked at', async () => {
    /** Half of the drained key's calls charge the main key, too. */
    const halfShared = (): TargetOptions['limiterOf'] => {
      let spent = 0;
      return (key) => {
        const inner = key === MAIN_KEY.name ? fixedWindow(100_000, 10_000) : stating(window(130), 100);
        return (nowMs, cost) => {
          const grant = inner(nowMs, cost);
          if (key === MAIN_KEY.name) return { ...grant, remaining: grant.remaining - Math.floor(spent / 2) };
          spent += grant.granted ? cost : 0;
          return grant;
        };
      };
    };
    const whole = await run({ limiterOf: halfShared() }, ['rate/drain']);
    const cut = await run({ limiterOf: halfShared() }, ['rate/drain'], whole.plans.length - 20);
    expect(breachesOf(whole)).toEqual([...breachesOf(cut), 'RATE-07: one key spends the limit of another'].sort());
    expect(breachesOf(cut)).toContain('RATE-10: the measured ceiling is not the stated Limit');
  });

  it.each(RESET_STYLES)('is found where a Reset each second brings nothing back, with Reset as %s', async (reset) => {
    const limiterOf = (): Limiter => {
      const inner = window(400, 120);
      return (nowMs, cost) => ({ ...inner(nowMs, cost), resetMs: (Math.floor(nowMs / 1000) + 1) * 1000 });
    };
    const told = await found({ limiterOf, style: { ...PLAIN_STYLE, reset } }, ['rate/row']);
    expect(told).toEqual(['RATE-03: nothing comes back at the stated Reset']);
  });

  /** A limiter under which this share of the drained key's calls charges the main key, too. */
  const chargedBy = (share: number): TargetOptions['limiterOf'] => {
    let spent = 0;
    const [main, spare] = [fixedWindow(100_000, 600_000), fixedWindow(200, 10_000)];
    return (key) => (nowMs, cost) => {
      const grant = (key === MAIN_KEY.name ? main : spare)(nowMs, cost);
      if (key === MAIN_KEY.name) return { ...grant, remaining: grant.remaining - Math.floor(spent * share) };
      spent += grant.granted ? cost : 0;
      return grant;
    };
  };

  it('is found where a share of 0.15 of one key’s calls is charged to another', async () => {
    expect(await found({ limiterOf: chargedBy(0.15) })).toEqual(['RATE-07: one key spends the limit of another']);
  });

  it('is found where keys share one limit that has room for few calls', async () => {
    const one = fixedWindow(30, 6000, false);
    expect(await found({ limiterOf: () => one, latencyMs: () => 20 })).toContain(
      'RATE-07: one key spends the limit of another',
    );
  });

  const toldOf = async (clause: string, options: Omit<TargetOptions, 'clock'>) => {
    const ran = await run(options, ['rate/drain']);
    const told = ran.outcomes.filter((one) => one.clause === clause).map(({ judgement }) => judgement);
    return told.map((one) => (one.kind === 'cannot-tell' ? one.reason : one.kind));
  };
  const noDate: TargetOptions['change'] = (headers) => headers.filter(([name]) => name !== 'date');
  const MORE = expect.stringContaining('was admitted more calls at once than Limit');

  it('of two processes, each with a limit of its own, is no pass', async () => {
    const both = (): Limiter => {
      const [one, other] = [window(30), window(30)];
      let turn = 0;
      return (nowMs, cost) => (turn++ % 2 === 0 ? one : other)(nowMs, cost);
    };
    expect(await toldOf('RATE-04', { limiterOf: spareBy(both) })).toEqual([MORE]);
  });

  it.each([
    [130, MORE],
    [100, 'holds'],
  ])(
    'of %i calls where 100 are stated, Reset is a time and no answer tells the present one, is told',
    async (calls, told) => {
      const options = { limiterOf: spareBy(() => stating(window(calls), 100)), change: noDate };
      expect(await toldOf('RATE-04', { ...options, style: { ...PLAIN_STYLE, reset: 'epoch-seconds' } })).toEqual([
        told,
      ]);
    },
  );

  it('is told as such where a spent key is answered another status than a limit refuses by', async () => {
    const refusing = { limiterOf: spareBy(() => window(100)), refusedStatus: 503 };
    const told = [expect.stringContaining('with nothing left it is answered 503')];
    expect([await toldOf('RATE-04', refusing), await toldOf('RATE-10', refusing)]).toEqual([told, told]);
  });

  it.each([0.03, 0.1])('that charges a share of %d of one key’s calls to another is no pass', async (share) => {
    const ran = await run({ limiterOf: chargedBy(share) }, ['rate/drain']);
    const told = ran.outcomes.filter(({ clause }) => clause === 'RATE-07').map(({ judgement }) => judgement.kind);
    expect([breachesOf(ran), told]).toEqual([[], ['cannot-tell']]);
  });

  /** Every other window begins with a call less: nothing is quite the same twice. */
  const uneven = (limit: number): Limiter => {
    const inner = window(limit);
    const windows = new Set<number>();
    return (nowMs, cost) => {
      const grant = inner(nowMs, cost);
      const isNew = !windows.has(grant.resetMs);
      windows.add(grant.resetMs);
      return isNew && windows.size % 2 === 0 ? inner(nowMs, cost) : grant;
    };
  };

  it('is found where 70 calls are admitted and 400 stated, and no other client is seen', async () => {
    const claiming = (): Limiter => {
      const inner = uneven(70);
      return (nowMs, cost) => ({ ...inner(nowMs, cost), limit: 400 });
    };
    const told = await found({ limiterOf: spareBy(claiming) });
    expect(told).toEqual(['RATE-10: the measured ceiling is not the stated Limit']);
  });

  /**
   * A limiter under which a refused call has nothing left, whatever the call before it was told. `short`: by how much a
   * window holds less than is stated.
   */
  const clamped = (limit: number, short: (grant: Grant) => number): Limiter => {
    const inner = window(limit, 20);
    return (nowMs, cost) => {
      const grant = inner(nowMs, cost);
      const granted = grant.granted && grant.remaining >= short(grant);
      return { ...grant, granted, remaining: granted ? grant.remaining : 0 };
    };
  };

  it('is found where 5 calls too few are admitted, and the refusal says that none is left', async () => {
    expect(await found({ limiterOf: spareBy(() => clamped(100, () => 5)) })).toEqual([
      'RATE-10: the measured ceiling is not the stated Limit',
    ]);
  });

  it('is no defect where another client takes the last calls of one window', async () => {
    let first: number | null = null;
    const limiter = clamped(100, ({ remaining, resetMs }) => {
      if (remaining < 10) first ??= resetMs;
      return resetMs === first ? 10 : 0;
    });
    expect(await found({ limiterOf: spareBy(() => limiter) })).toEqual([]);
  });

  /** Each call of the spare key takes the main key's limit, too, as often as told. */
  const alsoCharging = (share: number, limit: number): TargetOptions['limiterOf'] => {
    const main = window(30_000, 60);
    const spare = window(limit, 10);
    let calls = 0;
    return (key) =>
      key === MAIN_KEY.name
        ? main
        : (nowMs, cost) => {
            calls += 1;
            if (Math.floor(calls * share) > Math.floor((calls - 1) * share)) main(nowMs, cost);
            return spare(nowMs, cost);
          };
  };

  it('is found where 0.2 of the calls of a key of 100 are charged to another, too', async () => {
    expect(await found({ limiterOf: alsoCharging(0.2, 100) })).toEqual([
      'RATE-07: one key spends the limit of another',
    ]);
  });

  it.each([4, 15, 60, 200])(
    'is no defect where another client spends the other key in part, a call every %i ms',
    async (gapMs) => {
      const spare = window(100);
      const limiterOf: TargetOptions['limiterOf'] = (key) =>
        key === MAIN_KEY.name ? sharedWith(gapMs, fixedWindow(30_000, 60_000)) : spare;
      expect(await found({ limiterOf, latencyMs: () => 5 })).toEqual([]);
    },
  );

  /** A bucket that regains a share of what its Limit and its Reset state. */
  const slowBucket = (limit: number, share: number): Limiter => {
    const perMs = limit / 20_000;
    const inner = tokenBucket(limit, share * perMs, 'full');
    return (nowMs, cost) => {
      const grant = inner(nowMs, cost);
      return { ...grant, resetMs: nowMs + (grant.resetMs - nowMs) * share };
    };
  };

  /** Own calls before, made when nothing had told how long the window is. */
  const earlier = { calls: 30, restMs: 2000 };

  it.each([
    [0.8, {}],
    [0.3, { earlier }],
  ])('is found where a bucket regains %f of what it states, whatever own calls took before', async (share, before) => {
    expect(await found({ limiterOf: spareBy(() => slowBucket(200, share)), ...before })).toEqual([
      'RATE-10: the sustained rate is not the stated Limit',
    ]);
  });

  it.each([0.2, 0.4, 0.7])('is no defect where another client takes %f of what a bucket regains', async (share) => {
    const shared = (): Limiter => sharedWith(20_000 / (200 * share), tokenBucket(200, 200 / 20_000, 'full'));
    expect(await found({ limiterOf: spareBy(shared) })).toEqual([]);
    expect(await found({ limiterOf: spareBy(shared), earlier })).toEqual([]);
  });

  it('is found where one operation is not counted, in a bucket', async () => {
    const cost: TargetOptions['cost'] = ({ path, method }) => (method === 'GET' && path === '/api/v1/b' ? 0 : 1);
    const told = await found({ limiterOf: () => limiterOf('bucket', 1000, 60_000), cost }, ['rate/costs']);
    expect(told).toContain('RATE-03: a successful call does not lower Remaining');
    expect(told.every((one) => one.startsWith('RATE-03'))).toBe(true);
  });

  it.each([
    [5, 10_000],
    [1, 2000],
  ])('is no defect where each user has %d exports in %d ms', async (calls, windowMs) => {
    const limiterOf = () => fixedWindow(30_000, 10_000);
    expect(await found({ limiterOf, throttle: exportThrottle(calls, windowMs) }, ['rate/export'])).toEqual([]);
  });

  it('is found where one call more is admitted, where nothing refills', async () => {
    expect(await found({ limiterOf: spareBy(() => stating(window(101), 100)) })).toContain(
      'RATE-04: more calls succeed in a window than Limit allows',
    );
  });

  it.each([
    [130, ['RATE-04: more calls succeed in a window than Limit allows']],
    [100, []],
  ] as const)(
    'of %d calls where 100 are stated is told, though each other Reset is a second later',
    async (calls, told) => {
      const wobbling = (): Limiter => {
        const inner = stating(window(calls), 100);
        let turn = 0;
        return (nowMs, cost) => {
          const grant = inner(nowMs, cost);
          turn += 1;
          return { ...grant, resetMs: grant.resetMs + (turn % 2) * 1000 };
        };
      };
      const blamed = await found({ limiterOf: spareBy(wobbling) });
      expect(blamed.filter((one) => one.startsWith('RATE-04'))).toEqual(told);
    },
  );

  it.each([
    [100, 'holds'],
    [130, 'cannot-tell'],
    [150, 'cannot-tell'],
  ] as const)(
    'of a bucket of %i calls that states 100, where Reset names the next call, is told as: %s',
    async (calls, word) => {
      const bucket = (): Limiter => stating(tokenBucket(calls, 100 / 60_000, 'next'), 100);
      const ran = await run({ limiterOf: spareBy(bucket), latencyMs: () => 20 }, ['rate/drain']);
      const told = ran.outcomes.filter(({ clause }) => clause === 'RATE-04').map(({ judgement }) => judgement.kind);
      expect([breachesOf(ran), told]).toEqual([[], [word]]);
    },
  );

  it('is found where an operation goes on when no calls are left', async () => {
    const cost: TargetOptions['cost'] = ({ method }) => (method === 'POST' ? 0 : 1);
    expect(await found({ limiterOf: spareBy(() => window(100)), cost })).toEqual([
      'RATE-04: an operation succeeds while the key has no calls left',
    ]);
  });

  it('is found where another key is refused, with calls left, as long as the drained one', async () => {
    const spare = window(100);
    let until = 0;
    const remembering: Limiter = (nowMs, cost) => {
      const grant = spare(nowMs, cost);
      if (!grant.granted) until = grant.resetMs;
      return grant;
    };
    const own = window(30_000);
    const beside: Limiter = (nowMs, cost) => {
      const grant = own(nowMs, cost);
      return nowMs < until ? { ...grant, granted: false, againMs: until } : grant;
    };
    const limiterOf: TargetOptions['limiterOf'] = (key) => (key === MAIN_KEY.name ? beside : remembering);
    expect(await found({ limiterOf })).toEqual(['RATE-07: one key spends the limit of another']);
  });

  it('is no defect where another client spends the other key as fast', async () => {
    const spare = window(100);
    const limiterOf: TargetOptions['limiterOf'] = (key) =>
      key === MAIN_KEY.name ? sharedWith(20, fixedWindow(30_000, 60_000)) : spare;
    expect(await found({ limiterOf, latencyMs: () => 20 })).toEqual([]);
  });

  it('is found where Retry-After is a moment', async () => {
    const change: TargetOptions['change'] = (headers, _plan, granted) =>
      granted ? headers : withHeader(headers, 'retry-after', '1767225660');
    expect(await found({ limiterOf: spareBy(() => window(100)), change })).toEqual([
      'RATE-05: Retry-After is a moment in seconds since 1970',
    ]);
  });

  it('is found where the wait that the export throttle asks for is too short', async () => {
    const throttle = exportThrottle(5, 10_000);
    const short: TargetOptions['throttle'] = (plan, nowMs) => (throttle?.(plan, nowMs) == null ? null : 1);
    expect(await found({ limiterOf: () => window(30_000), throttle: short }, ['rate/export'])).toContain(
      'RATE-06: a call is refused after waiting as Retry-After says',
    );
  });

  it('is found where now and then a call is not counted, however fast the limit', async () => {
    let calls = 0;
    const cost: TargetOptions['cost'] = () => (++calls % 9 === 0 ? 0 : 1);
    expect(await found({ limiterOf: () => window(100_000, 60), cost, latencyMs: () => 20 }, ['rate/row'])).toContain(
      'RATE-03: a call in a row of equal calls does not lower Remaining',
    );
  });

  it('is found where one call in three is not counted, by a limit of 40', async () => {
    let calls = 0;
    const cost: TargetOptions['cost'] = () => (++calls % 3 === 0 ? 0 : 1);
    const limiterOf = (): Limiter => fixedWindow(40, 60_000);
    expect(await found({ limiterOf, cost, latencyMs: () => 20 }, ['rate/row'])).toContain(
      'RATE-03: a call in a row of equal calls does not lower Remaining',
    );
  });

  it('is found where a bucket regains more than twice of what it states', async () => {
    const share = 2.5;
    const make = (): Limiter => {
      const inner = tokenBucket(100, (share * 100) / 10_000, 'full');
      return (nowMs, cost) => {
        const grant = inner(nowMs, cost);
        return { ...grant, resetMs: nowMs + (grant.resetMs - nowMs) * share };
      };
    };
    expect(await found({ limiterOf: spareBy(make), latencyMs: () => 10 })).toContain(
      'RATE-10: the sustained rate is not the stated Limit',
    );
  });
});

/** The limiter, telling of another limit than its own. */
function stating(inner: Limiter, limit: number): Limiter {
  return (nowMs, cost): Grant => {
    const grant = inner(nowMs, cost);
    return { ...grant, limit, remaining: Math.max(0, grant.remaining - (grant.limit - limit)) };
  };
}
