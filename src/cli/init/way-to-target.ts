// The way to the target as `assay doctor` and `assay init` tell it. Hop by hop to each host: its name, the proxy, TLS and
// its expiry, the versions of HTTP, each tried as a run would go, so that the first one that fails is the one to mend. Then
// whether the target answers, and whether it takes each key at this address.
import { addressesOf, handshake } from '../../client/handshake.ts';
import type { Network } from '../../client/network.ts';
import { dispatchersOf, networkOf } from '../../client/reach.ts';
import { tlsFailure } from '../../client/tls.ts';
import { createTokens, TokenUnavailable } from '../../client/tokens.ts';
import { createClient } from '../../client/undici-client.ts';
import type { Clock } from '../../clock/clock.ts';
import { systemClock } from '../../clock/system.ts';
import { baseUrlOf, baseUrlsOf } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { proxyName } from '../../config/proxies.ts';
import type { Terms } from '../../contract/terms.ts';
import { header } from '../../exchange/body.ts';
import {
  answeredMs,
  type Credential,
  type Exchange,
  type HeaderList,
  type RecordedResponse,
  type RequestPlan,
} from '../../exchange/exchange.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import { statedIn } from '../../limiters/stated.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { addressed } from '../../run/reach/addressing.ts';
import {
  isServed,
  isUnserved,
  type OtherPlace,
  otherBases,
  placesBelow,
  placesBeside,
} from '../../run/smoke/other-places.ts';
import { readable } from '../../run/smoke/smoke.ts';
import { ENOUGH, spreadReads } from '../../run/smoke/smoke-any.ts';
import { certificateResult, fail, ok, type Result } from './results.ts';

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
  const through: Result[] = proxy === null ? [] : [ok(`proxy to ${url.host}`, proxyName(proxy))];
  const before = [...named, ...through];
  if (named.some(({ state }) => state === 'fail') || url.protocol === 'http:') return before;
  return [...before, ...(await tlsHop(url, network, clock.now()))];
}

/** Nothing for an address, which needs no look-up. */
async function nameHop(hostname: string, clock: Pick<Clock, 'sleep'>): Promise<readonly Result[]> {
  const subject = `name ${hostname}`;
  try {
    const addresses = await addressesOf(hostname, clock);
    return addresses === null ? [] : [ok(subject, addresses.join(', '))];
  } catch (error) {
    const found = `is not found: ${(error as Error).message}`;
    const advice = 'is the name right, and can this machine look it up (VPN, DNS)?';
    return [{ ...fail(subject, found, advice), isOnTheWay: true }];
  }
}

async function tlsHop(url: URL, network: Network, nowMs: number): Promise<readonly Result[]> {
  const subject = `TLS of ${url.host}`;
  try {
    const { certificate, protocol, speaksHttp2 } = await handshake(url, network);
    const found = speaksHttp2 ? 'HTTP/1.1, which Assay sends, and HTTP/2' : 'HTTP/1.1';
    return [certificateResult(subject, certificate, protocol, nowMs), ok(`HTTP of ${url.host}`, found)];
  } catch (error) {
    const found = tlsFailure(error as Error, url.host) ?? (error as Error).message;
    const advice = 'docs/networks.md tells of authorities, client certificates and proxies';
    return [{ ...fail(subject, found, advice), isOnTheWay: true }];
  }
}

const ANSWER_WITHIN_MS = 5000;

type Target = Pick<Config, 'target' | 'proxies'> & Partial<Pick<Config, 'keys'>>;
type Judged = Pick<Config, 'target' | 'proxies' | 'services' | 'contract' | 'stated'>;

/** The state of the target: whether it answers at all, and how it says so. */
export interface Liveness {
  readonly alive: boolean;
  /** Tells whether it serves what was asked for; "unknown" where too little is described to tell a wrong address by. */
  readonly serves: 'yes' | 'no' | 'unknown';
  readonly found: string;
  /** The key of the configuration to set, and the value, where the same is served at another place; absent: none is known. */
  readonly setting?: string;
  /** Its Date header, and when the request went and its answer came, epoch ms; null where none was stated. */
  readonly date: { readonly stated: string; readonly sentMs: number; readonly receivedMs: number } | null;
}

/** Such an answer comes from what stands before a target that is down. */
const UNAVAILABLE: readonly number[] = [502, 503, 504];

/**
 * Tells whether anything but an error of the connection came back, and in `found` what. Liveness is asked for where the
 * contract names it. By a description alone up to three of its GETs that need no value are, until one is served; the
 * root where it has none.
 */
export async function liveness(config: Judged, descriptions: readonly Description[] = []): Promise<Liveness> {
  const { baseUrl } = config.target;
  const healthPath = pathOfHealth(config.stated.terms);
  if (healthPath !== null) return told(await askedAt(config, baseUrl, healthPath), baseUrl);
  const described = spreadReads(descriptions).slice(0, ENOUGH);
  if (described.length === 0) {
    const root = await askedAt(config, baseUrl, '/');
    return { ...told(root, baseUrl), ...(root.response?.status === 404 ? { serves: 'unknown' } : {}) };
  }
  const seen: Exchange[] = [];
  for (const operation of described) {
    const at = baseUrlOf(config, operation.service);
    const answer = await askedAt(config, at, operation.path);
    if (!isUnserved(answer, operation)) return told(answer, at);
    seen.push(answer);
  }
  const kinds = new Set(seen.map(({ response }) => (response?.status === 404 ? '404' : 'a page of HTML')));
  const found = `serves none of ${described.map(({ path }) => path).join(', ')} (${[...kinds].join(', ')})`;
  const none: Liveness = { alive: true, serves: 'unknown', found, date: dateOf(seen.at(-1)) };
  const place = await otherPlace(config, described, descriptions);
  if (place !== null) return { ...none, serves: 'no', setting: place.setting };
  return described.length < ENOUGH ? none : { ...none, serves: 'no' };
}

/** The path to ask without a key; null where the contract names none. */
function pathOfHealth({ health }: Terms): string | null {
  const [method, path = null] = health?.operation.split(' ') ?? [];
  return method === 'GET' && health?.isPublic === true ? path : null;
}

/** The first place that serves one of the operations; null where none does. */
async function otherPlace(
  config: Judged,
  described: readonly Operation[],
  descriptions: readonly Description[],
): Promise<OtherPlace | null> {
  for (const operation of described) {
    const description = descriptions.find(({ service }) => service === operation.service);
    const at = baseUrlOf(config, operation.service);
    if (description === undefined) continue;
    const below = placesBelow(operation, description).map((place) => ({ ...place, baseUrl: at }));
    for (const place of [...below, ...placesBeside(at, operation, description)])
      if (isServed(await askedAt(config, place.baseUrl, place.path), operation)) return place;
  }
  return null;
}

/** One GET without a key. */
async function askedAt(config: Judged, baseUrl: string, path: string): Promise<Exchange> {
  const retry = config.contract === 'openapi' ? { retry: 'once' as const } : {};
  return asked(config, baseUrl, { ...planOf(path, { kind: 'none' }), ...retry });
}

function told({ request, response, failure, ...rest }: Exchange, baseUrl: string): Liveness {
  if (response !== null) {
    const serves = UNAVAILABLE.includes(response.status) ? 'no' : 'yes';
    return {
      alive: true,
      serves,
      found: `answers ${response.status} to ${request.path}`,
      date: dateOf({ response, ...rest }),
    };
  }
  // Some servers tell in no other way that they miss a client certificate.
  const isCut = failure?.kind === 'reset' && baseUrl.startsWith('https:');
  const hint = isCut ? '; it may want another client certificate (target.tls.cert and key)' : '';
  return { alive: false, serves: 'no', found: `does not answer: ${failure?.message}${hint}`, date: null };
}

function dateOf(exchange: Pick<Exchange, 'response' | 'sentAt' | 'durationMs'> | undefined): Liveness['date'] {
  const stated = header(exchange?.response?.headers ?? [], 'date');
  if (exchange === undefined || stated === null) return null;
  return { stated, sentMs: exchange.sentAt, receivedMs: answeredMs(exchange) };
}

/** How the target answers one described GET with a key. */
export interface KeyAnswer {
  readonly key: string;
  /** The plan that the configuration says it has. */
  readonly plan: string;
  /** The operation that was called; null where the descriptions have none that needs no value. */
  readonly operation: string | null;
  /** Where it was called; null where nothing was. */
  readonly baseUrl: string | null;
  /** null where nothing answered, or nothing was called. */
  readonly status: number | null;
  /** The limit that a success tells; null where it tells none. */
  readonly limit: string | null;
  /** Another base address at which the same call succeeds; null where there is none. */
  readonly better: string | null;
  /** Why the key could not be sent; null where it could. */
  readonly failure: string | null;
}

const UNKNOWN = { operation: null, baseUrl: null, status: null, limit: null, better: null, failure: null } as const;

/** Calls one described GET with each key, and where it does not succeed, at the other base addresses that may be meant. */
export async function keyAnswers(config: Config, descriptions: readonly Description[]): Promise<readonly KeyAnswer[]> {
  const [operation] = readable(descriptions);
  const answers: KeyAnswer[] = [];
  for (const { name, plan } of config.keys) {
    const known = { ...UNKNOWN, key: name, plan };
    answers.push(operation === undefined ? known : await keyAnswer(config, known, operation, descriptions));
  }
  return answers;
}

async function keyAnswer(
  config: Config,
  known: KeyAnswer,
  operation: Operation,
  descriptions: readonly Description[],
): Promise<KeyAnswer> {
  const described = createCatalogue(descriptions).operation(operation.key, operation.service);
  const plain = planOf(operation.path, { kind: 'key', name: known.key });
  const plan = config.contract === 'openapi' ? addressed(plain, described, config.keys) : plain;
  const answerAt = async (at: string): Promise<RecordedResponse | null> => (await asked(config, at, plan)).response;
  const baseUrl = baseUrlOf(config, operation.service);
  const called = { ...known, operation: operation.key, baseUrl };
  try {
    const first = await answerAt(baseUrl);
    if (first === null) return called;
    const { status } = first;
    if (status < 300) return { ...called, status, limit: limitTold(first.headers, config.stated.terms) };
    for (const better of otherBases(baseUrl, operation.path)) {
      const found = await answerAt(better);
      if (found !== null && found.status < 300) return { ...called, status, better };
    }
    return { ...called, status };
  } catch (error) {
    if (error instanceof TokenUnavailable) return { ...called, failure: error.message };
    throw error;
  }
}

function limitTold(headers: HeaderList, { rateLimits }: Terms): string | null {
  const limit = statedIn(headers, rateLimits)[0]?.limit ?? null;
  return limit === null ? null : String(limit);
}

function planOf(path: string, credential: Credential): RequestPlan {
  return {
    service: null,
    operation: null,
    probe: 'doctor',
    method: 'GET',
    path,
    query: '',
    headers: [],
    body: { kind: 'none' },
    credential,
    retry: 'never',
  };
}

/** The answer to one request, within seconds. */
export async function asked(config: Target, baseUrl: string, plan: RequestPlan): Promise<Exchange> {
  const redactor = createRedactor();
  const credentials = { locked: null, expired: null };
  const tokens = createTokens({
    ...{ keys: config.keys ?? [], credentials, redactor, clock: systemClock },
    dispatcherOf: dispatchersOf({ services: [], ...config }),
  });
  const client = createClient({
    ...{ baseUrl, headers: config.target.headers ?? [], networkOf: networkOf({ services: [], ...config }) },
    tokens,
    redactor,
    onExchange: () => {},
    timeLimitMs: ANSWER_WITHIN_MS,
    clock: systemClock,
  });
  try {
    const exchange = (await client.send(plan)).at(-1);
    if (exchange === undefined) throw new Error('the client sent nothing');
    return exchange;
  } finally {
    await client.close();
  }
}
