// What a terminal is told after an interruption: the command that goes on where the run stopped, and the one that cleans up.
import type { Report } from '../../contract/report.ts';
import { shellWord } from '../../reporters/words.ts';
import type { Job } from '../conform/prepare.ts';
import { nameFrom } from '../report/located.ts';
import type { RunFlags } from './options.ts';
import { say } from './say.ts';

/** Options that concern the interrupted run alone, each with its value. */
const OWN_OPTIONS: readonly string[] = ['--resume', '--out', '--run-id', '--time-limit'];

/** Tells how an interrupted run goes on, from the folder that holds its report, and how what it left is deleted. */
export function tellGoOn(
  { outDir }: Pick<Job, 'outDir'>,
  { quiet }: Pick<RunFlags, 'quiet'>,
  { leftovers, target, run }: Pick<Report, 'leftovers' | 'target' | 'run'>,
): void {
  if (quiet === true) return;
  const cwd = process.cwd();
  say(`\nGo on   ${goOnCommand(process.argv.slice(2), outDir, cwd)}\n`);
  if (leftovers.length > 0 && target.embedded !== true)
    say(
      `Clean   npx assay clean --run ${shellWord(nameFrom(cwd, outDir) ?? outDir)}${run.env === undefined ? '' : ` --env ${shellWord(run.env)}`}\n`,
    );
}

/** The command as it was given, going on from the folder. `argv` are the arguments alone. */
export function goOnCommand(argv: readonly string[], folder: string, cwd: string): string {
  const kept: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (OWN_OPTIONS.includes(word)) at += 1;
    else if (!OWN_OPTIONS.some((name) => word.startsWith(`${name}=`))) kept.push(word);
  }
  return ['npx assay', ...kept.map(shellWord), '--resume', shellWord(nameFrom(cwd, folder) ?? folder)].join(' ');
}
