// Finds the values of a configuration that must never be shown.
import type { ConstantHeader } from './constant-header.ts';
import type { EnvironmentValue, Filled } from './environment.ts';
import { segmentOf } from './key-path.ts';

/** A value that must not leave the program. */
export interface ConfiguredSecret {
  /** As reports call it: "key std-1", "locked token", "variable WEBHOOK_SECRET". */
  readonly name: string;
  readonly value: string;
}

/** Members whose values are secrets wherever they stand. */
const SECRET = /secret|token|passw|passphrase|credential|api[-_]?key|authorization|private|cookie/i;

/** Where the constant headers stand, as a JSON pointer. */
const HEADERS = '/target/headers/';

interface Tokens {
  readonly keys?: readonly {
    readonly name: string;
    readonly token?: string;
    readonly oauth?: { readonly clientSecret?: string; readonly refreshToken?: string };
  }[];
  readonly credentials?: { readonly locked?: string; readonly expired?: string };
  readonly webhooks?: { readonly secret: string };
  readonly target?: { readonly headers?: Readonly<Record<string, string>> };
}

/** The headers as they are sent. A value is a secret that comes from the environment, or stands under a name like X-Api-Key. */
export function constantHeaders(
  headers: Readonly<Record<string, string>>,
  fromEnvironment: Filled['fromEnvironment'],
): readonly ConstantHeader[] {
  return Object.entries(headers).map(([name, value]) => {
    const isHidden = fromEnvironment.has(`${HEADERS}${segmentOf(name)}`) || SECRET.test(name);
    return { name, value, secret: isHidden ? `header ${name}` : null };
  });
}

/** Every secret of the document, each value once: tokens, and what is taken from the environment where a secret belongs. */
export function secretsIn(
  document: Tokens,
  { taken, fromEnvironment }: Pick<Filled, 'taken' | 'fromEnvironment'>,
): ConfiguredSecret[] {
  const { keys = [], credentials = {}, webhooks, target = {} } = document;
  const tokens = [
    ...keys.map(({ name, token }) => ({ name: `key ${name}`, value: token })),
    ...keys.flatMap(({ name, oauth }) =>
      [oauth?.clientSecret, oauth?.refreshToken].map((value) => ({ name: `login of key ${name}`, value })),
    ),
    ...(['locked', 'expired'] as const).map((kind) => ({ name: `${kind} token`, value: credentials[kind] })),
    { name: 'webhook secret', value: webhooks?.secret },
    ...constantHeaders(target.headers ?? {}, fromEnvironment).flatMap(({ secret: name, value }) =>
      name === null ? [] : [{ name, value }],
    ),
  ].filter((secret): secret is ConfiguredSecret => secret.value !== undefined);
  const others = taken.filter(isSecret).map(({ variable, pointer, value }) => {
    const [, index] = /^\/keys\/(\d+)\/token$/.exec(pointer) ?? [];
    return { name: index === undefined ? `variable ${variable}` : `key ${keys[Number(index)]?.name}`, value };
  });
  const all = [...tokens, ...others];
  return all.filter(({ value }, index) => all.findIndex((other) => other.value === value) === index);
}

/** Tells whether the value is a secret. In an address it is one where it stands in the query, or before the host. */
function isSecret({ pointer, value, text }: EnvironmentValue): boolean {
  if (SECRET.test(pointer) || pointer.startsWith(HEADERS)) return true;
  if (!URL.canParse(text)) return false;
  const { username, password, search } = new URL(text);
  return [username, password, search].some((part) => part.includes(value) || decodeURIComponent(part).includes(value));
}
