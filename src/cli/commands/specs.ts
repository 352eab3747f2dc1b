// `assay specs`: checks and summarises OpenAPI descriptions; nothing is sent to a target.
import { Command } from 'commander';
import { UsageError } from '../../config/errors.ts';
import { DEFAULT_SEED, wholeNumber } from '../process/options.ts';
import type { SpecsFlags } from '../report/specs-summary.ts';

interface Flags extends SpecsFlags {
  readonly scaleModel?: string;
  readonly seed?: number;
}

export function specsCommand(ends: (code: number) => void): Command {
  return new Command('specs')
    .description('check and summarise OpenAPI descriptions: of the configuration, or the files given')
    .argument('[files...]', 'descriptions: paths or URLs')
    .option('--config <file>', 'configuration file (default: assay.config.*, else the shipped descriptions)')
    .option('--json', 'print JSON on stdout')
    .option(
      '--scale-model <dir>',
      "write three synthetic descriptions of the platform's full size there, and summarise them",
    )
    .option('--seed <n>', `the same seed gives the same scale model (default: ${DEFAULT_SEED})`, wholeNumber(0))
    .addHelpText('after', HELP)
    .action(async (files: string[], { scaleModel, seed, ...flags }: Flags) => {
      if (scaleModel !== undefined) {
        const { summariseScaleModel } = await import('../report/specs-summary.ts');
        return ends(await summariseScaleModel(scaleModel, seed ?? DEFAULT_SEED, files, flags));
      }
      if (seed !== undefined) throw usage('--seed belongs to --scale-model');
      const { summariseSpecs } = await import('../report/specs-summary.ts');
      ends(await summariseSpecs(files, flags));
    });
}

function usage(message: string): UsageError {
  return new UsageError('ASSAY_OPTION_INVALID', message, 'assay specs --scale-model scale-model --seed 1');
}

const HELP = `
Examples:
  assay specs                                    the descriptions of the configuration
  assay specs specs/admin.openapi.yaml --json
  assay specs --scale-model scale-model --seed 1   1,674 made-up operations; \`assay platform --specs\` serves them

Exit codes: 0 readable and valid, 1 problems, 2 unreadable.`;
