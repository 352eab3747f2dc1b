// The options of `assay load` beside those of every judging run.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { collect, type RunFlags, repeatable, wholeNumber } from '../process/options.ts';

/** The options of a load run. */
export interface LoadFlags extends RunFlags {
  readonly from?: string;
  readonly k6Out: readonly string[];
  readonly iUnderstandThisIsProduction?: boolean;
  /** Folder of a bundle for several instances. */
  readonly distributed?: string;
  /** A context of kubectl whose cluster sends. */
  readonly cluster?: string;
  readonly namespace?: string;
  readonly instances?: number;
  readonly rate?: number;
  readonly seconds?: number;
}

const MOST_INSTANCES = 500;
/** Without a word. */
export const INSTANCES = 3;

/** Adds `--from`, `--k6-out`, the word that production needs, `--distributed` and `--cluster` with what goes with them. */
export function addLoadOptions(command: Command): Command {
  return command
    .optionsGroup('Load:')
    .option('--from <samples>', 'judge the samples of an earlier run again, and send nothing: its folder')
    .addOption(repeatable('--k6-out <output>', "k6's own output, such as csv=load.csv; repeatable", collect, 'none'))
    .option('--i-understand-this-is-production', 'send load to a target whose environment is production')
    .option('--distributed <dir>', 'send no load: write into this folder what several instances of k6 need to send it')
    .option('--cluster <context>', 'capacity only: instances in the cluster of this kubectl context send (k6-operator)')
    .option('--namespace <name>', "with --cluster: where they run (default: the context's)")
    .option('--instances <n>', 'with --distributed or --cluster: so many (default: 3)', wholeNumber(1, MOST_INSTANCES))
    .option('--rate <n>', 'with --distributed: requests/s of all instances together', aboveZero)
    .option('--seconds <n>', 'with --distributed: so long (whole seconds)', wholeNumber(1));
}

/** Adds `--resume`: ceilings are measured key by key. */
export function addResume(command: Command): Command {
  const what = 'go on where an earlier run stopped: its folder; ceilings that it measured are judged from its samples';
  return command.addOption(new Option('--resume <run>', what).conflicts('from'));
}

function aboveZero(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Expected a number above 0.');
}
