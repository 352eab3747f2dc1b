// `assay proxy`: forwards to the target and judges what passes through.
import { Command, Option } from 'commander';
import { port, seconds } from '../process/options.ts';
import { addTrafficOptions, type ProxyFlags } from '../traffic/options.ts';

export function proxyCommand(ends: (code: number) => void): Command {
  const command = new Command('proxy')
    .description('forward to the target, and judge what passes through')
    .option('--config <file>', 'configuration file (default: assay.config.{ts,json,yaml,yml}, if there is one)')
    .option('--target <url>', 'address to forward to (default: target.baseUrl)')
    .addOption(
      new Option('--embedded', 'forward to the embedded reference platform, started for this run').conflicts([
        'config',
        'target',
      ]),
    )
    .option('--port <n>', 'port to listen at; 0: any free one', port, 0)
    .option('--host <address>', 'address to listen at; others than loopback let anybody call', '127.0.0.1')
    .option('--seconds <n>', 'how long to forward (default: until Ctrl-C)', seconds)
    .addHelpText('after', HELP)
    .action(async (flags: ProxyFlags) => {
      const { proxyOnce } = await import('../traffic/proxy-once.ts');
      ends(await proxyOnce(flags));
    });
  return addTrafficOptions(command);
}

const HELP = `
One JSON line on stdout tells when it listens: {"baseUrl":…}. Point a client, a browser or tests there. Requests and answers pass
through as they are; they are judged once they are out. Ctrl-C or --seconds ends it, and the report is written.

Examples:
  assay proxy --config assay.config.yaml --port 8081
  assay proxy --config assay.config.yaml --seconds 120 --json > summary.json
  assay proxy --target https://shop.example.com  with the shipped descriptions
  assay proxy --embedded                         the embedded reference platform, for a first look

Exit codes: 0 every tested clause holds, 1 violations, 2 wrong usage, 3 no verdict (nothing passed through, say).`;
