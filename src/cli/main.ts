// The command line: one file a command, put together here; the only place that turns an outcome into an exit code.
import { Command } from 'commander';
import { VERSION } from '../contract/package-root.ts';
import { certifyCommand } from './commands/certify.ts';
import { checkCommand } from './commands/check.ts';
import { clausesCommand } from './commands/clauses.ts';
import { cleanCommand } from './commands/clean.ts';
import { clientCommand } from './commands/client.ts';
import { completionCommands } from './commands/completion.ts';
import { conformCommand } from './commands/conform.ts';
import { contractCommand } from './commands/contract.ts';
import { doctorCommand } from './commands/doctor.ts';
import { initCommand } from './commands/init.ts';
import { loadCommand } from './commands/load.ts';
import { planCommand } from './commands/plan.ts';
import { platformCommand } from './commands/platform.ts';
import { proxyCommand } from './commands/proxy.ts';
import { reportCommand } from './commands/report.ts';
import { specsCommand } from './commands/specs.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { EXIT, tellFailure } from './process/failure.ts';
import { keepHeapSmall } from './process/gc-settings.ts';
import { say } from './process/say.ts';
import { onSignals } from './process/signals.ts';

/** Runs one command and resolves with its exit code. `argv` are the arguments alone, without program and script. */
export async function main(argv: readonly string[]): Promise<number> {
  keepHeapSmall();
  let exitCode = 0;
  const ends = (code: number) => {
    exitCode = code;
  };
  // Commands that hold something listen for themselves; what is passing goes with the process.
  const release = onSignals(() => {
    process.stderr.write('assay: interrupted\n');
    process.exit(EXIT.noVerdict);
  });
  try {
    await completed(ends).parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return tellFailure(error, say, process.env, argv);
  } finally {
    release();
  }
}

/** The program with what completes it in a shell. */
export function completed(ends: (code: number) => void): Command {
  const root = program(ends);
  const { shown, hidden } = completionCommands(() => program(ends));
  root.addCommand(shown.copyInheritedSettings(root));
  root.addCommand(hidden.copyInheritedSettings(root), { hidden: true });
  return root;
}

function program(ends: (code: number) => void): Command {
  const root = new Command('assay')
    .description('Decides whether an HTTP API keeps its contract, and how much load it bears.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .addHelpText('after', HELP);
  const groups: readonly (readonly [heading: string, commands: readonly Command[]])[] = [
    [
      'Begin:',
      [initCommand(ends), doctorCommand(ends), specsCommand(ends), clausesCommand(ends), contractCommand(ends)],
    ],
    [
      'Judge a target:',
      [planCommand(ends), conformCommand(ends), loadCommand(ends), certifyCommand(ends), webhooksCommand(ends)],
    ],
    ['Judge what others send:', [checkCommand(ends), proxyCommand(ends), clientCommand(ends)]],
    ['Reports and clean-up:', [reportCommand(ends), cleanCommand(ends)]],
    ['The reference platform:', [platformCommand(ends)]],
  ];
  for (const [heading, commands] of groups) {
    root.commandsGroup(heading);
    for (const command of commands) {
      root.addCommand(command.copyInheritedSettings(root));
      for (const part of command.commands) part.copyInheritedSettings(command);
    }
  }
  return root;
}

const HELP = `
Examples:
  assay conform --embedded                       judge the embedded reference platform
  assay init --base-url https://staging.example.com
  assay clauses ERR-04                           what one clause says
  assay contract init openapi.yaml --base-url http://127.0.0.1:8080
                                                 a first contract file of any API
  assay plan --config assay.config.yaml          what a run would send and make; sends nothing
  assay conform --config assay.config.yaml --budget 2000
  assay load ceiling --config assay.config.yaml  what each plan may send
  assay certify --config assay.config.yaml --subject shop-1.4.2.tgz
  assay webhooks --config assay.config.yaml      receive and judge what the platform delivers
  assay check --config assay.config.yaml browser.har
                                                 judge recorded exchanges
  assay client -- node my-client.js              play the platform for a client and judge it

Exit codes: 0 every tested clause holds, 1 violations, 2 wrong usage (nothing was sent), 3 no verdict.`;
