// For tests: the k6 of this machine, and a server to send to. Where there is no k6 the tests that need it are skipped, and
// scripts/test.ts counts them: it has tried to build one before.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findK6 } from '../../../../src/load/k6/find.ts';

/** Path of a k6 that fits; null: there is none. */
export const k6Path = (await findK6(process.env)).found?.path ?? null;

/** The title of every group of tests that needs k6: scripts/test.ts knows it. */
export const WITH_K6 = 'with k6';

/** Measuring costs seconds where it is in vain: a machine that is busy for a minute is waited for. */
const MOST_MEASURES = 8;

/**
 * Measures again where nothing could be measured: on a busy machine a generator is late, and says so. What was measured is
 * never asked for twice, so that a wrong accusation stays one.
 */
export async function untilMeasured<T>(measure: () => Promise<T>, isMeasured: (result: T) => boolean): Promise<T> {
  let result = await measure();
  for (let times = 1; times < MOST_MEASURES && !isMeasured(result); times += 1) result = await measure();
  return result;
}

/** A server on a free port of this machine. */
export async function served(listener: RequestListener): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
