// Holds README and docs to the program: every configuration in them is accepted, every command line is one that the program
// takes, every link leads somewhere, and the generated reference is current.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONFIGURATION_PAGE, configurationKeys, configurationPage } from '../scripts/configuration-page.ts';
import { completed } from '../src/cli/main.ts';
import { checkConfig } from '../src/config/load.ts';
import { schemaProblems } from '../src/config/schema-problems.ts';
import { type Block, blocksOf, PAGES } from './documented.ts';
import { newAuthority } from './networks/authority.ts';
import { ROOT } from './root.ts';

/** What variables hold whose values are looked at. */
const authority = await newAuthority();
const { cert, key } = await authority.issue({ names: ['assay'] });
const PEMS: Readonly<Record<string, string>> = { STAGING_CA: authority.ca, CLIENT_CERT: cert, CLIENT_KEY: key };

const blocks = PAGES.flatMap(blocksOf);
const named = ({ page, line, text }: Block): [string, string] => [`${page}:${line}`, text];
const yamls = blocks.filter(({ language }) => language === 'yaml');
const TOP_KEYS: readonly string[] = configurationKeys()
  .map(({ path }) => path)
  .filter((path) => !/[.[]/.test(path));
const topsOf = (text: string): readonly string[] => Object.keys(parse(text) ?? {});
/** A job of GitLab may be called contract, too. */
const isConfiguration = ({ text }: Block): boolean =>
  topsOf(text).every((key) => TOP_KEYS.includes(key)) && !/^contract:\s*$/m.test(text);
/** The forms of other programs, and of files that have tests of their own. */
const OTHERS = /^(jobs|contract|waivers|services|name|on|apiVersion|include|default|stages|image)$/;

describe('configurations in the documents', () => {
  test('are recognised, all but those of other programs', () => {
    expect(yamls.filter(isConfiguration).length).toBeGreaterThan(8);
    const unknown = yamls.filter(
      (block) => !isConfiguration(block) && !topsOf(block.text).some((key) => OTHERS.test(key)),
    );
    expect(unknown.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  test.each(yamls.filter(isConfiguration).map(named))('%s is accepted', (_place, text) => {
    const stated = parse(text) as Readonly<Record<string, unknown>>;
    const document = { target: { baseUrl: 'http://127.0.0.1:8080' }, ...stated };
    const variables = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      PEMS[name] ?? `value-of-${name}`,
    ]);
    const source = { baseUrl: null, env: Object.fromEntries(variables) };
    checkConfig(document, 'assay.config.yaml', source);
    for (const environment of Object.keys(stated.environments ?? {}))
      checkConfig(document, 'assay.config.yaml', { ...source, environment });
  });
});

test('contract files in the documents keep their schema', () => {
  const contracts = yamls.filter(({ text }) => /^contract: 1$/m.test(text));
  expect(contracts.length).toBeGreaterThan(1);
  for (const { page, line, text } of contracts)
    expect(schemaProblems(parse(text), new Set(), 'contract.schema.json'), `${page}:${line}`).toEqual([]);
});

describe('command lines in the documents and in --help', () => {
  const fromPages = blocks
    .filter(({ language }) => language === 'sh' || language === 'yaml' || language === 'groovy')
    .flatMap((block) => block.text.split('\n').map((line) => [`${block.page}:${block.line}`, line] as const));
  const fromHelp = helpLines(completed(() => {}));
  const lines = [...fromPages, ...fromHelp]
    .map(([place, line]) => [place, commandIn(line)] as const)
    .filter((entry): entry is readonly [string, string] => entry[1] !== null);

  test('are found', () => {
    expect(lines.length).toBeGreaterThan(80);
  });

  test.each([...new Map(lines.map(([place, line]) => [line, place]))])('assay %s', async (line) => {
    await expect(accepted(wordsOf(line))).resolves.toBe('accepted');
  });
});

describe('links in the documents', () => {
  test.each(PAGES)('of %s lead to files and headings that exist', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .replaceAll(/`[^`\n]*`/g, '');
    const dead = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [file = '', heading] = link.split('#');
      const path = file === '' ? join(ROOT, page) : resolve(join(ROOT, dirname(page)), file);
      if (!existsSync(path)) return [link];
      return heading === undefined || !path.endsWith('.md') || headingsOf(path).has(heading) ? [] : [link];
    });
    expect(dead).toEqual([]);
  });

  test('lead to every page of docs from its index', () => {
    const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
    const missing = PAGES.filter((page) => /^docs\/(?!README)/.test(page) && !index.includes(`(${page.slice(5)})`));
    expect(missing).toEqual([]);
  });
});

describe('the reference of the configuration', () => {
  test('is current; `npm run configuration` writes it', () => {
    expect(readFileSync(join(ROOT, CONFIGURATION_PAGE), 'utf8')).toBe(configurationPage());
  });

  test('has every key with a sentence', () => {
    const keys = configurationKeys();
    expect(keys.length).toBeGreaterThan(90);
    const page = configurationPage();
    for (const { path } of keys) expect(page).toContain(/[.[]/.test(path) ? `\n- \`${path}\`` : `### ${path}\n`);
    const silent = keys.filter(({ path, part }) => !/\.NAME$/.test(path) && !part.description && !part.title);
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});

/** The line's arguments behind `assay`, up to what the shell makes of the rest; null where it starts no command of ours. */
function commandIn(line: string): string | null {
  const [, found] =
    /(?:^|\s|'|\|\| )(?:npx )?(?:--yes )?(?:[\w./-]*bin\/)?assay(?:\.js)? ((?:[a-z]|--)[^#`]*)/.exec(line) ?? [];
  if (found === undefined) return null;
  const words = found
    .replaceAll(' "$@"', '')
    .split(/\s{2,}|\s[>|&]\s|\s\|\|\s/)[0]
    ?.replace(/'\s*$/, (quote) => ((found.match(/'/g)?.length ?? 0) % 2 === 1 ? '' : quote))
    .trim();
  return words === undefined || /…|</.test(words.replaceAll(/<[^>]*>/g, 'x'))
    ? null
    : words.replaceAll(/<[^>]*>/g, 'x');
}

/** Words as a shell makes them of a line without variables. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''));
}

/** Whether the program takes the words; nothing of the command is performed. */
async function accepted(words: readonly string[]): Promise<string> {
  const program = completed(() => {});
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(program)) if (command !== program) command.action(() => {});
  try {
    await program.parseAsync([...words], { from: 'user' });
    return 'accepted';
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 'accepted';
    return (error as Error).message;
  }
}

/** The examples under `--help` of every command. */
function helpLines(program: Command): readonly (readonly [string, string])[] {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  return all(program).flatMap((command) => {
    let text = '';
    command.configureOutput({ writeOut: (part) => (text += part) });
    command.outputHelp();
    const [, examples = ''] = text.split('Examples:');
    return examples.split('\n').map((line) => [`${command.name()} --help`, line] as const);
  });
}

/** Headings as GitHub names their anchors. */
function headingsOf(path: string): ReadonlySet<string> {
  const titles = [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
