// How a command ends when it cannot do its work: one sentence and a hint on stderr, and the exit code.
import { CommanderError } from 'commander';
import { UsageError } from '../../config/errors.ts';
import { ToldError } from '../../contract/told-error.ts';
import type { Written } from '../../reporters/files.ts';

/** Exit codes of the interface. */
export const EXIT = { pass: 0, violations: 1, usage: 2, noVerdict: 3 } as const;

/** No verdict could be reached, or it could not be written down: exit 3. */
export class NoVerdict extends ToldError<'ASSAY_NO_VERDICT'> {
  constructor(message: string, hint: string | null, cause?: unknown) {
    super('ASSAY_NO_VERDICT', message, hint, cause);
  }
}

/** Throws NoVerdict where a report is missing, Assay's own or the user's: a report that cannot be written is no success. */
export function mustBeTold({ failures, paths }: Written): void {
  if (failures.length === 0) return;
  const hint =
    paths.json === undefined
      ? 'name another folder with --out'
      : 'all other reports are written; put that right, and run once more';
  throw new NoVerdict(failures.join('\n  '), hint);
}

/** Tells the failure and returns its exit code. The stack is shown with ASSAY_DEBUG=1 only. */
export function tellFailure(
  error: unknown,
  write: (text: string) => void,
  env: NodeJS.ProcessEnv,
  argv: readonly string[] = [],
): number {
  if (error instanceof CommanderError) return tellCommander(error, argv, write);
  if (error instanceof UsageError) return tell(EXIT.usage, error.message, error.hint);
  if (error instanceof ToldError) return tell(EXIT.noVerdict, error.message, error.hint);
  const message = error instanceof Error ? error.message : String(error);
  return tell(EXIT.noVerdict, `internal error: ${firstLine(message)}`, 'ASSAY_DEBUG=1 shows where; please report it');

  function tell(code: number, text: string, hint: string | null): number {
    write(`assay: ${text}\n${hint === null ? '' : `  hint: ${hint}\n`}`);
    if (env.ASSAY_DEBUG === '1' && error instanceof Error) write(`${error.stack}\n${framesOfCauses(error)}`);
    return code;
  }
}

/** Where each cause arose. Its words stay away: those of a parser quote the text that it read. */
function framesOfCauses({ cause }: Error): string {
  if (!(cause instanceof Error)) return '';
  const frames = (cause.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return `caused by ${cause.name}\n${frames.map((line) => `${line}\n`).join('')}${framesOfCauses(cause)}`;
}

/** commander speaks of its own errors with exit code 1; help and version end well. */
function tellCommander(error: CommanderError, argv: readonly string[], write: (text: string) => void): number {
  if (error.exitCode === 0) return EXIT.pass;
  const { what, hint } = usageWords(error, commandIn(argv));
  write(`assay: ${what}\n  hint: ${hint}\n`);
  return EXIT.usage;
}

/** The command's words as they were given: all before the first option, at most two. */
function commandIn(argv: readonly string[]): string {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = argv.slice(0, end < 0 ? argv.length : end).filter((word) => /^[a-z]+$/.test(word));
  return ['assay', ...words.slice(0, words[0] === 'load' ? 2 : 1)].join(' ');
}

/** The words for a mistake in a command line, and a line that can be typed. */
function usageWords(
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
  command: string,
): { readonly what: string; readonly hint: string } {
  const what = message.replace(/^error: /, '').replaceAll('\n', ' ');
  if (code === 'commander.help') return { what: 'no command is given', hint: `${command} --help` };
  if (code === 'commander.unknownCommand') return { what, hint: 'assay --help' };
  const argument = /^command-argument value '(.*)' is invalid for argument '.*'\. Allowed choices are (.*)\.$/.exec(
    what,
  );
  if (argument !== null) {
    const [, value = '', choices = ''] = argument;
    return { what: `${value} is not supported: ${choices}`, hint: `${command} ${choices.split(', ')[0]}` };
  }
  const option = /^option '(--[a-z0-9-]+) (<[^>]*>)' argument '(.*?)' is invalid\. (.*)$/.exec(what);
  if (option === null) return { what, hint: `${command} --help` };
  const [, name = '', place = '', value = '', expected = ''] = option;
  const [, first] = /choices are ([^,.]+)/.exec(expected) ?? [];
  const wanted = expected
    .replace(/\.$/, '')
    .replace(/^E/, 'e')
    .replace(/^Allowed choices are/, 'expected one of');
  return {
    what: `${name} ${/@/.test(value) ? '(a value with "@")' : value}: ${wanted}`,
    hint: `${command} ${name} ${first ?? EXAMPLES[name] ?? EXAMPLES[place] ?? place}`,
  };
}

/** A value that can be typed, by option and by what the option takes. */
const EXAMPLES: Readonly<Record<string, string>> = {
  '--budget': '2000',
  '--time-limit': '600',
  '--concurrency': '8',
  '--port': '8080',
  '--run-id': 'nightly-7',
  '--base-url': 'https://staging.example.com',
  '<n>': '3',
  '<seconds>': '60',
  '<i/n>': '1/2',
};

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
