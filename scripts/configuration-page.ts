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
  const named = Object.entries({ ...part.properties, ...part.else?.properties }).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    // What a condition adds to a member is no key of its own.
    const known =
      member.title !== undefined || member.description !== undefined || member.type !== undefined || member.enum;
    if (!known) return [];
    return [{ path: at, part: member, isRequired: part.required?.includes(name) ?? false }, ...membersOf(member, at)];
  });
  const { additionalProperties: any, items } = part;
  return [
    ...named,
    ...(typeof any === 'object'
      ? [{ path: `${path}.NAME`, part: any, isRequired: false }, ...membersOf(any, `${path}.NAME`)]
      : []),
    ...(items === undefined ? [] : membersOf(items, `${path}[]`)),
  ].filter((key, at, all) => all.findIndex((other) => other.path === key.path) === at);
}

/** The whole page as Markdown. */
export function configurationPage(): string {
  const keys = configurationKeys();
  const tops = keys.filter(({ path }) => !/[.[]/.test(path));
  return [
    '# Configuration',
    '',
    'This page is generated from the schema of the configuration. `npm run configuration` writes it again, and a test compares',
    'it. `npx assay init` writes a first configuration; editors complete its keys by the line that `init` puts at its top.',
    '',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a configuration names a variable.
    'The file is `assay.config.yaml`, `.yml`, `.json` or `.ts`. Paths in it are relative to the file. `${NAME}` in any string is',
    'taken from the environment, so that no token stands in the file. A mistake ends a command with exit code 2 before anything',
    'is sent; all mistakes are told at once, each with its key and the nearest key that exists.',
    '',
    '| key | what it is for |',
    '|---|---|',
    ...tops.map(
      ({ path, part }) => `| [\`${path}\`](#${path.replace('$', '').toLowerCase()}) | ${firstSentence(part)} |`,
    ),
    '',
    ...tops.flatMap((top) => section(top, keys)),
  ].join('\n');
}

function section(top: Key, keys: readonly Key[]): string[] {
  const below = keys.filter(({ path }) => path.startsWith(`${top.path}.`) || path.startsWith(`${top.path}[`));
  const rows = below.map(
    ({ path, part, isRequired }) =>
      `| \`${path}\` | ${cell(valuesOf(part))} | ${isRequired ? 'required' : defaultOf(part)} | ${cell(textOf(part))} |`,
  );
  const facts = [`Value: ${valuesOf(top.part)}.`, top.isRequired ? 'It is required.' : '', defaultSentence(top.part)];
  return [
    `## ${top.path}`,
    '',
    textOf(top.part),
    '',
    facts.filter((fact) => fact !== '').join(' '),
    '',
    ...(rows.length === 0 ? [] : ['| key | value | default | meaning |', '|---|---|---|---|', ...rows, '']),
  ];
}

/** What the key takes, as a noun phrase. */
function valuesOf({ title, enum: values, type, items, minimum, exclusiveMinimum }: Part): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(' or ');
  if (title !== undefined) return title;
  if (items !== undefined) return `a list; each entry is ${valuesOf(items)}`;
  const least = minimum !== undefined ? ` of at least ${minimum}` : '';
  const above = exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : '';
  const kind = [type ?? 'any value'].flat().join(' or ');
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind === 'integer' ? 'whole number' : kind}${least}${above}`.replace(
    'an whole',
    'a whole',
  );
}

function textOf({ description, title }: Part): string {
  return description ?? `${(title ?? 'an entry').replace(/^./, (letter) => letter.toUpperCase())}.`;
}

function firstSentence(part: Part): string {
  return cell(textOf(part).split(/(?<=\.) (?=[A-Z])/, 1)[0] ?? '');
}

function defaultOf({ default: value }: Part): string {
  return value === undefined ? '–' : `\`${JSON.stringify(value)}\``;
}

function defaultSentence(part: Part): string {
  return part.default === undefined ? '' : `Default: ${defaultOf(part)}.`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(ROOT, CONFIGURATION_PAGE), configurationPage());
