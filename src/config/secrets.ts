// What of a configuration must never be shown.
import type { EnvironmentValue } from './environment.ts';

/** A value that must not leave the program. */
export interface ConfiguredSecret {
  /** As reports call it: "key std-1", "locked token", "variable WEBHOOK_SECRET". */
  readonly name: string;
  readonly value: string;
}

/** Members whose values are secrets wherever they stand. */
const SECRET = /secret|token|passw|passphrase|credential|api[-_]?key|authorization|private|cookie/i;

interface Tokens {
  readonly keys?: readonly { readonly name: string; readonly token?: string }[];
  readonly credentials?: { readonly locked?: string; readonly expired?: string };
  readonly webhooks?: { readonly secret: string };
}

/** Every secret of the document, each value once: tokens, and what is taken from the environment where a secret belongs. */
export function secretsIn(document: Tokens, fromEnvironment: readonly EnvironmentValue[]): ConfiguredSecret[] {
  const { keys = [], credentials = {}, webhooks } = document;
  const tokens = [
    ...keys.map(({ name, token }) => ({ name: `key ${name}`, value: token })),
    ...(['locked', 'expired'] as const).map((kind) => ({ name: `${kind} token`, value: credentials[kind] })),
    { name: 'webhook secret', value: webhooks?.secret },
  ].filter((secret): secret is ConfiguredSecret => secret.value !== undefined);
  const others = fromEnvironment.filter(isSecret).map(({ variable, pointer, value }) => {
    const [, index] = /^\/keys\/(\d+)\/token$/.exec(pointer) ?? [];
    return { name: index === undefined ? `variable ${variable}` : `key ${keys[Number(index)]?.name}`, value };
  });
  const all = [...tokens, ...others];
  return all.filter(({ value }, index) => all.findIndex((other) => other.value === value) === index);
}

/** Of an address, what stands in its query, or before its host, is a secret. */
function isSecret({ pointer, value, text }: EnvironmentValue): boolean {
  if (SECRET.test(pointer)) return true;
  if (!URL.canParse(text)) return false;
  const { username, password, search } = new URL(text);
  return [username, password, search].some((part) => part.includes(value) || decodeURIComponent(part).includes(value));
}
