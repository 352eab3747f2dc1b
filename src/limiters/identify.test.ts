import { describe, expect, it } from 'vitest';
import { isNightly, oneDue, seedsDue } from '../../test/programme.ts';
import { type Kind, limiterOf, tokenBucket } from '../../test/support/limiters/limiters.ts';
import { drive, subjectOf, type Target, type Truth } from '../../test/support/limiters/target.ts';
import { type Identified, identify } from './identify.ts';
import type { ModelKind } from './models.ts';

/** The same numbers in [0, 1) for a seed. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function truthOf(kind: Kind, limit: number, windowMs: number, burst: number): Truth {
  const limiter = kind === 'bucket' ? tokenBucket(burst, limit / windowMs, 'full') : limiterOf(kind, limit, windowMs);
  return (atMs, cost) => {
    const { granted, remaining, resetMs } = limiter(atMs, cost);
    return { admitted: granted, left: remaining, resetMs };
  };
}

function found(truth: Truth, limit: number, seed: number, changes: Partial<Target> = {}): Identified {
  const random = numbersOf(seed);
  const target: Target = {
    truth,
    limit,
    latencyMs: () => 3 + random() * 4,
    concurrency: 8,
    headers: true,
    lost: () => false,
    costs: new Map(),
    ...changes,
  };
  return drive((now) => identify(subjectOf(now, random)), target).found;
}

const KINDS: readonly [Kind | 'bucket', ModelKind][] = [
  ['aligned', 'fixed-aligned'],
  ['first-hit', 'fixed-first-hit'],
  ['sliding-log', 'sliding-log'],
  ['sliding-counter', 'sliding-counter'],
  ['bucket', 'token-bucket'],
];

const CASES = Array.from({ length: 6 }, (_, seed) => {
  const random = numbersOf(100 + seed);
  const [one = 0, other = 0] = [random(), random()];
  return { seed, limit: Math.round(20 * 30 ** one), windowMs: Math.round(2000 * 30 ** other) };
});

describe('a limiter is identified by its answers', () => {
  it('as a bucket where what comes back comes in steps that hold less than a drain took', () => {
    let [left, filledMs] = [40, 0];
    const steps: Truth = (atMs) => {
      filledMs ||= atMs;
      const due = Math.floor((atMs - filledMs) / 1000);
      left = Math.min(40, left + 8 * due);
      filledMs += 1000 * due;
      const admitted = left >= 1;
      if (admitted) left -= 1;
      return { admitted, left, resetMs: 1000 };
    };
    const { kinds, limit } = found(steps, 40, 1, { headers: false });
    expect(kinds).toEqual(['token-bucket']);
    expect(limit?.best).toBeGreaterThanOrEqual(39);
    expect(limit?.best).toBeLessThanOrEqual(41);
  });

  it.each<Kind>(['aligned', 'first-hit'])('though other calls had spent most of its first window (%s)', (kind) => {
    const truth = truthOf(kind, 100, 4000, 100);
    for (let call = 0; call < 75; call += 1) truth(1_700_000_000_000, 1);
    const { kinds, limit } = found(truth, 100, 1);
    expect(kinds).toEqual([kind === 'aligned' ? 'fixed-aligned' : 'fixed-first-hit']);
    expect(limit).toMatchObject({ best: 100 });
  });

  it.each<Kind>(['aligned', 'first-hit'])(
    'with bounds that its window keeps, though other calls had opened the first one (%s)',
    (kind) => {
      for (const seed of seedsDue(40)) {
        const random = numbersOf(5000 + seed);
        const truth = truthOf(kind, 30, 6000, 30);
        const beganMs = 1_700_000_000_000 - random() * 3000;
        for (let call = 0; call < 11; call += 1) truth(beganMs + call, 1);
        const lateMs = (calls: number): number => (calls === 1 ? random() * 60 : 450 + random() * 100);
        const { kinds, windowMs } = found(truth, 30, seed, { lateMs });
        if (kinds.length === 0) continue;
        // Answers take up to 7 ms.
        expect(windowMs?.least, `seed ${seed}`).toBeLessThanOrEqual(6007);
        expect(windowMs?.most, `seed ${seed}`).toBeGreaterThanOrEqual(5993);
      }
    },
  );

  it.each<[Kind, ModelKind, boolean]>([
    ['aligned', 'fixed-aligned', true],
    ['first-hit', 'fixed-first-hit', true],
    ['sliding-log', 'sliding-log', true],
    ['sliding-counter', 'sliding-counter', true],
    ['aligned', 'fixed-aligned', false],
    ['first-hit', 'fixed-first-hit', false],
    ['sliding-log', 'sliding-log', false],
    ['sliding-counter', 'sliding-counter', false],
  ])('where its window is %s, with its limit and its length (%s, headers: %s)', (kind, name, headers) => {
    for (const { seed, limit, windowMs } of CASES) {
      const {
        kinds,
        limit: measured,
        windowMs: window,
        calls,
      } = found(truthOf(kind, limit, windowMs, limit), limit, seed, { headers });
      expect(kinds, `${limit} in ${windowMs} ms`).toEqual([name]);
      expect(Math.abs((measured?.best ?? 0) / limit - 1)).toBeLessThanOrEqual(0.01);
      expect(Math.abs((window?.best ?? 0) / windowMs - 1)).toBeLessThanOrEqual(0.05);
      expect(calls).toBeLessThan(5 * limit + 3000);
    }
  });

  it.each<Kind>(['aligned', 'first-hit', 'sliding-log', 'sliding-counter'])(
    'with its limit or not at all where the sender is late (%s)',
    (kind) => {
      // At the first one each of six windows of the counter admits another number.
      for (const seed of new Set([108, ...seedsDue(150)])) {
        const random = numbersOf(1000 + seed);
        const lateMs = (): number => (random() < 0.3 ? random() * 3500 : random() * 100);
        const { kinds, limit } = found(truthOf(kind, 100, 4000, 100), 100, seed, { lateMs });
        if (kinds.length > 0)
          expect(Math.abs((limit?.best ?? 0) - 100), `seed ${seed}: ${limit?.best} ${kinds}`).toBeLessThanOrEqual(1);
        if (kind === 'sliding-log' && kinds.length > 1) expect(kinds, `seed ${seed}`).toContain('sliding-log');
      }
    },
  );

  it.each<[Kind, ModelKind, number]>([
    ['aligned', 'fixed-aligned', 57],
    ['first-hit', 'fixed-first-hit', 57],
    ['sliding-log', 'sliding-log', 36],
    ['sliding-counter', 'sliding-counter', 57],
  ])('with its window where the generator takes up to 1.4 s of 4 to start (%s)', (kind, name, least) => {
    const seen = seedsDue(60).map((seed) => {
      const random = numbersOf(2000 + seed);
      const lateMs = (calls: number, afterMs: number): number =>
        calls === 1 ? random() * 10 : Math.max(0, 400 + random() * 1000 - Math.min(afterMs, 400));
      return found(truthOf(kind, 100, 4000, 100), 100, seed, { lateMs, latencyMs: () => 20 + random() * 40 });
    });
    const known = seen.filter(({ kinds }) => kinds.length === 1);
    expect(known.length).toBeGreaterThanOrEqual(isNightly ? least : 1);
    for (const { kinds, limit, windowMs } of known) {
      expect(kinds).toEqual([name]);
      expect(Math.abs((limit?.best ?? 0) - 100)).toBeLessThanOrEqual(1);
      expect(Math.abs((windowMs?.best ?? 0) / 4000 - 1)).toBeLessThanOrEqual(0.05);
    }
  });

  it('and a log whose resets move with the calls is not taken for windows, nor for one of more than it admits', () => {
    const seen = Array.from({ length: 12 }, (_, seed) => {
      const random = numbersOf(7001 + seed);
      const lateMs = (calls: number, afterMs: number): number =>
        calls === 1 ? random() * 10 : Math.max(0, 400 + random() * 1000 - Math.min(afterMs, 400));
      const slow = { lateMs, latencyMs: () => 20 + random() * 40 };
      return found(truthOf('sliding-log', 300, 4000, 300), 300, seed + 1, slow);
    });
    const known = seen.filter(({ kinds }) => kinds.length > 0);
    expect(known.filter(({ kinds }) => !kinds.includes('sliding-log'))).toEqual([]);
    expect(known.filter(({ limit }) => (limit?.least ?? 0) > 300)).toEqual([]);
  });

  it.each<Kind>(['aligned', 'first-hit', 'sliding-log', 'sliding-counter'])(
    'with its own limit where it states one that is a few calls off, whenever it is told at all (%s)',
    (kind) => {
      for (const own of [95, 97, 103, 105])
        for (const late of [false, true]) {
          const random = numbersOf(6000 + own);
          const lateMs = (): number => (late ? (random() < 0.3 ? random() * 3500 : random() * 100) : 0);
          const { kinds, limit } = found(truthOf(kind, own, 4000, own), 100, own, { lateMs });
          if (!late || kinds.length > 0)
            expect(Math.abs((limit?.best ?? 0) - own), `${own}, late: ${late}`).toBeLessThan(2);
        }
    },
  );

  it('where it is a bucket, with its rate and its burst', () => {
    for (const { seed, limit, windowMs } of CASES) {
      const burst = Math.round(limit / 2);
      const bucket = found(truthOf('bucket', limit, windowMs, burst), burst, seed);
      expect(bucket.kinds, `${limit} in ${windowMs} ms`).toContain('token-bucket');
      const rate = (bucket.limit?.best ?? 0) / (bucket.windowMs?.best ?? 1);
      expect(Math.abs(rate / (limit / windowMs) - 1)).toBeLessThanOrEqual(0.05);
      expect(Math.abs((bucket.limit?.best ?? 0) - burst)).toBeLessThanOrEqual(1 + burst * 0.02);
    }
  });

  it.each([
    [40, 8, true],
    [40, 8, false],
    [20, 50, true],
    [200, 100, false],
  ])(
    'where its bucket of %d refills %d a second while calls are paced and each sender ends by itself (headers: %s)',
    (burst, perSecond, headers) => {
      for (const seed of seedsDue(30)) {
        const truth = truthOf('bucket', burst, (1000 * burst) / perSecond, burst);
        const paced = { headers, concurrency: 16, latencyMs: () => 1, everyMs: 2.5, endsEach: true };
        const { kinds, limit, windowMs } = found(truth, burst, seed, paced);
        expect([kinds, limit?.best], `seed ${seed}`).toEqual([['token-bucket'], burst]);
        expect(Math.abs((1000 * burst) / (windowMs?.best ?? 1) / perSecond - 1)).toBeLessThanOrEqual(0.05);
      }
    },
  );

  it.each(
    oneDue<readonly [when: string, share: number, stretch: number, least: number]>([
      ['now and then', 0.02, 1, 20],
      ['for a while', 0.004, 30, 20],
      ['for long', 0.002, 200, 40],
    ]),
  )('truly or not at all where calls are not answered %s, counted or not', (_when, share, stretch, least) => {
    let known = 0;
    for (const [kind, name] of KINDS)
      for (const seed of seedsDue(40)) {
        const random = numbersOf(9000 + seed);
        const inner = truthOf(kind, 100, 4000, 100);
        let left = 0;
        const nextLeft = (before: number): number => (before > 0 ? before - 1 : random() < share ? stretch : 0);
        const truth: Truth = (atMs, cost) => {
          left = nextLeft(left);
          // Dropped on the way there, or on the way back.
          return left > 0 && seed % 2 === 0 ? { admitted: false, left: 0, resetMs: atMs } : inner(atMs, cost);
        };
        const { kinds, limit, windowMs } = found(truth, 100, seed, { headers: false, lost: () => left > 0 });
        if (kinds.length === 0) continue;
        known += 1;
        const rate = (limit?.best ?? 0) / (windowMs?.best ?? 1);
        const message = `${kind} ${seed}: ${kinds}, ${limit?.best} in ${windowMs?.best}`;
        expect([kinds.includes(name), Math.abs(rate / 0.025 - 1) < 0.07], message).toEqual([true, true]);
      }
    expect(known).toBeGreaterThanOrEqual(isNightly ? least : 1);
  });

  it('without its rate where many of the calls that tell it are not answered', () => {
    for (const seed of [3, 5, 9]) {
      const random = numbersOf(9000 + seed);
      let left = 0;
      const lost = (): boolean => {
        left = left > 0 ? left - 1 : random() < 0.004 ? 30 : 0;
        return left > 0;
      };
      const { kinds, limit, windowMs } = found(truthOf('bucket', 100, 4000, 100), 100, seed, { headers: false, lost });
      const rate = (limit?.best ?? 0) / (windowMs?.best ?? 1);
      expect(kinds.length === 0 || Math.abs(rate / 0.025 - 1) < 0.07, `seed ${seed}: ${rate}`).toBe(true);
    }
  });

  it('in no way where a fifth of the calls is not answered', () => {
    for (const [kind] of KINDS) {
      const random = numbersOf(9100);
      const { kinds, evidence } = found(truthOf(kind, 100, 4000, 100), 100, 1, { lost: () => random() < 0.2 });
      expect([kinds, evidence.at(-1)], kind).toEqual([[], expect.stringMatching(/calls were not answered/)]);
    }
  });

  it('and said to be none where nothing is refused', () => {
    const everything: Truth = (atMs) => ({ admitted: true, left: 5, resetMs: atMs + 60_000 });
    expect(found(everything, 100, 1)).toMatchObject({ kinds: [], limit: null, stated: 100, unenforced: true });
  });

  it('and never told for sure where none of the limiters behaves so', () => {
    const whimOf = (share: number, seed: number): Truth => {
      const random = numbersOf(seed);
      return () => ({ admitted: random() < share, left: Math.floor(random() * 100), resetMs: 0 });
    };
    expect(found(whimOf(0.5, 5), 100, 2).kinds).not.toHaveLength(1);
    const often = Array.from({ length: 20 }, (_, seed) => found(whimOf(0.8, 77 * seed), 100, seed).kinds);
    expect(often.flat()).toEqual([]);
  });
});
