// A configuration made of a description and a few options, so that one command judges an API without a file: read once, written
// down as a document that `assay init` could have written, its secrets by names alone.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { ConstantHeader } from '../../config/constant-header.ts';
import { invalidOption, UsageError } from '../../config/errors.ts';
import { isLoopback } from '../../config/http-url.ts';
import { type ConfigDocument, checkBaseUrlOption, checkConfig } from '../../config/load.ts';
import type { DescribedRun } from '../../contract/report.ts';
import { readSchemes } from '../../openapi/model/operations.ts';
import { asOpenApi3, dialectOf, type RootDocument, readDocument } from '../../openapi/read/checked.ts';
import { References } from '../../openapi/read/references.ts';
import type { Source } from '../../openapi/read/source.ts';
import { DescriptionUnreadable } from '../../openapi/read/unreadable.ts';
import { type DescriptionTexts, unreadable } from '../conform/descriptions.ts';
import { nameFrom } from '../report/located.ts';
import { type Credentials, credentialsIn, type SchemeKey } from './credentials.ts';
import { type Reading, readDescription } from './read-description.ts';
import { type TargetAddress, targetAddress } from './target-address.ts';
import { filledIn, type TypedValue, unsetIn } from './typed-value.ts';

/** As they are typed. */
export interface DescribedArguments {
  /** A file or a URL. */
  readonly description: string;
  readonly baseUrl: string | null;
  readonly headers: readonly string[];
  readonly keys: readonly string[];
  /** Absent: as the kind of the target says. */
  readonly mutations?: 'allow' | 'deny';
  /** A file, or a contract that ships; absent: the description alone. */
  readonly contract?: string;
}

export interface Draft {
  readonly document: ConfigDocument;
  /** Values of names in the document that the environment does not hold. */
  readonly brought: Readonly<Record<string, string>>;
  readonly values: readonly TypedValue[];
  readonly described: DescribedRun;
  readonly address: TargetAddress;
  readonly source: Source;
  /** Names of the security schemes that the description has. */
  readonly schemes: readonly string[];
}

const SERVICE = 'api';

/** Throws UsageError where the description cannot be read, names no target, or takes no such key. */
export async function draftOf(typed: DescribedArguments, reading: Reading): Promise<Draft> {
  const { cwd } = reading;
  if (typed.baseUrl !== null) checkBaseUrlOption(typed.baseUrl);
  const read = (path: string): string => fileText(resolve(cwd, path));
  const source = await readDescription(typed.description, { ...reading, shared: sharedWith(typed, reading, read) });
  const written = await rootOf(source);
  const document = asOpenApi3(written);
  const address = targetAddress(document, source.location, typed.baseUrl);
  if (address === null) throw noTarget(typed.description);
  const schemes = readSchemes(new References(document, dialectOf(written.version)));
  const credentials = credentialsIn(typed, schemes, read);
  const values = [...credentials.keys, ...credentials.headers].map(({ value }) => value);
  return {
    document: documentOf({ typed, source, address, credentials }),
    brought: Object.assign({}, ...values.map(({ brought }) => brought)),
    values,
    described: describedOf({ typed, source, address, credentials }, cwd),
    address,
    source,
    schemes: schemes.map(({ name }) => name),
  };
}

/** The headers that the host of the description gets, too: it is that of the stated target, or gets none. */
function sharedWith(
  { description, baseUrl, headers }: DescribedArguments,
  { env }: Pick<Reading, 'env'>,
  read: (path: string) => string,
): readonly ConstantHeader[] {
  if (baseUrl === null || URL.parse(description)?.origin !== new URL(baseUrl).origin) return [];
  return credentialsIn({ headers, keys: [] }, [], read).headers.flatMap(({ name, value }) => {
    const text = filledIn(value, env);
    return text === null ? [] : [{ name, value: text, secret: `header ${name}` }];
  });
}

/** The configuration of a draft, and the text of its description. Throws UsageError where a variable is not set. */
export function configOf(
  { document, brought, values, described, source }: Draft,
  { env, cwd }: Pick<Reading, 'env' | 'cwd'>,
): { readonly config: Config; readonly texts: DescriptionTexts } {
  const unset = [...new Set(values.flatMap((value) => unsetIn(value, env)))];
  if (unset.length > 0)
    throw new UsageError(
      'ASSAY_CONFIG_ENV_UNSET',
      `--key and --header: not set in the environment: ${unset.join(', ')}`,
      `${unset[0]}=VALUE before the command sets it; @FILE reads the value from a file instead`,
    );
  const config = checkConfig(document, resolve(cwd, 'command line'), { baseUrl: null, env: { ...env, ...brought } });
  const spec = document.services?.[SERVICE]?.spec ?? '';
  return { config: { ...config, file: null, described }, texts: new Map([[spec, source.text]]) };
}

/** One line on what is judged, where, and how far. */
export function toldOf({ document, described, address }: Draft): string {
  const { mutations, target } = document;
  const isReading = (mutations ?? (target.environment === 'local' ? 'allow' : 'deny')) === 'deny';
  const because = address.because === null ? '' : `, ${address.because}`;
  const harm = isReading
    ? 'sends reads alone, --mutations allow lets it write'
    : target.environment === 'local'
      ? 'creates and deletes there, --mutations deny lets it read alone'
      : 'creates and deletes there';
  return `judges ${address.baseUrl}${because}, by ${described.description}; ${harm}`;
}

interface Parts {
  readonly typed: DescribedArguments;
  readonly source: Source;
  readonly address: TargetAddress;
  readonly credentials: Credentials;
}

function documentOf({ typed, source, address, credentials }: Parts): ConfigDocument {
  const { baseUrl, isWhole } = address;
  const headers = Object.fromEntries(credentials.headers.map(({ name, value }) => [name, value.text]));
  const names = uniqueNames(credentials.keys.map(({ scheme }) => scheme));
  const keys = credentials.keys.map(({ scheme, value }, at) => ({
    ...{ name: names[at] ?? scheme, plan: 'any', token: value.text, scheme },
    ...accountOf(credentials.keys, at),
  }));
  return {
    target: {
      baseUrl,
      environment: isLoopback(new URL(baseUrl).hostname) ? 'local' : 'staging',
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    },
    contract: typed.contract ?? 'openapi',
    services: { [SERVICE]: { spec: specOf(source), ...(isWhole === true ? { basePath: '/' } : {}) } },
    ...(keys.length === 0 ? {} : { keys }),
    ...(typed.mutations === undefined ? {} : { mutations: typed.mutations }),
  };
}

/** Several keys of one scheme are those of several accounts: what one makes is asked for with the others (AUTH-08). */
function accountOf(keys: Credentials['keys'], at: number): { readonly account?: string } {
  const alike = keys.filter(({ scheme }) => scheme === keys[at]?.scheme);
  return alike.length === 1 ? {} : { account: `account-${alike.indexOf(keys[at] as SchemeKey) + 1}` };
}

/** An absolute path, or the URL. */
function specOf({ name, location }: Source): string {
  return location.startsWith('file:') ? resolve(name) : location;
}

/** Names of keys hold fewer characters than names of schemes may. */
function uniqueNames(schemes: readonly string[]): readonly string[] {
  const names = schemes.map(
    (scheme) => scheme.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'key',
  );
  return names.map((name, at) => {
    const before = names.slice(0, at).filter((other) => other === name).length;
    return before === 0 ? name : `${name}-${before + 1}`;
  });
}

function describedOf({ typed, source, address, credentials }: Parts, cwd: string): DescribedRun {
  const spec = specOf(source);
  return {
    description: nameFrom(cwd, spec) ?? spec,
    baseUrl: address.baseUrl,
    headers: credentials.headers.map(({ name, value }) => `${name}: ${value.again}`),
    keys: credentials.keys.map(({ scheme, value }) => `${scheme}=${value.again}`),
    ...(typed.mutations === undefined ? {} : { mutations: typed.mutations }),
    ...(typed.contract === undefined ? {} : { contract: typed.contract }),
  };
}

async function rootOf(source: Source): Promise<RootDocument> {
  try {
    return await readDocument(source);
  } catch (error) {
    throw error instanceof DescriptionUnreadable ? unreadable([error]) : error;
  }
}

/** Throws UsageError for a file that cannot be read; its text is a secret, and its name is told. */
function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw invalidOption(
      `--key and --header: ${path} cannot be read (${why})`,
      '@FILE names a file that holds the value; a value that begins with @ comes from a variable: env:NAME',
    );
  }
}

function noTarget(description: string): UsageError {
  return invalidOption(
    `${description} names no server with a host, and it is a file: nothing says where the target is`,
    `assay conform ${description} --base-url http://127.0.0.1:8080`,
  );
}
