// `assay load`: the k6 suites, one a subcommand.
import { Command } from 'commander';
import { invalidOption } from '../../config/errors.ts';
import { suggestion } from '../../config/nearest.ts';
import type { LoadSuite } from '../../run/load/suites.ts';
import { addLoadOptions, addResume, type LoadFlags } from '../load/options.ts';
import { addHistoryOption, addRunOptions, hideOptions, type RunFlags } from '../process/options.ts';

const SUITES: readonly { readonly name: LoadSuite; readonly does: string }[] = [
  { name: 'ratelimit', does: 'judge the laws of limits under concurrency, one key after the other and all at once' },
  { name: 'ceiling', does: 'measure limit, window, algorithm, burst and costs of each key, and judge them' },
  { name: 'isolation', does: 'keep one key at its ceiling, and see whether others are limited or slowed' },
  { name: 'exports', does: 'flood the export as one user: is it throttled, and another user left alone' },
  { name: 'capacity', does: 'search the highest rate that meets the objectives, as a bracket' },
  { name: 'soak', does: 'send a constant rate for long, and tell what changes from its first slice to its last' },
  { name: 'spike', does: 'send a peak of a few seconds, and tell what became of it and how long recovery takes' },
  { name: 'pressure', does: 'judge idempotency and pagination while the target is busy, or the key limited' },
];
interface CollectFlags {
  readonly collect?: string;
}

/** Options that bound how conformance is judged. */
const OF_CONFORM = ['profile', 'shard', 'concurrency'];

const CLUSTER_EXAMPLE = 'assay load capacity --cluster CONTEXT --namespace load --instances 3';

const NAMES = SUITES.map(({ name }) => name);

export function loadCommand(ends: (code: number) => void): Command {
  const load = new Command('load')
    .description('load with k6: what the limits are, and whether they are kept')
    .addHelpText('after', HELP);
  addCollecting(load, ends);
  for (const { name, does } of SUITES) {
    const command = new Command(name)
      .description(does)
      .addHelpText('after', examplesOf(name))
      .action(async (flags: LoadFlags) => {
        mustBeAlone(name, flags, load.opts());
        if (flags.distributed !== undefined) {
          const { distribute } = await import('../load/distributed.ts');
          ends(await distribute(name, flags.distributed, flags));
          return;
        }
        const { loadOnce } = await import('../load/run-once.ts');
        ends(await loadOnce(name, flags));
      });
    const offered = hideOptions(
      addHistoryOption(addRunOptions(name === 'ceiling' ? addResume(command) : command)),
      OF_CONFORM,
    );
    load.addCommand(addLoadOptions(offered));
  }
  return load;
}

/** `assay load --collect DIR …`: no suite is named, for the bundle knows it; the other options are those of a run. */
function addCollecting(load: Command, ends: (code: number) => void): void {
  load
    .option(
      '--collect <dir>',
      "one report of what a bundle's instances measured, sending nothing; with the options of a run",
    )
    .usage('[options] <suite> [options]')
    .allowUnknownOption()
    .argument('[rest...]')
    .action(async (rest: readonly string[], { collect }: CollectFlags) => {
      const [first] = rest;
      if (collect === undefined && first === undefined) load.help({ error: true });
      if (collect === undefined) load.error(unknown(first ?? ''));
      const options = addRunOptions(new Command('collect')).copyInheritedSettings(load);
      options.action(async (flags: RunFlags) => {
        const { collectOnce } = await import('../load/distributed.ts');
        ends(await collectOnce(collect, flags));
      });
      await options.parseAsync(rest, { from: 'user' });
    });
}

function unknown(word: string): string {
  return word.startsWith('-')
    ? `error: unknown option '${word}'`
    : `error: unknown command '${word}'${suggestion(word, NAMES)}`;
}

/** Throws UsageError for what concerns several instances where one sends. */
function mustBeAlone(suite: LoadSuite, flags: LoadFlags, { collect }: CollectFlags): void {
  if (collect !== undefined)
    throw invalidOption(
      '--collect goes without a suite: the bundle knows what was measured',
      `assay load --collect ${collect}`,
    );
  if (flags.from !== undefined && flags.distributed !== undefined)
    throw invalidOption(
      '--from judges samples that are there, and --distributed prepares what is to be sent',
      'use one of the two; assay load --collect DIR judges the samples of a bundle',
    );
  if (flags.cluster !== undefined) mustSearch(suite, flags);
  const beside = [
    ...(flags.distributed === undefined ? (['rate', 'seconds'] as const) : []),
    ...(flags.cluster === undefined ? (['namespace'] as const) : []),
    ...(flags.distributed === undefined && flags.cluster === undefined ? (['instances'] as const) : []),
  ];
  const given = beside.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw given === 'namespace'
    ? invalidOption('--namespace goes with --cluster', CLUSTER_EXAMPLE)
    : invalidOption(
        `--${given} goes with --distributed${given === 'instances' ? ' or --cluster' : ''}`,
        'assay load capacity --distributed DIR --rate 300 --seconds 60 --instances 3',
      );
}

/** Throws UsageError where a cluster cannot do what is asked for. */
function mustSearch(suite: LoadSuite, flags: LoadFlags): void {
  const refused = (['distributed', 'from'] as const).find((name) => flags[name] !== undefined);
  if (suite === 'capacity' && refused === undefined) return;
  throw invalidOption(
    refused === undefined
      ? `--cluster: assay load ${suite} is made from one machine; only a search for capacity is made on a cluster`
      : `--cluster sends from a cluster, and --${refused} sends nothing`,
    CLUSTER_EXAMPLE,
  );
}

function examplesOf(suite: LoadSuite): string {
  return `
Examples:
  assay load ${suite} --embedded                      the embedded reference platform
  assay load ${suite} --config assay.config.yaml --time-limit 600
  assay load ${suite} --config assay.config.yaml --k6-out csv=load.csv`;
}

const HELP = `
Examples:
  assay load ratelimit --embedded                     the embedded reference platform
  assay load ceiling --config assay.config.yaml       every key's ceiling
  assay load ceiling --from reports/20260131-120000-9f3a2b
  assay load ceiling --resume reports/20260131-120000-9f3a2b
  assay load soak --time-limit 7200                   load.soak of the configuration, within two hours
  assay load spike                                    five times the base rate for ten seconds
  assay load pressure --operation 'POST /v1/stores*' --operation 'GET /v1/stores*'
  assay load ceiling --k6-out csv=load.csv
  assay load capacity --config assay.config.yaml --distributed bundle --rate 3000 --seconds 300 --instances 5
  assay load --collect bundle --config assay.config.yaml
  assay load capacity --config assay.config.yaml --cluster staging --namespace load --instances 5

Load goes only to loopback and to the hosts that the configuration allows (load.allow).
Exit codes: 0 every tested clause holds, 1 violations, 2 wrong usage (nothing was sent), 3 no verdict.`;
