// A soak with real k6, against a server that grows slower, fails, or breaks its answers while it lasts.

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { atNight } from '../../../test/programme.ts';
import { against } from '../../../test/support/load/arrivals/bench.ts';
import { k6Path, untilMeasured, WITH_K6 } from '../../../test/support/load/k6/k6.ts';
import type { Report } from '../../contract/report.ts';
import type { BodySample } from '../samples/line.ts';
import { judgedSoak, measureSoak } from './soak.ts';

const WISH = { ratePerSecond: 150, seconds: 7, heldBy: null };

async function soaked(
  answer: (response: ServerResponse, share: number) => void | Promise<void>,
  stopAt: number = Number.POSITIVE_INFINITY,
) {
  const stop = new AbortController();
  const kept: BodySample[] = [];
  let calls = 0;
  let begunAtMs = 0;
  const { result, left } = await against(
    (_request, response) => {
      calls += 1;
      if (begunAtMs === 0) begunAtMs = Date.now();
      const share = (Date.now() - begunAtMs) / (WISH.seconds * 1000);
      if (share > stopAt) stop.abort();
      void answer(response, share);
    },
    (bench) =>
      measureSoak({
        ...bench,
        wish: WISH,
        onKept: (sample) => kept.push(sample),
        label: () => {},
        now: () => Date.now(),
      }),
    stop.signal,
  );
  return { ...result, kept, calls, left };
}

/** Tells whether anything follows for the server. */
function isMeasured({ part }: Awaited<ReturnType<typeof soaked>>): boolean {
  const report = { verdict: 'pass', run: {} } as Report;
  return part !== null && judgedSoak(report, part, { stated: false, drift: null }).verdict !== 'none';
}

describe.skipIf(k6Path === null)(`${WITH_K6}, a soak`, () => {
  it('tells a rise of latency, errors that begin late, and what was answered when', async () => {
    const { part, ended, kept, calls, left } = await untilMeasured(
      () =>
        soaked(async (response, share) => {
          await sleep(20 + 40 * share);
          response.writeHead(share > 0.6 ? 404 : 200).end(share > 0.5 ? '{"b":1}' : '{"a":1}');
        }),
      isMeasured,
    );
    expect(ended).toBeNull();
    expect(part?.slices).toHaveLength(30);
    expect(part?.p50Drift?.drifts).toBe(true);
    expect(part?.p50Drift?.rise).toBeGreaterThan(0.3);
    const shareOfErrors = ((part?.errorsFromSeconds ?? 0) - 1) / (WISH.seconds - 1);
    expect(shareOfErrors).toBeGreaterThan(0.4);
    expect(shareOfErrors).toBeLessThan(0.75);
    expect(part?.slices.at(-1)?.errorRate).toBe(1);
    expect([part?.requests, left]).toEqual([calls, calls]);
    const changed = kept.filter(({ answer }) => answer.body === '{"b":1}').map(({ step }) => step);
    expect(changed[0]).toMatch(/^soak\.1\d$/);
    expect(new Set(kept.map(({ step }) => step)).size).toBeGreaterThanOrEqual(30);
  });

  atNight(() => {
    it('tells nothing of a server that stays as it is', async () => {
      const { part } = await untilMeasured(
        () =>
          soaked(async (response) => {
            // A machine that grows slower by a millisecond is no drift of such an answer.
            await sleep(120);
            response.end('{"a":1}');
          }),
        isMeasured,
      );
      expect(part).toMatchObject({ errorsFromSeconds: null, errorRate: 0, limitedRate: 0, dropped: 0 });
      expect(part?.decision).toBe('met');
      expect(part?.p50Drift?.drifts).toBe(false);
    });
  });

  atNight(() => {
    it('that is interrupted tells the slices until then', async () => {
      const { part, ended } = await soaked((response) => void response.end('{"a":1}'), 0.9);
      expect(ended).toMatchObject({ code: 'interrupted' });
      const slices = part?.slices ?? [];
      expect(slices.length).toBeGreaterThan(2);
      expect(slices.length).toBeLessThan(30);
      expect(slices.map(({ dropped }) => dropped)).toEqual(slices.map(() => 0));
    });
  });

  atNight(() => {
    it('ends soon after its target broke down', async () => {
      const { part, calls } = await soaked((response, share) => void response.writeHead(share > 0.3 ? 500 : 200).end());
      expect(part).toMatchObject({ decision: 'missed' });
      expect(calls).toBeLessThan(WISH.ratePerSecond * WISH.seconds);
    });
  });
});
