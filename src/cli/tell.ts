// The end of a run on the console: human text to stderr, machine output to stdout.
import { jsonSummary } from '../reporters/json-summary.ts';
import { summarise } from '../reporters/terminal.ts';
import type { Outcome } from './run-job.ts';

/** `quiet` leaves out the text, `json` adds the summary for programs. */
export function tell(
  { report, paths }: Outcome,
  { quiet, json }: { readonly quiet?: boolean; readonly json?: boolean },
): void {
  const { stderr } = process;
  // `hasColors` heeds NO_COLOR and FORCE_COLOR.
  const looks = stderr.isTTY ? { color: stderr.hasColors(), width: stderr.columns } : { color: false };
  if (!quiet) stderr.write(`${summarise(report, paths, looks)}\n`);
  if (json) process.stdout.write(`${JSON.stringify(jsonSummary(report, paths))}\n`);
}
