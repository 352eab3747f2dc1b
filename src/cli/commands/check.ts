// `assay check`: judges exchanges that others recorded.
import { Command } from 'commander';
import { collect, repeatable } from '../process/options.ts';
import { addTrafficOptions, type CheckFlags } from '../traffic/options.ts';

export function checkCommand(ends: (code: number) => void): Command {
  const command = new Command('check')
    .description('judge recorded exchanges (HAR 1.2, or JSON lines) without sending anything')
    .argument('<file...>', 'recordings: of a browser, of tests of an SDK, of a log; "-": standard input')
    .option('--config <file>', 'configuration file (default: assay.config.{ts,json,yaml,yml}, if there is one)')
    .addOption(
      repeatable('--base-url <url>', 'address of the target in the recording; repeatable', collect, 'target.baseUrl'),
    )
    .addHelpText('after', HELP)
    .action(async (files: readonly string[], flags: CheckFlags) => {
      const { checkOnce } = await import('../traffic/check-once.ts');
      ends(await checkOnce(files, flags));
    });
  return addTrafficOptions(command);
}

const HELP = `
Judged is whatever goes to the target's address, by all checks that need no further request. The rest is counted. A line of a
file of JSON lines is {"method","url","requestHeaders","requestBody","status","headers","body","startedAt","durationMs"}.

Examples:
  assay check browser.har                        with assay.config.* of this folder
  assay check --config assay.config.yaml sdk-tests.jsonl browser.har
  assay check --base-url https://shop.example.com browser.har
                                                 recorded at another address than the configured one
  gunzip -c browser.har.gz | assay check -       from standard input
  assay check --quiet --json browser.har > summary.json

Exit codes: 0 every tested clause holds, 1 violations, 2 wrong usage (a file is no recording, say), 3 no verdict (no exchange
of the target in it, say).`;
