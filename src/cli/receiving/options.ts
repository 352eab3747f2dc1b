// The options of `assay webhooks` and `assay client`.
import { type Command, Option } from 'commander';
import { collect, collectClause, port, type RunFlags, repeatable, seconds } from '../process/options.ts';

/** The flags that both commands take, as commander hands them over. */
export type ReceivingFlags = Pick<RunFlags, 'config' | 'out' | 'service' | 'clause' | 'timeLimit' | 'quiet' | 'json'>;

export interface WebhookFlags extends ReceivingFlags {
  readonly embedded?: true;
  readonly host: string;
  readonly port: number;
  readonly seconds: number;
  readonly deliveries?: string;
}

const DEFAULT_SECONDS = 120;

export function addWebhookOptions(command: Command): Command {
  command
    .option('--config <file>', 'configuration file (default: assay.config.{ts,json,yaml,yml})')
    .addOption(
      new Option('--embedded', 'judge the embedded reference platform, started for this run').conflicts([
        'config',
        'deliveries',
      ]),
    )
    .option('--port <n>', 'port to receive at; 0: any free one', port, 0)
    .option('--host <address>', 'address to receive at; others than loopback let anybody deliver', '127.0.0.1')
    .option('--seconds <n>', 'longest wait for deliveries; ends sooner when all is judged', seconds, DEFAULT_SECONDS)
    .addOption(
      new Option(
        '--deliveries <file>',
        'judge recorded deliveries, a JSON object a line, instead of listening',
      ).conflicts(['port', 'host', 'seconds']),
    );
  return addReceivingOptions(command, 'deliveries', 'HOOK-01');
}

export function addClientOptions(command: Command): Command {
  command.option('--config <file>', 'configuration file (default: assay.config.{ts,json,yaml,yml}, if there is one)');
  return addReceivingOptions(command, 'clients', 'CLIENT-03');
}

/** `what` is judged, and belongs to no service; `clause` is one by which it is. */
function addReceivingOptions(command: Command, what: string, clause: string): Command {
  return command
    .option('--out <dir>', 'folder of the reports (default: reports/<run id>/)')
    .addOption(
      repeatable('--service <name>', `must be one of the configuration; ${what} belong to none`, collect, 'all'),
    )
    .addOption(repeatable('--clause <id>', `only this clause, such as ${clause}; repeatable`, collectClause, 'all'))
    .option('--time-limit <seconds>', 'longest duration', seconds)
    .option('--quiet', 'print problems only')
    .option('--json', 'print the final summary as JSON on stdout');
}
