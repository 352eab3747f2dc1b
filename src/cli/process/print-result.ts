// The end of a run on the console: human text to stderr, machine output to stdout.
import { annotations } from '../../reporters/formats/annotations.ts';
import { jsonSummary } from '../../reporters/formats/json-summary.ts';
import { summarise } from '../../reporters/terminal/terminal.ts';
import { startCommand } from '../../reporters/words.ts';
import type { Outcome } from '../conform/run-job.ts';

/** The flags that decide what is told, and those that another run on the same target needs, too. */
export interface TellFlags {
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly config?: string;
  readonly out?: string;
}

/** `quiet` leaves out the text, `json` adds the summary for programs. On GitHub's runners each cause is an annotation, too. */
export function tell({ report, paths }: Pick<Outcome, 'report' | 'paths'>, flags: TellFlags): void {
  const { stderr } = process;
  // `hasColors` heeds NO_COLOR and FORCE_COLOR.
  const looks = stderr.isTTY ? { color: stderr.hasColors(), width: stderr.columns } : { color: false };
  if (!flags.quiet)
    stderr.write(`${summarise(report, paths, { ...looks, command: startCommand(report, optionsOf(flags)) })}\n`);
  if (process.env.GITHUB_ACTIONS === 'true') for (const line of annotations(report)) stderr.write(`${line}\n`);
  if (flags.json) process.stdout.write(`${JSON.stringify(jsonSummary(report, paths))}\n`);
}

/** What the same target needs beside its configuration, and the run that was just told. */
function optionsOf({ config, out }: TellFlags): Readonly<Record<string, string | undefined>> {
  return { ...(config === undefined ? {} : { '--config': config }), '--from': out };
}
