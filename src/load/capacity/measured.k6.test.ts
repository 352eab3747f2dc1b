// The search with real k6: a server of so many slots bears what slots and service time allow.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atNight } from '../../../test/programme.ts';
import { k6Path, served, untilMeasured, WITH_K6 } from '../../../test/support/load/k6/k6.ts';
import { StepLost } from '../caller/caller.ts';
import { Generator } from '../k6/measure.ts';
import type { BodySample } from '../samples/line.ts';
import { type MachineBench, measureCapacity, oneMachine } from './capacity.ts';
import type { SearchOptions } from './search.ts';

const OBJECTIVES = { p99Ms: 600, errorRate: 0.01, limitedRate: 0.01 };
const SEARCH = {
  ...{ startRate: 100, mostRate: 1600, width: 0.6, repeats: 1, stepSeconds: 2, leastRequests: 320, mostSeconds: 60 },
};

/** Answers after `serviceMs`, at most `slots` at once; the others wait. */
function slotted(slots: number, serviceMs: number) {
  const waiting: (() => void)[] = [];
  let free = slots;
  return async (answer: () => void): Promise<void> => {
    if (free === 0) await new Promise<void>((next) => waiting.push(next));
    else free -= 1;
    await sleep(serviceMs);
    answer();
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
}

describe.skipIf(k6Path === null)(WITH_K6, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-capacity-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function capacityOf(
    listener: Parameters<typeof served>[0],
    { search = SEARCH, ...changes }: Partial<MachineBench> & { readonly search?: SearchOptions } = {},
  ) {
    const target = await served(listener);
    const kept: BodySample[] = [];
    const stop = new AbortController().signal;
    const environment = { ASSAY_KEY_0: 'token-of-std-1' };
    const source = {
      k6: k6Path ?? '',
      folder,
      lane: 'capacity',
      stop,
      outputs: [],
      environment,
      conceal: (line: string) => line,
      watch: () => {},
    };
    const request = { operation: 'GET /a', method: 'GET', url: `${target.baseUrl}/a`, headers: {}, body: null };
    let sent = 0;
    const engine = oneMachine({
      generator: new Generator(source),
      objectives: OBJECTIVES,
      load: { requests: [request], order: [0], keys: [{ name: 'std-1', variable: 'ASSAY_KEY_0' }], tagged: false },
      onKept: (sample) => kept.push(sample),
      charge: (requests) => {
        sent += requests;
      },
      refund: (requests) => {
        sent -= requests;
      },
      othersNow: async () => null,
      ...changes,
    });
    const silent = { label: () => {}, sleep: async () => {}, enter: () => {} };
    const { part, ended } = await measureCapacity({ engine, objectives: OBJECTIVES, search, ...silent });
    await target.close();
    if (part === null) throw new Error('no step was measured');
    return { part, ended, kept, sent };
  }

  it('finds a bracket around what four slots of 10 ms bear, with answers kept whole and every request counted', async () => {
    const found = async () => {
      let calls = 0;
      const enter = slotted(4, 10);
      const measured = await capacityOf((_request, response) => {
        calls += 1;
        void enter(() => response.end('{"a":1}'));
      });
      return { ...measured, calls };
    };
    // A generator that was late leaves a step undecided.
    const { part, kept, sent, calls } = await untilMeasured(found, ({ part: { missed } }) => missed !== null);
    expect(part.met ?? 0).toBeLessThanOrEqual(400);
    expect(part.missed ?? 0).toBeGreaterThan(part.met ?? 0);
    expect(part.steps.some(({ decision }) => decision === 'missed')).toBe(true);
    expect(kept.length).toBeGreaterThan(part.steps.length);
    expect(kept[0]).toMatchObject({ operation: 'GET /a', status: 200, answer: { body: '{"a":1}' } });
    expect([sent, part.requests]).toEqual([calls, calls]);
  });

  atNight(() => {
    it('says that the limiter was measured, not the platform', async () => {
      const { part } = await capacityOf((_request, response) => response.writeHead(429).end());
      expect(part).toMatchObject({ met: null, open: expect.stringContaining('429') });
    });
  });

  atNight(() => {
    it('errors miss the objectives, and end the step', async () => {
      const { part } = await capacityOf((_request, response) => response.writeHead(500).end(), {
        search: { ...SEARCH, mostSeconds: 4 },
      });
      expect(part.met).toBeNull();
      expect(part.steps.every(({ decision }) => decision === 'missed')).toBe(true);
    });
  });

  atNight(() => {
    it('keeps what is known where it may send no more', async () => {
      let steps = 0;
      const charge = () => {
        steps += 1;
        if (steps > 1) throw new StepLost('capped', 'load.caps.requests is spent');
      };
      const { part, ended } = await capacityOf((_request, response) => response.end('{"a":1}'), { charge });
      expect(part).toMatchObject({ met: SEARCH.startRate, missed: null, open: 'load.caps.requests is spent' });
      expect(ended?.code).toBe('capped');
    });
  });
});
