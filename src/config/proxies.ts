// Which proxy leads to an address, by the variables that most programs read. The rules are those of Go, so that k6, which
// reads the same variables, always goes the same way: capitals win, https:// is led by HTTPS_PROXY alone, NO_PROXY takes hosts
// with all below them, suffixes, addresses, networks and ports, and nothing of this machine is ever sent through a proxy.
import { BlockList, isIP } from 'node:net';
import { invalidOption } from './errors.ts';
import { isLoopback } from './http-url.ts';

/** The proxies that the environment names. */
export interface Proxies {
  readonly http: string | null;
  readonly https: string | null;
  /** As NO_PROXY has it. */
  readonly none: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function proxiesIn(env: Environment): Proxies {
  const stated = (name: string): string => env[name] || env[name.toLowerCase()] || '';
  return {
    http: stated('HTTP_PROXY') || null,
    https: stated('HTTPS_PROXY') || null,
    none: stated('NO_PROXY'),
  };
}

/** The proxy for this address; null: none. Throws UsageError where the variable names none that can be used. */
export function proxyFor(address: string, { http, https, none }: Proxies): URL | null {
  const url = new URL(address);
  const [stated, variable] = url.protocol === 'https:' ? [https, 'HTTPS_PROXY'] : [http, 'HTTP_PROXY'];
  if (stated === null || isDirect(url, none)) return null;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(stated) ? stated : `http://${stated}`;
  const proxy = URL.parse(text);
  if (proxy !== null && /^https?:$/.test(proxy.protocol) && proxy.hostname !== '') return proxy;
  throw invalidOption(
    `the environment variable ${variable} does not name an http or https proxy`,
    `${variable}=http://proxy.example.com:3128, or NO_PROXY=${url.hostname} to go without one`,
  );
}

/** The proxy as it may be shown: without user name and password. */
export function proxyName({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** The parts of the variables that must never be shown: user names and passwords of proxies. */
export function proxySecrets({ http, https }: Proxies): readonly string[] {
  return [http, https].flatMap((stated) => {
    const [, credentials] = /^(?:[a-z][a-z\d+.-]*:\/\/)?([^/?#]*)@/i.exec(stated ?? '') ?? [];
    if (credentials === undefined) return [];
    const [user = '', ...password] = credentials.split(':').map(decoded);
    const whole = `${user}:${password.join(':')}`;
    return [password.join(':'), Buffer.from(whole).toString('base64')].filter((value) => value !== '');
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A "%" that begins no escape stands for itself.
    return text;
  }
}

function isDirect({ hostname, port, protocol }: URL, none: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isLoopback(host)) return true;
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const entries = none.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry !== '' && isMeant(entry, host, at));
}

function isMeant(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, network, bits] = /^([\da-f.:]+)\/(\d+)$/.exec(entry) ?? [];
  if (network !== undefined) return isWithin(host, network, Number(bits));
  const [, bracketed, plain = '', only] =
    /^(?:\[([^\]]+)\]|([^:]*|[^[\]]*:[^[\]]*:[^[\]]*))(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const name = (bracketed ?? plain).replace(/^\*(?=\.)/, '');
  if (isIP(name) !== 0) return isIP(host) !== 0 && isWithin(host, name, isIP(name) === 4 ? 32 : 128);
  return name !== '' && (name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`));
}

function isWithin(host: string, network: string, bits: number): boolean {
  const [family, own] = [isIP(network), isIP(host)];
  if (family === 0 || own === 0 || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, own === 4 ? 'ipv4' : 'ipv6');
}
