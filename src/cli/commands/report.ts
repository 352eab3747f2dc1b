// `assay report`: renders an earlier run again, joins shards into one report, compares two runs, looks back over all.
import { Command, Option } from 'commander';
import { invalidOption } from '../../config/errors.ts';
import { EXPORT_FORMATS } from '../../reporters/exports/formats.ts';
import type { Required, VerifyFlags } from '../certify/verify-certificate.ts';
import { addGateOptions, addHistoryOption, collect, port, repeatable, wholeNumber } from '../process/options.ts';
import type { ExportFlags } from '../report/exported.ts';
import type { PruneFlags, ServeFlags } from '../report/history.ts';
import type { ReportFlags } from '../report/runs.ts';

/** Options of a report that is written: what only looks takes none of them. */
const WRITING = ['out', 'waivers', 'baseline', 'failOn', 'allowSecurity'];

export function reportCommand(ends: (code: number) => void): Command {
  const command = withLookingBack(withForms(new Command('report')))
    .option('--key <file>', 'with --verify: the Ed25519 public key (PEM) that must have signed it')
    .addOption(
      repeatable('--subject <file>', 'with --verify: the release artefact; repeatable', collect, 'not looked at'),
    )
    .addOption(
      new Option('--require <verdict>', 'with --verify: exit 0 only where this is the verdict, too').choices([
        'conforms',
        'conforms-with-waivers',
      ] satisfies Required[]),
    )
    .option('--out <dir>', 'folder to write to (default: the run itself; merged: reports/<merged id>/)')
    .option('--quiet', 'print problems only')
    .option('--json', 'print the summary as JSON on stdout')
    .addHelpText('after', HELP)
    .action(async (runs: string[], flags: Flags) => ends(await act(runs, flags)));
  return addHistoryOption(addGateOptions(command));
}

/** The options that name what is made of the runs. */
function withForms(command: Command): Command {
  return command
    .description('render an earlier run again, join the shards of one run, or compare two runs')
    .argument('[runs...]', 'run folders, or their report.json')
    .option('--merge', 'join all shards of one run into one report with one verdict')
    .addOption(
      new Option('--diff', 'compare two runs, the earlier one first: what is new, what is gone').conflicts(WRITING),
    )
    .addOption(
      new Option('--verify', 'check a certificate and its evidence: the folder that `assay certify` wrote').conflicts([
        'merge',
        'diff',
        ...WRITING,
      ]),
    );
}

/** The options that look back over all recorded runs. */
function withLookingBack(command: Command): Command {
  return command
    .addOption(
      new Option('--serve', 'look back over all recorded runs in a browser, until Ctrl-C').conflicts([
        ...['merge', 'diff', 'verify', 'json', 'quiet'],
        ...WRITING,
      ]),
    )
    .addOption(
      new Option('--prune', 'take old runs out of the history; folders of reports stay').conflicts([
        ...['serve', 'merge', 'diff', 'verify', 'json', 'quiet'],
        ...WRITING,
      ]),
    )
    .addOption(
      new Option('--export <format>', 'write each cause as a test that passes once it is gone')
        .choices(EXPORT_FORMATS)
        .conflicts(['merge', 'diff', 'verify', 'serve', 'prune', ...WRITING.filter((name) => name !== 'out')]),
    )
    .option(
      '--keep-runs <n>',
      'with --prune: newest runs of each target, branch and suite (default: 100)',
      wholeNumber(1),
    )
    .option('--keep-days <n>', 'with --prune: days whose runs all stay (default: 90)', wholeNumber(0))
    .option('--dry-run', 'with --prune: tell what would go')
    .option('--port <n>', 'with --serve: port on 127.0.0.1; 0: any free one', port)
    .option('--open', 'with --serve: open it in a browser');
}

/** Does what the flags name, and resolves with the exit code. */
async function act(runs: readonly string[], flags: Flags): Promise<number> {
  if (flags.serve === true) {
    mustBeAlone('--serve shows', runs);
    const { serveHistory } = await import('../report/history.ts');
    return serveHistory(flags);
  }
  if (flags.prune === true) {
    mustBeAlone('--prune looks at', runs);
    const { pruneHistory } = await import('../report/history.ts');
    return pruneHistory(flags);
  }
  mustBeServed(flags);
  if (flags.verify === true) {
    const { verifyCertificate } = await import('../certify/verify-certificate.ts');
    return verifyCertificate(runs, flags);
  }
  if (flags.key !== undefined || flags.require !== undefined || flags.subject.length > 0)
    throw invalidOption(
      '--key, --subject and --require go with --verify',
      'assay report --verify reports/<run id> --subject FILE',
    );
  if (flags.export !== undefined) {
    const { exportRun } = await import('../report/exported.ts');
    return exportRun(runs, flags.export, flags);
  }
  const { compareRuns, reportAgain } = await import('../report/runs.ts');
  return flags.diff === true ? compareRuns(runs, flags) : reportAgain(runs, flags);
}

interface Flags extends ReportFlags, ExportFlags, VerifyFlags, ServeFlags, PruneFlags {
  readonly prune?: true;
  readonly diff?: boolean;
  readonly serve?: true;
}

/** Throws UsageError where runs are named to what is about all of them. */
function mustBeAlone(what: string, [run]: readonly string[]): void {
  if (run === undefined) return;
  throw invalidOption(`${what} all recorded runs, and ${run} is named`, 'leave the run away');
}

/** Throws UsageError for options that only the history takes. */
function mustBeServed({ port, open, history, keepRuns, keepDays, dryRun }: Flags): void {
  if ([port, open, history, keepRuns, keepDays, dryRun].every((value) => value === undefined)) return;
  throw invalidOption(
    '--port and --open go with --serve, --keep-runs, --keep-days and --dry-run with --prune, --history with both',
    'assay report --serve --port 8080',
  );
}

const HELP = `
Examples:
  assay report reports/20260131-120000-9f3a2b         index.html and junit.xml once more from report.json
  assay conform --shard 1/2 --out reports/one         in one job
  assay conform --shard 2/2 --out reports/two         in another
  assay report --merge reports/one reports/two        one report, one verdict
  assay report --verify reports/release --subject shop.tgz --require conforms
                                                      whether a certificate is what its evidence says, and is enough
  assay report --diff reports/before reports/after    what is new, what is gone
  assay report reports/20260131-120000-9f3a2b --export vitest --out test/assay
                                                      its causes as tests that stay
  assay report --serve --open                         all recorded runs, over time and side by side
  assay report --prune --dry-run                      which old runs would leave the history

The exit code is that of the verdict: 0 pass, 1 violations, 3 none; 2 for runs that cannot be read or do not belong together.
With --serve: 0 once Ctrl-C ends it. With --verify: 0 where everything agrees, 1 where anything was changed;
with --require also 1 where the verdict is another, 3 where there is none.
With --export: 0 once the tests are written. With --diff: 1 where the later run has violations that the earlier one has not, else 0.`;
