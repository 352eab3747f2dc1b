// `assay plan`: what a run would send, make and leave untested, told before anything is sent.
import { Command } from 'commander';
import type { PlanFlags } from '../conform/plan-once.ts';
import {
  addDescribedOptions,
  addRunOptions,
  collect,
  hideOptions,
  repeatable,
  withDescription,
} from '../process/options.ts';

export function planCommand(ends: (code: number) => void): Command {
  const command = new Command('plan')
    .description('tell what a run would send, make and leave untested; sends nothing, or with --ask a few reads')
    .addOption(
      repeatable(
        '--limit <plan=calls/seconds>',
        'the limit of a plan, such as standard=100/60; repeatable',
        collect,
        'none',
      ),
    )
    .option('--ask', 'send the smoke stage, a dozen reading requests, to learn the limits that the target states')
    .addHelpText('after', HELP)
    .action(async (description: string | undefined, flags: PlanFlags) => {
      const { planOnce } = await import('../conform/plan-once.ts');
      ends(await planOnce(withDescription(flags, description)));
    });
  addDescribedOptions(command);
  return hideOptions(addRunOptions(command), ['out', 'open', 'quiet', 'verbose', 'timeLimit', 'concurrency']);
}

const HELP = `
The run is rehearsed in memory against a platform that serves the descriptions of the configuration, so that a target
whose lists are longer, or that refuses more, gets other numbers.

Examples:
  assay plan https://api.example.com/openapi.json
  assay plan --config assay.config.yaml          requests by stage, service, clause and key, and what is created
  assay plan --limit standard=100/60             how long that takes with 100 calls a minute
  assay plan --ask                               the same with the limits that the target states
  assay plan --budget 600 --json > plan.json

Exit codes: 0 the plan is told, 2 wrong usage, 3 the run could not be rehearsed, or the target that is asked is not there.`;
