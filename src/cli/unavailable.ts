// Options that the interface fixes and a later version brings: said so, instead of "unknown".
import { type Command, Option } from 'commander';
import { UsageError } from '../config/errors.ts';

const OPTIONS = ['--changed-since <rev>'];

/** Hidden options of a judging command that end with exit 2 and one sentence. */
export function addUnavailableOptions(command: Command): Command {
  for (const flags of OPTIONS) {
    const option = new Option(flags).hideHelp().argParser(() => {
      throw notAvailable(flags.split(' ', 1)[0] ?? flags);
    });
    command.addOption(option);
  }
  return command;
}

/** What the interface names and a later version brings. */
function notAvailable(what: string): UsageError {
  return new UsageError('ASSAY_NOT_AVAILABLE', `${what} is not available yet`, '`assay --help` lists what is');
}
