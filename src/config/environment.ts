// Fills in a document of the configuration. The overlay that `--env NAME` chooses (`environments: { staging: { target:
// { baseUrl: … } } }`) is merged in, and ${NAME} in string values is filled in from the environment. An empty variable
// counts as unset: CI systems pass secrets that do not exist as empty strings.
import { type ConfigProblem, invalidOption } from './errors.ts';
import { keyOf, segmentOf } from './key-path.ts';
import { suggestion } from './nearest.ts';
import { isObject, merged } from './read.ts';

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
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

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
    if (pointer.startsWith('/credentials/') && missing.every((name) => VARIABLE.test(name))) return undefined;
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
  const message = VARIABLE.test(name)
    ? `the environment variable ${name} is not set`
    : `"\${${name}}" does not name an environment variable (letters, digits and _)`;
  return {
    code: VARIABLE.test(name) ? 'ASSAY_CONFIG_ENV_UNSET' : 'ASSAY_CONFIG_VALUE_INVALID',
    key: keyOf(pointer),
    message,
  };
}

type Members = Readonly<Record<string, unknown>>;

interface Overlaid {
  /** The document with the overlay merged in, without `environments`. */
  readonly document: unknown;
  /** The document's `environments`; undefined: it has none. */
  readonly environments: unknown;
  /** The overlay that was chosen; null: none. */
  readonly overlay: Members | null;
}

/** Names that say what a target is. */
const ENVIRONMENTS: readonly string[] = ['staging', 'production', 'local'];

/** The document as the environment of that name has it; null: as it stands. Throws UsageError where there is none of that name. */
export function withEnvironment(document: unknown, name: string | null, file: string): Overlaid {
  if (!isObject(document)) return { document, environments: undefined, overlay: null };
  const { environments, ...base } = document;
  if (name === null) return { document: base, environments, overlay: null };
  const known = isObject(environments) ? Object.keys(environments) : [];
  const overlay = isObject(environments) && Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (overlay === undefined)
    throw invalidOption(
      `--env: ${file} has no environment "${name}"${suggestion(name, known)}`,
      known.length === 0
        ? `environments: { ${name}: { target: { baseUrl: … } } } in the configuration makes one`
        : `assay conform --env ${known[0]}`,
    );
  if (!isObject(overlay)) return { document: base, environments, overlay: null };
  const hasAddress = isObject(overlay.target) && overlay.target.baseUrl !== undefined;
  const ground = hasAddress ? withoutAddresses(base) : base;
  return { document: merged(ground, named(overlay, name)), environments, overlay };
}

/** The document without the addresses that its services have of their own: they belong to another target. */
export function withoutAddresses(document: Members): Members {
  if (!isObject(document.services)) return document;
  const services = Object.entries(document.services).map(([name, service]) => {
    if (!isObject(service)) return [name, service] as const;
    const { baseUrl: _, ...rest } = service;
    return [name, rest] as const;
  });
  return { ...document, services: Object.fromEntries(services) };
}

/** The document with what it states of environments, for the schema. */
export function withEnvironments(document: unknown, { environments }: Overlaid): unknown {
  return isObject(document) ? { ...document, environments } : document;
}

/** The problem, told where it stands in the file: in the overlay, if that states the key. */
export function placedIn(problem: ConfigProblem, overlay: Members | null, name: string | null): ConfigProblem {
  const steps = problem.key.match(/[^.[\]]+/g) ?? [];
  if (overlay === null || steps.length === 0 || !states(overlay, steps)) return problem;
  return { ...problem, key: `environments.${name}.${problem.key}` };
}

/** Tells whether the overlay has the member; a list in it replaces the whole list. */
function states(overlay: Members, steps: readonly string[]): boolean {
  let at: unknown = overlay;
  for (const step of steps) {
    if (Array.isArray(at)) return true;
    if (!isObject(at) || !Object.hasOwn(at, step)) return false;
    at = at[step];
  }
  return true;
}

/** An overlay with another address is no longer what the base says: it is what its name says, or staging. */
function named(overlay: Members, name: string): Members {
  const { target } = overlay;
  if (!isObject(target) || target.baseUrl === undefined || target.environment !== undefined) return overlay;
  const environment = ENVIRONMENTS.includes(name) ? name : 'staging';
  return { ...overlay, target: { ...target, environment } };
}
