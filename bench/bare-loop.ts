// The yardstick: undici's Pool in a loop that does nothing with an answer but read it.
import { Pool } from 'undici';
import { type Timed, timed } from './rates.ts';
import type { SentRequest } from './requests.ts';

export interface BareResult {
  readonly timed: Timed;
  /** Answers by status; "failed" for requests without one. */
  readonly statuses: ReadonlyMap<string, number>;
}

/** Sends the requests in order, as many at once as there are connections, and reads every body. */
export async function bareLoop(
  origin: string,
  requests: readonly SentRequest[],
  connections: number,
): Promise<BareResult> {
  const pool = new Pool(origin, { connections, pipelining: 1, allowH2: false });
  const statuses = new Map<string, number>();
  const queue = requests.values();
  const worker = async (): Promise<void> => {
    for (const request of queue) {
      const status = await statusOf(pool, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const took = await timed(async () => {
    await Promise.all(Array.from({ length: connections }, worker));
    return requests.length;
  });
  await pool.destroy();
  return { timed: took, statuses };
}

async function statusOf(pool: Pool, { method, path, headers, body }: SentRequest): Promise<string> {
  try {
    const response = await pool.request({ method, path, headers: [...headers], body });
    await response.body.text();
    return String(response.statusCode);
  } catch {
    return 'failed';
  }
}
