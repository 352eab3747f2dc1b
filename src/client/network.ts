// Sockets to the target: by TLS as the configuration states it, and through a proxy where the environment names one.
//
// undici's agents for proxies are not used: they rewrite the headers of a request, which loses those that stand twice, and hide
// when a new socket is opened. Its connector and its CONNECT do the work; the client on top is the same with a proxy and without.
import { isIP } from 'node:net';
import { buildConnector, Client } from 'undici';
import { proxyName } from '../config/proxies.ts';
import type { TlsSettings } from './tls.ts';

/** How sockets to one origin are opened. */
export interface Network {
  readonly tls: TlsSettings;
  /** null: the target is reached directly. */
  readonly proxy: URL | null;
}

export type Connector = buildConnector.connector;

/** The proxy let nothing through. Names it without its password. Caught by the client, as every error of a connection. */
export class ProxyRefused extends Error {}

/** Opens sockets to the target, TLS included. `allowH2`: HTTP/2 is offered in the handshake, too. */
export function connectorOf({ tls, proxy }: Network, timeoutMs: number, allowH2 = false): Connector {
  const own = buildConnector({ ...tls, allowH2, timeout: timeoutMs });
  return proxy === null ? own : tunnel(proxy, own, timeoutMs);
}

/** A socket to a proxy that is handed whole requests. */
export function connectorToProxy(proxy: URL, timeoutMs: number): Connector {
  const connector = toProxy(proxy, timeoutMs);
  return (options, callback) =>
    connector(options, (...[error, socket]) => {
      if (error === null) callback(null, socket as NonNullable<typeof socket>);
      else callback(unreachable(proxy, error), null);
    });
}

/** Headers by which the proxy knows its user. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Why the proxy refuses with this status, and what to do. */
export function refusalOf(proxy: URL, status: number, target: string): string {
  const name = `the proxy ${proxyName(proxy)}`;
  if (status === 407)
    return `${name} wants another user name and password (407): state them in its variable, as http://user:password@host`;
  return `${name} does not let ${target} through (${status}): ask who keeps it, or name the host in NO_PROXY`;
}

function tunnel(proxy: URL, own: Connector, timeoutMs: number): Connector {
  const connect = toProxy(proxy, timeoutMs);
  return (options, callback) => {
    const target = `${options.hostname}:${options.port || (options.protocol === 'https:' ? 443 : 80)}`;
    const client = new Client(proxy.origin, { connect, headersTimeout: timeoutMs });
    const headers = { host: target, ...proxyAuthorization(proxy) };
    client.connect({ path: target, headers }).then(
      ({ statusCode, socket }) => {
        if (statusCode === 200) {
          own({ ...options, httpSocket: socket as never }, callback);
          return;
        }
        socket.on('error', () => {}).destroy();
        void client.destroy();
        callback(new ProxyRefused(refusalOf(proxy, statusCode, target)), null);
      },
      (error: Error) => {
        void client.destroy();
        callback(unreachable(proxy, error), null);
      },
    );
  };
}

/** Connector to a proxy, with TLS where it speaks it, under its own name: the request's Host is that of the target. */
function toProxy({ hostname }: URL, timeoutMs: number): Connector {
  const connector = buildConnector({ rejectUnauthorized: true, allowH2: false, timeout: timeoutMs });
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
  return (options, callback) => connector({ ...options, servername }, callback);
}

function unreachable(proxy: URL, error: Error): ProxyRefused {
  return new ProxyRefused(`the proxy ${proxyName(proxy)} cannot be reached: ${error.message}`, { cause: error });
}
