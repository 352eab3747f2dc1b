// `assay contract show` prints what a contract binds, and checks its file; `assay contract init` writes a first one.
import { Command } from 'commander';
import type { DraftFlags } from '../contract/init-once.ts';
import type { ContractFlags } from '../contract/shown.ts';
import { addCredentialOptions, addDescription, withDescription } from '../process/options.ts';

interface ShowFlags extends ContractFlags {
  readonly json?: boolean;
}

export function contractCommand(ends: (code: number) => void): Command {
  return new Command('contract')
    .description('write a first contract file, or check one and print its clauses')
    .addCommand(draftCommand(ends))
    .addCommand(showCommand(ends))
    .addHelpText('after', HELP);
}

function draftCommand(ends: (code: number) => void): Command {
  const command = new Command('init')
    .description('write a first contract file from descriptions and a few answers; sends reads alone')
    .option('--out <file>', 'file to write', 'api.contract.yaml')
    .option('--force', 'replace the file if it exists')
    .option('--offline', 'send nothing: read the descriptions alone')
    .option('--config <file>', 'configuration file (default: assay.config.*)')
    .option('--env <name>', 'overlay of the configuration: one of its environments')
    .option('--base-url <url>', 'address of the target; wins over target.baseUrl')
    .addHelpText('after', DRAFT_HELP)
    .action(async (description: string | undefined, flags: DraftFlags) => {
      const { draftOnce } = await import('../contract/init-once.ts');
      await draftOnce(withDescription(flags, description));
      ends(0);
    });
  return addCredentialOptions(addDescription(command));
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

const HELP = `
Examples:
  assay contract init openapi.yaml --base-url http://127.0.0.1:8080
  assay contract show --contract api.contract.yaml`;

const DRAFT_HELP = `
Examples:
  assay contract init https://api.example.com/openapi.json --out acme.contract.yaml
  assay contract init openapi.yaml --base-url http://127.0.0.1:8080 --key env:PETS_KEY
  assay contract init openapi.yaml --offline             sends nothing
  assay contract init --config assay.config.yaml

Exit codes: 0 the file is written, 2 wrong usage, 3 nothing answers.`;

const SHOW_HELP = `
Examples:
  assay contract show                                    the contract of the configuration
  assay contract show --contract acme.contract.yaml      a file; all mistakes are told at once
  assay contract show --contract json-api --json         a contract that ships

Exit codes: 0 the file is right, 2 it is not.`;
