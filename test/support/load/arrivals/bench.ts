// For tests with k6: what sends to a server of the test, and counts what it was charged.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArrivalsBench } from '../../../../src/load/arrivals/arrivals.ts';
import { Generator } from '../../../../src/load/k6/measure.ts';
import { k6Path, served } from '../k6/k6.ts';

export const OBJECTIVES = { p99Ms: 600, errorRate: 0.01, limitedRate: 0.01 };

/** Runs `measure` against a server that answers by the listener; `left` is what of the charge was not given back. */
export async function against<T>(
  listener: Parameters<typeof served>[0],
  measure: (bench: ArrivalsBench) => Promise<T>,
  stop: AbortSignal = new AbortController().signal,
): Promise<{ readonly result: T; readonly left: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-arrivals-'));
  const target = await served(listener);
  let left = 0;
  const environment = { ASSAY_KEY_0: 'token-of-std-1' };
  const request = { operation: 'GET /a', method: 'GET', url: `${target.baseUrl}/a`, headers: {}, body: null };
  const result = await measure({
    generator: new Generator({
      ...{
        k6: k6Path ?? '',
        folder,
        lane: 'arrivals',
        stop,
        outputs: [],
        environment,
        conceal: (line: string) => line,
        watch: () => {},
      },
    }),
    objectives: OBJECTIVES,
    // Tests run beside others: what those take is no matter here.
    othersNow: async () => null,
    load: { requests: [request], order: [0], keys: [{ name: 'std-1', variable: 'ASSAY_KEY_0' }] },
    charge: (requests) => {
      left += requests;
    },
    refund: (requests) => {
      left -= requests;
    },
  });
  await target.close();
  await rm(folder, { recursive: true, force: true });
  return { result, left };
}
