// ${NAME} in string values, filled in from the environment. An empty variable counts as unset: CI systems pass
// secrets that do not exist as empty strings.
import type { ConfigProblem } from './errors.ts';
import { keyOf, segmentOf } from './key-path.ts';

export interface Filled {
  readonly document: unknown;
  readonly problems: readonly ConfigProblem[];
  /** JSON pointers of values that hold something from the environment: never shown. */
  readonly fromEnvironment: ReadonlySet<string>;
  readonly taken: readonly EnvironmentValue[];
}

/** One ${NAME} that was replaced. */
export interface EnvironmentValue {
  readonly variable: string;
  /** Where it stood, and the whole text there after all replacements. */
  readonly pointer: string;
  readonly text: string;
  readonly value: string;
}

const REFERENCE = /\$\{([^}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The document with every ${NAME} replaced, all unset names reported. A `credentials` entry with an unset name is dropped. */
export function fillEnvironment(document: unknown, env: Readonly<Record<string, string | undefined>>): Filled {
  const problems: ConfigProblem[] = [];
  const fromEnvironment = new Set<string>();
  const taken: EnvironmentValue[] = [];

  function fillText(text: string, pointer: string): string | undefined {
    const missing: string[] = [];
    const found: Pick<EnvironmentValue, 'variable' | 'value'>[] = [];
    const filled = text.replace(REFERENCE, (whole, name: string) => {
      fromEnvironment.add(pointer);
      const value = env[name];
      if (value) {
        found.push({ variable: name, value });
        return value;
      }
      missing.push(name);
      return whole;
    });
    for (const one of found) taken.push({ ...one, pointer, text: filled });
    if (missing.length === 0) return filled;
    if (pointer.startsWith('/credentials/') && missing.every((name) => NAME.test(name))) return undefined;
    for (const name of new Set(missing)) problems.push(unset(name, pointer));
    return filled;
  }

  function fill(value: unknown, pointer: string): unknown {
    if (typeof value === 'string') return fillText(value, pointer);
    if (Array.isArray(value)) return value.map((item, index) => fill(item, `${pointer}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(
      ([key, item]) => [key, fill(item, `${pointer}/${segmentOf(key)}`)] as const,
    );
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  }

  return { document: fill(document, ''), problems, fromEnvironment, taken };
}

function unset(name: string, pointer: string): ConfigProblem {
  const message = NAME.test(name)
    ? `the environment variable ${name} is not set`
    : `"\${${name}}" does not name an environment variable (letters, digits and _)`;
  return {
    code: NAME.test(name) ? 'ASSAY_CONFIG_ENV_UNSET' : 'ASSAY_CONFIG_VALUE_INVALID',
    key: keyOf(pointer),
    message,
  };
}
