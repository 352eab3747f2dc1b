// For tests: the platform without sockets, on a clock that stands still until it is moved.

import { systemClock } from '../../../src/clock/system.ts';
import type { Deviation } from '../../../src/platform/deviation.ts';
import { createApp } from '../../../src/platform/http/app.ts';
import { DOCS_URL } from '../../../src/platform/http/publish.ts';
import { asObject } from '../../../src/platform/json.ts';
import type { Limit } from '../../../src/platform/limits/limiter.ts';
import { readModel } from '../../../src/platform/schema/model.ts';
import type { ServedDocument } from '../../../src/platform/schema/served.ts';
import { KEYS, type Key, LOCKED_KEY } from '../../../src/platform/tokens.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Decoded; undefined when the body is no JSON. */
  readonly body: unknown;
}

export interface Sent {
  readonly key?: 'std-1' | 'gro-1' | 'ent-1' | 'locked' | 'expired' | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string;
}

export interface TestPlatform {
  /** Sends with std-1's token unless another key, or null for none, is named. */
  send(method: string, path: string, sent?: Sent): Promise<TestAnswer>;
  token(name: string): string;
  /** Moves the clock on. */
  pass(ms: number): void;
  readonly app: Awaited<ReturnType<typeof createApp>>;
  /** What subscribers of webhooks would have been told of. */
  readonly events: readonly (readonly [type: string, data: unknown])[];
}

const START = Date.UTC(2026, 0, 1);

/** Read once: no test changes it. */
const model = readModel({});

/** The platform on its own model, unless others are given. */
export async function openPlatform(
  deviations: readonly Deviation[] = [],
  limits: Readonly<Record<string, Limit>> = {},
  served: readonly ServedDocument[] | null = null,
): Promise<TestPlatform> {
  let now = START;
  const documents = served ?? (await model);
  const events: [string, unknown][] = [];
  const app = await createApp({
    onEvent: (...event) => events.push(event),
    documents,
    deviations,
    docsUrl: DOCS_URL,
    seed: 1,
    limits,
    instance: 'test',
    clock: { ...systemClock, now: () => now },
  });
  const keys = new Map<string, Key>([...KEYS, LOCKED_KEY].map((key) => [key.name, key]));
  const token = (name: string) => app.platform.tokens.mint(keys.get(name) ?? LOCKED_KEY, name === 'expired');
  const send = async (method: string, path: string, sent: Sent = {}): Promise<TestAnswer> => {
    const key = sent.key === undefined ? 'std-1' : sent.key;
    const payload = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const response = await app.server.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${token(key)}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      // Most tests look at few bodies.
      get body() {
        return decoded(response.payload);
      },
    };
  };
  return { send, token, app, events, pass: (ms) => (now += ms) };
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The `error` object of an answer. */
export function errorOf(answer: TestAnswer): Readonly<Record<string, unknown>> {
  return asObject(asObject(answer.body).error);
}
