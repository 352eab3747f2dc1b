// Where the values of --key and --header go: a security scheme of the description takes a key, everything else is a header of
// all requests. Pure, but for the files that values are read from.
import { isAuthorization, isTargetHeader } from '../../config/constant-header.ts';
import { invalidOption } from '../../config/errors.ts';
import { suggestion } from '../../config/nearest.ts';
import type { Placement } from '../../exchange/exchange.ts';
import type { SecurityScheme } from '../../openapi/model/operation.ts';
import { isSpoken } from '../../openapi/model/operations.ts';
import { placementOf } from '../../probes/auth/security.ts';
import { isReference, type TypedValue, typedValue } from './typed-value.ts';

export interface Typed {
  /** "NAME: VALUE" each. */
  readonly headers: readonly string[];
  /** "VALUE" or "SCHEME=VALUE" each. */
  readonly keys: readonly string[];
}

/** A key with the scheme that takes it. */
export interface SchemeKey {
  readonly scheme: string;
  readonly value: TypedValue;
}

export interface NamedHeader {
  readonly name: string;
  readonly value: TypedValue;
}

export interface Credentials {
  readonly keys: readonly SchemeKey[];
  readonly headers: readonly NamedHeader[];
}

type Read = (path: string) => string;

/** Throws UsageError for what no scheme takes, and what is no header. */
export function credentialsIn(typed: Typed, described: readonly SecurityScheme[], read: Read): Credentials {
  const schemes = described.filter(isSpoken);
  let count = 0;
  const nextVariable = (): string => {
    count += 1;
    return count === 1 ? 'ASSAY_KEY' : `ASSAY_KEY_${count}`;
  };
  const keys = typed.keys.flatMap((text) => keysOf(text, schemes, { read, variable: nextVariable() }));
  const parts = typed.headers.map((text) => headerOf(text, schemes, read, nextVariable));
  return {
    keys: [...keys, ...parts.flatMap((part) => ('keys' in part ? part.keys : []))],
    headers: parts.flatMap((part) => ('keys' in part ? [] : [part])),
  };
}

interface Source {
  readonly read: Read;
  readonly variable: string;
}

/** One key for the scheme that is named; without a name, for each of those that take the same value at the same place. */
function keysOf(text: string, schemes: readonly SecurityScheme[], source: Source): readonly SchemeKey[] {
  const names = schemes.map(({ name }) => name);
  if (names.length === 0) {
    const hint = "--header 'Authorization: Bearer env:TOKEN' sends a token with every request";
    throw invalidOption('--key: the description names no security scheme that a key is for', hint);
  }
  const named = names.find((name) => text.startsWith(`${name}=`));
  if (named !== undefined) return [{ scheme: named, value: keyValue(text.slice(named.length + 1), source) }];
  // The end of a text in base64 is no name and value.
  const [, other] = (!isReference(text) && /^([\w.-]+)=(?!=?$)/.exec(text)) || [];
  const known = names.join(', ');
  if (other !== undefined) {
    // The name is not shown: it may be the beginning of a secret.
    const what = `--key: the description has no security scheme of the name before "="${suggestion(other, names)}`;
    throw invalidOption(
      what,
      `it has ${known}: --key ${names[0]}=env:NAME; a key that holds "=" needs its scheme's name, too`,
    );
  }
  if (new Set(schemes.map((scheme) => placeOf(placementOf(scheme, '')))).size > 1)
    throw invalidOption(
      `--key: the description has several security schemes: ${known}`,
      `say which the key is for: --key ${names[0]}=env:NAME`,
    );
  const value = keyValue(text, source);
  return names.map((scheme) => ({ scheme, value }));
}

function keyValue(text: string, source: Source): TypedValue {
  return typedValue(text, { ...source, option: '--key' });
}

/** The header, or the keys that it holds where security schemes are sent by it. */
function headerOf(
  text: string,
  schemes: readonly SecurityScheme[],
  read: Read,
  nextVariable: () => string,
): NamedHeader | { readonly keys: readonly SchemeKey[] } {
  const [, name = '', typed = ''] = /^([^:\s]+):\s*(.*)$/s.exec(text) ?? [];
  if (!isTargetHeader(name) || typed === '') {
    const what = name === '' ? 'what is given is no header' : 'such a header is not sent, for Assay sets it itself';
    throw invalidOption(`--header: ${what}`, "--header 'NAME: VALUE', such as --header 'X-Tenant: blue'");
  }
  const lower = name.toLowerCase();
  const cookie = schemes.find((scheme) => scheme.type === 'apiKey' && scheme.in === 'cookie');
  if (lower === 'cookie' && cookie !== undefined && new RegExp(`\\b${cookie.parameter}\\b`).test(typed))
    throw invalidOption(
      `--header: the cookie ${cookie.parameter} is a key of the description`,
      `--key ${cookie.name}=env:NAME gives its value`,
    );
  const takers = schemes.filter((scheme) => {
    const { in: place, name: its } = placementOf(scheme, '');
    return place === 'header' && its.toLowerCase() === lower;
  });
  if (takers.length === 0) return { name, value: headerValue(name, typed, read) };
  return { keys: keysFrom(typed, takers, { read, variable: nextVariable() }) };
}

/** Headers whose values are no secrets. */
const ORDINARY = /^(accept|user-agent)|version$/i;

function headerValue(name: string, typed: string, read: Read): TypedValue {
  if (ORDINARY.test(name) && !isReference(typed)) return { text: typed, brought: {}, again: typed };
  const variable = `ASSAY_HEADER_${name.toUpperCase().replaceAll(/\W/g, '_')}`;
  // "Bearer env:TOKEN": the first word of Authorization names its scheme (RFC 9110, 11.4), and is no secret.
  const [, before = '', rest = typed] = /^(\S+ +)((?:env:|@|\$\{).*)$/.exec(typed) ?? [];
  const value = typedValue(rest, { read, variable, option: '--header' });
  if (before === '' || isAuthorization(name))
    return { ...value, text: `${before}${value.text}`, again: `${before}${value.again}` };
  const word = `${variable}_WORD`;
  const text = `\${${word}}${value.text}`;
  return { text, brought: { ...value.brought, [word]: before }, again: text };
}

/** The keys of the security schemes that take the header, as its value gives them. */
function keysFrom(typed: string, takers: readonly SecurityScheme[], source: Source): readonly SchemeKey[] {
  const as = (form: Placement['form']) => takers.filter((scheme) => placementOf(scheme, '').form === form);
  const give = (schemes: readonly SecurityScheme[], text: string): readonly SchemeKey[] => {
    const value = typedValue(text, { ...source, option: '--header' });
    return schemes.map(({ name: scheme }) => ({ scheme, value }));
  };
  const [plain, bearer, basic] = [as('plain'), as('bearer'), as('basic')];
  if (plain.length > 0) return give(plain, typed);
  const [, way = '', rest = ''] = /^(\S+)\s+(\S.*)$/.exec(typed) ?? [];
  if (/^bearer$/i.test(way) && bearer.length > 0) return give(bearer, rest);
  if (/^basic$/i.test(way) && basic.length > 0 && !isReference(rest))
    return give(basic, Buffer.from(rest, 'base64').toString());
  const [first] = takers;
  const wanted = bearer.length > 0 ? 'env:TOKEN' : 'env:USER_AND_PASSWORD';
  throw invalidOption(
    `--header: ${first?.name} of the description is sent as ${bearer.length > 0 ? 'Authorization: Bearer TOKEN' : 'Authorization: Basic'}, and the header is another`,
    `--key ${first?.name}=${isReference(typed) ? typed : wanted} gives ${bearer.length > 0 ? 'the token' : 'user:password'} alone, without the word before it`,
  );
}

function placeOf({ in: place, name, form }: Placement): string {
  return `${place} ${name.toLowerCase()} ${form}`;
}
