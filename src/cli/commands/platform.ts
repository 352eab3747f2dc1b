// `assay platform`: the embedded reference platform in the foreground, with the faults asked for. It is a process of
// its own and reads its own arguments; here they are described and passed on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Command } from 'commander';
import { invalidOption } from '../../config/errors.ts';
import { suggestion } from '../../config/nearest.ts';
import { EXIT } from '../process/failure.ts';
import { collect, port, repeatable, wholeNumber } from '../process/options.ts';
import { onSignals } from '../process/signals.ts';

interface PlatformFlags {
  readonly port: number;
  readonly fault: readonly string[];
  readonly tolerance: readonly string[];
  readonly limit: readonly string[];
  readonly seed?: number;
  readonly webhook?: string;
  readonly admin?: string;
  readonly store?: string;
  readonly ai?: string;
  readonly specs?: string;
  readonly listFaults?: boolean;
  readonly listTolerances?: boolean;
  readonly json?: boolean;
}

export function platformCommand(ends: (code: number) => void): Command {
  return new Command('platform')
    .description('start the embedded reference platform; Ctrl-C ends it')
    .option('--port <n>', 'port on 127.0.0.1; 0: any free one', port, 0)
    .addOption(repeatable('--fault <id>', 'switch a defect on; repeatable', collect, 'none'))
    .addOption(repeatable('--tolerance <id>', 'switch an allowed oddity on; repeatable', collect, 'none'))
    .addOption(
      repeatable('--limit <plan=calls/seconds>', 'a rate limit, such as standard=100/60; repeatable', collect, 'high'),
    )
    .option('--seed <n>', 'the same seed gives the same data', wholeNumber(0))
    .option('--webhook <url>', 'deliver webhooks there; the ready configuration holds their secret')
    .option('--admin <file>', 'description of the Admin service to serve')
    .option('--store <file>', 'description of the Store service to serve')
    .option('--ai <file>', 'description of the AI service to serve')
    .option('--specs <dir>', 'serve the descriptions in this folder: admin.*, store.* and ai.* (.json, .yaml)')
    .option('--list-faults', 'list the faults and end')
    .option('--list-tolerances', 'list the allowed oddities and end')
    .option('--json', 'lists as JSON')
    .addHelpText('after', HELP)
    .action(async (flags: PlatformFlags) => {
      await mustBeKnown(flags);
      ends(await serve(argumentsOf(flags)));
    });
}

const HELP = `
One JSON line on stdout tells when it listens: {"baseUrl":…,"config":"<path of a ready configuration file>"}

Examples:
  assay platform --port 8080
  assay platform --list-faults --json
  assay platform --fault ID --limit standard=100/60
  assay platform --specs descriptions                serves the descriptions in that folder`;

/** Throws UsageError for an id that no fault, or no allowed oddity, has. */
async function mustBeKnown({ fault, tolerance }: PlatformFlags): Promise<void> {
  if (fault.length + tolerance.length === 0) return;
  const { ALL_FAULTS, ALL_TOLERANCES } = await import('../../platform/deviations.ts');
  const asked = [
    { option: '--fault', ids: fault, all: ALL_FAULTS, list: '--list-faults' },
    { option: '--tolerance', ids: tolerance, all: ALL_TOLERANCES, list: '--list-tolerances' },
  ];
  for (const { option, ids, all, list } of asked) {
    const known = all.map(({ id }) => id);
    const unknown = ids.find((id) => !known.includes(id));
    if (unknown === undefined) continue;
    const guess = suggestion(unknown, known);
    const alike = guess === '' ? beginningLike(unknown, known) : guess;
    throw invalidOption(`${option}: there is no ${unknown}${alike}`, `assay platform ${list}`);
  }
}

/** Some ids that begin as the word does, as far as any: whoever knows the clause finds its faults. */
function beginningLike(word: string, known: readonly string[]): string {
  const parts = word.split('-');
  const beginnings = parts.map((_, at) => `${parts.slice(0, at + 1).join('-')}-`).toReversed();
  const alike = beginnings.map((beginning) => known.filter((id) => id.startsWith(beginning)));
  const [some] = alike.filter((ids) => ids.length > 0);
  return some === undefined ? '' : ` (some are ${some.slice(0, 3).join(', ')})`;
}

/** Options as given: `{ listFaults: true, fault: ['x'] }` is `--list-faults --fault x`. */
function argumentsOf(flags: PlatformFlags): string[] {
  return Object.entries(flags).flatMap(([name, value]: [string, unknown]) => {
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [option];
    return (Array.isArray(value) ? value : [value]).flatMap((item) => [option, String(item)]);
  });
}

/**
 * Exit code of the platform's process. It ends with this one, by a signal or without: its standard input ends then. A second
 * signal kills it.
 */
async function serve(args: readonly string[]): Promise<number> {
  const entry = join(import.meta.dirname, '..', '..', 'platform', `main${extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [entry, '--parent', ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
  let signals = 0;
  const release = onSignals(() => {
    signals += 1;
    if (signals === 1) child.stdin.end();
    else child.kill('SIGKILL');
  });
  const [code] = await once(child, 'exit');
  release();
  return code ?? EXIT.noVerdict;
}
