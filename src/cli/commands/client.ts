// `assay client -- COMMAND`: plays the platform for a client and judges CLIENT.
import { Command } from 'commander';
import { addClientOptions, type ReceivingFlags } from '../receiving/options.ts';

export function clientCommand(ends: (code: number) => void): Command {
  const command = new Command('client')
    .description('play the platform for a client, and judge how it retries, walks lists and keeps secrets (CLIENT)')
    .argument('<command...>', 'program and arguments that perform one task through the client; write them after --')
    .addHelpText('after', HELP)
    .action(async (given: readonly string[], flags: ReceivingFlags) => {
      const { clientOnce } = await import('../receiving/run-once.ts');
      ends(await clientOnce(given, flags));
    });
  return addClientOptions(command);
}

const HELP = `
The command is run once for each scenario, in an empty folder of its own, with these variables:
  ASSAY_BASE_URL   where the platform is played, on 127.0.0.1
  ASSAY_TOKEN      the bearer token of this run
  ASSAY_TASK       read-store | walk-logs | walk-notifications | create-store | pay
  ASSAY_STORE_ID   the store that the task is about
It performs that one task through the client and ends. The walks print each id on a line of stdout. Its exit code is not
judged; 64 says that it does not know the task. docs/client.md tells the rest.

Examples:
  assay client -- node my-client.js
  assay client --clause CLIENT-03 -- python3 my_client.py
  assay client --config assay.config.yaml --out reports/sdk -- ./my-client --verbose

Exit codes: 0 every tested clause holds, 1 violations, 2 wrong usage, 3 no verdict (the command sent nothing, say).`;
