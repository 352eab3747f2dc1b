// Tells a terminal after an interruption the command that goes on where the run stopped, and the one that cleans up.
import type { DescribedRun, Report } from '../../contract/report.ts';
import { secretOptions, shellWord } from '../../reporters/words.ts';
import type { Job } from '../conform/prepare.ts';
import { nameFrom } from '../report/located.ts';
import type { RunFlags } from './options.ts';
import { say } from './say.ts';

/** Options that concern the interrupted run alone, each with its value. */
const OWN_OPTIONS: readonly string[] = ['--resume', '--out', '--run-id', '--time-limit'];

/** Options whose values may be secrets. */
const SECRET_OPTIONS: readonly string[] = ['--header', '--key'];

/** Tells how an interrupted run goes on, from the folder that holds its report, and how what it left is deleted. */
export function tellGoOn(
  { outDir }: Pick<Job, 'outDir'>,
  { quiet }: Pick<RunFlags, 'quiet'>,
  { leftovers, target, run }: Pick<Report, 'leftovers' | 'target' | 'run'>,
): void {
  if (quiet === true) return;
  const cwd = process.cwd();
  say(`\nGo on   ${goOnCommand(process.argv.slice(2), outDir, { cwd, described: run.described })}\n`);
  if (leftovers.length > 0 && target.embedded !== true)
    say(
      `Clean   npx assay clean --run ${shellWord(nameFrom(cwd, outDir) ?? outDir)}${run.env === undefined ? '' : ` --env ${shellWord(run.env)}`}\n`,
    );
}

/**
 * The command as it was given, going on from the folder. `argv` are the arguments alone. Secrets among them stand as where they
 * come from.
 */
export function goOnCommand(
  argv: readonly string[],
  folder: string,
  { cwd, described }: { readonly cwd: string; readonly described?: DescribedRun | undefined },
): string {
  const own = described === undefined ? OWN_OPTIONS : [...OWN_OPTIONS, ...SECRET_OPTIONS];
  const secrets = described === undefined ? [] : secretOptions(described);
  const kept: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (own.includes(word)) at += 1;
    else if (!own.some((name) => word.startsWith(`${name}=`))) kept.push(word);
  }
  const words = [...kept.map(shellWord), ...secrets, '--resume'];
  return ['npx assay', ...words, shellWord(nameFrom(cwd, folder) ?? folder)].join(' ');
}
