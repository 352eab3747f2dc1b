// A run rehearsed: the whole run in memory and in virtual time, against a platform that serves the user's own descriptions to the
// user's own keys. Nothing is sent, so that one knows beforehand what a run sends, makes and cannot test.
import { simulatedClock } from '../clock/simulated.ts';
import type { Config, RunOptions } from '../config/config.ts';
import type { Report } from '../contract/report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Description, SecurityScheme } from '../openapi/model/operation.ts';
import type { Deviation } from '../platform/deviation.ts';
import { PROBLEMS } from '../platform/envelope.ts';
import { DOCS_URL } from '../platform/http/publish.ts';
import { openInMemory } from '../platform/in-memory.ts';
import { asObject, type JsonObject } from '../platform/json.ts';
import type { Limit } from '../platform/limits/limiter.ts';
import { DEFAULT_LIMITS } from '../platform/platform.ts';
import { documentOf, type ServedDocument } from '../platform/schema/served.ts';
import { fixtureId } from '../platform/store/ids.ts';
import type { Key } from '../platform/tokens.ts';
import { chanceOf } from './chance.ts';
import { conformInMemory } from './conform-in-memory.ts';
import { Outages } from './outages.ts';
import { WORLDS } from './worlds.ts';

export interface RehearsalInput {
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  /** Limits by plan name; a plan without one has a limit that is never met. */
  readonly limits?: Readonly<Record<string, Limit>>;
  /** When the rehearsed run begins, epoch ms: names and times in requests are drawn from it. */
  readonly startMs: number;
  readonly stop: AbortSignal;
}

export interface Rehearsal {
  /** The report of such a run; its requests and objects are those that a target would see. */
  readonly report: Report;
  /** Requests by stage of the run, in its order; by service, null for those of none; and by key, null for those without. */
  readonly byStage: ReadonlyMap<string, number>;
  readonly byService: ReadonlyMap<string | null, number>;
  readonly byKey: ReadonlyMap<string | null, number>;
  /** Requests that experiments sent for a clause. One request serves several. */
  readonly byClause: ReadonlyMap<string, number>;
  /** Set: it was ended before the run was; such a run sends more. */
  readonly isCut?: true;
  /** Set: the descriptions ask for a key, none is configured, and the platform asked for none. */
  readonly isOpened?: true;
}

const BASE_URL = 'http://platform.rehearsed';
/** A run that takes longer is not rehearsed to its end. */
const MAX_REHEARSAL_MS = 24 * 3_600_000;

/** Performs the run in memory. Rejects for defects of the harness, as `conform` does, and where the platform cannot serve the descriptions. */
export async function rehearse(input: RehearsalInput): Promise<Rehearsal> {
  const { options, descriptions, stop, limits = {} } = input;
  const clock = simulatedClock(input.startMs);
  const tokens = tokensOf(input.config);
  const isOpened = isToBeOpened(input);
  const schemes = [BEARER, ...descriptions.flatMap(({ securitySchemes }) => securitySchemes)];
  const platform = await openInMemory({
    documents: descriptions.map(served),
    deviations: [isOpened ? ASKING_FOR_NO_KEY : recognising(tokens, schemes)],
    docsUrl: input.config.target.docsUrl ?? DOCS_URL,
    seed: options.seed,
    limits: { ...generous(input.config), ...limits },
    clock,
    instance: 'rehearsal',
  });
  const known = platform.platform.resources.flatMap((resources) => resources.all());
  const fixtures = Object.fromEntries(
    known.flatMap((one) => (one.param === null || one.discoverable ? [] : [[one.param, fixtureId(one, options.seed)]])),
  );
  const config = asRehearsed(input.config, tokens, fixtures);
  const route = {
    clock,
    chance: chanceOf(options.seed, 'network'),
    world: WORLDS.calm,
    platform,
    outages: new Outages(chanceOf(options.seed, 'outages'), null),
    host: new URL(BASE_URL).host,
  };
  const counted = new Counts();
  const report = await conformInMemory({
    ...{ config, options, route, stop, longestMs: MAX_REHEARSAL_MS },
    descriptions: descriptions.map(withoutFixedPaths),
    listen(events) {
      events.on('progress', ({ progress }) => counted.enter(progress.phase));
      events.on('exchange', ({ exchange }) => counted.note(exchange));
      events.on('performed', ({ clauses }) => counted.noteFor(clauses));
    },
  });
  return { report, ...counted.taken(), ...(isOpened ? { isOpened } : {}) };
}

class Counts {
  readonly #byStage = new Map<string, number>();
  readonly #byService = new Map<string | null, number>();
  readonly #byKey = new Map<string | null, number>();
  readonly #byClause = new Map<string, number>();
  #stage = 'smoke';

  enter(stage: string): void {
    this.#stage = stage;
  }

  note({ plan: { service, credential } }: Exchange): void {
    add(this.#byStage, this.#stage);
    add(this.#byService, service);
    add(this.#byKey, credential.kind === 'key' ? credential.name : null);
  }

  noteFor(clauses: readonly string[]): void {
    for (const clause of clauses) add(this.#byClause, clause);
  }

  taken(): Omit<Rehearsal, 'report'> {
    return {
      byStage: this.#byStage,
      byService: this.#byService,
      byKey: this.#byKey,
      byClause: this.#byClause,
    };
  }
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The description as the platform serves it: every operation at its full path, whatever its servers say. */
function served({ service, document, operations }: Description): ServedDocument {
  const root = asObject(document as JsonObject);
  const paths: JsonObject = {};
  for (const { path, method, pointer } of operations) {
    const [, , token = ''] = pointer.split('/');
    const template = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const item = asObject(asObject(root.paths)[template] ?? {});
    const { servers: _servers, ...common } = item;
    const own = Object.fromEntries(Object.entries(common).filter(([name]) => !METHODS.has(name)));
    paths[path] = { ...own, ...asObject(paths[path] ?? {}), [method.toLowerCase()]: item[method.toLowerCase()] ?? {} };
  }
  const { servers: _servers, ...rest } = root;
  return documentOf(service, { ...rest, paths });
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/**
 * A secret by which the platform knows a token. They are the user's own where the configuration holds them, and stay in
 * memory.
 */
interface KnownToken {
  readonly token: string;
  readonly key: Key | null;
}

function tokensOf({ keys, credentials }: Config): readonly KnownToken[] {
  const own = keys.map(({ name, plan, account, token }) => ({
    token: token ?? `rehearsal-token-of-${name}`,
    key: { name, plan, account: account ?? 'rehearsal', locked: false },
  }));
  const locked = { name: 'locked', plan: keys[0]?.plan ?? '', account: 'locked', locked: true };
  return [
    ...own,
    ...(credentials.locked === null ? [] : [{ token: credentials.locked, key: locked }]),
    ...(credentials.expired === null ? [] : [{ token: credentials.expired, key: null }]),
  ];
}

/** Whoever configures no key is told the most that a run may do, which is what it does where the target asks for none. */
function isToBeOpened({ config: { contract, keys }, descriptions }: RehearsalInput): boolean {
  const asks = descriptions.some(({ operations }) => operations.some(({ security }) => security.length > 0));
  return contract === 'openapi' && keys.length === 0 && asks;
}

const ASKING_FOR_NO_KEY: Deviation = {
  id: 'rehearsal-open',
  clause: 'AUTH-01',
  description: 'Asks for no token.',
  hooks: () => ({ authenticate: (_call, { key }) => ({ key, problem: null }) }),
};

/** The platform takes the user's tokens, wherever the security schemes of the descriptions have them sent. */
function recognising(tokens: readonly KnownToken[], schemes: readonly SecurityScheme[]): Deviation {
  return {
    id: 'rehearsal-tokens',
    clause: 'AUTH-02',
    description: 'Takes the tokens of the configuration.',
    hooks: () => ({
      authenticate: ({ headers, url }, admission) => {
        const sent = new Set(schemes.flatMap((scheme) => credentialOf(scheme, headers, url) ?? []));
        const known = tokens.find(({ token }) => sent.has(token));
        if (known?.key == null) return admission;
        const isOpen = admission.problem === null;
        return { key: known.key, problem: !isOpen && known.key.locked ? PROBLEMS.accountLocked : null };
      },
    }),
  };
}

const BEARER: SecurityScheme = {
  name: 'bearer',
  type: 'http',
  scheme: 'bearer',
  bearerFormat: null,
  in: null,
  parameter: null,
};

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Credential of the request where the scheme has its place; undefined for none. Basic credentials are decoded. */
function credentialOf(scheme: SecurityScheme, headers: Headers, url: string): string | undefined {
  const { type, in: place, parameter } = scheme;
  if (type !== 'apiKey') return authorizationOf(scheme, headers);
  const name = parameter ?? '';
  if (place === 'query') return new URLSearchParams(url.split('?')[1] ?? '').get(name) ?? undefined;
  if (place === 'header') return headers[name.toLowerCase()]?.toString();
  const cookies = String(headers.cookie ?? '').split(/; */);
  return cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function authorizationOf({ type, scheme }: SecurityScheme, { authorization = '' }: Headers): string | undefined {
  const [, how, value] = /^(\S+) +(\S+)$/.exec(String(authorization)) ?? [];
  const isBasic = type === 'http' && scheme?.toLowerCase() === 'basic';
  if (value === undefined || how?.toLowerCase() !== (isBasic ? 'basic' : 'bearer')) return undefined;
  return isBasic ? Buffer.from(value, 'base64').toString('utf8') : value;
}

function generous({ keys }: Config): Readonly<Record<string, Limit>> {
  const plans = Object.fromEntries(keys.map(({ plan }) => [plan, DEFAULT_LIMITS.enterprise]));
  return { ...DEFAULT_LIMITS, ...plans };
}

/** The configuration towards the platform: its address, its ids in place of fixtures, and no program run for a token. */
function asRehearsed(
  { proxies: _proxies, ...config }: Config,
  tokens: readonly KnownToken[],
  known: Readonly<Record<string, string>>,
): Config {
  const isStated = (name: string): boolean =>
    Object.keys(config.fixtures).some((fixture) => fixture === name || fixture.endsWith(`.${name}`));
  return {
    ...config,
    target: { docsUrl: config.target.docsUrl, environment: config.target.environment, baseUrl: BASE_URL },
    services: config.services.map((service) => ({ ...service, baseUrl: null })),
    // Only what is named here is taken over: a key logs in nowhere.
    keys: config.keys.map(({ name, plan, account, scheme }, at) => ({
      ...{ name, plan, account, scheme },
      ...{ token: tokens[at]?.token ?? '', tokenCommand: null },
    })),
    fixtures: Object.fromEntries(Object.entries(known).filter(([name]) => isStated(name))),
  };
}

/** Ids that the configuration fixes are not there: the platform has its own. */
function withoutFixedPaths(description: Description): Description {
  const operations = description.operations.map((operation) => {
    if (operation.fixed === undefined) return operation;
    const inPath = new Set(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name));
    const parameters = Object.entries(operation.fixed.parameters).filter(([name]) => !inPath.has(name));
    return { ...operation, fixed: { ...operation.fixed, parameters: Object.fromEntries(parameters) } };
  });
  return { ...description, operations };
}
