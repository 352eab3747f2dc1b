// RATE: headers that are missing or wrong, counters that do not count, and limiters that do not do what their headers say.

import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { defectNamed } from '../../defects/defect.ts';
import { LIMIT_DEFECTS } from '../../defects/limits.ts';
import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import { refusal, throttled } from '../envelope.ts';
import { EXPORT_OPERATION, RATE_HEADERS } from '../facts.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asObject } from '../json.ts';
import { FixedWindow, type Grant, type Limit } from '../limits/limiter.ts';
import { type Take, tokenBucket } from '../limits/limiters.ts';
import { fault, on, onAnswers } from './fault.ts';
import { everyNth, isGuarded, isPlainRead } from './subject.ts';

// Parts of the faults: the headers of answers that a limiter counted, and other limiters in its place.

const SMALL: Limit = { calls: 100, seconds: 2 };
const LONG: Limit = { calls: 200, seconds: 6 };
/** The standard key is spare: its limit is small enough to be spent. */
const SPARE = { standard: SMALL } as const;

const limited = (call: Call) => call.key !== null && call.standing[RATE_HEADERS.limit] !== undefined;

function headers(change: (call: Call, answer: Answer) => void): () => Hooks {
  return () => ({
    answer: (call, answer) => {
      if (limited(call)) change(call, answer);
    },
  });
}

/** Changes the headers of one plain read. */
function onOne(change: (answer: Answer) => void) {
  return onAnswers('a readable operation', isPlainRead, (call, answer) => {
    if (limited(call)) change(answer);
  });
}

/** Changes the headers as the defect of the catalogue has them. */
function having(id: string): (answer: Answer) => void {
  const defect = defectNamed(LIMIT_DEFECTS, id);
  return (answer) => {
    const { headers = {} } = defect.change(Object.entries(answer.headers), COMMERCE_TERMS.rateLimits) ?? {};
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) delete answer.headers[name.toLowerCase()];
      else answer.headers[name.toLowerCase()] = value;
    }
  };
}

function setNumber(answer: Answer, name: string, change: (value: number) => number): void {
  answer.headers[name] = String(change(Number(answer.headers[name])));
}

function onRefusal(change: (headers: Record<string, string>, call: Call) => void): () => Hooks {
  return headers((call, answer) => {
    if (answer.status === 429) change(answer.headers, call);
  });
}

/** Another limiter for the standard plan's keys. */
function limiting(make: () => (call: Call, grant: Grant) => Grant): () => Hooks {
  return () => {
    const decide = make();
    return { limit: (call, grant) => (call.key?.plan === 'standard' ? decide(call, grant) : grant) };
  };
}

const HEADER_FAULTS: readonly Deviation[] = [
  fault('rate-01-one-operation', 'One operation has no rate-limit headers.', onOne(having('rate-01-absent'))),
  fault(
    'rate-01-post',
    'Successes of POST have no rate-limit headers.',
    headers((call, answer) => {
      if (call.method === 'POST' && answer.status < 300) having('rate-01-absent')(answer);
    }),
  ),
  fault(
    'rate-01-no-content',
    'A 204 has no rate-limit headers.',
    headers((_call, answer) => {
      if (answer.status === 204) having('rate-01-absent')(answer);
    }),
  ),
  fault(
    'rate-01-no-reset',
    'One operation has no X-RateLimit-Reset.',
    onOne((answer) => delete answer.headers[RATE_HEADERS.reset]),
  ),
  fault(
    'rate-01-refusals',
    'A 429 has no X-RateLimit-Reset.',
    headers((_call, answer) => {
      if (answer.status === 429) delete answer.headers[RATE_HEADERS.reset];
    }),
    { limits: SPARE },
  ),
  fault('rate-01-not-numeric', 'Remaining of one operation is a word.', onOne(having('rate-01-unreadable-remaining')), {
    alsoBreaks: ['SCH-04'],
  }),
  fault('rate-02-above', 'One call in seven has more calls left than Limit.', () => {
    const due = everyNth(7);
    return {
      answer: (call, answer) => {
        if (limited(call) && due()) having('rate-02-above')(answer);
      },
    };
  }),
  fault('rate-02-negative', 'Remaining of one operation is negative.', onOne(having('rate-02-negative'))),
  fault(
    'rate-02-limit-of-one',
    'Limit is another one on one operation.',
    onOne((answer) => {
      setNumber(answer, RATE_HEADERS.limit, (value) => value + 500);
    }),
  ),
];

const REFUSED_LIMIT_FAULTS: readonly Deviation[] = [
  fault(
    'rate-02-refused-zero',
    'A 429 states a Limit of 0.',
    onRefusal((list) => {
      list[RATE_HEADERS.limit.toLowerCase()] = '0';
    }),
    { limits: { standard: LONG } },
  ),
  fault(
    'rate-02-refused-other',
    'A 429 states half the Limit of all other answers.',
    onRefusal((list, call) => {
      const { limit } = RATE_HEADERS;
      if (call.standing[RATE_HEADERS.remaining] === '0')
        list[limit.toLowerCase()] = String(Number(call.standing[limit]) / 2);
    }),
    { limits: { standard: LONG } },
  ),
];

const COUNTING_FAULTS: readonly Deviation[] = [
  fault(
    'rate-03-uncounted',
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
  fault('rate-03-jumps', 'One call in eleven tells many more calls left than the one before.', () => {
    const due = everyNth(11);
    return {
      answer: (call, answer) => {
        const limit = Number(call.standing[RATE_HEADERS.limit]);
        if (limited(call) && answer.status < 400 && due())
          setNumber(answer, RATE_HEADERS.remaining, (value) => Math.min(limit, value + Math.floor(limit / 2)));
      },
    };
  }),
  fault(
    'rate-03-no-return',
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
    { alsoBreaks: ['RATE-06'], limits: SPARE },
  ),
];

const REFUSAL_FAULTS: readonly Deviation[] = [
  fault(
    'rate-04-too-many',
    '130 calls are granted where 100 are stated.',
    limiting(() => {
      const window = new FixedWindow({ ...LONG, calls: 130 });
      return (call) => {
        const grant = window.take(call.key?.name ?? '', call.receivedAt);
        return { ...grant, limit: 100, remaining: Math.max(0, grant.remaining - 30) };
      };
    }),
    { alsoBreaks: ['RATE-10'], limits: { standard: { ...LONG, calls: 100 } } },
  ),
  fault(
    'rate-04-calls-left',
    'The key is refused while 30 calls are left.',
    limiting(() => (_call, grant) => ({
      ...grant,
      granted: grant.granted && grant.remaining >= 30,
      remaining: Math.max(30, grant.remaining),
    })),
    { alsoBreaks: ['RATE-10'], limits: { standard: LONG } },
  ),
  fault(
    'rate-04-one-plan',
    'Keys of the enterprise plan are refused while a tenth of their calls is left.',
    () => ({
      limit: (call, grant) => {
        if (call.key?.plan !== 'enterprise') return grant;
        const [left, spared] = [grant.remaining, grant.limit / 10];
        return { ...grant, granted: grant.granted && left >= spared, remaining: Math.max(spared, left) };
      },
    }),
    { alsoBreaks: ['RATE-10'], limits: { standard: LONG, growth: LONG, enterprise: { calls: 300, seconds: 6 } } },
  ),
  fault(
    'rate-03-refusals-in-milliseconds',
    'A 429 tells its Reset in milliseconds, and all other answers in seconds.',
    onRefusal((list) => {
      const reset = RATE_HEADERS.reset.toLowerCase();
      if (list[reset] !== undefined) list[reset] = `${list[reset]}000`;
    }),
    { limits: { standard: LONG } },
  ),
  fault(
    'rate-03-reset-late',
    'Reset is told 3 s later than calls come back.',
    headers((_call, answer) => setNumber(answer, RATE_HEADERS.reset.toLowerCase(), (seconds) => seconds + 3)),
    { limits: { standard: LONG, growth: { ...LONG, calls: 300 } } },
  ),
  fault(
    'rate-03-reset-early',
    'Reset is told 3 s sooner than calls come back.',
    headers((_call, answer) => setNumber(answer, RATE_HEADERS.reset.toLowerCase(), (seconds) => seconds - 3)),
    { limits: { standard: LONG, growth: { ...LONG, calls: 300 } } },
  ),
  fault(
    'rate-05-fraction',
    'Retry-After has a fraction.',
    onRefusal((list) => {
      list['retry-after'] = `${list['retry-after']}.5`;
    }),
    { limits: SPARE },
  ),
  fault(
    'rate-05-past',
    'Retry-After is a date in the past.',
    onRefusal((list, call) => {
      list['retry-after'] = new Date(call.receivedAt - 60_000).toUTCString();
    }),
    { limits: SPARE },
  ),
  fault(
    'rate-05-milliseconds',
    'Retry-After is in milliseconds.',
    onRefusal((list, call) => {
      const reset = Number(call.standing[RATE_HEADERS.reset]) * 1000;
      if (call.standing[RATE_HEADERS.remaining] === '0')
        list['retry-after'] = String(Math.max(1, reset - call.receivedAt));
    }),
    { limits: { standard: LONG } },
  ),
  fault(
    'rate-06-too-short',
    'Retry-After says one second, whatever is left of the window.',
    onRefusal((list) => {
      list['retry-after'] = '1';
    }),
    { limits: { standard: LONG } },
  ),
];

/** Counts beyond every limit. */
const COUNTED: Limit = { calls: 1_000_000, seconds: 10 };

/** Units left of the key's own limit by another count. */
function leftOf(grant: Grant, counted: Grant): Grant {
  return { ...grant, remaining: Math.max(0, grant.limit - (COUNTED.calls - counted.remaining)) };
}

const KEY_FAULTS: readonly Deviation[] = [
  fault('rate-07-shared', 'Two keys share one counter.', () => {
    const window = new FixedWindow(COUNTED);
    const others = new Set(['standard', 'enterprise']);
    return {
      limit: (call, grant) => {
        if (!others.has(call.key?.plan ?? '')) return grant;
        return leftOf(grant, window.take('all', call.receivedAt));
      },
    };
  }),
  fault('rate-07-pair', 'The two larger keys share one counter.', () => {
    const window = new FixedWindow(COUNTED);
    return {
      limit: (call, grant) =>
        ['growth', 'enterprise'].includes(call.key?.plan ?? '')
          ? leftOf(grant, window.take('all', call.receivedAt))
          : grant,
    };
  }),
  fault('rate-07-half', 'Every second call of a key is charged to all others, too.', () => {
    const window = new FixedWindow(COUNTED);
    const plans = ['standard', 'growth', 'enterprise'];
    let calls = 0;
    return {
      limit: (call, grant) => {
        const { plan } = call.key ?? {};
        if (plan === undefined || !plans.includes(plan)) return grant;
        calls += 1;
        for (const other of plans) if (other !== plan && calls % 2 === 0) window.take(other, call.receivedAt);
        return leftOf(grant, window.take(plan, call.receivedAt));
      },
    };
  }),
  fault('rate-08-growth-below', 'Growth may make fewer calls than Standard.', () => ({}), {
    limits: {
      growth: { calls: 20_000, seconds: 10 },
    },
  }),
  fault(
    'rate-10-smaller',
    'Windows hold 80 calls where 100 are stated.',
    limiting(() => {
      const window = new FixedWindow({ ...SMALL, calls: 80 });
      return (call) => ({ ...window.take(call.key?.name ?? '', call.receivedAt), limit: 100 });
    }),
    { limits: SPARE },
  ),
  fault(
    'rate-10-growth-smaller',
    'Windows of the growth plan alone hold 160 calls where 200 are stated.',
    () => {
      const window = new FixedWindow({ ...SMALL, calls: 160 });
      return {
        limit: (call, grant) =>
          call.key?.plan === 'growth' ? { ...window.take(call.key.name, call.receivedAt), limit: 200 } : grant,
      };
    },
    { limits: { ...SPARE, growth: { ...SMALL, calls: 200 } } },
  ),
  fault(
    'rate-10-none-left',
    'The key is refused while 10 calls are left, and the refusal says that none is.',
    limiting(() => (_call, grant) => {
      const granted = grant.granted && grant.remaining >= 10;
      return { ...grant, granted, remaining: granted ? grant.remaining : 0 };
    }),
    { limits: { standard: LONG } },
  ),
];

/** A bucket of 200 calls that regains 6 a second, while Reset tells when it would be full by 10 a second. */
const SLOW_FAULTS: readonly Deviation[] = [
  fault(
    'rate-10-slow-bucket',
    'A bucket regains six tenths of the calls that Limit and Reset state.',
    limiting(() => {
      const buckets = new Map<string, Take>();
      return (call) => {
        const { name = '' } = call.key ?? {};
        const take = buckets.get(name) ?? tokenBucket({ calls: 200, seconds: 200 / 6 }, 'full');
        buckets.set(name, take);
        const grant = take(call.receivedAt, 1);
        return { ...grant, resetSeconds: Math.ceil(call.receivedAt / 1000 + (200 - grant.remaining) / 10) };
      };
    }),
    { limits: { standard: { calls: 200, seconds: 20 } } },
  ),
];

const isExport = (route: Route) => route.operation.key === EXPORT_OPERATION && isGuarded(route);

const EXPORT_FAULTS: readonly Deviation[] = [
  fault(
    'rate-09-never',
    'Exports are never throttled.',
    on('the export operation', isExport, () => ({})),
    {
      limits: {
        export: { calls: 1_000_000, seconds: 10 },
      },
    },
  ),
  fault(
    'rate-09-unavailable',
    'The throttle of exports answers 503.',
    on('the export operation', isExport, () => throttledBy(503)()),
  ),
  fault(
    'rate-09-conflict',
    'The throttle of exports answers 409.',
    on('the export operation', isExport, () => throttledBy(409)()),
    // An export of what does not exist is answered 409 as well, once there were many.
    { alsoBreaks: ['REQ-02'] },
  ),
  fault(
    'rate-09-everybody',
    'One throttle of exports serves all users.',
    on('the export operation', isExport, sharedThrottle),
    { alsoBreaks: ['RATE-06'], limits: { export: { calls: 1_000_000, seconds: 10 } } },
  ),
];

/** The throttle of exports answers by this status in place of 429. */
function throttledBy(status: number): () => Hooks {
  return () => ({
    answer: (call, answer) => {
      const own = call.route?.operation.key === EXPORT_OPERATION && answer.status === 429;
      return own && call.standing[RATE_HEADERS.remaining] !== '0' ? statusOf(answer, status) : answer;
    },
  });
}

function statusOf(answer: Answer, status: number): Answer {
  const { error } = asObject(answer.body);
  return { ...answer, status, body: { error: { ...asObject(error), status } } };
}

function sharedThrottle(route: Route, around: Surroundings): Hooks {
  const window = new FixedWindow({ calls: 20, seconds: 10 });
  return {
    act: (call, proceed) => {
      if (call.route !== route) return proceed();
      const { granted, retryAfterSeconds } = window.take('all', call.receivedAt);
      return granted
        ? proceed()
        : refusal(call, throttled('too_many_export_requests', retryAfterSeconds), around.docsUrl);
    },
  };
}

export const RATE_FAULTS: readonly Deviation[] = [
  ...HEADER_FAULTS,
  ...REFUSED_LIMIT_FAULTS,
  ...COUNTING_FAULTS,
  ...REFUSAL_FAULTS,
  ...KEY_FAULTS,
  ...SLOW_FAULTS,
  ...EXPORT_FAULTS,
];
