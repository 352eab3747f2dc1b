// The options of `assay client`.
import type { Command } from 'commander';
import { collect, collectClause, repeatable, seconds } from '../process/options.ts';

/** As commander hands them over. */
export interface ClientFlags {
  readonly config?: string;
  readonly out?: string;
  readonly service: readonly string[];
  readonly clause: readonly string[];
  readonly timeLimit?: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

export function addClientOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file (default: assay.config.{ts,json,yaml,yml}, if there is one)')
    .option('--out <dir>', 'folder of the reports (default: reports/<run id>/)')
    .addOption(
      repeatable('--service <name>', 'must be one of the configuration; clients belong to none', collect, 'all'),
    )
    .addOption(repeatable('--clause <id>', 'only this clause, such as CLIENT-03; repeatable', collectClause, 'all'))
    .option('--time-limit <seconds>', 'longest duration', seconds)
    .option('--quiet', 'print problems only')
    .option('--json', 'print the final summary as JSON on stdout');
}
