// The first steps of the way to a host, each alone: its name looked up, and the TLS handshake as a run does it.
import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../clock/clock.ts';
import { connectorOf, type Network } from './network.ts';

const LIMIT_MS = 5000;

/** The addresses of a host; null where it is an address itself. Rejects where the name is not found within 5 s. */
export async function addressesOf(host: string, clock: Pick<Clock, 'sleep'>): Promise<readonly string[] | null> {
  const hostname = host.replace(/^\[|\]$/g, '');
  if (isIP(hostname) !== 0) return null;
  const found = new AbortController();
  const late = clock.sleep(LIMIT_MS, found.signal).then(() => null);
  try {
    const addresses = await Promise.race([lookup(hostname, { all: true }), late]);
    if (addresses === null) throw new Error(`no answer within ${LIMIT_MS / 1000} s`);
    return [...new Set(addresses.map(({ address }) => address))];
  } finally {
    found.abort();
  }
}

/** Result of a handshake: the verified certificate with its chain, the version of TLS, and whether HTTP/2 was chosen. */
export interface Handshake {
  readonly certificate: DetailedPeerCertificate;
  readonly protocol: string;
  readonly speaksHttp2: boolean;
}

/** Opens a connection by TLS, HTTP/2 offered as well, and closes it. Rejects as a request of a run would. */
export async function handshake({ hostname, host, port, protocol }: URL, network: Network): Promise<Handshake> {
  const connect = connectorOf(network, LIMIT_MS, true);
  const socket = await new Promise<Socket>((resolve, reject) => {
    connect({ hostname, host, port, protocol }, (error, made) => (error === null ? resolve(made) : reject(error)));
  });
  try {
    if (!(socket instanceof TLSSocket)) throw new Error('the connection is not encrypted');
    return {
      certificate: socket.getPeerCertificate(true),
      protocol: socket.getProtocol() ?? 'TLS',
      speaksHttp2: socket.alpnProtocol === 'h2',
    };
  } finally {
    socket.destroy();
  }
}
