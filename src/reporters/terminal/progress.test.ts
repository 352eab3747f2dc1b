import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Progress } from '../../contract/progress.ts';
import { progressLine, showProgress } from './progress.ts';

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

test('a line tells operations, requests, rate, violations and time left', () => {
  expect(progressLine(STATE)).toBe('12/40 operations, 310 requests, 155/s, 1 violation, 1 min 15 s left');
  expect(progressLine({ ...STATE, secondsLeft: null })).toBe('12/40 operations, 310 requests, 155/s, 1 violation');
  expect(progressLine({ ...STATE, secondsLeft: 7300 })).toMatch(/2 h 1 min left$/);
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
