// `assay specs`: checks and summarises OpenAPI descriptions; nothing is sent to a target.
import { Command } from 'commander';
import type { SpecsFlags } from '../report/specs-summary.ts';

export function specsCommand(ends: (code: number) => void): Command {
  return new Command('specs')
    .description('check and summarise OpenAPI descriptions: of the configuration, or the files given')
    .argument('[files...]', 'descriptions: paths or URLs')
    .option('--config <file>', 'configuration file (default: assay.config.*, else the shipped descriptions)')
    .option('--json', 'print JSON on stdout')
    .addHelpText('after', HELP)
    .action(async (files: string[], flags: SpecsFlags) => {
      const { summariseSpecs } = await import('../report/specs-summary.ts');
      ends(await summariseSpecs(files, flags));
    });
}

const HELP = `
Examples:
  assay specs                                    the descriptions of the configuration
  assay specs specs/admin.openapi.yaml --json

Exit codes: 0 readable and valid, 1 problems, 2 unreadable.`;
