// An API of notes whose limit is told by headers that its contract names: by address where it takes no key, else by key.

import type { Clock } from '../../src/clock/clock.ts';
import { uriDecoded } from '../../src/exchange/decoded.ts';
import type { Answer, Asked, ForeignApi } from './in-memory.ts';

/** How the limit is told. */
export type Style = 'newest' | 'draft 7' | 'separate' | 'x-ratelimit' | 'own';
export type Kind = 'fixed' | 'sliding' | 'bucket';

/** What a server does otherwise than the plain one: a defect, or what its contract leaves open. */
export interface Ways {
  readonly style?: Style;
  readonly kind?: Kind;
  readonly limit?: number;
  readonly windowSeconds?: number;
  /** The headers, changed; `call` counts the calls that were answered. */
  readonly change?: (headers: Record<string, string>, told: Told) => void;
  /** Calls beyond the limit that are admitted all the same. */
  readonly beyond?: number;
  /** Calls that are refused before the limit is spent. */
  readonly short?: number;
  /** What a refusal says of waiting; absent: until the next call is admitted. */
  readonly retryAfter?: (seconds: number) => string | null;
  readonly refused?: number;
  /** Whether calls of one path are not counted. */
  readonly uncounted?: string;
  readonly keys?: boolean;
  /** Whether all keys have one limit. */
  readonly shared?: boolean;
  /** A second limit of the same callers, over a longer window; `beyond`: calls that it admits all the same. In the newest style. */
  readonly long?: { readonly limit: number; readonly windowSeconds: number; readonly beyond?: number };
  /** So many calls of /tags in ten seconds are accepted of one caller. */
  readonly tags?: number;
}

export interface Told {
  readonly asked: Asked;
  readonly call: number;
  readonly isRefused: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** The same as a moment: whole epoch seconds. */
  readonly untilSeconds: number;
  readonly nowMs: number;
}

const NOTE = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'string' }, text: { type: 'string' } },
};
const json = (schema: unknown) => ({ description: 'As told', content: { 'application/json': { schema } } });
const REFUSED = { description: 'Refused' };

function descriptionOf(isKeyed: boolean) {
  const errors = { 404: REFUSED, 429: REFUSED, 503: REFUSED };
  return {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    ...(isKeyed
      ? {
          security: [{ token: [] }],
          components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
        }
      : {}),
    paths: {
      '/notes': {
        get: { operationId: 'listNotes', responses: { 200: json({ type: 'array', items: NOTE }), ...errors } },
      },
      '/tags': { get: { operationId: 'listTags', responses: { 200: json({ type: 'array' }), ...errors } } },
      '/notes/{noteId}': {
        parameters: [{ name: 'noteId', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'readNote', responses: { 200: json(NOTE), ...errors } },
      },
      '/health': {
        get: { operationId: 'health', security: [], responses: { 200: json({ type: 'object' }), 429: REFUSED } },
      },
    },
  };
}

const STATED: Readonly<Record<Style, string>> = {
  newest: 'ietf',
  'draft 7': 'ietf',
  separate: 'ietf',
  'x-ratelimit': 'x-ratelimit',
  own: '{ limit: X-Quota, remaining: X-Quota-Left, reset: { name: X-Quota-Reset, form: epoch-seconds } }',
};

export function contractOf(style: Style, lines: readonly string[] = []): readonly string[] {
  return [
    ...['contract: 1', 'name: Notes API contract', 'rateLimits:', `  headers: ${STATED[style]}`],
    ...['  exempt: ["GET /health"]', '  refused: { status: 429, retryAfter: required }'],
    ...lines,
  ];
}

export function limitedApi(ways: Ways = {}, contract = contractOf(ways.style ?? 'newest')): ForeignApi {
  return {
    description: descriptionOf(ways.keys === true),
    contract,
    start: (clock) => new Limited(ways, clock).answer,
  };
}

interface Grant {
  readonly isAdmitted: boolean;
  readonly remaining: number;
  /** To the reset that is stated, and to the next call that is admitted. ms. */
  readonly resetMs: number;
  readonly againMs: number;
}

interface LongWindow {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly beyond: number;
  readonly untilMs: number;
  used: number;
}

/** Refused where either limit is spent; the longer one says so itself. */
function grantOfBoth(limiter: (nowMs: number) => Grant, long: LongWindow | null, nowMs: number): Grant {
  if (long !== null && long.used >= long.limit + long.beyond)
    return { isAdmitted: false, remaining: 1, resetMs: 1000, againMs: long.untilMs - nowMs };
  const grant = limiter(nowMs);
  if (long !== null && grant.isAdmitted) long.used += 1;
  return grant;
}

function tellLong(headers: Record<string, string>, long: LongWindow, nowMs: number): void {
  const left = Math.max(0, long.limit - long.used);
  headers['ratelimit-policy'] += `, "long";q=${long.limit};w=${long.windowSeconds}`;
  headers.ratelimit += `, "long";r=${left};t=${Math.ceil((long.untilMs - nowMs) / 1000)}`;
}

class Limited {
  readonly #ways: Ways;
  readonly #clock: Clock;
  readonly #limiters = new Map<string, (nowMs: number) => Grant>();
  readonly #tags = new Map<string, number[]>();
  readonly #long = new Map<string, LongWindow>();
  #calls = 0;

  constructor(ways: Ways, clock: Clock) {
    this.#ways = ways;
    this.#clock = clock;
  }

  readonly answer = (asked: Asked): Answer => {
    const { refused = 429, keys, uncounted, change = () => {} } = this.#ways;
    if (asked.path === '/health') return { status: 200, body: { ok: true } };
    const key = asked.headers.get('authorization') ?? '';
    if (keys === true && !/^Bearer key-(one|two)-0123456789$/.test(key))
      return { status: 401, body: { title: 'no key' } };
    const nowMs = this.#clock.now();
    const counted = this.#ways.shared === true ? '' : key;
    const limiter = this.#limiters.get(counted) ?? limiterOf(this.#ways);
    this.#limiters.set(counted, limiter);
    const long = this.#longOf(key, nowMs);
    const grant = uncounted === asked.path ? null : grantOfBoth(limiter, long, nowMs);
    const { limit = 60 } = this.#ways;
    const { isAdmitted, remaining, resetMs, againMs } = grant ?? {
      isAdmitted: true,
      remaining: limit,
      resetMs: 0,
      againMs: 0,
    };
    this.#calls += 1;
    const resetSeconds = Math.ceil(resetMs / 1000);
    const untilSeconds = Math.ceil((nowMs + resetMs) / 1000);
    const told: Told = {
      asked,
      call: this.#calls,
      isRefused: !isAdmitted,
      limit,
      remaining,
      resetSeconds,
      untilSeconds,
      nowMs,
    };
    const headers: Record<string, string> = { date: new Date(nowMs).toUTCString(), ...this.#headersOf(told) };
    if (long !== null) tellLong(headers, long, nowMs);
    if (!isAdmitted) {
      const { retryAfter = String } = this.#ways;
      const again = retryAfter(Math.ceil(againMs / 1000));
      if (again !== null) headers['retry-after'] = again;
    }
    change(headers, told);
    if (isAdmitted && this.#isThrottled(asked, key, nowMs))
      return { status: refused, headers: { ...headers, 'retry-after': '10' }, body: { title: 'fewer tags' } };
    return isAdmitted ? { ...bodyOf(asked), headers } : { status: refused, headers, body: { title: 'slow down' } };
  };

  /** The window of the longer limit, begun with its first call. */
  #longOf(key: string, nowMs: number): LongWindow | null {
    const { long } = this.#ways;
    if (long === undefined) return null;
    const known = this.#long.get(key);
    if (known !== undefined && nowMs < known.untilMs) return known;
    const window = { beyond: 0, ...long, used: 0, untilMs: nowMs + long.windowSeconds * 1000 };
    this.#long.set(key, window);
    return window;
  }

  /** A throttle of one operation, beside the limit. */
  #isThrottled({ path }: Asked, key: string, nowMs: number): boolean {
    const { tags } = this.#ways;
    if (tags === undefined || path !== '/tags') return false;
    const lately = (this.#tags.get(key) ?? []).filter((at) => at > nowMs - 10_000);
    const isOver = lately.length >= tags;
    this.#tags.set(key, isOver ? lately : [...lately, nowMs]);
    return isOver;
  }

  #headersOf({ limit, remaining, resetSeconds, untilSeconds }: Told): Record<string, string> {
    const { style = 'newest', windowSeconds = 20 } = this.#ways;
    const until = String(untilSeconds);
    switch (style) {
      case 'newest':
        return {
          'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
          ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
        };
      case 'draft 7':
        return {
          'ratelimit-policy': `${limit};w=${windowSeconds}`,
          ratelimit: `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`,
        };
      case 'separate':
        return {
          'ratelimit-limit': `${limit}`,
          'ratelimit-remaining': `${remaining}`,
          'ratelimit-reset': `${resetSeconds}`,
        };
      case 'x-ratelimit':
        return { 'x-ratelimit-limit': `${limit}`, 'x-ratelimit-remaining': `${remaining}`, 'x-ratelimit-reset': until };
      default:
        return { 'x-quota': `${limit}`, 'x-quota-left': `${remaining}`, 'x-quota-reset': until };
    }
  }
}

function bodyOf({ path, method }: Asked): Answer {
  const [, collection, id] = path.split('/');
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: { title: 'not allowed' } };
  if (collection === 'tags') return { status: 200, body: ['a', 'b'] };
  const notes = Array.from({ length: 12 }, (_, at) => ({ id: `n${at + 1}`, text: `note ${at + 1}` }));
  if (collection !== 'notes') return { status: 404, body: { title: 'not found' } };
  if (id === undefined) return { status: 200, body: notes };
  const note = notes.find((one) => one.id === uriDecoded(id));
  return note === undefined ? { status: 404, body: { title: 'not found' } } : { status: 200, body: note };
}

function limiterOf({
  kind = 'fixed',
  limit = 60,
  windowSeconds = 20,
  beyond = 0,
  short = 0,
}: Ways): (nowMs: number) => Grant {
  const enforced = limit + beyond - short;
  const windowMs = windowSeconds * 1000;
  if (kind === 'bucket') return bucketOf(limit, windowMs);
  let times: number[] = [];
  let fromMs = 0;
  return (nowMs) => {
    if (kind === 'sliding') times = times.filter((at) => at > nowMs - windowMs);
    else if (nowMs >= fromMs + windowMs) [times, fromMs] = [[], nowMs];
    const isAdmitted = times.length < enforced;
    if (isAdmitted) times.push(nowMs);
    const endMs = kind === 'sliding' ? (times[0] ?? nowMs) + windowMs : fromMs + windowMs;
    return { isAdmitted, remaining: Math.max(0, limit - times.length), resetMs: endMs - nowMs, againMs: endMs - nowMs };
  };
}

function bucketOf(limit: number, windowMs: number): (nowMs: number) => Grant {
  let [tokens, sinceMs] = [limit, 0];
  const perMs = limit / windowMs;
  return (nowMs) => {
    tokens = Math.min(limit, tokens + (nowMs - sinceMs) * perMs);
    sinceMs = nowMs;
    const isAdmitted = tokens >= 1;
    if (isAdmitted) tokens -= 1;
    const againMs = Math.max(0, 1 - tokens) / perMs;
    return { isAdmitted, remaining: Math.floor(tokens), resetMs: (limit - tokens) / perMs, againMs };
  };
}
