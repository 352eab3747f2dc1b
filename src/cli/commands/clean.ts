// `assay clean`: deletes what an earlier run created and could not delete.
import { Command } from 'commander';
import type { CleanFlags } from '../conform/clean-once.ts';

export function cleanCommand(ends: (code: number) => void): Command {
  return new Command('clean')
    .description('delete what an earlier run created and could not delete, from the folder it left')
    .requiredOption('--run <dir>', 'folder of the run, such as reports/20260131-120000-9f3a2b')
    .option('--config <file>', "configuration file (default: the run's)")
    .option('--env <name>', 'overlay of the configuration, as the run had it')
    .option('--base-url <url>', 'address of the target, should it not be that of the run any more')
    .option('--quiet', 'print what is left only')
    .option('--json', 'print JSON on stdout')
    .addHelpText('after', HELP)
    .action(async (flags: CleanFlags) => {
      const { cleanOnce } = await import('../conform/clean-once.ts');
      ends(await cleanOnce(flags));
    });
}

const HELP = `
What a run creates it writes down before it sends, in created.jsonl beside its reports. What was deleted is marked there, so
that the command can be given again.

Examples:
  assay clean --run reports/20260131-120000-9f3a2b
  assay clean --run reports/nightly --config assay.config.yaml --json

Exit codes: 0 nothing is left, 1 something is (listed), 2 wrong usage (nothing was sent), 3 the target cannot be reached.`;
