// A spike with real k6, against a server that bears the base rate and not the peak.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { atNight } from '../../../test/programme.ts';
import { against, OBJECTIVES } from '../../../test/support/load/arrivals/bench.ts';
import { k6Path, WITH_K6 } from '../../../test/support/load/k6/k6.ts';
import type { BodySample } from '../samples/line.ts';
import { measureSpike } from './spike.ts';

const WISH = { base: 60, peak: 300, seconds: 2, heldBy: null };

type Listener = Parameters<typeof against>[0];

async function spiked(listener: Listener) {
  const kept: BodySample[] = [];
  let calls = 0;
  const { result, left } = await against(
    (request, response) => {
      calls += 1;
      listener(request, response);
    },
    (bench) => measureSpike({ ...bench, wish: WISH, onKept: (sample) => kept.push(sample), label: () => {} }),
  );
  return { part: result, kept, calls, left };
}

/** A queue of one server: `serviceMs` a call, refused with 503 where more than `most` wait. */
function queueing(serviceMs: number, most: number): Listener {
  let freeAtMs = 0;
  return (_request, response) => {
    const now = Date.now();
    if (freeAtMs - now > most * serviceMs) return void response.writeHead(503).end('{"error":"busy"}');
    freeAtMs = Math.max(now, freeAtMs) + serviceMs;
    void sleep(freeAtMs - now).then(() => response.end('{"a":1}'));
  };
}

describe.skipIf(k6Path === null)(`${WITH_K6}, a spike`, () => {
  it('tells the shares of its peak, keeps answers of it, and sees a platform that sheds load recover', async () => {
    const { part, kept, calls, left } = await spiked(queueing(8, 60));
    expect(part.before.decision).not.toBe('missed');
    expect(part.shares.succeeded).toBeLessThan(0.9);
    expect(part.shares.serverErrors).toBeGreaterThan(0.1);
    expect(Object.values(part.shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
    expect(part.recovery?.best ?? 99).toBeLessThanOrEqual(3);
    const refused = kept.filter(({ step, status }) => step === 'spike.peak' && status === 503);
    expect(refused[0]?.answer.body).toBe('{"error":"busy"}');
    expect([part.requests, left]).toEqual([calls, calls]);
  });

  atNight(() => {
    it('sees that a platform which broke down does not recover', async () => {
      const calls: number[] = [];
      let isBroken = false;
      const { part } = await spiked((_request, response) => {
        const now = Date.now();
        calls.push(now);
        isBroken ||= calls.filter((at) => at > now - 500).length > 100;
        response.writeHead(isBroken ? 500 : 200).end('{}');
      });
      expect(part.shares.serverErrors).toBeGreaterThan(0.5);
      expect(part.recovery).toBeNull();
      expect(part.afterSeconds).toBe(6);
    });
  });

  atNight(() => {
    it('tells that a limiter answered, and from when on it no longer does', async () => {
      let used = 0;
      let second = 0;
      const { part } = await spiked((_request, response) => {
        const now = Math.floor(Date.now() / 1000);
        if (now !== second) used = 0;
        second = now;
        used += 1;
        response.writeHead(used > 150 ? 429 : 200).end('{}');
      });
      expect(part.shares.limited).toBeGreaterThan(0.3);
      expect(part.recovery?.best ?? 99).toBeLessThanOrEqual(2);
      expect(part.objectives.p99Ms).toBe(OBJECTIVES.p99Ms);
    });
  });
});
