import { describe, expect, it } from 'vitest';
import type { RateTerms } from '../contract/terms.ts';
import type { HeaderList } from '../exchange/exchange.ts';
import { statedIn } from './stated.ts';

const TERMS: RateTerms = {
  ...{ headers: null, isIetf: false, per: 'key', exempt: [], plans: {}, rising: [], throttles: [] },
  refused: { status: 429, retryAfter: 'optional' },
};
const IETF: RateTerms = { ...TERMS, isIetf: true };

function briefly(headers: HeaderList, terms: RateTerms | null): readonly string[] {
  return statedIn(headers, terms).map(
    ({ limit, remaining, reset, windowSeconds, policy }) =>
      `${remaining} of ${limit} in ${windowSeconds} s, ${reset?.ms} ms (${reset?.form}), ${policy}`,
  );
}

/** As the libraries and gateways write them that their names say. */
describe('what an answer states of its limit is read', () => {
  it.each<[string, HeaderList, RateTerms | null, readonly string[]]>([
    [
      'from the newest draft (express-rate-limit, draft-8)',
      [
        ['ratelimit-policy', '"100-in-1min"; q=100; w=60; pk=:MTIzNA==:'],
        ['ratelimit', '"100-in-1min"; r=42; t=17'],
      ],
      IETF,
      ['42 of 100 in 60 s, 17000 ms (delta-seconds), 100-in-1min MTIzNA=='],
    ],
    [
      'from draft 7 (express-rate-limit, hono-rate-limiter)',
      [
        ['ratelimit-policy', '100;w=60'],
        ['ratelimit', 'limit=100, remaining=42, reset=17'],
      ],
      IETF,
      ['42 of 100 in 60 s, 17000 ms (delta-seconds), null'],
    ],
    [
      'from the separate fields (express-rate-limit draft-6, fastify with its draft specification)',
      [
        ['ratelimit-limit', '100'],
        ['ratelimit-remaining', '42'],
        ['ratelimit-reset', '17'],
      ],
      IETF,
      ['42 of 100 in null s, 17000 ms (delta-seconds), null'],
    ],
    [
      'from draft 3, which lists policies behind the limit (Kong, Limitador)',
      [
        ['ratelimit-limit', '10, 10;w=1, 1000;w=3600'],
        ['ratelimit-remaining', '7'],
        ['ratelimit-reset', '1'],
      ],
      IETF,
      ['7 of 10 in null s, 1000 ms (delta-seconds), null'],
    ],
    [
      'of each policy, the shortest window first, and never of what is no request',
      [
        ['ratelimit-policy', '"day";q=5000;w=86400, "burst";q=10;w=1, "size";q=9000;qu="content-bytes"'],
        ['ratelimit', '"day";r=4000;t=80000, "burst";r=3;t=1, "size";r=1;t=1'],
      ],
      IETF,
      ['3 of 10 in 1 s, 1000 ms (delta-seconds), burst', '4000 of 5000 in 86400 s, 80000000 ms (delta-seconds), day'],
    ],
    [
      'from headers of its own, in the form that is stated',
      [
        ['x-quota', '50'],
        ['x-quota-left', '49'],
        ['x-quota-reset', '1780000000'],
      ],
      {
        ...TERMS,
        headers: { limit: 'X-Quota', remaining: 'X-Quota-Left', reset: 'X-Quota-Reset', resetForm: 'epoch-seconds' },
      },
      ['49 of 50 in null s, 1780000000000 ms (epoch-seconds), null'],
    ],
    [
      'from customary headers where no contract names any, with the policies of a gateway (Envoy)',
      [
        ['x-ratelimit-limit', '10, 10;w=1;name="a", 1000;w=3600'],
        ['x-ratelimit-remaining', '9'],
        ['x-ratelimit-reset', '1'],
      ],
      null,
      ['9 of 10 in 1 s, 1000 ms (delta-seconds), 10'],
    ],
    ['nowhere where nothing is sent', [['date', 'Thu, 01 Jan 2026 12:00:00 GMT']], IETF, []],
    ['nowhere where it is no structured field', [['ratelimit', '"burst;r=50']], IETF, []],
  ])('%s', (_what, headers, terms, stated) => {
    expect(briefly(headers, terms)).toEqual(stated);
  });

  it('a reset in another form than is stated is none', () => {
    const headers = {
      limit: 'X-Quota',
      remaining: 'X-Quota-Left',
      reset: 'X-Quota-Reset',
      resetForm: 'delta-seconds',
    } as const;
    const [stated] = statedIn(
      [
        ['x-quota', '50'],
        ['x-quota-reset', '1780000000'],
      ],
      { ...TERMS, headers },
    );
    expect(stated?.reset).toBeNull();
  });
});
