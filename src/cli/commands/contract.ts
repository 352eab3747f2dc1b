// `assay contract show`: prints what a contract binds, and checks its file.
import { Command } from 'commander';
import type { ContractFlags } from '../contract/shown.ts';

interface ShowFlags extends ContractFlags {
  readonly json?: boolean;
}

export function contractCommand(ends: (code: number) => void): Command {
  return new Command('contract')
    .description('check a contract file and print its clauses')
    .addCommand(showCommand(ends))
    .addHelpText('after', SHOW_HELP);
}

function showCommand(ends: (code: number) => void): Command {
  return new Command('show')
    .description('check a contract file, and print all clauses as it words them')
    .option('--contract <file>', 'the file, or a contract that ships (default: that of the configuration)')
    .option('--config <file>', 'configuration file (default: assay.config.*, else the contract commerce)')
    .option('--json', 'print JSON on stdout')
    .addHelpText('after', SHOW_HELP)
    .action(async (flags: ShowFlags) => {
      const { contractAsked, contractJson, contractText } = await import('../contract/shown.ts');
      const contract = await contractAsked(flags);
      const columns = process.stdout.isTTY ? process.stdout.columns : PLAIN_COLUMNS;
      process.stdout.write(flags.json === true ? `${contractJson(contract)}\n` : contractText(contract, columns));
      ends(0);
    });
}

const PLAIN_COLUMNS = 100;

const SHOW_HELP = `
Examples:
  assay contract show                                    the contract of the configuration
  assay contract show --contract acme.contract.yaml      a file; all mistakes are told at once
  assay contract show --contract json-api --json         a contract that ships

Exit codes: 0 the file is right, 2 it is not.`;
