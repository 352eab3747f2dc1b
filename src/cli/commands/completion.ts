// `assay completion SHELL` prints a script that completes commands, options and their values; the hidden `assay complete` is
// what that script asks. What there is to complete is read off the commands themselves.
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Complete, RootCommand } from '@bomb.sh/tab';
import { Argument, Command } from 'commander';
import { CLAUSES } from '../../contract/clauses.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** Arguments that name files or folders. */
const FILES: ReadonlySet<string> = new Set(['runs', 'files']);

/** The command for people, and the one for their shells. `programOf` makes the program without these two. */
export function completionCommands(programOf: () => Command): { readonly shown: Command; readonly hidden: Command } {
  const shown = new Command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: string) => (await suggestions(programOf(), [])).setup('assay', 'assay', shell));
  const hidden = new Command('complete')
    .description('what a shell asks: the words of a line, the last one unfinished')
    .argument('[words...]')
    .addHelpText('after', '\nExamples:\n  assay complete -- conform --con')
    .action(async (words: string[]) => (await suggestions(programOf(), words)).parse([...words]));
  return { shown, hidden };
}

async function suggestions(program: Command, words: readonly string[]): Promise<RootCommand> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  const root = tab(program, { completionCommandName: 'completion' });
  const word = (words.at(-1) ?? '').replace(/^--[^=]*=/, '');
  const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];
  const all = everyCommand(program);
  const files = (complete: Complete): void => {
    for (const path of pathsLike(word)) complete(path, '');
  };
  const commands = [...root.commands.values()];
  for (const { name, flags } of all.flatMap(({ options }) =>
    options.map((one) => ({ name: one.name(), flags: one.flags })),
  )) {
    const handler = /<(file|dir|run)>/.test(flags) ? files : name === 'clause' ? clauses : null;
    if (handler === null) continue;
    for (const option of commands.flatMap(({ options }) => options.get(name) ?? [])) option.handler = handler;
  }
  const named = commands.flatMap((command) => [...command.arguments.values()]);
  for (const argument of named.filter(({ name }) => FILES.has(name))) argument.handler = files;
  return root;
}

function clauses(complete: Complete): void {
  for (const { id, text } of CLAUSES) complete(id, text);
}

/** Files and folders that begin like the word, as the word names them; hidden ones only where it asks for them. */
function pathsLike(word: string): readonly string[] {
  const folder = word.endsWith('/')
    ? word
    : dirname(word) === '.' && !word.startsWith('./')
      ? ''
      : `${dirname(word)}/`.replace('//', '/');
  const start = word.endsWith('/') ? '' : basename(word);
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true })
      .filter(({ name }) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`);
  } catch {
    // A shell that completes is not told of a folder that cannot be read: there is nothing to offer.
    return [];
  }
}

const HELP = `
Examples:
  assay completion bash > ~/.local/share/bash-completion/completions/assay   needs the package bash-completion
  assay completion zsh > ~/.zfunc/_assay                                     with fpath+=~/.zfunc before compinit
  assay completion fish > ~/.config/fish/completions/assay.fish
  source <(assay completion bash)                                            in this shell alone`;
