// Deviations of any size: how much of a law is broken, from nothing to all. Each curve shows from which size on its clause blames a
// limiter, and up to which size it lets one pass: what the thresholds of the judges come to.
import { CLAUSES } from '../../src/contract/clauses.ts';
import type { Deviation } from '../../src/platform/deviation.ts';
import { RATE_HEADERS } from '../../src/platform/facts.ts';
import type { Call } from '../../src/platform/http/call.ts';
import { FixedWindow, type Grant, type Limit } from '../../src/platform/limits/limiter.ts';
import { type Take, tokenBucket } from '../../src/platform/limits/limiters.ts';
import { smallModel } from '../../src/simulation/cases.ts';
import { simulate } from '../../src/simulation/simulate.ts';
import { WORLDS, type WorldName } from '../../src/simulation/worlds.ts';

export interface Curve {
  readonly id: string;
  readonly clause: string;
  /** What a size says, as the heading of its column. */
  readonly of: string;
  readonly sizes: readonly number[];
  /** Whether the contract allows a limiter of that size. */
  isAllowed(size: number): boolean;
  limiter(size: number): Pick<Deviation, 'hooks' | 'limits'>;
}

const LIMIT: Limit = { calls: 200, seconds: 6 };
const BUCKET: Limit = { calls: 200, seconds: 20 };
const PLANS = ['standard', 'growth', 'enterprise'];
const COUNTED: Limit = { calls: 1_000_000, seconds: 10 };

/** Another limiter for each key of the standard plan, the one that a run drains. */
function standard(limit: Limit, make: () => (call: Call, grant: Grant) => Grant): Pick<Deviation, 'hooks' | 'limits'> {
  return {
    limits: { standard: limit },
    hooks: () => {
      const decide = make();
      return { limit: (call, grant) => (call.key?.plan === 'standard' ? decide(call, grant) : grant) };
    },
  };
}

/** Windows that admit this share of the calls that they state; of more, Remaining tells only those that are stated. */
function admitting(share: number): Pick<Deviation, 'hooks' | 'limits'> {
  return standard(LIMIT, () => {
    const calls = Math.round(LIMIT.calls * share);
    const window = new FixedWindow({ ...LIMIT, calls });
    const unstated = Math.max(0, calls - LIMIT.calls);
    return (call) => {
      const grant = window.take(call.key?.name ?? '', call.receivedAt);
      return { ...grant, limit: LIMIT.calls, remaining: Math.max(0, grant.remaining - unstated) };
    };
  });
}

/** The headers of refusals of the standard plan's keys. */
function onRefusal(
  limit: Limit,
  change: (headers: Record<string, string>, call: Call) => void,
): Pick<Deviation, 'hooks' | 'limits'> {
  return {
    limits: { standard: limit },
    hooks: () => ({
      answer: (call, answer) => {
        if (answer.status === 429 && call.key?.plan === 'standard') change(answer.headers, call);
        return answer;
      },
    }),
  };
}

export const CURVES: readonly Curve[] = [
  {
    id: 'shared',
    clause: 'RATE-07',
    of: 'share of a key’s calls that is charged to the others, too',
    sizes: [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8, 1],
    isAllowed: (size) => size === 0,
    limiter: (size) => ({
      hooks: () => {
        const window = new FixedWindow(COUNTED);
        let charged = 0;
        return {
          limit: (call, grant) => {
            const { plan } = call.key ?? {};
            if (plan === undefined || !PLANS.includes(plan)) return grant;
            charged += size;
            if (charged >= 1) {
              charged -= 1;
              for (const other of PLANS) if (other !== plan) window.take(other, call.receivedAt);
            }
            const { remaining } = window.take(plan, call.receivedAt);
            return { ...grant, remaining: Math.max(0, grant.limit - (COUNTED.calls - remaining)) };
          },
        };
      },
    }),
  },
  {
    id: 'ceiling',
    clause: 'RATE-10',
    of: 'calls that a window admits, of those that are stated',
    sizes: [0.5, 0.6, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 1],
    isAllowed: (size) => size >= 0.99,
    limiter: admitting,
  },
  {
    id: 'too-many',
    clause: 'RATE-04',
    of: 'calls that a window admits, of those that are stated',
    sizes: [1, 1.005, 1.01, 1.02, 1.05, 1.1, 1.3],
    isAllowed: (size) => size === 1,
    limiter: admitting,
  },
  {
    id: 'bucket',
    clause: 'RATE-10',
    of: 'rate at which a bucket regains calls, of the rate that is stated',
    sizes: [0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 1],
    isAllowed: (size) => size >= 0.99,
    limiter: (size) =>
      standard(BUCKET, () => {
        const buckets = new Map<string, Take>();
        const perSecond = BUCKET.calls / BUCKET.seconds;
        return (call) => {
          const { name = '' } = call.key ?? {};
          const take = buckets.get(name) ?? tokenBucket({ ...BUCKET, seconds: BUCKET.seconds / size }, 'full');
          buckets.set(name, take);
          const grant = take(call.receivedAt, 1);
          const fullIn = (BUCKET.calls - grant.remaining) / perSecond;
          return { ...grant, resetSeconds: Math.ceil(call.receivedAt / 1000 + fullIn) };
        };
      }),
  },
  {
    id: 'calls-left',
    clause: 'RATE-04',
    of: 'share of the limit that is left when the key is refused',
    sizes: [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.3],
    isAllowed: (size) => size === 0,
    limiter: (size) =>
      standard(LIMIT, () => (_call, grant) => {
        const left = Math.round(LIMIT.calls * size);
        const granted = grant.granted && grant.remaining >= left;
        return { ...grant, granted, remaining: granted ? grant.remaining : Math.max(left, grant.remaining) };
      }),
  },
  {
    id: 'early',
    clause: 'RATE-06',
    of: 'seconds by which Retry-After ends before the window',
    sizes: [0, 0.5, 1, 1.5, 2, 3, 4],
    isAllowed: (size) => size <= 1,
    limiter: (size) =>
      onRefusal({ calls: 200, seconds: 10 }, (headers, call) => {
        const leftSeconds = Number(call.standing[RATE_HEADERS.reset]) - call.receivedAt / 1000;
        headers['retry-after'] = String(Math.max(1, Math.ceil(leftSeconds - size)));
      }),
  },
  {
    id: 'long',
    clause: 'RATE-06',
    of: 'length of a window, s, whose Retry-After ends three seconds too early',
    sizes: [10, 30, 60, 75, 90, 120],
    isAllowed: () => false,
    limiter: (seconds) =>
      onRefusal({ calls: 200, seconds }, (headers, call) => {
        const leftSeconds = Number(call.standing[RATE_HEADERS.reset]) - call.receivedAt / 1000;
        headers['retry-after'] = String(Math.max(1, Math.ceil(leftSeconds - 3)));
      }),
  },
];

/** One run: of which curve, at which size, in which world. */
export interface Point {
  readonly curve: string;
  readonly size: number;
  readonly world: WorldName;
  readonly seed: number;
}

export interface Measured extends Point {
  readonly outcome: 'blamed' | 'passed' | 'not told';
  /** Why the clause was not tested; empty where it was. */
  readonly reason: string;
  /** Clauses beside the curve's own that blamed the limiter. */
  readonly others: readonly string[];
}

const FAMILY = CLAUSES.map(({ id }) => id).filter((id) => id.startsWith('RATE-'));

/** One run against the limiter of that size, judged by the clauses of limits alone. */
export async function measured(point: Point): Promise<Measured> {
  const curve = CURVES.find(({ id }) => id === point.curve);
  if (curve === undefined) throw new Error(`there is no curve ${point.curve}`);
  const { clause } = curve;
  const deviation = { id: `${curve.id}-${point.size}`, clause, description: curve.of, ...curve.limiter(point.size) };
  const report = await simulate({
    documents: await smallModel(),
    deviations: [deviation],
    world: WORLDS[point.world],
    seed: point.seed,
    options: { clauses: FAMILY },
  });
  const row = report.clauses.find(({ id }) => id === clause);
  const others = report.clauses.filter(({ id, status }) => status === 'fail' && id !== clause).map(({ id }) => id);
  const outcome = row?.status === 'fail' ? 'blamed' : row?.status === 'pass' ? 'passed' : 'not told';
  return { ...point, outcome, reason: row?.reason ?? '', others };
}
