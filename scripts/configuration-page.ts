// `npm run configuration`: writes docs/configuration.md from the schema of the configuration, so that every key that can be
// stated stands there with its meaning, its default and a value that can be pasted.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SCHEMA = 'src/config/config.schema.json';
/** Where the page stands, from the repository's root. */
export const CONFIGURATION_PAGE = 'docs/configuration.md';

interface Part {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: boolean | Part;
  readonly items?: Part;
  readonly else?: Part;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

/** One key of the configuration. */
export interface Key {
  /** `load.spike.base`, `keys[].token`, `services.NAME.spec`. */
  readonly path: string;
  readonly part: Part;
  readonly isRequired: boolean;
}

/** Every key that the schema knows, in its order; the members of an environment are those of the configuration. */
export function configurationKeys(): readonly Key[] {
  const schema: Part = JSON.parse(readFileSync(join(ROOT, SCHEMA), 'utf8'));
  return membersOf(schema, '').filter(({ path }) => !path.startsWith('environments.NAME.'));
}

function membersOf(part: Part, path: string): readonly Key[] {
  const named = Object.entries({ ...part.properties, ...part.else?.properties, ...part.properties }).flatMap(
    ([name, member]) => {
      const at = path === '' ? name : `${path}.${name}`;
      // What a condition adds to a member is no key of its own.
      const known =
        member.title !== undefined || member.description !== undefined || member.type !== undefined || member.enum;
      if (!known) return [];
      return [{ path: at, part: member, isRequired: part.required?.includes(name) ?? false }, ...membersOf(member, at)];
    },
  );
  const { additionalProperties: any, items } = part;
  return [
    ...named,
    ...(typeof any === 'object'
      ? [{ path: `${path}.NAME`, part: any, isRequired: false }, ...membersOf(any, `${path}.NAME`)]
      : []),
    ...(items === undefined ? [] : membersOf(items, `${path}[]`)),
  ].filter((key, at, all) => all.findIndex((other) => other.path === key.path) === at);
}

/** The keys at the top by what a reader is about. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'The target and access to it': ['target', 'services', 'keys', 'credentials', 'environments'],
  'What may be sent': ['mutations', 'limits', 'skip'],
  'Values of requests': ['fixtures', 'operations', 'invalidTokens'],
  'What is judged': ['contract', 'laws', 'lists', 'expect', 'promote', 'gate', 'certify'],
  Load: ['load'],
  'Webhooks and clients': ['webhooks', 'clients'],
  Reports: ['report', 'evidence'],
  'Files of descriptions': ['remoteRefs', 'refFolders', '$schema'],
  'Code of your own': ['extend', 'checks', 'hooks', 'reporters'],
};

/** The whole page as Markdown. Throws where a key of the schema belongs to no group. */
export function configurationPage(): string {
  const keys = configurationKeys();
  const tops = keys.filter(({ path }) => !/[.[]/.test(path));
  const homeless = tops.filter(({ path }) => !Object.values(GROUPS).flat().includes(path));
  if (homeless.length > 0) throw new Error(`no group has ${homeless.map(({ path }) => path).join(', ')}`);
  const membersOfGroup = (names: readonly string[]) =>
    names.flatMap((name) => tops.filter(({ path }) => path === name));
  return [
    '# Configuration',
    '',
    'Every key of `assay.config.yaml` (or `.yml`, `.json`, `.ts`). `npx assay init` writes a first one with comments, and editors',
    'complete keys by the line at its top. (Generated from the schema by `npm run configuration`.)',
    '',
    '- Paths are relative to the file. A URL is http or https, without user name, query or fragment.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a configuration names a variable.
    '- `${NAME}` in any string is taken from the environment, so that no token stands in the file.',
    '- A mistake ends the command with exit code 2 before anything is sent. All mistakes are listed at once.',
    '- `NAME` in a key below is a name of your choice; `[]` is each entry of a list. A key without a default may be left out.',
    '',
    ...Object.entries(GROUPS).map(([group, names]) => `- ${group}: ${names.map(linkTo).join(', ')}`),
    '',
    ...Object.entries(GROUPS).flatMap(([group, names]) => [
      `## ${group}`,
      '',
      ...membersOfGroup(names).flatMap((top) => section(top, keys)),
    ]),
  ].join('\n');
}

function linkTo(path: string): string {
  return `[\`${path}\`](#${path.replace('$', '').toLowerCase()})`;
}

function section(top: Key, keys: readonly Key[]): string[] {
  const below = keys.filter(({ path }) => path.startsWith(`${top.path}.`) || path.startsWith(`${top.path}[`));
  const { meaning, facts } = told(top);
  return [
    `### ${top.path}`,
    '',
    facts === '' ? meaning : `${meaning} (${facts})`,
    '',
    ...below.map((key) => line(key)),
    ...(below.length === 0 ? [] : ['']),
  ];
}

function line(key: Key): string {
  const { meaning, facts } = told(key);
  const name = `- \`${key.path}\``;
  if (meaning === '') return `${name}: ${facts}`;
  return facts === '' ? `${name}: ${meaning}` : `${name} (${facts}): ${meaning}`;
}

/** What the key means, and apart from that its values and its default; the meaning is empty where the values say it all. */
function told({ part, isRequired }: Key): { readonly meaning: string; readonly facts: string } {
  const [, before = '', spoken, after = ''] =
    /^(.*?)(?:Default: (.*?)\.(?= |$)(.*))?$/s.exec(part.description ?? '') ?? [];
  const isNone = Array.isArray(part.default) && part.default.length === 0;
  const fallback = part.default === undefined || isNone ? spoken : `\`${part.default}\``;
  const values = valuesOf(part);
  const facts = [
    // The members that follow tell more of an object.
    ...(values === 'an object' ? [] : [values]),
    ...(isRequired ? ['required'] : []),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  return { meaning: `${before}${after.trim()}`.trim().replaceAll('<', '&lt;'), facts: facts.join('; ') };
}

const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });
/** Titles say it in full, for messages; the page says it once. */
const LONG_URL = 'an http or https URL without user name, query or fragment';

/** What the key takes, as a noun phrase. */
function valuesOf({ title, enum: values, type, items, minimum, exclusiveMinimum }: Part): string {
  if (values !== undefined) return ALTERNATIVES.format(values.map((value) => `\`${value}\``));
  if (title !== undefined) return title.replace(LONG_URL, 'a URL');
  if (items !== undefined) return `a list; each is ${valuesOf(items)}`;
  const least = minimum !== undefined ? ` of at least ${minimum}` : '';
  const above = exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : '';
  return `${[type ?? 'any value'].flat().map(nounOf).join(' or ')}${least}${above}`;
}

function nounOf(type: string): string {
  const NOUNS: Readonly<Record<string, string>> = {
    integer: 'a whole number',
    boolean: 'true or false',
    string: 'a text',
  };
  return NOUNS[type] ?? `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(ROOT, CONFIGURATION_PAGE), configurationPage());
