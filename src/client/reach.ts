// How a configured target is reached: its addresses, the way there, the headers that all requests carry, and how long answers
// are awaited.
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { type Addressed, baseUrlOf, baseUrlsOf } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { proxyFor } from '../config/proxies.ts';
import { type TimeLimited, timeoutSecondsOf } from '../config/time-limits.ts';
import type { Ask } from '../openapi/read/source.ts';
import { connectorOf, type Network } from './network.ts';
import { type TlsSettings, tlsFailure, tlsSettings } from './tls.ts';
import type { ClientOptions } from './undici-client.ts';

type Reached = Addressed & Pick<Config, 'proxies'> & Pick<TimeLimited, 'operations'>;

/** How long the first event of a stream is awaited where nothing is stated: the head may come with it, and no occasion for it ever. */
const EVENT_LIMIT_MS = 5_000;

/** The options of a client that send to the target as its configuration says. `awaitsEvents`: by the operation's key. */
export function reachOf(
  config: Reached,
  awaitsEvents: (operation: string) => boolean = () => false,
): Pick<ClientOptions, 'baseUrl' | 'baseUrlOf' | 'networkOf' | 'headers' | 'timeLimitMs' | 'timeLimitMsOf'> {
  const { baseUrl, headers = [], timeoutSeconds } = config.target;
  const secondsOf = timeoutSecondsOf(config);
  return {
    baseUrl,
    baseUrlOf: (service) => baseUrlOf(config, service),
    networkOf: networkOf(config),
    headers,
    ...(timeoutSeconds === undefined ? {} : { timeLimitMs: timeoutSeconds * 1000 }),
    timeLimitMsOf: (operation) => {
      const seconds = secondsOf(operation);
      if (seconds !== undefined) return seconds * 1000;
      return operation !== null && awaitsEvents(operation) ? EVENT_LIMIT_MS : undefined;
    },
  };
}

/** How sockets to an address are opened. Throws UsageError where the environment names a proxy that cannot be used. */
export function networkOf({ target, proxies }: Reached): (baseUrl: string) => Network {
  let tls: TlsSettings | null = null;
  return (baseUrl) => {
    tls ??= tlsSettings(target.tls);
    return { tls, proxy: proxies === undefined ? null : proxyFor(baseUrl, proxies) };
  };
}

const FETCH_CONNECT_MS = 10_000;

/**
 * How descriptions are fetched from URLs: by the proxies of the environment, and trusting the target's authorities. Constant
 * headers and the client certificate go to the target's own addresses only.
 */
export function askerOf(config: Reached): Ask {
  const { target } = config;
  const { isTarget: isOwn, networkTo } = waysOf(config);
  return async (url, options) => {
    const { origin, host } = new URL(url);
    const network = networkTo(url);
    const shared = isOwn(url) ? (target.headers ?? []) : [];
    const headers = { ...options.headers, ...Object.fromEntries(shared.map(({ name, value }) => [name, value])) };
    try {
      return await request(url, { ...options, headers, dispatcher: dispatcherOf(network, origin) });
    } catch (error) {
      const ofTls = tlsFailure(error as Error, host);
      throw ofTls === null ? error : new Error(ofTls, { cause: error });
    }
  };
}

/** Dispatchers of logins: by the same ways as descriptions are fetched. */
export function dispatchersOf(config: Reached): (address: string) => Dispatcher {
  const { networkTo } = waysOf(config);
  return (address) => dispatcherOf(networkTo(address), new URL(address).origin);
}

/** Ways to addresses that may be of others: these see neither the client certificate nor the server name of the target. */
function waysOf(config: Reached): {
  readonly isTarget: (url: string) => boolean;
  readonly networkTo: (url: string) => Network;
} {
  const { target } = config;
  const origins = new Set(baseUrlsOf(config).map((baseUrl) => new URL(baseUrl).origin));
  const isTarget = (url: string): boolean => origins.has(new URL(url).origin);
  const toTarget = networkOf(config);
  const tls = target.tls && { ...target.tls, cert: null, key: null, serverName: null };
  const elsewhere = networkOf({ ...config, target: { ...target, ...(tls === undefined ? {} : { tls }) } });
  return { isTarget, networkTo: (url) => (isTarget(url) ? toTarget : elsewhere)(url) };
}

/** One connection for each request: few are sent. */
function dispatcherOf(network: Network, origin: string): Dispatcher {
  const { proxy } = network;
  if (proxy !== null && origin.startsWith('http:')) return new ProxyAgent({ uri: proxy.href, proxyTunnel: false });
  return new Agent({ pipelining: 0, connect: connectorOf(network, FETCH_CONNECT_MS) });
}
