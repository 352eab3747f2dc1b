// What servers with a limit do wrong, and what they may do.
import type { ContractCase } from './cases.ts';
import { contractOf, type Told, type Ways } from './limited.ts';

const defect = (clause: string, text: string, ways: Ways, contract?: readonly string[]): ContractCase<Ways> => ({
  ...{ clause, is: 'defect', text, ways, style: ways.style ?? 'newest' },
  ...(contract === undefined ? {} : { contract }),
});
const oddity = (clause: string, text: string, ways: Ways, contract?: readonly string[]): ContractCase<Ways> => ({
  ...defect(clause, text, ways, contract),
  is: 'oddity',
});

const limit = (told: Told, remaining = told.remaining, seconds = told.resetSeconds): string =>
  `"default";r=${remaining};t=${seconds}`;
const every = (calls: number, { call }: Told): boolean => call % calls === 0;
/** The RateLimit field of the newest draft, by what is told. */
const saying = (text: (told: Told) => string): Ways => ({
  change(headers, told) {
    headers.ratelimit = text(told);
  },
});
const xLimits = (change: (told: Told) => readonly [number, number, number]): Ways => ({
  change(headers, told) {
    const [most, remaining, seconds] = change(told);
    headers['x-ratelimit-limit'] = String(most);
    headers['x-ratelimit-remaining'] = String(remaining);
    headers['x-ratelimit-reset'] = String(Math.ceil(told.nowMs / 1000) + seconds);
  },
});
const BOTH = contractOf('newest').map((line) =>
  line.startsWith('  headers') ? '  headers: [x-ratelimit, ietf]' : line,
);

/** No header tells the limit, which the contract states. */
const untold = (is: 'defect' | 'oddity', text: string, ways: Ways): ContractCase<Ways> => ({
  ...{ clause: 'RATE-10', is, text, style: 'untold' },
  ways: {
    ...ways,
    change(headers) {
      for (const name of Object.keys(headers)) if (name !== 'retry-after') delete headers[name];
    },
  },
  contract: [
    ...['contract: 1', 'name: Notes API contract', 'rateLimits:'],
    '  plans: { free: { limit: 40, windowSeconds: 10 } }',
  ],
});

/** One header tells the calls that are used of all. */
const used = (is: 'defect' | 'oddity', clause: string, text: string, ways: Ways, said = usage): ContractCase<Ways> => ({
  ...{ clause, is, text, style: 'used' },
  ways: {
    ...{ kind: 'bucket', limit: 40, windowSeconds: 4 },
    ...ways,
    change(headers, told) {
      for (const name of Object.keys(headers)) if (name.startsWith('ratelimit')) delete headers[name];
      headers['x-used'] = said(told);
    },
  },
  contract: [
    ...[
      'contract: 1',
      'name: Notes API contract',
      'rateLimits: { headers: { used: X-Used }, exempt: ["GET /health"] }',
    ],
  ],
});
const usage = ({ limit: most, remaining }: Told): string => `${most - remaining}/${most}`;

export const LIMITED_CASES: readonly ContractCase<Ways>[] = [
  used('defect', 'RATE-01', 'the header is no such fraction', {}, (told) => (every(5, told) ? '12' : usage(told))),
  used('defect', 'RATE-02', 'more are used than there are', {}, (told) => (every(9, told) ? '44/40' : usage(told))),
  used('defect', 'RATE-02', 'the limit wanders', {}, (told) => (every(3, told) ? '1/60' : usage(told))),
  used('oddity', 'RATE-02', 'the limit is that of a bucket that leaks', {}),
  untold('defect', 'a window admits fewer calls than are stated of the plan', { limit: 30, windowSeconds: 10 }),
  untold('defect', 'it admits more', { limit: 45, windowSeconds: 10 }),
  untold('oddity', 'the limit is that of a bucket', { kind: 'bucket', limit: 40, windowSeconds: 10 }),
  untold('oddity', 'the limit is that of a window that slides', { kind: 'sliding', limit: 40, windowSeconds: 10 }),
  untold('oddity', 'the limit is that of fixed windows', { limit: 40, windowSeconds: 10 }),
  defect('RATE-01', 'the fields are missing on some calls', {
    change(headers, told) {
      if (every(7, told)) delete headers.ratelimit;
    },
  }),
  defect('RATE-01', 'own headers are missing on some calls', {
    style: 'own',
    change(headers, told) {
      if (every(7, told)) for (const name of ['x-quota', 'x-quota-left', 'x-quota-reset']) delete headers[name];
    },
  }),
  defect('RATE-01', 'the reset has another form than is stated', {
    style: 'own',
    change(headers, { resetSeconds }) {
      headers['x-quota-reset'] = String(resetSeconds);
    },
  }),
  defect('RATE-02', 'more calls are left than the limit has', {
    style: 'x-ratelimit',
    change(headers, told) {
      if (every(5, told)) headers['x-ratelimit-remaining'] = String(told.limit + 5);
    },
  }),
  defect('RATE-02', 'the limit changes within a window', {
    style: 'draft 7',
    change(headers, told) {
      if (every(3, told))
        headers.ratelimit = `limit=${told.limit * 2}, remaining=${told.remaining}, reset=${told.resetSeconds}`;
    },
  }),
  defect('RATE-03', 'what is left does not fall', {
    ...saying((told) => limit(told, told.isRefused ? 0 : told.limit - 1)),
  }),
  defect('RATE-03', 'calls of one operation are not counted', { uncounted: '/tags', style: 'x-ratelimit', limit: 200 }),
  defect('RATE-04', 'more calls are admitted than the limit has', { beyond: 12 }),
  defect('RATE-04', 'calls are refused although some are left', { short: 20 }),
  defect('RATE-05', 'a refusal says nothing of waiting, which the contract requires', { retryAfter: () => null }),
  defect('RATE-05', 'a refusal tells a word', { retryAfter: () => 'soon' }),
  defect('RATE-06', 'the wait that is told is too short', { retryAfter: () => '1' }),
  defect('RATE-10', 'fewer calls are admitted than the limit has', {
    short: 20,
    change(headers, told) {
      if (told.isRefused) headers.ratelimit = limit(told, 0);
    },
  }),
  defect(
    'RATE-10',
    'the limit is not that of the plan',
    {},
    contractOf('newest', ['  plans: { free: { limit: 100, windowSeconds: 20 } }']),
  ),
  defect('RATE-12', 'a policy is named that is not stated', {
    ...saying((told) => limit(told).replace('default', 'burst')),
  }),
  defect('RATE-12', 'a field is no structured field', {
    ...saying((told) => (every(6, told) ? 'default;r=;t=1' : limit(told))),
  }),
  defect('RATE-12', 'the policies are no structured field', {
    change(headers, told) {
      headers['ratelimit-policy'] = `"default;q=${told.limit};w=20`;
    },
  }),
  defect('RATE-12', 'what is left is told as a text', { ...saying((told) => `"default";r="${told.remaining}";t=1`) }),
  defect('RATE-12', 'more calls are left than the policy has', { ...saying((told) => limit(told, told.limit + 1)) }),
  defect('RATE-12', 'the window ends after its length', { ...saying((told) => limit(told, told.remaining, 90)) }),
  defect('RATE-12', 'draft 7 names a limit that no policy has', {
    style: 'draft 7',
    change(headers) {
      headers['ratelimit-policy'] = '50;w=20';
    },
  }),
  defect('RATE-12', 'X-RateLimit-Remaining says something else', {
    ...xLimits(({ limit: most, remaining, resetSeconds }) => [most, Math.min(most, remaining + 3), resetSeconds]),
  }),
  defect('RATE-12', 'X-RateLimit-Limit says something else', {
    ...xLimits(({ limit: most, remaining, resetSeconds }) => [most * 2, remaining, resetSeconds]),
  }),
  oddity('RATE-12', 'draft 7', { style: 'draft 7' }),
  oddity('RATE-12', 'the separate fields of older drafts', { style: 'separate' }),
  oddity('RATE-12', 'two policies, of which one is far', {
    change(headers, told) {
      headers['ratelimit-policy'] = `"default";q=${told.limit};w=20, "day";q=50000;w=86400`;
      headers.ratelimit = `"day";r=${50_000 - told.call};t=80000, ${limit(told)}`;
    },
  }),
  oddity('RATE-12', 'only the limit that is nearest is told, of two', {
    change(headers, told) {
      headers['ratelimit-policy'] = `"default";q=${told.limit};w=20, "day";q=50000;w=86400`;
    },
  }),
  oddity('RATE-12', 'a partition key, on both or on the policy alone', {
    change(headers, told) {
      headers['ratelimit-policy'] = `"default";q=${told.limit};w=20;pk=:MTIzNA==:`;
      if (every(2, told)) headers.ratelimit = `${limit(told)};pk=:MTIzNA==:`;
    },
  }),
  oddity('RATE-12', 'no window is told', {
    change(headers, told) {
      headers['ratelimit-policy'] = `"default";q=${told.limit}`;
    },
  }),
  oddity('RATE-12', 'a quota of bytes beside that of calls', {
    change(headers, told) {
      headers['ratelimit-policy'] = `"default";q=${told.limit};w=20, "size";q=900000;qu="content-bytes";w=1`;
      headers.ratelimit = `"size";r=${900_000 - told.call * 7};t=1, ${limit(told)}`;
    },
  }),
  oddity('RATE-12', 'parameters that nobody knows, and the fields in several lines', {
    change(headers, told) {
      headers['ratelimit-policy'] = `"default";q=${told.limit};w=20;comment="per address"`;
    },
  }),
  oddity('RATE-12', 'X-RateLimit-* beside the fields', {
    ...xLimits(({ limit: most, remaining, resetSeconds }) => [most, remaining, resetSeconds]),
  }),
  oddity(
    'RATE-12',
    'both, as the contract states',
    { ...xLimits((told) => [told.limit, told.remaining, told.resetSeconds]) },
    BOTH,
  ),
  oddity('RATE-12', 'a limit of thousands, which is not spent', { limit: 9000, windowSeconds: 60 }),
  oddity('RATE-01', 'an exempt operation tells a limit that is spent', {}),
  oddity('RATE-03', 'a window that slides', { kind: 'sliding' }),
  oddity('RATE-03', 'a bucket that refills', { kind: 'bucket' }),
  oddity('RATE-10', 'a bucket whose window is told', { kind: 'bucket', style: 'draft 7' }),
  oddity('RATE-03', 'a bucket, told by single headers', { kind: 'bucket', style: 'x-ratelimit' }),
  oddity('RATE-04', 'a window that slides, told by own headers', { kind: 'sliding', style: 'own' }),
  oddity('RATE-05', 'a refusal tells a date', {
    retryAfter: () => null,
    change(headers, told) {
      if (told.isRefused)
        headers['retry-after'] = new Date((Math.ceil(told.nowMs / 1000) + told.resetSeconds) * 1000).toUTCString();
    },
  }),
];
