// What client tests share: a client with one key on a simulated clock, against a scripted server, and plans for it.

import type { Client } from '../../../src/client/client.ts';
import { createTokens, type TokenSource } from '../../../src/client/tokens.ts';
import { type ClientOptions, createClient } from '../../../src/client/undici-client.ts';
import { type SimulatedClock, simulatedClock } from '../../../src/clock/simulated.ts';
import { systemClock } from '../../../src/clock/system.ts';
import { COMMERCE_TERMS } from '../../../src/contract/shipped.ts';
import type { Exchange, RequestPlan } from '../../../src/exchange/exchange.ts';
import { createRedactor } from '../../../src/exchange/redaction.ts';
import { type ScriptedServer, scriptedServer } from './scripted-server.ts';

export const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhY2NvdW50LXN0YW5kYXJkIn0.c2lnbmF0dXJlLW9mLXRoZS1zdGFuZGFyZC1rZXk';

export const PLAN: RequestPlan = {
  service: 'admin',
  operation: 'GET /api/v1/stores',
  probe: 'test',
  method: 'GET',
  path: '/api/v1/stores',
  query: '',
  headers: [],
  body: { kind: 'none' },
  credential: { kind: 'key', name: 'std-1' },
  retry: 'contract',
};

export const CREATE: RequestPlan = {
  ...PLAN,
  operation: 'POST /api/v1/stores',
  method: 'POST',
  body: { kind: 'json', value: { name: 'Shop' } },
};

export const PAYMENT: RequestPlan = {
  ...CREATE,
  operation: 'POST /api/v1/stores/process-payment',
  path: '/api/v1/stores/process-payment',
};

export const KEYED: Pick<RequestPlan, 'headers'> = { headers: [['Idempotency-Key', 'idem-1']] };

export interface Fixture extends AsyncDisposable {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly clock: SimulatedClock;
  /** Everything passed to `onExchange`. */
  readonly recorded: Exchange[];
  /** Sends while simulated time passes. */
  send(plan: RequestPlan): Promise<readonly Exchange[]>;
}

export type FixtureOptions = Partial<Omit<ClientOptions, 'tokens'>> & { readonly keys?: readonly TokenSource[] };

export async function fixture(
  answer: Parameters<typeof scriptedServer>[0],
  { keys = [{ name: 'std-1', token: TOKEN, tokenCommand: null }], ...options }: FixtureOptions = {},
): Promise<Fixture> {
  const server = await scriptedServer(answer);
  const clock = simulatedClock(systemClock.now());
  const recorded: Exchange[] = [];
  const redactor = createRedactor();
  const client = createClient({
    baseUrl: server.baseUrl,
    tokens: createTokens({ keys, credentials: { locked: null, expired: null }, redactor, clock }),
    redactor,
    onExchange: (exchange) => recorded.push(exchange),
    // Waits are simulated; the sockets are real, and so is what limits them.
    clock: { ...clock, monotonic: systemClock.monotonic, after: systemClock.after },
    random: () => 0,
    terms: COMMERCE_TERMS,
    ...options,
  });
  return {
    client,
    server,
    clock,
    recorded,
    send: (plan) => clock.drive(client.send(plan)),
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}
