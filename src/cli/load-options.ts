// The options of `assay load` beside those of every judging run.
import type { Command } from 'commander';
import { collect, type RunFlags, repeatable } from './options.ts';

/** The options of a load run. */
export interface LoadFlags extends RunFlags {
  readonly from?: string;
  readonly k6Out: readonly string[];
  readonly iUnderstandThisIsProduction?: boolean;
}

/** Adds `--from`, `--k6-out` and the word that production needs. */
export function addLoadOptions(command: Command): Command {
  return command
    .option('--from <samples>', 'judge the samples of an earlier run again, and send nothing: its folder')
    .addOption(repeatable('--k6-out <output>', "k6's own output, such as csv=load.csv; repeatable", collect, 'none'))
    .option('--i-understand-this-is-production', 'send load to a target whose environment is production');
}
