// The way to each host of the target, hop by hop, as `assay doctor` tells it: its name, the proxy, TLS and its expiry, the
// versions of HTTP. Each is tried as a run would go, so that the first hop that fails is the one to mend.
import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { connectorOf, type Network } from '../../client/network.ts';
import { networkOf } from '../../client/reach.ts';
import { tlsFailure } from '../../client/tls.ts';
import { baseUrlsOf } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { proxyName } from '../../config/proxies.ts';
import { certificateResult, type Result } from './results.ts';

const CONNECT_LIMIT_MS = 5000;
const LOOK_UP_LIMIT_MS = 5000;

/** The hops to every origin that requests go to, that of the target first; the way to one ends with its first failure. */
export async function hops(
  config: Pick<Config, 'target' | 'services' | 'proxies'>,
  nowMs: number,
): Promise<readonly Result[]> {
  const networkTo = networkOf(config);
  const origins = new Set(baseUrlsOf(config).map((baseUrl) => new URL(baseUrl).origin));
  const ways = [...origins].map((origin) => hopsTo(new URL(origin), networkTo(origin), nowMs));
  return (await Promise.all(ways)).flat();
}

async function hopsTo(url: URL, network: Network, nowMs: number): Promise<readonly Result[]> {
  const { proxy } = network;
  // Behind a proxy it is the proxy that looks the host's name up.
  const named = await nameHop((proxy ?? url).hostname);
  const through: Result[] =
    proxy === null ? [] : [{ subject: `proxy to ${url.host}`, state: 'ok', found: proxyName(proxy), advice: '' }];
  const before = [...named, ...through];
  if (named.some(({ state }) => state === 'fail') || url.protocol === 'http:') return before;
  return [...before, ...(await tlsHop(url, network, nowMs))];
}

/** Nothing for an address, which needs no look-up. */
async function nameHop(bracketed: string): Promise<readonly Result[]> {
  const hostname = bracketed.replace(/^\[|\]$/g, '');
  if (isIP(hostname) !== 0) return [];
  const subject = `name ${hostname}`;
  try {
    const found = await Promise.race([lookup(hostname, { all: true }), late(LOOK_UP_LIMIT_MS)]);
    const addresses = [...new Set(found.map(({ address }) => address))];
    return [{ subject, state: 'ok', found: addresses.join(', '), advice: '' }];
  } catch (error) {
    const found = `is not found: ${(error as Error).message}`;
    return [
      {
        subject,
        state: 'fail',
        found,
        advice: 'is the name right, and can this machine look it up (VPN, DNS)?',
        isOnTheWay: true,
      },
    ];
  }
}

async function late(afterMs: number): Promise<never> {
  await new Promise((resolve) => AbortSignal.timeout(afterMs).addEventListener('abort', resolve));
  throw new Error(`no answer within ${afterMs / 1000} s`);
}

async function tlsHop(url: URL, network: Network, nowMs: number): Promise<readonly Result[]> {
  const subject = `TLS of ${url.host}`;
  try {
    const socket = await opened(url, network);
    try {
      return [
        certificateResult(subject, socket.getPeerCertificate(true), socket.getProtocol() ?? 'TLS', nowMs),
        http(url, socket),
      ];
    } finally {
      socket.destroy();
    }
  } catch (error) {
    const found = tlsFailure(error as Error, url.host) ?? (error as Error).message;
    return [
      {
        subject,
        state: 'fail',
        found,
        advice: 'docs/networks.md tells of authorities, client certificates and proxies',
        isOnTheWay: true,
      },
    ];
  }
}

/** A connection as a run opens it, on which HTTP/2 is offered, too. */
async function opened({ hostname, host, port, protocol }: URL, network: Network): Promise<TLSSocket> {
  const connect = connectorOf(network, CONNECT_LIMIT_MS, true);
  const socket = await new Promise<Socket>((resolve, reject) => {
    connect({ hostname, host, port, protocol }, (error, made) => (error === null ? resolve(made) : reject(error)));
  });
  if (socket instanceof TLSSocket) return socket;
  socket.destroy();
  throw new Error('the connection is not encrypted');
}

function http({ host }: URL, { alpnProtocol }: TLSSocket): Result {
  const speaksTwo = alpnProtocol === 'h2';
  const found = speaksTwo ? 'HTTP/1.1, which Assay sends, and HTTP/2' : 'HTTP/1.1';
  return { subject: `HTTP of ${host}`, state: 'ok', found, advice: '' };
}
