// RATE-01, -02 and -05 on one answer.

import { describe, expect, it } from 'vitest';
import { type Changes, exchangeWith, operationWith, subjectOf } from '../../../test/support/checks/exchanges.ts';
import { brief, spoken } from '../../../test/support/checks/judging.ts';
import { EXPORTS } from '../../../test/support/checks/readings.ts';
import type { Exchange, HeaderList } from '../../exchange/exchange.ts';
import { HEALTH_PATH } from '../../platform/facts.ts';
import type { ExchangeCheck } from '../check.ts';
import { rateChecks } from './family.ts';
import { rate01 } from './rate-01.ts';
import { rate02 } from './rate-02.ts';
import { rate05 } from './rate-05.ts';
import { judgeThrottled } from './rate-09-export-throttle.ts';

const SOUND: Record<string, string> = {
  'x-ratelimit-limit': '100',
  'x-ratelimit-remaining': '99',
  'x-ratelimit-reset': '1767225660',
};
const list = (headers: Record<string, string>): HeaderList => Object.entries(headers);
const without = (name: string) => list(Object.fromEntries(Object.entries(SOUND).filter(([one]) => one !== name)));
const listed = { operation: 'GET /api/v1/stores' };
const stores = (changes: Changes = {}) =>
  subjectOf(exchangeWith({ headers: list(SOUND), ...changes, plan: { ...listed, ...changes.plan } }), {
    operation: operationWith(),
  });

describe('RATE-01', () => {
  const times = [
    'Thu, 01 Jan 2026 00:01:00 GMT',
    'Thu, 01 Jan 2026 00:01:00 UTC',
    '2026-01-01T00:01:00.000Z',
    // As JavaScript, mail and Java write dates.
    'Thu Jan 01 2026 00:01:00 GMT+0000 (Coordinated Universal Time)',
    'Thu, 01 Jan 2026 00:01:00 +0000',
    'Thu Jan 01 00:01:00 UTC 2026',
  ];
  it.each(['1767225660', '1767225660123', '42', '0', ...times])('holds with a Reset of %s', (reset) =>
    expect(brief(rate01, stores({ headers: list({ ...SOUND, 'x-ratelimit-reset': reset }) }))).toBe('holds'),
  );

  it('is breached by absent headers on any success and on ordinary errors', () => {
    for (const status of [200, 201, 204, 302, 400, 404, 409])
      expect(brief(rate01, stores({ status, headers: [] }))).toEqual(['the rate-limit headers are absent']);
    expect(brief(rate01, stores({ headers: without('x-ratelimit-reset') }))).toEqual(['X-RateLimit-Reset is absent']);
  });

  it('is breached by values that are no numbers', () => {
    const told = (name: string, value: string) => brief(rate01, stores({ headers: list({ ...SOUND, [name]: value }) }));
    expect(told('x-ratelimit-remaining', 'many')).toEqual(['X-RateLimit-Remaining is not numeric']);
    expect(told('x-ratelimit-limit', '100, 5000')).toEqual(['X-RateLimit-Limit is not numeric']);
    for (const text of ['soon', 'Thu Jan 01 2026 99:01:00 GMT+0000', 'Reset at 00:01:00 UTC', 'Thu Jan 01 2026'])
      expect(told('x-ratelimit-reset', text)).toEqual(['X-RateLimit-Reset is neither a number nor a date']);
  });

  it('is an advisory for a 429 without any of them, and a breach for one that lacks one', () => {
    const half: Changes = { status: 429, headers: [['x-ratelimit-limit', '100']] };
    expect(brief(rate01, stores({ status: 429, headers: [] }))).toEqual([
      'advisory: the rate-limit headers are absent',
    ]);
    expect(brief(rate01, stores(half))).toEqual(['X-RateLimit-Remaining is absent', 'X-RateLimit-Reset is absent']);
  });

  it('does not speak of health checks, 401s, 403s, 5xx, unknown paths and calls without a key', () => {
    const bare: Changes = { headers: [] };
    for (const status of [401, 403, 405, 415, 503])
      expect(brief(rate01, stores({ ...bare, status }))).toBe('does not apply');
    expect(brief(rate01, stores({ ...bare, plan: { credential: { kind: 'none' } } }))).toBe('does not apply');
    expect(brief(rate01, stores({ ...bare, status: 400, plan: { intent: 'hostile' } }))).toBe('does not apply');
    expect(brief(rate01, subjectOf(exchangeWith(bare)))).toBe('does not apply');
    const health = subjectOf(exchangeWith({ ...bare, plan: { path: HEALTH_PATH } }), {
      operation: operationWith({ path: HEALTH_PATH }),
    });
    expect(brief(rate01, health)).toBe('does not apply');
  });
});

describe('RATE-02', () => {
  const told = (remaining: string) =>
    brief(rate02, stores({ headers: list({ ...SOUND, 'x-ratelimit-remaining': remaining }) }));

  it('holds from 0 to the Limit', () => {
    expect(['0', '1', '100'].map(told)).toEqual(['holds', 'holds', 'holds']);
  });

  it('is breached below and above', () => {
    expect(told('-1')).toEqual(['Remaining is negative']);
    expect(told('101')).toEqual(['Remaining is above Limit']);
  });

  it('does not speak of what is not numeric', () => {
    expect(told('many')).toBe('does not apply');
    expect(brief(rate02, stores({ status: 401 }))).toBe('does not apply');
  });
});

describe('RATE-05', () => {
  const DATE = 'Thu, 01 Jan 2026 00:01:00 GMT';
  const told = (retryAfter: string | null, date: string | null = DATE) => {
    const headers: [string, string][] = [];
    if (retryAfter !== null) headers.push(['retry-after', retryAfter]);
    if (date !== null) headers.push(['date', date]);
    return brief(rate05, stores({ status: 429, headers }));
  };

  it.each(['0', '7', '3600', 'Thu, 01 Jan 2026 00:01:09 GMT', 'Thu, 01 Jan 2026 00:00:59 GMT'])(
    'holds with %s',
    (value) => expect(told(value)).toBe('holds'),
  );

  it.each(['1.5', '-3', 'soon', '2026-01-01T00:01:09Z', '5s', ''])('is breached by "%s"', (value) =>
    expect(told(value)).toEqual(['Retry-After is neither whole seconds nor an HTTP date']),
  );

  it('is breached by a date in the past, by the clock of the answer', () => {
    expect(told('Thu, 01 Jan 2026 00:00:30 GMT')).toEqual(['Retry-After lies in the past']);
    expect(told('Thu, 01 Jan 2026 00:00:30 GMT', null)).toBe('holds');
  });

  it('advises where it is absent', () => {
    expect(told(null)).toEqual(['advisory: a 429 has no Retry-After']);
  });

  it('is breached by a date of another form than that of HTTP', () => {
    expect(told('Thu, 01 Jan 2026 00:01:09 UTC')).toEqual(['Retry-After is neither whole seconds nor an HTTP date']);
  });

  it('speaks of 429s only', () => {
    expect(brief(rate05, stores({ status: 503, headers: [['retry-after', 'soon']] }))).toBe('does not apply');
  });

  it('tells a 403 that is a refusal of the limiter from one of rights', () => {
    const { terms } = stores();
    const told = (check: ExchangeCheck, headers: HeaderList) => {
      const refused = { status: 403, retryAfter: 'required' } as const;
      const limits = terms.rateLimits && { ...terms.rateLimits, refused };
      return brief(check, { ...stores({ status: 403, headers }), terms: { ...terms, rateLimits: limits } });
    };
    const spent = list({ ...SOUND, 'x-ratelimit-remaining': '0' });
    expect(told(rate05, spent)).toEqual(['a 429 has no Retry-After']);
    expect([told(rate05, list(SOUND)), told(rate01, [])]).toEqual(['does not apply', 'does not apply']);
    expect(told(rate01, [['retry-after', '7']])).toEqual(['advisory: the rate-limit headers are absent']);
  });
});

it('no check throws on hostile answers', () => {
  const hostile = [
    '',
    ' ',
    '\u0000',
    '9'.repeat(400),
    '1e9',
    '0x10',
    'NaN',
    '-',
    'Thu, 99 Jan 2026 99:99:99 GMT',
    '💥',
  ];
  for (const value of hostile) {
    const headers = list({
      ...SOUND,
      'x-ratelimit-remaining': value,
      'x-ratelimit-reset': value,
      'retry-after': value,
      date: value,
    });
    for (const status of [200, 429]) {
      for (const check of rateChecks) expect(() => brief(check, stores({ status, headers }))).not.toThrow();
    }
  }
});

describe('RATE-09', () => {
  const exports = (
    statuses: readonly number[],
    elsewhere: Exchange | null = exchangeWith({ status: 200 }),
    left = 9,
  ) => {
    const headers = list({ ...SOUND, 'x-ratelimit-remaining': String(left) });
    const exchanges = statuses.map((status, index) => ({ ...exchangeWith({ status, headers }), sentAt: index }));
    return spoken(judgeThrottled({ ...EXPORTS, exchanges, elsewhere }));
  };
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  it('is breached by exports that are never refused, or by another status than 429', () => {
    expect(exports([...times(10, 201), 429])).toBe('holds');
    expect(exports(times(210, 201))).toMatchObject([{ cause: 'exports are never throttled' }]);
    expect(exports([...times(10, 201), ...times(200, 403)])).toMatchObject([
      { cause: 'repeated exports are refused by another status than 429' },
    ]);
  });

  it('is breached by refusals as unavailable while the same key is served elsewhere, and not where the target is busy', () => {
    const refused = [...times(10, 201), ...times(200, 503)];
    expect(exports(refused)).toMatchObject([
      { cause: 'repeated exports are refused by another status than 429', actual: expect.stringMatching(/^503 /) },
    ]);
    expect(exports(refused, exchangeWith({ status: 503 }))).toBe('cannot tell');
    expect(exports(refused, null)).toBe('cannot tell');
    expect(exports([...times(10, 201), ...times(200, 500)])).toBe('cannot tell');
  });

  it('is not judged where the own limit of the key may have refused', () => {
    const refused = [...times(10, 201), 429];
    expect(exports(refused, exchangeWith({ status: 429 }))).toBe('cannot tell');
    expect(exports(refused, null, 0)).toBe('cannot tell');
    expect(exports(refused, null, 9)).toBe('holds');
  });

  it('is not judged where exports were never accepted, or fail now and then', () => {
    expect(exports(times(210, 403))).toBe('cannot tell');
    expect(exports(times(105, 201).flatMap((accepted) => [accepted, 409]))).toBe('cannot tell');
  });
});
