// Whether the target is there: one request without a token (HEALTH-01).

import { createTokens } from '../client/tokens.ts';
import { createClient } from '../client/undici-client.ts';
import { systemClock } from '../clock/system.ts';
import type { Config } from '../config/config.ts';
import { HEALTH_PATH } from '../contract/platform.ts';
import type { RequestPlan } from '../exchange/exchange.ts';
import { createRedactor } from '../exchange/redaction.ts';

const ANSWER_WITHIN_MS = 5000;

const PLAN: RequestPlan = {
  service: null,
  operation: null,
  probe: 'doctor/liveness',
  method: 'GET',
  path: HEALTH_PATH,
  query: '',
  headers: [],
  body: { kind: 'none' },
  credential: { kind: 'none' },
  retry: 'never',
};

/** Whether anything but an error of the connection came back; `found` says what. */
export async function liveness({ target }: Pick<Config, 'target'>): Promise<{ alive: boolean; found: string }> {
  const redactor = createRedactor();
  const tokens = createTokens({ keys: [], credentials: { locked: null, expired: null }, redactor, clock: systemClock });
  const onExchange = () => {};
  const client = createClient({
    baseUrl: target.baseUrl,
    tokens,
    redactor,
    onExchange,
    timeLimitMs: ANSWER_WITHIN_MS,
    clock: systemClock,
  });
  try {
    const exchange = (await client.send(PLAN)).at(-1);
    if (exchange?.response) return { alive: true, found: `answers ${exchange.response.status} to ${HEALTH_PATH}` };
    return { alive: false, found: `does not answer: ${exchange?.failure?.message}` };
  } finally {
    await client.close();
  }
}
