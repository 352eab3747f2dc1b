// Prepares a run before anything is sent: configuration, descriptions, filters that match something, a folder to write
// to. Wrong usage ends here.

import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config, RunOptions } from '../../config/config.ts';
import { idleNamesIn } from '../../config/contract-file.ts';
import { invalidOption, UsageError } from '../../config/errors.ts';
import { builtinConfig, checkConfig, loadConfig } from '../../config/load.ts';
import { suggestion } from '../../config/nearest.ts';
import { checkSkips, withSkips } from '../../config/skip.ts';
import { hasClause } from '../../contract/contract.ts';
import { plural } from '../../contract/numbers.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import { FileUnwritable, makeFolder, removeEmpty } from '../../disk/whole-file.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import type { AcceptanceRules } from '../../grading/acceptance.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { StartOptions } from '../../platform/start.ts';
import { Consent } from '../../run/plan/consent.ts';
import { PLANS_UNJUDGED, selectOperations } from '../../run/plan/selection.ts';
import { describedConfig } from '../described/described-config.ts';
import type { DescribedArguments } from '../described/draft.ts';
import type { Reading } from '../described/read-description.ts';
import { shortSecrets, WORDY_ADVICE, wordySecrets } from '../init/wordy-secrets.ts';
import { descriptionCache } from '../process/description-cache.ts';
import { NoVerdict } from '../process/failure.ts';
import type { GateFlags, Profile, RunFlags } from '../process/options.ts';
import { keepSecret } from '../process/say.ts';
import { checkScope, type EarlierRun, earlierRun } from '../report/earlier-run.ts';
import { gateRules } from './acceptance-options.ts';
import type { AssayConfig } from './define-config.ts';
import { checkIsolation, checkLaws, checkLists, type DescriptionTexts, loadDescriptions } from './descriptions.ts';
import { configurationMissing, type EmbeddedUse, startEmbedded } from './embedded.ts';
import { type Extensions, extensionsOf, mustBeKnown } from './extensions.ts';
import { checkHooks } from './hooks-around-calls.ts';
import { checkHistory } from './record-history.ts';
import { checkReplayed, mustBeItsTarget } from './replayed.ts';

export interface Job {
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  /** Absolute; exists and can be written to. */
  readonly outDir: string;
  /** The run that this one goes on from. */
  readonly resumed?: EarlierRun;
  /** The waivers and the baseline that the report is held against; null: there are none. */
  readonly gate: AcceptanceRules | null;
  /** The history that the run is recorded in, `file: null` the usual one; null: in none. */
  readonly remembers: { readonly file: string | null } | null;
  readonly extensions: Extensions;
  /** Knows the secrets of the configuration, and learns those that the run comes to know. */
  readonly redactor: Redactor;
  /** Ends what was started for the run. Folders that were made for its reports go where it wrote none: wrong usage leaves nothing. */
  end(): Promise<void>;
}

export interface JobRequest {
  /** A file, or the configuration itself; null: assay.config.*, if there is one. */
  readonly config: string | AssayConfig | null;
  readonly baseUrl: string | null;
  /** The description that is judged without a configuration; absent or null: none. */
  readonly described?: DescribedArguments | null;
  /** Asks whether places may be looked at that nobody named; absent: nobody can be asked. */
  readonly confirm?: Reading['confirm'] | undefined;
  /** Says whether the embedded platform is the target, or may be where none is configured. */
  readonly embedded: EmbeddedUse;
  /** The overlay of the configuration; absent: none. */
  readonly environment?: string;
  /** Globs over operations that are never called, beside those that the configuration skips; absent: none. */
  readonly exclude?: readonly string[];
  readonly options: RunOptions & { readonly runId: string };
  /** Folder of the run to go on from. */
  readonly resume?: string;
  /** Absent: the report is held against nothing. */
  readonly gate?: GateFlags;
  /** Only the operations that are described otherwise than at this revision of git. */
  readonly changedSince?: string;
  /** Told what narrows the run. */
  readonly say?: (sentence: string) => void;
  readonly profile?: Profile;
  /** Absent: the run is recorded nowhere. */
  readonly history?: { readonly file: string | null };
  /** Rate limits of the embedded platform, where that is the target; absent: its own. */
  readonly limits?: NonNullable<StartOptions['limits']>;
  /** Absent: reports are going to be written. */
  readonly writes?: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The members of a request that the flags of every judging command state. */
export function requestOf(flags: Pick<RunFlags, 'config' | 'baseUrl' | 'env' | 'exclude'>) {
  const { config, baseUrl, env: environment, exclude } = flags;
  const source = { config: config ?? null, baseUrl: baseUrl ?? null, environment, exclude };
  return { ...source, env: process.env, cwd: process.cwd() };
}

/** Sentences on what is no mistake, and maybe not meant. */
function advice(config: Config, descriptions: readonly Description[]): readonly string[] {
  const keys = descriptions.flatMap(({ operations }) => operations.map(({ key }) => key));
  const isUnjudged = !hasClause(config.stated, 'RATE-10') && Object.keys(config.expect.plans).length > 0;
  return [
    ...wordySecrets(config, descriptions).map((secret) => `${secret}: ${WORDY_ADVICE}`),
    ...shortSecrets(config),
    ...[idleNamesIn(config.stated, keys) ?? []].flat(),
    ...(isUnjudged ? [PLANS_UNJUDGED] : []),
  ];
}

/** A run that can start. Throws UsageError for whatever is wrong with options, configuration or descriptions; NoVerdict when reports cannot be written. */
export async function prepareJob(request: JobRequest): Promise<Job> {
  const resumed = request.resume === undefined ? undefined : await earlierRun(request.resume, request.options);
  const { config, texts, end } = await targetOf(request);
  const redactor = keepSecret(config.secrets);
  try {
    const extensions = await extensionsOf(config);
    mustBeKnown('--clause', request.options.clauses, extensions.checks);
    const descriptions = await loadDescriptions(config, descriptionCache(request.env), texts);
    const options = withSkips(await narrowed(request, config, descriptions), config, request.exclude ?? []);
    for (const sentence of advice(config, descriptions)) request.say?.(sentence);
    checkAgainst(descriptions, config, options, { exclude: request.exclude ?? [], hooks: extensions.hooks });
    mustBeReplayable(options, config, descriptions, { isNamed: request.baseUrl !== null });
    const outDir = resolve(request.cwd, options.out ?? join('reports', request.options.runId));
    if (resumed !== undefined) checkScope(resumed, { config, options, descriptions });
    const gate =
      request.gate === undefined ? null : await gateRules(request.gate, { folder: config.folder, cwd: request.cwd });
    mustBeKnown('waivers', gate?.waivers.map(({ clause }) => clause) ?? [], extensions.checks);
    if (request.history !== undefined) checkHistory(request.history.file);
    const folders = request.writes === false ? [] : await makeWritable(outDir);
    return {
      config: gated(config, options, descriptions, request.profile),
      gate,
      remembers: request.history ?? null,
      options,
      descriptions,
      outDir,
      extensions,
      redactor,
      end: () => end().finally(() => removeEmpty(folders)),
      ...(resumed === undefined ? {} : { resumed }),
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function mustBeReplayable(
  { replay }: RunOptions,
  config: Config,
  descriptions: readonly Description[],
  named: { readonly isNamed: boolean },
): void {
  if (replay === undefined) return;
  mustBeItsTarget(replay, config, named);
  checkReplayed(replay, descriptions);
}

/** Throws UsageError where options or configuration name what no description shows. */
function checkAgainst(
  descriptions: readonly Description[],
  config: Config,
  options: RunOptions,
  { exclude, hooks }: Required<Pick<JobRequest, 'exclude'>> & Pick<Job['extensions'], 'hooks'>,
): void {
  checkServices(options.services, config);
  checkOperations(options, descriptions);
  checkSkips(
    config,
    exclude,
    descriptions.flatMap(({ operations }) => operations.map(({ key }) => key)),
  );
  checkHooks(hooks, descriptions);
  checkLists(config, descriptions);
  checkLaws(config, descriptions);
  checkIsolation(config, options);
}

/** The options with the operations that changed, where only these are to be judged. */
async function narrowed(
  { options, changedSince: since, say = () => {} }: JobRequest,
  config: Config,
  descriptions: readonly Description[],
): Promise<RunOptions> {
  if (since === undefined) return options;
  const { changedSince } = await import('./changed-since.ts');
  const operations = await changedSince(since, config, descriptions, say);
  const all = descriptions.reduce((sum, description) => sum + description.operations.length, 0);
  say(
    `--changed-since: ${operations.length} of ${plural(all, 'operation')} ${operations.length === 1 ? 'is' : 'are'} described otherwise than at ${since}`,
  );
  return { ...options, changed: { since, operations } };
}

/** The configured target; `--base-url` alone: that address with the shipped descriptions; neither: the embedded platform, if it may be. */
async function targetOf({
  config: file,
  baseUrl,
  embedded,
  environment,
  say = () => {},
  limits,
  env,
  cwd,
  described = null,
  confirm,
}: JobRequest): Promise<{ config: Config; texts?: DescriptionTexts; end(): Promise<void> }> {
  if (described !== null) {
    const reading = { env, cwd, say, ...(confirm === undefined ? {} : { confirm }) };
    return { ...(await describedConfig(described, reading)), end: async () => {} };
  }
  if (typeof file === 'object' && file !== null) {
    const config = checkConfig(file, join(cwd, 'configuration'), { baseUrl, env, environment: environment ?? null });
    return { config: { ...config, file: null }, end: async () => {} };
  }
  const config =
    embedded.kind === 'asked' ? null : await loadConfig({ file, baseUrl, env, environment: environment ?? null, cwd });
  if (config !== null) return { config, end: async () => {} };
  if (environment !== undefined) throw environmentWithout(environment);
  if (baseUrl !== null) return { config: builtinConfig(baseUrl, env), end: async () => {} };
  if (embedded.kind === 'refused') throw configurationMissing(embedded.because);
  say(`judges the embedded reference platform${embedded.kind === 'asked' ? '' : ', for no configuration was found'}`);
  return startEmbedded(limits === undefined ? {} : { limits });
}

function environmentWithout(name: string): UsageError {
  return invalidOption(
    `--env ${name}: there is no configuration that could have such an environment`,
    `assay conform --config FILE --env ${name}`,
  );
}

/** Throws UsageError where `--service` names one that the configuration does not have. */
export function checkServices(names: readonly string[], config: Config): void {
  const known = config.services.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new UsageError(
    'ASSAY_SERVICE_UNKNOWN',
    `--service: no service is named ${unknown.map((name) => `"${name}"${suggestion(name, known)}`).join(', ')}`,
    `the configuration names ${known.join(', ') || 'none'}`,
  );
}

function checkOperations({ operations, services }: RunOptions, descriptions: readonly Description[]): void {
  const keys = descriptions
    .filter(({ service }) => services.length === 0 || services.includes(service))
    .flatMap((description) => description.operations.map(({ key }) => key));
  const idle = operations.filter((glob) => !keys.some(operationMatcher([glob])));
  if (idle.length === 0) return;
  throw new UsageError(
    'ASSAY_OPERATION_UNKNOWN',
    `--operation: ${idle.map((glob) => `"${glob}"${suggestion(glob, keys)}`).join(', ')} matches none of the ${plural(keys.length, 'operation')}`,
    'a glob over method and path, such as "GET /v1/stores*"; `assay specs` names the descriptions',
  );
}

/** Makes the folder, and tells which it made. Throws NoVerdict where nothing can be written to it. */
export async function makeWritable(folder: string): Promise<readonly string[]> {
  try {
    const folders = await makeFolder(folder);
    await access(folder, constants.W_OK);
    return folders;
  } catch (error) {
    const { reason, mark } = error instanceof FileUnwritable ? error : new FileUnwritable(folder, error);
    throw new NoVerdict(
      `reports cannot be written to ${folder}: ${reason}${mark}`,
      'name another folder with --out',
      error,
    );
  }
}

/** Minimum share of the operations that the run may call which must have been tested. */
const CI_SHARE = 0.8;

/**
 * The configuration with the profile's gate where it states none: four fifths of the operations in scope that the run
 * may call must have been tested.
 */
export function gated(
  config: Config,
  options: RunOptions,
  descriptions: readonly Description[],
  profile: Profile | undefined,
): Config {
  if (profile === undefined || config.gate.minOperations !== null) return config;
  const catalogue = createCatalogue(descriptions);
  const consent = new Consent(config, catalogue);
  const callable = selectOperations(catalogue, options).filter(({ operation }) => consent.refusal(operation) === null);
  return { ...config, gate: { ...config.gate, minOperations: Math.ceil(CI_SHARE * callable.length) } };
}
