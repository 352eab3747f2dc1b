// A thing that a run changes and did not make is as it was when the run ends, or the report says that it is not.
import { expect, test } from 'vitest';
import { judgedInMemory } from './in-memory.ts';
import { type Answer, type Asked, TOKEN, thingsOf } from './things.ts';

const COLLECTIONS = { pets: 'gone' } as const;
const FIRST = { theme: 'dark', perPage: 5, version: 1 };
const MEMBERS = {
  theme: { type: 'string', enum: ['dark', 'light'] },
  perPage: { type: 'integer', minimum: 1, maximum: 99 },
};
const NUMBER = { type: 'integer', readOnly: true };

type Method = 'put' | 'patch' | 'post';

/** The description with settings beside, which the method changes. */
function withSettings(whole: Record<string, unknown>, { method, isWrapped = false }: Target): unknown {
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  const required = ['theme', 'perPage'];
  const plain = { type: 'object', required, properties: { ...MEMBERS, version: NUMBER } };
  const shown = isWrapped ? { type: 'object', properties: { body: plain, metadata: { type: 'object' } } } : plain;
  const sent = { type: 'object', properties: MEMBERS, ...(method === 'patch' ? {} : { required }) };
  const responses = {
    200: { description: 'as told', ...json(shown) },
    default: { description: 'refused', ...json({ type: 'object' }) },
  };
  const settings = { get: { responses }, [method]: { requestBody: { required: true, ...json(sent) }, responses } };
  return { ...whole, paths: { ...(whole.paths as object), '/settings': settings } };
}

/** The members that a sound body sets; null for any other. */
function soundIn(body: string, method: Method, now: Record<string, unknown>): Record<string, unknown> | null {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return null;
  const { theme, perPage } = { ...(method === 'patch' ? now : {}), ...sent };
  const isNumber = Number.isInteger(perPage) && Number(perPage) >= 1 && Number(perPage) <= 99;
  return isNumber && (theme === 'dark' || theme === 'light') ? { theme, perPage } : null;
}

interface Target {
  readonly method: Method;
  /** Set: answers have the settings in a member. */
  readonly isWrapped?: boolean;
  readonly environment?: string;
  /** Set: from this change on all others are refused. */
  readonly lastChange?: number;
  /** Interrupts the run at the so many-th change. */
  readonly stopAt?: number;
}

async function judged(settled: Target) {
  const { method, isWrapped, environment = 'staging', lastChange = Number.POSITIVE_INFINITY, stopAt } = settled;
  const stop = new AbortController();
  const things = thingsOf(COLLECTIONS, { after: () => ({ cancel: () => {} }) });
  let settings: Record<string, unknown> = { ...FIRST };
  let changes = 0;
  const answerOfSettings = (asked: Asked): Answer => {
    if (asked.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: {} };
    const shown = (): unknown => (isWrapped ? { body: settings, metadata: {} } : settings);
    if (asked.method === 'GET') return { status: 200, body: shown() };
    if (asked.method.toLowerCase() !== method) return { status: 405, body: {} };
    const sent = soundIn(asked.body, method, settings);
    if (sent === null) return { status: 422, body: {} };
    changes += 1;
    if (changes > lastChange) return { status: 403, body: {} };
    if (changes === stopAt) stop.abort();
    settings = { ...settings, ...sent, version: 1 + changes };
    return { status: 200, body: shown() };
  };
  const answer = (asked: Asked): Answer =>
    asked.url.startsWith('/settings') ? answerOfSettings(asked) : things.answer(asked);
  const described = (whole: Record<string, unknown>): unknown => withSettings(whole, settled);
  const options = { collections: COLLECTIONS, environment, described, configuration: ['mutations: allow'] };
  const report = await judgedInMemory(options, answer, { budget: 250 }, undefined, { stop: stop.signal });
  const { theme, perPage } = settings;
  return { report, changes, settings: { theme, perPage }, left: things.left(), isUntouched: things.isUntouched() };
}

const AS_FIRST = { theme: 'dark', perPage: 5 };

test.each([
  { method: 'put' },
  { method: 'patch' },
  { method: 'post' },
  { method: 'post', environment: 'local', isWrapped: true },
  { method: 'put', environment: 'local' },
  { method: 'put', environment: 'local', isWrapped: true },
  { method: 'put', stopAt: 3 },
] as const)('settings are as they were: %j', async (target) => {
  const { report, changes, settings, left } = await judged(target);
  expect(changes).toBeGreaterThan(2);
  expect(settings).toEqual(AS_FIRST);
  expect(report.created?.changed).toBeUndefined();
  expect(left).toEqual({ pets: [] });
});

test('settings that cannot be put back are told', async () => {
  const { report, settings } = await judged({ method: 'put', lastChange: 2 });
  expect(settings).not.toEqual(AS_FIRST);
  expect(report.created?.changed).toEqual(['/settings: PUT /settings was answered 403']);
});

test('things of others that a local target lets a run change are as they were', async () => {
  const things = thingsOf(COLLECTIONS, { after: () => ({ cancel: () => {} }) });
  let changes = 0;
  const answer = (asked: Asked): Answer => {
    if (asked.method === 'POST') return { status: 405, body: {} };
    const answered = things.answer(asked);
    if (asked.method === 'PUT' && answered.status === 200) changes += 1;
    return answered;
  };
  const described = (whole: Record<string, unknown>): unknown => {
    const { post: _, ...unmade } = (whole.paths as Record<string, Record<string, unknown>>)['/pets'] ?? {};
    return { ...whole, paths: { ...(whole.paths as object), '/pets': unmade } };
  };
  const options = { collections: COLLECTIONS, environment: 'local', described, configuration: ['mutations: allow'] };
  const report = await judgedInMemory(options, answer, { budget: 250 });
  expect(changes).toBeGreaterThan(2);
  expect(things.isUntouched()).toBe(true);
  expect(report.created?.changed).toBeUndefined();
});
