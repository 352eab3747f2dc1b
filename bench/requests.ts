// What a run sends, caught where undici takes it over: the client's own code stays as it is, and pays for nothing but a
// line in a list.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** One request as undici is about to write it. */
export interface SentRequest {
  readonly method: string;
  /** With query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer | null;
}

const CREATED = 'undici:request:create';

/** Runs the work and resolves with its result and every request that undici was given meanwhile, in order. */
export async function recorded<T>(work: () => Promise<T>): Promise<{ result: T; requests: readonly SentRequest[] }> {
  const requests: SentRequest[] = [];
  const listener = (message: unknown) => {
    const { method, path, headers, body } = (message as { request: SentRequest }).request;
    requests.push({ method, path, headers, body });
  };
  subscribe(CREATED, listener);
  try {
    return { result: await work(), requests };
  } finally {
    unsubscribe(CREATED, listener);
  }
}

/** The requests with every text of the map replaced in their headers: tokens of one platform by those of another. */
export function translated(
  requests: readonly SentRequest[],
  texts: ReadonlyMap<string, string>,
): readonly SentRequest[] {
  const one = (value: string): string => {
    for (const [from, to] of texts) if (value.includes(from)) return value.replace(from, () => to);
    return value;
  };
  return requests.map((request) => ({ ...request, headers: request.headers.map(one) }));
}
