// The configuration of a run: found, read, filled in from the environment, checked, its defaults decided.
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withLaws } from '../contract/contract.ts';
import { PACKAGE_ROOT } from '../contract/package-root.ts';
import type { Contract, WebhookTerms } from '../contract/terms.ts';
import type { ScriptedAnswer } from '../contract/webhooks.ts';
import { baseUrlsOf } from './addresses.ts';
import { builtinServices, TOKEN_VARIABLES } from './builtin.ts';
import type {
  ClientConfig,
  Config,
  CreationLimits,
  Environment,
  KeyConfig,
  OauthConfig,
  OperationConfig,
  OwnParts,
  ServiceConfig,
  WebhookConfig,
} from './config.ts';
import { type ConstantHeader, isAuthorization } from './constant-header.ts';
import { contractOf } from './contract-file.ts';
import {
  type EnvironmentValue,
  fillEnvironment,
  placedIn,
  withEnvironment,
  withEnvironments,
  withoutAddresses,
} from './environment.ts';
import { type ConfigProblem, configError, invalidOption } from './errors.ts';
import { isHttpUrl, withoutTrailingSlash } from './http-url.ts';
import { proxiesIn, proxyFor, proxySecrets } from './proxies.ts';
import { findConfig, isObject, readConfig } from './read.ts';
import { schemaProblems } from './schema-problems.ts';
import { constantHeaders, secretsIn } from './secrets.ts';
import { keyAsSecret, readTls, type TlsConfig, type TlsDocument } from './tls.ts';

export interface ConfigSource {
  /** `--config`; null: `assay.config.{ts,json,yaml,yml}` of `cwd`, if there is one. */
  readonly file: string | null;
  /** `--base-url`: wins over `target.baseUrl`. */
  readonly baseUrl: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--env`: the overlay of `environments` that holds; absent or null: none. */
  readonly environment?: string | null;
  readonly cwd: string;
}

type Consent = Config['mutations'];

interface ConsentParts {
  readonly default?: Consent;
  readonly payments?: Consent;
  readonly operations?: Readonly<Record<string, 'payment' | 'ordinary'>>;
}

/** The file's shape once the schema has accepted it. */
export interface ConfigDocument {
  readonly target: {
    readonly baseUrl: string;
    readonly docsUrl?: string;
    readonly environment?: Environment;
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutSeconds?: number;
    readonly trace?: 'w3c' | 'none';
    readonly tls?: TlsDocument;
  };
  readonly services?: Readonly<
    Record<string, { readonly spec: string; readonly basePath?: string; readonly baseUrl?: string }>
  >;
  readonly keys?: readonly {
    readonly name: string;
    readonly plan: string;
    readonly token?: string;
    readonly tokenCommand?: readonly string[];
    readonly oauth?: Pick<OauthConfig, 'tokenUrl' | 'clientId'> & {
      readonly [K in keyof OauthConfig]?: NonNullable<OauthConfig[K]>;
    };
    readonly account?: string;
    readonly scheme?: string;
  }[];
  readonly credentials?: { readonly locked?: string; readonly expired?: string };
  readonly invalidTokens?: readonly string[];
  readonly fixtures?: Readonly<Record<string, string | number>>;
  readonly mutations?: Consent | ConsentParts;
  /** `commerce`, `openapi`, a preset, or a file. */
  readonly contract?: string;
  readonly laws?: Partial<Config['laws']>;
  readonly load?: Config['load'];
  readonly remoteRefs?: readonly string[];
  readonly refFolders?: readonly string[];
  readonly expect?: Partial<Config['expect']>;
  readonly certify?: Partial<Config['certify']>;
  readonly promote?: readonly string[];
  readonly lists?: Readonly<Record<string, { readonly items: string }>>;
  readonly skip?: readonly { readonly operation: string; readonly reason: string }[];
  readonly operations?: readonly ({ readonly operation: string } & Partial<Omit<OperationConfig, 'operations'>>)[];
  readonly evidence?: Partial<Config['evidence']>;
  readonly report?: { readonly traceUrl?: string };
  readonly environments?: Readonly<Record<string, unknown>>;
  readonly gate?: { readonly minOperations?: number };
  readonly webhooks?: Pick<WebhookConfig, 'secret'> & {
    readonly [K in keyof WebhookConfig]?: NonNullable<WebhookConfig[K]>;
  };
  readonly clients?: readonly (Pick<ClientConfig, 'name' | 'command'> & Partial<ClientConfig>)[];
  readonly limits?: { readonly created?: Partial<CreationLimits> };
  readonly extend?: readonly string[];
}

/** limits.created where the file does not say. */
const DEFAULT_CREATED: CreationLimits = { perOperation: 5, total: 200 };

/** The checked configuration, or null when no file is named or found. Throws UsageError with every problem of the file. */
export async function loadConfig(source: ConfigSource): Promise<Config | null> {
  const file = findConfig(source.file, source.cwd);
  return file === null ? null : checkConfig(await readConfig(file), file, source);
}

/** The contract of the file that is named or found, else the platform's. No variable needs to be set for it. */
export async function contractOfConfig({ file, cwd }: Pick<ConfigSource, 'file' | 'cwd'>): Promise<Contract> {
  const found = findConfig(file, cwd);
  const document = found === null ? null : await readConfig(found);
  const named = isObject(document) && typeof document.contract === 'string' ? document.contract : 'commerce';
  return contractOf(named, found === null ? cwd : dirname(found));
}

/** The configuration that a document states; relative specs start at the folder of `file`. Throws UsageError with every problem. */
export function checkConfig(
  document: unknown,
  file: string,
  source: Pick<ConfigSource, 'baseUrl' | 'env' | 'environment'>,
): Config {
  if (source.baseUrl !== null) checkBaseUrlOption(source.baseUrl);
  const { plain, live } = parted(document);
  const { environment = null } = source;
  const overlaid = withEnvironment(plain, environment, file);
  const filled = fillEnvironment(withBaseUrl(overlaid.document, source.baseUrl), source.env);
  const unset = new Set(filled.problems.map(({ key }) => key));
  const whole = overlaid.environments === undefined ? filled.document : withEnvironments(filled.document, overlaid);
  const broken = schemaProblems(whole, filled.fromEnvironment).filter(({ key }) => !unset.has(key));
  const found = [...filled.problems, ...broken, ...repeatedNames(filled.document), ...openTokens(filled.document)];
  const [first, ...rest] = found.map((problem) => placedIn(problem, overlaid.overlay, environment));
  if (first !== undefined) throw configError(file, [first, ...rest]);
  const accepted = filled.document as ConfigDocument;
  const { target, ...others } = decided(
    accepted,
    file,
    live,
    constantHeaders(accepted.target.headers ?? {}, filled.fromEnvironment),
  );
  const tls = tlsOf(accepted, file);
  const proxies = proxiesIn(source.env);
  for (const baseUrl of baseUrlsOf({ target, services: others.services })) proxyFor(baseUrl, proxies);
  return {
    ...others,
    target: { ...target, ...(tls === null ? {} : { tls }) },
    proxies,
    env: environment,
    secrets: [
      ...secretsIn(accepted, filled),
      ...proxySecrets(proxies).map((value) => ({ name: 'proxy password', value })),
      ...(tls?.key == null ? [] : [{ name: 'client key', value: keyAsSecret(tls.key) }]),
    ],
    tokenVariables: tokenVariablesIn(accepted, filled.taken),
  };
}

/** null where the file states none. Throws UsageError for what no connection could be opened with. */
function tlsOf({ target }: ConfigDocument, file: string): TlsConfig | null {
  if (target.tls === undefined) return null;
  const { tls, problems } = readTls(target.tls, file);
  const [first, ...rest] = problems;
  if (first !== undefined) throw configError(file, [first, ...rest]);
  return tls;
}

/** The variables that hold whole tokens, as markers of secrets call the tokens: "key std-1" → "ASSAY_STANDARD". */
function tokenVariablesIn(
  { keys = [] }: Pick<ConfigDocument, 'keys'>,
  taken: readonly EnvironmentValue[],
): Readonly<Record<string, string>> {
  const whole = new Map(
    taken.flatMap(({ pointer, variable, text, value }) => (text === value ? [[pointer, variable]] : [])),
  );
  const named = [
    ...keys.map(({ name }, index) => [`key ${name}`, whole.get(`/keys/${index}/token`)] as const),
    ...['locked', 'expired'].map((name) => [`${name} token`, whole.get(`/credentials/${name}`)] as const),
  ];
  return Object.fromEntries(named.filter(([, variable]) => variable !== undefined)) as Record<string, string>;
}

/** Throws UsageError unless the value of `--base-url` is an http(s) URL. */
export function checkBaseUrlOption(baseUrl: string): void {
  if (isHttpUrl(baseUrl)) return;
  throw invalidOption(
    '--base-url is not an http or https URL (without user name, query or fragment)',
    'for example --base-url http://127.0.0.1:8080',
  );
}

/** Functions and what holds them: nothing for a schema or the environment. */
type Live = Pick<OwnParts, 'checks' | 'reporters' | 'hooks'>;

/** The document with empty lists in place of what is live in it. */
function parted(document: unknown): { readonly plain: unknown; readonly live: Live } {
  if (!isObject(document)) return { plain: document, live: { checks: [], reporters: [], hooks: [] } };
  const listed = (['checks', 'reporters', 'hooks'] as const).flatMap((key) =>
    Array.isArray(document[key]) ? [[key, document[key]] as const] : [],
  );
  const emptied = Object.fromEntries(listed.map(([key]) => [key, []]));
  return {
    plain: { ...document, ...emptied },
    live: { checks: [], reporters: [], hooks: [], ...Object.fromEntries(listed) },
  };
}

/** The address replaces those of services, too: else a run of one target would reach hosts of another. */
function withBaseUrl(document: unknown, baseUrl: string | null): unknown {
  if (baseUrl === null || !isObject(document)) return document;
  const { target = {} } = document;
  return isObject(target) ? { ...withoutAddresses(document), target: { ...target, baseUrl } } : document;
}

/** Under the platform's contract every operation is guarded: a token that all requests carry would hide whether it is. */
function openTokens(document: unknown): ConfigProblem[] {
  if (!isObject(document) || (document.contract ?? 'commerce') !== 'commerce') return [];
  const headers = isObject(document.target) && isObject(document.target.headers) ? document.target.headers : {};
  return Object.keys(headers)
    .filter(isAuthorization)
    .map((name) => ({
      code: 'ASSAY_CONFIG_KEY_UNKNOWN',
      key: `target.headers.${name}`,
      message:
        'tokens belong into keys; under contract: openapi alone a header may hold one that no description speaks of',
    }));
}

/** A key's name is what reports call it: two keys never share one. */
function repeatedNames(document: unknown): ConfigProblem[] {
  const keys = isObject(document) && Array.isArray(document.keys) ? document.keys : [];
  const names = keys.map((key: unknown) => (isObject(key) && typeof key.name === 'string' ? key.name : null));
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (name === null || first === index) return [];
    const message = `expected a name of its own, found ${JSON.stringify(name)}, the name of keys[${first}] too`;
    return [{ code: 'ASSAY_CONFIG_VALUE_INVALID' as const, key: `keys[${index}].name`, message }];
  });
}

function decided(
  document: ConfigDocument,
  file: string,
  live: Live,
  headers: readonly ConstantHeader[],
): Omit<Config, 'env' | 'secrets' | 'tokenVariables'> {
  const environment = document.target.environment ?? 'staging';
  const laws = { pagination: document.laws?.pagination ?? [], idempotency: document.laws?.idempotency ?? [] };
  const stated = withLaws(contractOf(document.contract ?? 'commerce', dirname(file)), laws);
  const contract = stated.base;
  return {
    file,
    folder: dirname(file),
    target: {
      baseUrl: withoutTrailingSlash(document.target.baseUrl),
      docsUrl: document.target.docsUrl === undefined ? null : withoutTrailingSlash(document.target.docsUrl),
      environment,
      ...(headers.length === 0 ? {} : { headers }),
      ...(document.target.timeoutSeconds === undefined ? {} : { timeoutSeconds: document.target.timeoutSeconds }),
      ...(document.target.trace === 'none' ? { trace: 'none' as const } : {}),
    },
    services: services(document.services ?? {}, stated, dirname(file)),
    keys: (document.keys ?? []).map(keyConfig),
    credentials: { locked: document.credentials?.locked ?? null, expired: document.credentials?.expired ?? null },
    invalidTokens: document.invalidTokens ?? null,
    fixtures: Object.fromEntries(Object.entries(document.fixtures ?? {}).map(([name, value]) => [name, String(value)])),
    ...consents(document.mutations, environment),
    contract,
    stated,
    laws,
    load: document.load ?? {},
    remoteRefs: [...(document.remoteRefs ?? []), ...(document.refFolders ?? []).map((one) => folderUrl(file, one))],
    expect: { plans: document.expect?.plans ?? {}, isolation: document.expect?.isolation ?? false },
    certify: { accept: {}, ...document.certify },
    promote: document.promote ?? [],
    lists: Object.entries(document.lists ?? {}).map(([operations, { items }]) => ({ operations, items })),
    skip: (document.skip ?? []).map(({ operation, reason }) => ({ operations: operation, reason })),
    operations: (document.operations ?? []).map(({ operation, body = {}, parameters = {}, key = null, ...rest }) => ({
      operations: operation,
      body,
      parameters,
      key,
      ...rest,
    })),
    // On this machine a message holds nobody's data, and says why what was sent is refused.
    evidence: {
      errorMessages:
        document.evidence?.errorMessages ?? (environment === 'local' && contract === 'openapi' ? 'keep' : 'redact'),
    },
    ...(document.report?.traceUrl === undefined ? {} : { traceUrl: document.report.traceUrl }),
    gate: { minOperations: document.gate?.minOperations ?? null },
    webhooks: document.webhooks === undefined ? null : webhookConfig(document.webhooks, stated.terms.webhooks),
    clients: (document.clients ?? []).map(({ name, command, env = {} }) => ({ name, command, env })),
    limits: {
      created: { ...DEFAULT_CREATED, ...document.limits?.created },
      ...(document.limits?.created === undefined ? {} : { isStated: true as const }),
    },
    own: { ...live, extend: document.extend ?? [] },
  };
}

/** Mutations are allowed locally unless the file says otherwise, and elsewhere only where it says so; payments by their own word. */
function consents(
  stated: ConfigDocument['mutations'],
  environment: Environment,
): Pick<Config, 'mutations' | 'payments'> {
  const isLocal = environment === 'local';
  const parts: ConsentParts = typeof stated === 'string' ? { default: stated } : (stated ?? {});
  const mutations = parts.default ?? (isLocal ? 'allow' : 'deny');
  const operations = Object.entries(parts.operations ?? {}).map(([glob, kind]) => ({
    operations: glob,
    isPayment: kind === 'payment',
  }));
  return { mutations, payments: { consent: parts.payments ?? (isLocal ? mutations : 'deny'), operations } };
}

/** A service that the contract states and the file does not name is there all the same, not testable. */
function services(
  named: NonNullable<ConfigDocument['services']>,
  { terms }: Contract,
  folder: string,
): ServiceConfig[] {
  const configured = Object.entries(named).map(([name, { spec, basePath, baseUrl }]) => ({
    name,
    spec: specLocation(spec, folder),
    basePath: basePath === undefined ? null : withoutTrailingSlash(basePath),
    ...(baseUrl === undefined ? {} : { baseUrl: withoutTrailingSlash(baseUrl) }),
  }));
  const absent = Object.keys(terms.services).filter((name) => !Object.hasOwn(named, name));
  return [...configured, ...absent.map((name) => ({ name, spec: null, basePath: null }))];
}

function specLocation(spec: string, folder: string): string | null {
  if (spec === 'pending') return null;
  if (/^https?:\/\//i.test(spec)) return spec;
  return spec.startsWith('file://') ? fileURLToPath(spec) : resolve(folder, spec);
}

const NO_LOGIN = { clientSecret: null, clientAuth: 'basic', refreshToken: null, scope: null, audience: null } as const;

function keyConfig(key: NonNullable<ConfigDocument['keys']>[number]): KeyConfig {
  return {
    name: key.name,
    plan: key.plan,
    token: key.token ?? null,
    tokenCommand: key.tokenCommand ?? null,
    ...(key.oauth === undefined ? {} : { oauth: { ...NO_LOGIN, ...key.oauth } }),
    account: key.account ?? null,
    scheme: key.scheme ?? null,
  };
}

/**
 * The configuration of webhooks: the contract states all of signatures that the file leaves out. Which header tells the
 * time (`{timestamp}`) is discovered.
 */
function webhookConfig(webhooks: NonNullable<ConfigDocument['webhooks']>, stated: WebhookTerms): WebhookConfig {
  const { secret, trigger = null, answers = null } = webhooks;
  const signed = stated.signed === null || stated.signed.includes('{timestamp}') ? null : `of ${stated.signed}`;
  const { header = stated.header, form = signed } = webhooks;
  return { secret, header, form, trigger, answers: answers?.map((answer) => String(answer) as ScriptedAnswer) ?? null };
}

/** The folder that a configuration names, relative to itself, as a URL that ends in a slash. */
function folderUrl(file: string, folder: string): string {
  return pathToFileURL(`${resolve(dirname(file), folder)}${sep}`).href;
}

/**
 * The configuration when there is no file but `--base-url` names a target: the shipped descriptions, and the keys that the environment
 * holds under the names that `assay init` uses. Nothing is changed on the target. Throws UsageError when it is no http(s) URL.
 */
export function builtinConfig(baseUrl: string, env: Readonly<Record<string, string | undefined>>): Config {
  const keys = Object.entries(TOKEN_VARIABLES)
    .filter(([, name]) => env[name])
    .map(([plan, name]) => ({ name: plan, plan, token: env[name] }));
  const document = {
    target: { baseUrl },
    services: Object.fromEntries(builtinServices().map(({ name, spec }) => [name, { spec }])),
    keys,
    credentials: { locked: env.ASSAY_LOCKED || undefined, expired: env.ASSAY_EXPIRED || undefined },
  };
  const config = checkConfig(document, join(PACKAGE_ROOT, 'built-in configuration'), { baseUrl, env });
  return { ...config, file: null };
}
