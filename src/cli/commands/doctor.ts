// `assay doctor`: whether a run could start here, a line for each thing it needs, with what to do.
import { Command } from 'commander';
import type { DoctorFlags } from '../init/examination.ts';
import { addDescribedOptions, withDescription } from '../process/options.ts';
import { say, unsaid } from '../process/say.ts';

export function doctorCommand(ends: (code: number) => void): Command {
  const command = new Command('doctor')
    .description(
      'check Node, libraries, configuration, descriptions, each hop to the target, keys and the reports folder',
    )
    .option('--config <file>', 'configuration file (default: assay.config.*)')
    .option('--env <name>', 'overlay of the configuration: one of its environments')
    .option('--base-url <url>', 'address of the target; wins over target.baseUrl')
    .option('--out <dir>', 'folder of the reports', 'reports')
    .option('--json', 'print JSON on stdout')
    .addHelpText('after', HELP)
    .action(async (description: string | undefined, flags: DoctorFlags) => {
      const { examine, exitCodeOf, asText } = await import('../init/examination.ts');
      const results = await examine(withDescription(flags, description));
      if (flags.json) process.stdout.write(`${unsaid(JSON.stringify(results))}\n`);
      else say(asText(results, { color: process.stderr.isTTY && process.stderr.hasColors() }));
      ends(exitCodeOf(results));
    });
  return addDescribedOptions(command);
}

const HELP = `
Examples:
  assay doctor
  assay doctor https://api.example.com/openapi.json
  assay doctor --config assay.config.yaml --json

Exit codes: 0 a run can start, 2 the configuration is wrong, 3 the target cannot be reached.`;
