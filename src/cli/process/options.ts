// The options that the judging commands share: how they are read from the command line, and what is refused.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RunOptions, Shard } from '../../config/config.ts';
import { invalidOption, UsageError } from '../../config/errors.ts';
import { suggestion } from '../../config/nearest.ts';
import type { Clause } from '../../contract/clause.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { isOwnClauseId } from '../../contract/own-clauses.ts';
import { newRunId } from '../conform/run-id.ts';

export const PROFILES = ['ci'] as const;
export type Profile = (typeof PROFILES)[number];

/**
 * The budget and the time that a gate on every change can afford. A key of 100 calls a minute spends 1,400 requests
 * within 14 minutes; writing the reports has the fifteenth.
 */
const CI = { budget: 1400, timeLimitSeconds: 840 } as const;

/** The absolute path of the YAML file that the command is to write. Throws UsageError where it is another, or there already. */
export function placeFor({ out, force }: { readonly out: string; readonly force?: boolean }, command: string): string {
  const path = resolve(out);
  if (!/\.ya?ml$/.test(path)) throw invalidOption(`--out: ${out} is not YAML`, 'name a .yaml or .yml file');
  if (existsSync(path) && force !== true)
    throw new UsageError('ASSAY_FILE_EXISTS', `${path} exists and is left as it is`, `${command} --force replaces it`);
  return path;
}

/** Options that say what is judged where no configuration does, as commander hands them over. */
export interface DescribedFlags {
  /** The argument: a file or a URL. */
  readonly description?: string;
  readonly header?: readonly string[];
  readonly key?: readonly string[];
  readonly mutations?: 'allow' | 'deny';
  /** A file, or a contract that ships. */
  readonly contract?: string;
}

/** As commander hands them over. */
export interface RunFlags extends DescribedFlags {
  readonly config?: string;
  readonly baseUrl?: string;
  readonly embedded?: true;
  readonly out?: string;
  readonly service: readonly string[];
  readonly operation: readonly string[];
  readonly exclude?: readonly string[];
  readonly env?: string;
  readonly clause: readonly string[];
  readonly seed: number;
  readonly runId?: string;
  readonly budget?: number;
  readonly timeLimit?: number;
  readonly full?: true;
  readonly concurrency?: number;
  readonly shard?: Shard;
  readonly sensitivity?: true;
  readonly resume?: string;
  readonly changedSince?: string;
  readonly replay?: string;
  readonly from?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly open?: true;
  readonly verbose?: true;
  /** File of the waivers. */
  readonly waivers?: string;
  /** An earlier run: its folder or report.json. */
  readonly baseline?: string;
  readonly failOn?: 'new' | 'any';
  /** The baseline accepts violations of security clauses, too. */
  readonly allowSecurity?: true;
  readonly profile?: Profile;
  readonly history?: string;
}

/** The flags that name the waivers and the baseline of a report. */
export type GateFlags = Pick<RunFlags, 'waivers' | 'baseline' | 'failOn' | 'allowSecurity'>;

export const DEFAULT_SEED = 1;
const MOST_CONCURRENCY = 256;

/** The headings under which `--help` lists options. */
const GROUPS = {
  described: 'With a description:',
  what: 'What to judge:',
  much: 'How much:',
  gate: 'What to accept:',
  output: 'Output:',
  repeat: 'Again:',
} as const;

/** Adds `--config` to `--json` of the interface to a command. */
export function addRunOptions(command: Command): Command {
  command
    .optionsGroup(GROUPS.what)
    .option('--config <file>', 'configuration file (default: assay.config.{ts,json,yaml,yml}, if there is one)')
    .option('--env <name>', 'overlay of the configuration: one of its environments')
    .option('--base-url <url>', 'address of the target; wins over target.baseUrl')
    .addOption(
      new Option('--embedded', 'judge the embedded reference platform, started for this run').conflicts([
        'config',
        'env',
        'baseUrl',
      ]),
    )
    .addOption(repeatable('--service <name>', 'only this service; repeatable', collect, 'all'))
    .addOption(repeatable('--operation <glob>', 'only operations like "GET /v1/stores*"; repeatable', collect, 'all'))
    .addOption(repeatable('--exclude <glob>', 'never call operations like this; repeatable', collect, 'none'))
    .addOption(repeatable('--clause <id>', 'only this clause or family: ERR-04, ERR; repeatable', collectClause, 'all'))
    .option('--shard <i/n>', 'only the i-th of n parts of the operations; `assay report --merge` joins them', shard);
  command
    .optionsGroup(GROUPS.much)
    .option('--budget <n>', 'most requests', wholeNumber(1))
    .option('--time-limit <seconds>', 'longest duration', seconds)
    .addOption(new Option('--profile <name>', 'ci: what a gate on every change can afford').choices(PROFILES))
    .option('--concurrency <n>', 'most requests in flight', wholeNumber(1, MOST_CONCURRENCY));
  command
    .optionsGroup(GROUPS.output)
    .option('--out <dir>', 'folder of the reports (default: reports/<run id>/)')
    .option('--open', 'open the HTML report when the run is over')
    .option('--quiet', 'print problems only')
    .addOption(new Option('--verbose', 'print each request with its answer, as it is sent').conflicts('quiet'))
    .option('--json', 'print the final summary as JSON on stdout');
  return command
    .optionsGroup(GROUPS.repeat)
    .option('--seed <n>', 'the same seed gives the same requests', wholeNumber(0), DEFAULT_SEED)
    .option('--run-id <id>', "the run's nonce, given again to replay a run (default: a fresh one)", runId);
}

/** The flags with the argument of the command. */
export function withDescription<Flags extends object>(
  flags: Flags,
  description: string | undefined,
): Flags & Pick<DescribedFlags, 'description'> {
  return description === undefined ? flags : { ...flags, description };
}

/** Adds the description that is judged without a configuration, and what goes with it. */
export function addDescribedOptions(command: Command): Command {
  return addCredentialOptions(addDescription(command))
    .addOption(
      new Option(
        '--mutations <what>',
        'whether requests may change something (default: on this machine alone)',
      ).choices(['allow', 'deny']),
    )
    .option('--contract <file>', 'what the API states beyond it, too: a contract file, or one that ships');
}

/** Adds the description that stands for a configuration. */
export function addDescription(command: Command): Command {
  return command.argument(
    '[description]',
    'an OpenAPI description, a file or a URL, to judge an API by alone, without a configuration',
  );
}

/** Adds what a target wants to see beside a description. */
export function addCredentialOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.described)
    .addOption(
      repeatable(
        '--key <[scheme=]value>',
        'a key for a security scheme: itself, @FILE or env:NAME; repeatable',
        collect,
        'none',
      ),
    )
    .addOption(
      repeatable(
        '--header <name: value>',
        'a header of all requests; its value as of --key; repeatable',
        collect,
        'none',
      ),
    );
}

/** Leaves options out of `--help` that the command takes and that would not serve it. */
export function hideOptions(command: Command, names: readonly string[]): Command {
  for (const option of command.options) if (names.includes(option.attributeName())) option.hideHelp();
  return command;
}

/** Adds `--changed-since`. */
export function addChangedOption(command: Command): Command {
  return command
    .optionsGroup(GROUPS.what)
    .option('--changed-since <rev>', 'only operations described otherwise than at this revision of git');
}

/** Adds `--full`. */
export function addFullOption(command: Command): Command {
  return command
    .optionsGroup(GROUPS.much)
    .addOption(
      new Option(
        '--full',
        'all that there is to judge, however long it takes (default: what fits into five minutes)',
      ).conflicts(['budget', 'timeLimit', 'profile', 'replay']),
    );
}

/** A run without a bound of the user's fits itself to five minutes, of which the reports take some seconds. */
const FIT_SECONDS = 270;

/** The options of a run that fits itself to five minutes where nothing else bounds it. */
export function fitted<Options extends RunOptions>(options: Options, { full, replay }: RunFlags): Options {
  const isBound = options.budget !== null || options.timeLimitSeconds !== null;
  return full === true || isBound || replay !== undefined ? options : { ...options, fitSeconds: FIT_SECONDS };
}

/** Adds `--sensitivity`. */
export function addSensitivityOption(command: Command): Command {
  return command
    .optionsGroup(GROUPS.much)
    .option('--sensitivity', 'tell how many planted defects this run would have noticed');
}

/** Adds what ties a run to earlier ones: `--resume`, `--history`. */
export function addHistoryOptions(command: Command): Command {
  command
    .optionsGroup(GROUPS.repeat)
    .option('--resume <run>', 'go on where an earlier run stopped: its folder; same seed and filters');
  return addHistoryOption(command);
}

/** Adds `--history`. */
export function addHistoryOption(command: Command): Command {
  return command
    .optionsGroup(GROUPS.output)
    .option('--history <file>', 'where runs are recorded (default: reports/history.db)');
}

/** Adds `--replay` and `--from`, which a finding of an earlier run is shown again with. */
export function addReplayOptions(command: Command, conflicting: string[]): Command {
  return command
    .optionsGroup(GROUPS.repeat)
    .addOption(new Option('--replay <fingerprint>', 'show one finding of an earlier run again').conflicts(conflicting))
    .option('--from <run>', 'the run that found it: its folder (default: the newest below reports/ that has it)');
}

/** Adds what is held against a report once it is judged: `--waivers`, `--baseline`, `--fail-on`. */
export function addGateOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.gate)
    .option('--waivers <file>', 'violations accepted until a day (default: waivers.yaml beside the configuration)')
    .option('--baseline <run>', 'an earlier run, its folder or report.json: only what is new fails')
    .addOption(
      new Option('--fail-on <what>', 'new: violations of the baseline do not fail; any: they do').choices([
        'new',
        'any',
      ]),
    )
    .option('--allow-security', 'the baseline accepts violations of AUTH, ERR-12 and INT-01, too');
}

type Collect = (value: string, earlier: readonly string[]) => readonly string[];

/** An option given any number of times; `none` says what it means to give none. */
export function repeatable(flags: string, description: string, parse: Collect, none: string): Option {
  return new Option(flags, description).argParser(parse).default([], none);
}

/** The run's options; a run id is drawn where none was given. */
export function runOptions(flags: RunFlags): RunOptions & { readonly runId: string } {
  const given = {
    out: flags.out ?? null,
    services: flags.service,
    operations: flags.operation,
    clauses: flags.clause,
    seed: flags.seed,
    runId: flags.runId ?? newRunId(),
    budget: flags.budget ?? null,
    timeLimitSeconds: flags.timeLimit ?? null,
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
    ...(flags.shard === undefined ? {} : { shard: flags.shard }),
    ...(flags.sensitivity === undefined ? {} : { sensitivity: flags.sensitivity }),
  };
  return profiled(given, flags.profile);
}

/** The options with the profile's limits where none are given. */
export function profiled<T extends RunOptions>(options: T, profile: Profile | undefined): T {
  if (profile === undefined) return options;
  return {
    ...options,
    budget: options.budget ?? CI.budget,
    timeLimitSeconds: options.timeLimitSeconds ?? CI.timeLimitSeconds,
  };
}

/** The options of commands that judge what others send: no budget narrows them, for nothing is sent. */
export function receivingOptions({
  out,
  service,
  clause,
  timeLimit,
}: Pick<RunFlags, 'out' | 'service' | 'clause' | 'timeLimit'>): RunOptions & { readonly runId: string } {
  return {
    ...{ services: service, operations: [], clauses: clause, seed: DEFAULT_SEED, runId: newRunId() },
    ...{ out: out ?? null, budget: null, timeLimitSeconds: timeLimit ?? null },
  };
}

/** Options given more than once, in order. */
export function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

/** Reads an id of a clause, or a family for all of its clauses, in any case. Throws UsageError for what no clause can be called. */
export function collectClause(value: string, earlier: readonly string[]): readonly string[] {
  const id = value.toUpperCase();
  // A clause of the user's own passes here: only the configuration, which is read later, tells whether there is such a clause.
  if (isOwnClauseId(id)) return [...earlier, id];
  return [...new Set([...earlier, ...clausesNamed(value, '--clause: ').map((clause) => clause.id)])];
}

/** The clause of this id, or those of this family, in any case. Throws UsageError, whose message begins as told, for what is neither. */
export function clausesNamed(asked: string, begin = ''): readonly Clause[] {
  const id = asked.toUpperCase();
  const named = CLAUSES.filter((clause) => clause.id === id || clause.family === id);
  if (named.length > 0) return named;
  const guess = suggestion(id, [...CLAUSES.map((clause) => clause.id), ...CLAUSES.map(({ family }) => family)]);
  throw new UsageError(
    'ASSAY_CLAUSE_UNKNOWN',
    `${begin}the contract has no clause ${asked}${guess}`,
    '`assay clauses` prints all of them',
  );
}

/** Reads a whole number within bounds; commander names the option. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`Expected a whole number ${bounds}.`);
  };
}

/** Reads a port, 0 for any free one; commander names the option. */
export const port = wholeNumber(0, 65_535);

/** Reads a number of seconds above 0; commander names the option. */
export function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Expected a number of seconds above 0.');
}

function shard(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw new InvalidArgumentError('Expected I/N, such as 2/4: the second of four parts.');
}

function runId(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected letters, digits and "-", at most 64.');
}
