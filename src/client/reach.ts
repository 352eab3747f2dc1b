// How a configured target is reached: its addresses, the headers that all requests carry, and how long answers are awaited.
import { type Addressed, baseUrlOf } from '../config/addresses.ts';
import type { ClientOptions } from './undici-client.ts';

/** The options of a client that send to the target as its configuration says. */
export function reachOf(config: Addressed): Pick<ClientOptions, 'baseUrl' | 'baseUrlOf' | 'headers' | 'timeLimitMs'> {
  const { baseUrl, headers = [], timeoutSeconds } = config.target;
  return {
    baseUrl,
    baseUrlOf: (service) => baseUrlOf(config, service),
    headers,
    ...(timeoutSeconds === undefined ? {} : { timeLimitMs: timeoutSeconds * 1000 }),
  };
}
