// The end of a run on the console: verdict and summary to stdout, which is the JSON's alone where that is asked for.

import type { WriteStream } from 'node:tty';
import { annotations, jsonSummary } from '../../reporters/formats/printed.ts';
import { summarise } from '../../reporters/terminal/terminal.ts';
import { startCommand } from '../../reporters/words.ts';
import type { Outcome } from '../conform/run-job.ts';
import type { RunFlags } from './options.ts';
import { say } from './say.ts';

/** The flags that decide what is told, and those that another run on the same target needs, too. */
export type TellFlags = Pick<RunFlags, 'quiet' | 'json' | 'config' | 'out' | 'open'>;

/** The width of piped text, which is searched line by line: nothing is broken in two there. */
const UNBROKEN_COLUMNS = 100_000;

/** `quiet` leaves out the text, `json` adds the summary for programs. On GitHub's runners each cause is an annotation, too. */
export function tell({ report, paths }: Pick<Outcome, 'report' | 'paths'>, flags: TellFlags): void {
  const stream = humanStream(flags);
  // `hasColors` heeds NO_COLOR and FORCE_COLOR.
  const looks = stream.isTTY
    ? { color: stream.hasColors(), width: stream.columns }
    : { color: false, width: UNBROKEN_COLUMNS };
  if (!flags.quiet)
    stream.write(`${summarise(report, paths, { ...looks, command: startCommand(report, optionsOf(flags)) })}\n`);
  if (process.env.GITHUB_ACTIONS === 'true') for (const line of annotations(report)) process.stderr.write(`${line}\n`);
  if (flags.json) process.stdout.write(`${JSON.stringify(jsonSummary(report, paths))}\n`);
}

/** Where people read what a command came to: with --json, stdout is the machine's. */
export function humanStream({ json }: { readonly json?: boolean | undefined }): WriteStream {
  return json === true ? process.stderr : process.stdout;
}

/** The options that a further command on the same target needs: its configuration, and the run that was just told. */
function optionsOf({ config, out }: TellFlags): Readonly<Record<string, string | undefined>> {
  return { ...(config === undefined ? {} : { '--config': config }), '--from': out };
}

/** Opens the page where the flags ask for it. */
export async function showPage({ paths }: Pick<Outcome, 'paths'>, { open }: TellFlags): Promise<void> {
  if (open !== true || paths.html === undefined) return;
  const { openPage } = await import('./open-page.ts');
  await openPage(paths.html, say);
}
