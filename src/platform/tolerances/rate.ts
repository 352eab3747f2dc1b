// Allowances of limits: every kind of limiter, costs, clocks, and headers that are absent where they may be.

import type { Deviation, Hooks } from '../deviation.ts';
import { EXPORT_OPERATION, RATE_HEADERS } from '../facts.ts';
import { subject } from '../faults/subject.ts';
import type { Call } from '../http/call.ts';
import type { Limit } from '../limits/limiter.ts';
import { firstHit, slidingCounter, slidingLog, type Take, tokenBucket } from '../limits/limiters.ts';
import { onAnswer, tolerance } from './tolerance.ts';

const PLANS: Readonly<Record<string, Limit>> = {
  standard: { calls: 100, seconds: 2 },
  growth: { calls: 4000, seconds: 2 },
  enterprise: { calls: 8000, seconds: 2 },
};

/** Every key is limited by a limiter of its own of this kind. */
function limitedBy(make: (limit: Limit) => Take, cost: (call: Call) => number = () => 1): () => Hooks {
  return () => {
    const limiters = new Map<string, Take>();
    return {
      limit: (call, grant) => {
        const { name = '', plan = '' } = call.key ?? {};
        const limit = PLANS[plan];
        if (limit === undefined) return grant;
        const take = limiters.get(name) ?? make(limit);
        limiters.set(name, take);
        return take(call.receivedAt, cost(call));
      },
    };
  };
}

const limits = { limits: PLANS };
const bare = (when: (status: number) => boolean) =>
  onAnswer((_call, answer) => {
    if (when(answer.status)) for (const name of Object.values(RATE_HEADERS)) delete answer.headers[name];
  });

export const RATE_TOLERANCES: readonly Deviation[] = [
  tolerance('rate-04-first-hit', 'Windows open with their first call.', limitedBy(firstHit), limits),
  tolerance('rate-04-sliding-log', 'Each call counts for one window from its time on.', limitedBy(slidingLog), limits),
  tolerance('rate-04-sliding-counter', 'The last window counts by its share.', limitedBy(slidingCounter), limits),
  tolerance(
    'rate-03-bucket',
    'A bucket refills steadily; Reset tells when it is full.',
    limitedBy((limit) => tokenBucket(limit, 'full')),
    limits,
  ),
  tolerance(
    'rate-03-bucket-next',
    'A bucket refills steadily; Reset tells when the next call is granted.',
    limitedBy((limit) => tokenBucket(limit, 'next')),
    limits,
  ),
  tolerance(
    'rate-03-costs',
    'A POST costs 3 calls, a list 2.',
    limitedBy(firstHit, (call) => (call.method === 'POST' ? 3 : call.route?.role.kind === 'list' ? 2 : 1)),
    limits,
  ),
  tolerance(
    'rate-03-head-free',
    'HEAD, which no description has, is not counted.',
    limitedBy(firstHit, (call) => (call.method === 'HEAD' ? 0 : 1)),
    limits,
  ),
  tolerance(
    'rate-03-skew',
    "The platform's clock is three minutes ahead.",
    () => ({
      limit: (_call, grant) => ({ ...grant, resetSeconds: grant.resetSeconds + 180 }),
      answer: (call, answer) => {
        answer.headers.date = new Date(call.receivedAt + 180_000).toUTCString();
      },
    }),
    limits,
  ),
  tolerance('rate-03-rounded', 'Reset is rounded up, and sometimes down.', () => {
    let calls = 0;
    return { limit: (_call, grant) => ({ ...grant, resetSeconds: grant.resetSeconds - (calls++ % 3 === 0 ? 1 : 0) }) };
  }),
  tolerance(
    'rate-01-bare-refusals',
    'A 403 and a 429 carry no rate-limit headers.',
    bare((status) => status === 403 || status === 429),
    limits,
  ),
  tolerance(
    'rate-01-bare-unknown',
    'Unknown paths and 503s carry no rate-limit headers.',
    onAnswer((call, answer) => {
      if (call.route === null || answer.status === 503)
        for (const name of Object.values(RATE_HEADERS)) delete answer.headers[name];
    }),
  ),
  tolerance(
    'rate-02-lists-cost-five',
    'A list costs 5 calls: Remaining falls by as many.',
    limitedBy(firstHit, (call) => (call.route?.role.kind === 'list' ? 5 : 1)),
    limits,
  ),
  tolerance(
    'rate-02-throttle-of-its-own',
    'The throttle of exports tells its own Limit and Remaining in its refusals.',
    (around) => {
      const route = subject(around, 'the export operation', ({ operation }) => operation.key === EXPORT_OPERATION);
      return {
        answer: (call, answer) => {
          if (call.route !== route || answer.status !== 429) return answer;
          const own = { [RATE_HEADERS.limit]: '5', [RATE_HEADERS.remaining]: '0' };
          return { ...answer, headers: { ...answer.headers, ...own } };
        },
      };
    },
  ),
  tolerance(
    'rate-06-generous',
    'Retry-After asks for a second more than is needed.',
    onAnswer((_call, answer) => {
      const seconds = Number(answer.headers['retry-after']);
      if (answer.status === 429 && Number.isInteger(seconds)) answer.headers['retry-after'] = `${seconds + 1}`;
    }),
    limits,
  ),
  tolerance(
    'rate-07-shared-export',
    'Each key has a limiter of its own, whose windows open with its first call.',
    limitedBy(firstHit),
    limits,
  ),
  tolerance('rate-10-log', 'The ceiling holds over any time as long as the window.', limitedBy(slidingLog), limits),
  tolerance('rate-11-longer-window', 'The windows of all plans take five seconds.', () => ({}), {
    limits: {
      standard: { calls: 200, seconds: 5 },
      growth: { calls: 8000, seconds: 5 },
      enterprise: { calls: 16_000, seconds: 5 },
    },
  }),
  tolerance('rate-08-all-the-same', 'All plans have the same ceiling.', () => ({}), {
    limits: {
      standard: { calls: 20_000, seconds: 10 },
      growth: { calls: 20_000, seconds: 10 },
      enterprise: { calls: 20_000, seconds: 10 },
    },
  }),
];
