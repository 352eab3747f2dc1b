import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Progress } from '../../contract/progress.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { progressLine, sentLine, showProgress } from './progress.ts';

const STATE: Progress = {
  phase: 'breadth',
  operations: 40,
  operationsTested: 12,
  requests: 310,
  requestsPerSecond: 154.6,
  violations: 1,
  secondsLeft: 75,
};

function sink(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { stream, text: () => text };
}

test('the time left is said to be that of a stage or a step, where it is not that of the run', () => {
  const work = { done: 10, planned: 20 };
  const left = (more: Partial<NonNullable<Progress['work']>>): string =>
    progressLine({ ...STATE, work: { ...work, unit: 'requests', ...more } })
      .split(', ')
      .at(-1) ?? '';
  expect(left({})).toBe('1 min 15 s left of this stage');
  expect(left({ unit: 'seconds' })).toBe('1 min 15 s left of this step');
  expect(left({ isWholeRun: true })).toBe('1 min 15 s left');
});

test('a line tells operations, requests, rate, violations and time left', () => {
  expect(progressLine(STATE)).toBe('12/40 operations, 310 requests, 155/s, 1 violation, 1 min 15 s left');
  expect(progressLine({ ...STATE, secondsLeft: null })).toBe('12/40 operations, 310 requests, 155/s, 1 violation');
  expect(progressLine({ ...STATE, secondsLeft: 7300 })).toMatch(/2 h 1 min left$/);
});

test('a line tells the work of the phase, and what is waited for', () => {
  const work = { done: 100, planned: 750, unit: 'requests' as const };
  expect(progressLine({ ...STATE, work })).toContain('310/960 requests');
  expect(progressLine({ ...STATE, work: { ...work, unit: 'seconds' } })).toContain(', 310 requests,');
  expect(progressLine({ ...STATE, waiting: { seconds: 6, what: 'limit', key: 'std-1' } })).toMatch(
    /^waiting 6 s for the limit of std-1 to reset, 12\/40/,
  );
  const waiting = (what: 'limit' | 'again' | 'look') =>
    progressLine({ ...STATE, waiting: { seconds: 2, what, key: null } }).split(', ')[0];
  expect(waiting('look')).toBe('waiting 2 s before the next look');
  expect(waiting('again')).toBe('waiting 2 s to send a request again that failed');
  expect(waiting('limit')).toBe('waiting 2 s for the limit of requests without a key to reset');
});

test.each([20, 40, 55, 80])('in %i columns whole parts are left out, never what is waited for or found', (columns) => {
  const calm = progressLine({ ...STATE, secondsLeft: null }, columns);
  expect(calm.length).toBeLessThanOrEqual(columns);
  expect(calm).toContain('1 violation');
  const waiting = progressLine({ ...STATE, waiting: { seconds: 6, what: 'limit', key: 'std-1' } }, columns);
  expect(waiting).toContain('waiting 6 s for the limit of std-1 to reset');
});

test('outside a terminal a line comes every five seconds and with every new phase', async () => {
  const { stream, text } = sink(false);
  let at = 0;
  const display = showProgress({ stream, quiet: false, clock: { monotonic: () => at } });
  for (at = 0; at <= 10_000; at += 100) display.update({ ...STATE, requests: at });
  display.update({ ...STATE, phase: 'depth' });
  display.stop();
  display.update({ ...STATE, phase: 'after' });
  await new Promise(setImmediate);
  expect(
    text()
      .trim()
      .split('\n')
      .map((line) => line.replace(/,.*/, '')),
  ).toEqual([
    'breadth: 12/40 operations',
    'breadth: 12/40 operations',
    'breadth: 12/40 operations',
    'depth: 12/40 operations',
  ]);
});

test('quiet shows nothing', async () => {
  const { stream, text } = sink(true);
  const display = showProgress({ stream, quiet: true, clock: { monotonic: () => 0 } });
  display.update(STATE);
  display.stop();
  await new Promise(setImmediate);
  expect(text()).toBe('');
});

const SENT = {
  id: 'ex-7',
  attempt: 2,
  request: { method: 'GET', path: '/api/v1/stores', query: 'limit=5' },
  durationMs: 11.6,
  plan: {
    probe: 'pagination/walk',
    credential: { kind: 'key', name: 'std-1' },
  },
  response: { status: 200 },
  failure: null,
} as unknown as Exchange;

test('a request is told with its answer, its key and what it is sent for', () => {
  expect(sentLine(SENT)).toBe('ex-7 GET /api/v1/stores?limit=5 → 200 in 12 ms (std-1, pagination/walk, attempt 2)');
});

test('a request without an answer says why, and control characters reach no terminal', () => {
  const lost = { ...SENT, response: null, failure: { message: 'reset\u001b[2J' } } as unknown as Exchange;
  expect(sentLine(lost)).toContain('→ no answer: reset in');
});
