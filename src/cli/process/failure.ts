// How a command ends when it cannot do its work: one sentence and a hint on stderr, and the exit code.
import { CommanderError } from 'commander';
import { UsageError } from '../../config/errors.ts';
import { FileUnwritable } from '../../disk/whole-file.ts';
import type { Written } from '../../reporters/files.ts';

/** Exit codes of the interface. */
export const EXIT = { pass: 0, violations: 1, usage: 2, noVerdict: 3 } as const;

/** No verdict could be reached, or it could not be written down: exit 3. */
export class NoVerdict extends Error {
  /** null: the message says what to do. */
  readonly hint: string | null;

  constructor(message: string, hint: string | null, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** Throws NoVerdict where a report is missing, Assay's own or the user's: a report that cannot be written is no success. */
export function mustBeTold({ failures, paths }: Written): void {
  if (failures.length === 0) return;
  const hint = paths.json === undefined ? 'name another folder with --out' : 'all other reports are written';
  throw new NoVerdict(failures.join('\n  '), hint);
}

/** Tells the failure and returns its exit code. The stack is shown with ASSAY_DEBUG=1 only. */
export function tellFailure(error: unknown, write: (text: string) => void, env: NodeJS.ProcessEnv): number {
  if (error instanceof CommanderError) return tellCommander(error, write);
  if (error instanceof UsageError) return tell(EXIT.usage, error.message, error.hint);
  if (error instanceof NoVerdict) return tell(EXIT.noVerdict, error.message, error.hint);
  if (error instanceof FileUnwritable) return tell(EXIT.noVerdict, error.message, null);
  const message = error instanceof Error ? error.message : String(error);
  return tell(EXIT.noVerdict, `internal error: ${firstLine(message)}`, 'ASSAY_DEBUG=1 shows where; please report it');

  function tell(code: number, text: string, hint: string | null): number {
    write(`assay: ${text}\n${hint === null ? '' : `  hint: ${hint}\n`}`);
    if (env.ASSAY_DEBUG === '1' && error instanceof Error) write(`${error.stack}\n`);
    return code;
  }
}

/** commander speaks of its own errors with exit code 1; help and version end well. */
function tellCommander(error: CommanderError, write: (text: string) => void): number {
  if (error.exitCode === 0) return EXIT.pass;
  const what = error.code === 'commander.help' ? 'no command is given' : error.message.replace(/^error: /, '');
  write(`assay: ${what.replace('\n', ' ')}\n`);
  write('  hint: assay --help, or assay <command> --help\n');
  return EXIT.usage;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
