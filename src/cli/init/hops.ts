// The way to each host of the target, hop by hop, as `assay doctor` tells it: its name, the proxy, TLS and its expiry, the
// versions of HTTP. Each is tried as a run would go, so that the first hop that fails is the one to mend.
import { addressesOf, handshake } from '../../client/handshake.ts';
import type { Network } from '../../client/network.ts';
import { networkOf } from '../../client/reach.ts';
import { tlsFailure } from '../../client/tls.ts';
import type { Clock } from '../../clock/clock.ts';
import { baseUrlsOf } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { proxyName } from '../../config/proxies.ts';
import { certificateResult, type Result } from './results.ts';

/** The hops to every origin that requests go to, that of the target first; the way to one ends with its first failure. */
export async function hops(
  config: Pick<Config, 'target' | 'services' | 'proxies'>,
  clock: Pick<Clock, 'now' | 'sleep'>,
): Promise<readonly Result[]> {
  const networkTo = networkOf(config);
  const origins = new Set(baseUrlsOf(config).map((baseUrl) => new URL(baseUrl).origin));
  const ways = [...origins].map((origin) => hopsTo(new URL(origin), networkTo(origin), clock));
  return (await Promise.all(ways)).flat();
}

async function hopsTo(url: URL, network: Network, clock: Pick<Clock, 'now' | 'sleep'>): Promise<readonly Result[]> {
  const { proxy } = network;
  // Behind a proxy it is the proxy that looks the host's name up.
  const named = await nameHop((proxy ?? url).hostname, clock);
  const through: Result[] =
    proxy === null ? [] : [{ subject: `proxy to ${url.host}`, state: 'ok', found: proxyName(proxy), advice: '' }];
  const before = [...named, ...through];
  if (named.some(({ state }) => state === 'fail') || url.protocol === 'http:') return before;
  return [...before, ...(await tlsHop(url, network, clock.now()))];
}

/** Nothing for an address, which needs no look-up. */
async function nameHop(hostname: string, clock: Pick<Clock, 'sleep'>): Promise<readonly Result[]> {
  const subject = `name ${hostname}`;
  try {
    const addresses = await addressesOf(hostname, clock);
    return addresses === null ? [] : [{ subject, state: 'ok', found: addresses.join(', '), advice: '' }];
  } catch (error) {
    const found = `is not found: ${(error as Error).message}`;
    const advice = 'is the name right, and can this machine look it up (VPN, DNS)?';
    return [{ subject, state: 'fail', found, advice, isOnTheWay: true }];
  }
}

async function tlsHop(url: URL, network: Network, nowMs: number): Promise<readonly Result[]> {
  const subject = `TLS of ${url.host}`;
  try {
    const { certificate, protocol, speaksHttp2 } = await handshake(url, network);
    const found = speaksHttp2 ? 'HTTP/1.1, which Assay sends, and HTTP/2' : 'HTTP/1.1';
    return [
      certificateResult(subject, certificate, protocol, nowMs),
      { subject: `HTTP of ${url.host}`, state: 'ok', found, advice: '' },
    ];
  } catch (error) {
    const found = tlsFailure(error as Error, url.host) ?? (error as Error).message;
    const advice = 'docs/networks.md tells of authorities, client certificates and proxies';
    return [{ subject, state: 'fail', found, advice, isOnTheWay: true }];
  }
}
