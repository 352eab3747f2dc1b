// `assay load`: the k6 suites, one a subcommand.
import { Command } from 'commander';
import type { LoadSuite } from '../run/load-suites.ts';
import { addLoadOptions, type LoadFlags } from './load-options.ts';
import { addRunOptions } from './options.ts';

const SUITES: readonly { readonly name: LoadSuite; readonly does: string }[] = [
  { name: 'ratelimit', does: 'judge the laws of limits under concurrency, one key after the other and all at once' },
  { name: 'ceiling', does: 'measure limit, window, algorithm, burst and costs of each plan, and judge them' },
  { name: 'isolation', does: 'keep one key at its ceiling, and see whether others are limited or slowed' },
  { name: 'capacity', does: 'search the highest rate that meets the objectives, as a bracket' },
  { name: 'soak', does: 'send a constant rate for long, and tell what changes from its first slice to its last' },
  { name: 'spike', does: 'send a peak of a few seconds, and tell what became of it and how long recovery takes' },
];

export function loadCommand(ends: (code: number) => void): Command {
  const load = new Command('load')
    .description('load with k6: what the limits are, and whether they are kept')
    .addHelpText('after', HELP);
  for (const { name, does } of SUITES) {
    const command = new Command(name).description(does).action(async (flags: LoadFlags) => {
      const { loadOnce } = await import('./load-once.ts');
      ends(await loadOnce(name, flags));
    });
    load.addCommand(addLoadOptions(addRunOptions(command)));
  }
  return load;
}

const HELP = `
Examples:
  assay load ratelimit                                the embedded reference platform
  assay load ceiling --config assay.config.yaml       every plan's ceiling
  assay load ceiling --from reports/20260131-120000-9f3a2b
  assay load soak --time-limit 2h                     load.soak of the configuration, within two hours
  assay load ceiling --k6-out csv=load.csv

Load goes only to loopback and to the hosts that the configuration allows (load.allow).
Exit codes: 0 every tested clause holds, 1 violations, 2 wrong usage (nothing was sent), 3 no verdict.`;
