// `assay conform`: the conformance suites against the configured target.
import { Command } from 'commander';
import {
  addChangedOption,
  addDescribedOptions,
  addFullOption,
  addGateOptions,
  addHistoryOptions,
  addReplayOptions,
  addRunOptions,
  addSensitivityOption,
  type RunFlags,
  withDescription,
} from '../process/options.ts';

export function conformCommand(ends: (code: number) => void): Command {
  const command = new Command('conform')
    .description('judge the configured target, or an API by its description alone')
    .addHelpText('after', HELP)
    .action(async (description: string | undefined, flags: RunFlags) => {
      const { conformOnce } = await import('../conform/conform-once.ts');
      ends(await conformOnce(withDescription(flags, description)));
    });
  addDescribedOptions(command);
  addFullOption(addSensitivityOption(addGateOptions(addHistoryOptions(addChangedOption(addRunOptions(command))))));
  return addReplayOptions(command, REPLACED);
}

/** A finding brings its own seed, operation and clause. */
const REPLACED = [
  ...['service', 'operation', 'clause', 'seed', 'shard', 'resume', 'profile', 'changedSince', 'sensitivity'],
  ...['waivers', 'baseline', 'failOn', 'allowSecurity'],
];

const HELP = `
Examples:
  assay conform https://api.example.com/openapi.json     any API, by its description alone
  assay conform openapi.yaml --base-url http://127.0.0.1:8080 --key env:PETS_KEY
  assay conform openapi.yaml --contract acme.contract.yaml
                                                         and by what its contract file states
  assay conform --embedded                               the embedded reference platform, for a first look
  assay conform --config assay.config.yaml               the configured target
  assay conform --budget 200 --time-limit 60             as wide as 200 requests and a minute allow
  assay conform --full                                   all that there is to judge, however long it takes
  assay conform --service admin --operation "GET /v1/stores*" --clause ERR-04
  assay conform --seed 7 --run-id 20260131-120000-9f3a2b
                                                         the requests of an earlier run once more
  assay conform --replay 3f9c1d2e4b5a6078                one finding of an earlier run once more
  assay conform --baseline reports/main --waivers waivers.yaml
                                                         a gate: only what is new and not waived fails
  assay conform --changed-since origin/main              on a change: only what it describes anew
  assay conform --sensitivity                            how many planted defects would this run have noticed?
  assay conform --quiet --json > summary.json            for pipelines`;
