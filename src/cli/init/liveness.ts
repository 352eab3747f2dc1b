// What `assay doctor` and `assay init` ask of a target: whether it is there, and whether it takes each key at this address.
import { dispatchersOf, networkOf } from '../../client/reach.ts';
import { createTokens, TokenUnavailable } from '../../client/tokens.ts';
import { createClient } from '../../client/undici-client.ts';
import { systemClock } from '../../clock/system.ts';
import { baseUrlOf } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { HEALTH_PATH } from '../../contract/platform.ts';
import { header } from '../../exchange/body.ts';
import type { Credential, Exchange, RecordedResponse, RequestPlan } from '../../exchange/exchange.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { addressed } from '../../run/reach/addressing.ts';
import { readable } from '../../run/smoke/smoke.ts';

const ANSWER_WITHIN_MS = 5000;

type Target = Pick<Config, 'target' | 'proxies'> & Partial<Pick<Config, 'keys'>>;

/** Whether the target answers at all, and when it says that it did. */
export interface Liveness {
  readonly alive: boolean;
  readonly found: string;
  /** Its Date header, and when the request went and its answer came, epoch ms; null where none was stated. */
  readonly date: { readonly stated: string; readonly sentMs: number; readonly receivedMs: number } | null;
}

/** Whether anything but an error of the connection came back; `found` says what. */
export async function liveness(config: Target): Promise<Liveness> {
  const plan = planOf(HEALTH_PATH, { kind: 'none' });
  const { response, failure, sentAt, durationMs } = await asked(config, config.target.baseUrl, plan);
  if (response !== null) {
    const stated = header(response.headers, 'date');
    const date = stated === null ? null : { stated, sentMs: sentAt, receivedMs: sentAt + durationMs };
    return { alive: true, found: `answers ${response.status} to ${HEALTH_PATH}`, date };
  }
  // Some servers tell in no other way that they miss a client certificate.
  const isCut = failure?.kind === 'reset' && config.target.baseUrl.startsWith('https:');
  const hint = isCut ? '; it may want another client certificate (target.tls.cert and key)' : '';
  return { alive: false, found: `does not answer: ${failure?.message}${hint}`, date: null };
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
  /** What X-RateLimit-Limit of a success says; null where it is absent. */
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
    if (status < 300) return { ...called, status, limit: header(first.headers, 'x-ratelimit-limit') };
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

/**
 * Base addresses on the same host that may be meant: without the path, without the end that the operation's path begins
 * with, and with each beginning of the operation's path behind it.
 */
export function otherBases(baseUrl: string, path: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const base = pathname.replace(/\/+$/, '');
  const segments = path.split('/').slice(1, 3);
  const beginnings = segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
  const shorter = beginnings.filter((one) => base.endsWith(one)).map((one) => base.slice(0, -one.length));
  const longer = beginnings.map((one) => `${base}${one}`);
  const all = [...shorter, '', ...longer].map((one) => `${origin}${one}`);
  return [...new Set(all)].filter((one) => one !== `${origin}${base}`);
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

async function asked(config: Target, baseUrl: string, plan: RequestPlan): Promise<Exchange> {
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
