// RATE-01 to RATE-03: headers that are missing or wrong, and counters that do not count.
import { RATE_HEADERS } from '../../contract/platform.ts';
import type { Deviation } from '../deviation.ts';
import { FixedWindow } from '../limits/limiter.ts';
import { fault, on } from './fault.ts';
import { headers, limited, limiting, onOne, SPARE, setNumber, withLimits, without } from './limited.ts';
import { everyNth, isPlainRead } from './subject.ts';

export const HEADER_FAULTS: readonly Deviation[] = [
  fault('RATE-01', 'one-operation', 'One operation has no rate-limit headers.', onOne(without)),
  fault(
    'RATE-01',
    'post',
    'Successes of POST have no rate-limit headers.',
    headers((call, answer) => {
      if (call.method === 'POST' && answer.status < 300) without(answer);
    }),
  ),
  fault(
    'RATE-01',
    'no-content',
    'A 204 has no rate-limit headers.',
    headers((_call, answer) => {
      if (answer.status === 204) without(answer);
    }),
  ),
  fault(
    'RATE-01',
    'no-reset',
    'One operation has no X-RateLimit-Reset.',
    onOne((answer) => without(answer, [RATE_HEADERS.reset])),
  ),
  withLimits(
    fault(
      'RATE-01',
      'refusals',
      'A 429 has no X-RateLimit-Reset.',
      headers((_call, answer) => {
        if (answer.status === 429) without(answer, [RATE_HEADERS.reset]);
      }),
    ),
    SPARE,
  ),
  fault(
    'RATE-01',
    'not-numeric',
    'Remaining of one operation is a word.',
    onOne((answer) => {
      answer.headers[RATE_HEADERS.remaining] = 'plenty';
    }),
    ['SCH-04'],
  ),
  fault('RATE-02', 'above', 'One call in seven has more calls left than Limit.', () => {
    const due = everyNth(7);
    return {
      answer: (call, answer) => {
        if (limited(call) && due()) setNumber(answer, RATE_HEADERS.remaining, (value) => value + 1_000_000);
        return answer;
      },
    };
  }),
  fault(
    'RATE-02',
    'negative',
    'Remaining of one operation is negative.',
    onOne((answer) => {
      setNumber(answer, RATE_HEADERS.remaining, () => -1);
    }),
  ),
  fault(
    'RATE-02',
    'limit-of-one',
    'Limit is another one on one operation.',
    onOne((answer) => {
      setNumber(answer, RATE_HEADERS.limit, (value) => value + 500);
    }),
  ),
];

export const COUNTING_FAULTS: readonly Deviation[] = [
  fault(
    'RATE-03',
    'uncounted',
    'Calls of one operation are not counted.',
    on('a readable operation', isPlainRead, (route) => {
      const windows = new Map<string, FixedWindow>();
      return {
        limit: (call, grant) => {
          const calls = grant.limit;
          const window = windows.get(call.key?.name ?? '') ?? new FixedWindow({ calls, seconds: 10 });
          windows.set(call.key?.name ?? '', window);
          const name = call.key?.name ?? '';
          if (call.route !== route) return window.take(name, call.receivedAt);
          return window.look(name, call.receivedAt);
        },
      };
    }),
  ),
  fault('RATE-03', 'jumps', 'One call in eleven tells many more calls left than the one before.', () => {
    const due = everyNth(11);
    return {
      answer: (call, answer) => {
        const limit = Number(call.standing[RATE_HEADERS.limit]);
        if (limited(call) && answer.status < 400 && due())
          setNumber(answer, RATE_HEADERS.remaining, (value) => Math.min(limit, value + Math.floor(limit / 2)));
        return answer;
      },
    };
  }),
  withLimits(
    fault(
      'RATE-03',
      'no-return',
      'A window that was spent never comes back.',
      limiting(() => {
        const used = new Map<string, number>();
        return (call, grant) => {
          const name = call.key?.name ?? '';
          const count = (used.get(name) ?? 0) + 1;
          used.set(name, Math.min(count, grant.limit + 1));
          return { ...grant, granted: count <= grant.limit, remaining: Math.max(0, grant.limit - count) };
        };
      }),
      ['RATE-06'],
    ),
    SPARE,
  ),
];
