// For tests: a bundle, and the lines that an instance of it writes.

import type { Bundle } from '../../../../src/load/distributed/bundle.ts';
import { segmentOf } from '../../../../src/load/distributed/segment.ts';
import { bucketOf, lineOf, type Sample } from '../../../../src/load/samples/line.ts';

/** Ten requests a second for ten seconds, the first three left out, by three instances. */
export const BUNDLE: Bundle = {
  facts: {
    ...{ suite: 'capacity', instances: 3, ratePerSecond: 10, rampSeconds: 3, seconds: 7 },
    ...{ baseUrl: 'http://127.0.0.1:9', services: { 'GET /a': 'store' } },
  },
  plan: {
    ...{ run: 'run-1', step: 'step', order: [0], answerLimitSeconds: 5 },
    legs: [{ perTenSeconds: 100, seconds: 10, vus: 3, bodyEvery: 50, parts: [{ step: 'step', untilMs: 10_000 }] }],
    requests: [{ operation: 'GET /a', method: 'GET', url: 'http://127.0.0.1:9/a', headers: {}, body: null }],
    keys: [
      { name: 'std-1', variable: 'ASSAY_KEY_0' },
      { name: 'gro-1', variable: 'ASSAY_KEY_1' },
    ],
  },
};

/** What is told of one instance. */
export interface Told {
  readonly durationsMs?: readonly number[];
  readonly run?: string;
  readonly segment?: string;
  readonly beganMs?: number;
  readonly event?: 'end' | 'broken';
  /** From begin to end. ms */
  readonly lastedMs?: number;
  /** As k6 counts. */
  readonly begun?: number;
}

/** The samples of the instance: one VU that sent at once. */
export function samplesOf(instance: number, told: Told = {}): readonly Sample[] {
  const { durationsMs = [1, 2, 3], run = 'run-1', segment = segmentOf(instance, 3), beganMs = 1_000_000 } = told;
  const buckets = new Map<number, number>();
  for (const duration of durationsMs) buckets.set(bucketOf(duration), (buckets.get(bucketOf(duration)) ?? 0) + 1);
  const [step, started] = ['step', durationsMs.length];
  const shared = { step, key: 'std-1', operation: 'GET /a', status: 200 };
  const mark = { kind: 'mark', step, run, segment } as const;
  return [
    { ...mark, event: 'begin', atMs: beganMs },
    { kind: 'histogram', ...shared, buckets, second: Math.floor(beganMs / 1000) },
    { kind: 'lateness', step, buckets: new Map([[0, started]]) },
    { kind: 'started', step, vu: instance, started, begun: told.begun ?? started },
    ...(told.event === 'broken' ? [{ ...mark, event: 'broken' as const, atMs: beganMs + 900 }] : []),
    { ...mark, event: 'end', atMs: beganMs + (told.lastedMs ?? 10_000) },
  ];
}

/** The file's text. */
export function textOf(samples: readonly Sample[]): string {
  return samples.map((sample) => `${lineOf(sample)}\n`).join('');
}
