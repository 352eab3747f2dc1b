// Examines configuration and target for `assay doctor`. It sends the liveness check, or by a description alone up to
// three described GETs, and one with each key.

import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createColors } from 'picocolors';
import { systemClock } from '../../clock/system.ts';
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../config/errors.ts';
import { builtinConfig, loadConfig } from '../../config/load.ts';
import { hasClause } from '../../contract/contract.ts';
import { plural } from '../../contract/numbers.ts';
import { OTHER_TOKENS } from '../../contract/other-tokens.ts';
import { capacitySettings } from '../../load/capacity/settings.ts';
import { findK6 } from '../../load/k6/find.ts';
import { HOW_TO_GET_K6 } from '../../load/k6/provide.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { requiresToken } from '../../probes/world.ts';
import { terminalText } from '../../reporters/text.ts';
import { mixForecast } from '../../run/load/forecast.ts';
import { forecastInWords, forecastOf } from '../../run/plan/forecast.ts';
import { checkLists, type DescriptionTexts, loadDescriptions } from '../conform/descriptions.ts';
import { describedConfig, describedIn } from '../described/described-config.ts';
import { descriptionCache } from '../process/description-cache.ts';
import { EXIT } from '../process/failure.ts';
import type { DescribedFlags, RunFlags } from '../process/options.ts';
import { keepSecret } from '../process/say.ts';
import { clockResult, fail, ok, type Result, warn } from './results.ts';
import { hops, type KeyAnswer, keyAnswers, liveness } from './way-to-target.ts';
import { shortSecrets, WORDY_ADVICE, wordySecrets } from './wordy-secrets.ts';

export interface DoctorFlags extends DescribedFlags, Pick<RunFlags, 'config' | 'env' | 'baseUrl' | 'json'> {
  readonly out: string;
}

const LIBRARIES = ['undici', 'ajv', '@apidevtools/swagger-parser', 'fast-check', 'vitest/node'];

/** Everything looked at, in the order in which it should be put right. */
export async function examine(flags: DoctorFlags): Promise<Result[]> {
  const machine = [node(), ...(await Promise.all(LIBRARIES.map(library))), await k6(), await reportsFolder(flags.out)];
  const { config, result, texts } = await configuration(flags);
  if (config === null) return [...machine, result];
  keepSecret(config.secrets);
  const described = await descriptions(config, texts);
  const harm = described.read === null ? [] : [creates(config, described.read), ...mixCreates(config, described.read)];
  const told = [...machine, result, described.result, keyResult(config, described.read), ...harm];
  const { reached, answers } = await target(config, described.read ?? []);
  const looked = [...told, ...secrets(config, described.read ?? []), ...reached];
  if (!answers || described.read === null) return looked;
  return [...looked, ...(await keysTaken(config, described.read))];
}

/** 3 when only the target is missing, or the way to it, 2 for whatever else fails. */
export function exitCodeOf(results: readonly Result[]): number {
  const failed = results.filter(({ state }) => state === 'fail');
  if (failed.length === 0) return EXIT.pass;
  return failed.every(({ isOnTheWay }) => isOnTheWay === true) ? EXIT.noVerdict : EXIT.usage;
}

export function asText(results: readonly Result[], { color }: { readonly color: boolean }): string {
  const colors = createColors(color);
  const paint = { ok: colors.green, warn: colors.yellow, fail: colors.red };
  const lines = results.map(({ subject, state, found, advice }) => {
    const line = `${paint[state](state.padEnd(4))}  ${subject}: ${found}`;
    return advice === '' ? line : `${line}\n      ${advice}`;
  });
  return `${lines.join('\n')}\n`;
}

function node(): Result {
  // bin/assay.js has refused a Node that is too old before anything else is read.
  return ok('node', process.versions.node);
}

async function library(name: string): Promise<Result> {
  try {
    await import(name);
    return ok(name, 'loads');
  } catch (error) {
    return fail(name, (error as Error).message, 'npm ci, or npm install assay again');
  }
}

async function k6(): Promise<Result> {
  const { found, refused } = await findK6(process.env);
  if (found !== null) return ok('k6', `${found.version} (${found.path})`);
  const why = refused.map((one) => `${one.path} ${one.why}`).join('; ');
  return warn('k6', why === '' ? 'not found' : why, `only \`assay load\` needs it: ${HOW_TO_GET_K6}`);
}

async function reportsFolder(out: string): Promise<Result> {
  const folder = resolve(out);
  const existing = await nearestExisting(folder);
  try {
    await access(existing, constants.W_OK);
    return ok('reports', folder);
  } catch {
    // Refused is all that can be known; the advice names the folder.
    return fail('reports', `${existing} cannot be written to`, 'name another with --out');
  }
}

async function nearestExisting(folder: string): Promise<string> {
  const exists = await access(folder).then(
    () => true,
    () => false,
  );
  return exists || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

async function configuration(
  flags: DoctorFlags,
): Promise<{ config: Config | null; result: Result; texts?: DescriptionTexts }> {
  const typed = describedIn(flags);
  try {
    if (typed !== null) {
      const found: string[] = [];
      const say = (sentence: string): unknown => found.push(sentence);
      const made = await describedConfig(typed, { env: process.env, cwd: process.cwd(), say });
      return { ...made, result: ok('configuration', `none: ${found.join('; ')}`) };
    }
    const source = {
      ...{ file: flags.config ?? null, baseUrl: flags.baseUrl ?? null, environment: flags.env ?? null },
      ...{ env: process.env, cwd: process.cwd() },
    };
    const config = await loadConfig(source);
    if (config !== null) return { config, result: ok('configuration', config.file ?? '') };
    if (source.baseUrl !== null) {
      return { config: builtinConfig(source.baseUrl, process.env), result: ok('configuration', 'built in') };
    }
    const found = 'none: only the embedded reference platform could be judged, by --embedded';
    return {
      config: null,
      result: warn('configuration', found, '`assay init` writes one'),
    };
  } catch (error) {
    return { config: null, result: refused('configuration', error) };
  }
}

/** A line for each key: whether the target takes it here, or would at another base address. */
async function keysTaken(config: Config, read: readonly Description[]): Promise<readonly Result[]> {
  return (await keyAnswers(config, read)).map(keyTaken);
}

function keyTaken({ key, plan, operation, status, limit, baseUrl, better, failure }: KeyAnswer): Result {
  const subject = `key ${key} (${plan})`;
  if (failure !== null) return fail(subject, failure, `look at key ${key} of the configuration (keys)`);
  if (operation === null) return warn(subject, 'not tried: no described GET can be called without values', '');
  const stated = limit === null ? '' : `, with a limit of ${terminalText(limit)}`;
  const found = `${operation} answers ${status ?? 'nothing'}${stated}`;
  if (status !== null && status < 300) return ok(subject, found);
  if (better !== null)
    return fail(
      subject,
      `${found} at ${baseUrl}, and succeeds at ${better}`,
      `the path is wrong, not the key: set target.baseUrl to ${better}`,
    );
  if (status === 401) return fail(subject, `${found}: the key is refused`, `renew the token of ${key} (keys)`);
  if (status === 403) return fail(subject, found, `the account of ${key} may be locked, or lacks the right`);
  return warn(subject, found, 'is target.baseUrl right, and is the operation served?');
}

/** The number of objects that a run would create, and of those among them that nothing deletes. */
function creates(config: Config, descriptions: readonly Description[]): Result {
  const catalogue = createCatalogue(descriptions);
  const forecast = forecastOf(config, catalogue, catalogue.operations);
  const found = forecastInWords(forecast);
  if (forecast.mostStaying === 0 && forecast.takingOthers.length === 0) return ok('creates', found);
  const less = forecast.mostStaying === 0 ? '' : 'limits: { created: { perOperation: 1 } } makes it less; ';
  const advice = `${less}mutations: deny creates and takes away nothing; skip leaves operations out`;
  return warn('creates', found, advice);
}

/** The same of load.mix, where there is one: nothing for a configuration that only reads under load. */
function mixCreates(config: Config, descriptions: readonly Description[]): Result[] {
  if (Object.keys(capacitySettings(config).mix).length === 0) return [];
  const catalogue = createCatalogue(descriptions);
  const found = mixForecast('capacity', config, catalogue, catalogue.operations, null);
  if (config.limits.isStated === true || found.startsWith('nothing')) return [ok('load.mix creates', found)];
  const advice = 'limits: { created: { perOperation: 5, total: 200 } }, stated, bounds load, too';
  return [warn('load.mix creates', found, advice)];
}

async function descriptions(
  config: Config,
  texts: DescriptionTexts | undefined,
): Promise<{ read: readonly Description[] | null; result: Result }> {
  try {
    const read = await loadDescriptions(config, descriptionCache(process.env), texts);
    checkLists(config, read);
    const of = (result: Result) => ({ result, read });
    const pending = config.services.filter(({ spec }) => spec === null).map(({ name }) => name);
    const problems = read.reduce((sum, description) => sum + description.problems.length, 0);
    const found = read
      .map(({ service, operations }) => `${service} (${plural(operations.length, 'operation')})`)
      .join(', ');
    if (read.length === 0) {
      return of(fail('descriptions', 'none', 'name one under services.<name>.spec'));
    }
    if (problems > 0) {
      const advice = '`assay specs` lists them; they are SPEC-01 violations';
      return of(warn('descriptions', `${found}; ${plural(problems, 'problem')}`, advice));
    }
    if (pending.length === 0) return of(ok('descriptions', found));
    return of(warn('descriptions', found, `not testable, as pending or absent: ${pending.join(', ')}`));
  } catch (error) {
    return { result: refused('descriptions', error), read: null };
  }
}

export function keyResult(
  { keys: configured, credentials, stated, target }: Pick<Config, 'keys' | 'credentials' | 'stated' | 'target'>,
  descriptions: readonly Description[] | null,
): Result {
  const subject = 'keys';
  const isAsked = descriptions === null || descriptions.some(({ operations }) => operations.some(requiresToken));
  if (configured.length === 0) {
    const names = (target.headers ?? []).map(({ name }) => name);
    const sent = names.length === 0 ? '' : `; every request carries the header ${names.join(' and ')}`;
    if (!isAsked) return ok(subject, `none, and no described operation asks for one${sent}`);
    return warn(subject, 'none', 'without a key only refusals can be tested: add keys');
  }
  const found = configured.map(({ name, plan }) => `${name} (${plan})`).join(', ');
  const absent = OTHER_TOKENS.filter(
    ({ token, clause }) => isAsked && credentials[token] === null && hasClause(stated, clause),
  );
  if (absent.length === 0) return ok(subject, found);
  const clauses = absent.map(({ clause }) => clause).join(' and ');
  const names = absent.map(({ token }) => token).join(' and ');
  const advice = `credentials not configured: ${names}, without which ${clauses} cannot be judged`;
  return warn(subject, found, advice);
}

/** Lines only where there is something to say. */
function secrets(config: Config, read: readonly Description[]): readonly Result[] {
  const wordy = wordySecrets(config, read);
  const found = `made of words that reports show: ${wordy.join('; ')}`;
  const line = (told: string, advice: string): Result => warn('secrets', told, advice);
  const short = shortSecrets(config).map((sentence) => line(sentence, 'use a longer one'));
  return wordy.length === 0 ? short : [line(found, WORDY_ADVICE), ...short];
}

/** The way to the target, its clock, and whether it answers: where the way is closed, that alone is told. */
async function target(
  config: Config,
  read: readonly Description[],
): Promise<{ readonly reached: readonly Result[]; readonly answers: boolean }> {
  const way = await hops(config, systemClock);
  if (way.some(({ state }) => state === 'fail')) return { reached: way, answers: false };
  const { alive, found, date, serves, setting } = await liveness(config, read);
  const said = `${config.target.baseUrl} ${found}`;
  const clock = date && clockResult(date.stated, date.sentMs, date.receivedMs);
  const told = [...way, ...(clock === null ? [] : [clock])];
  if (serves === 'yes') return { reached: [...told, ok('target', said)], answers: true };
  const state = serves === 'no' ? 'fail' : 'warn';
  const right =
    setting === undefined
      ? 'is target.baseUrl right, and services.*.basePath?'
      : `it is served elsewhere: set ${setting}`;
  const advice = alive ? right : 'is it running, and is target.baseUrl right?';
  return { reached: [...told, { subject: 'target', state, found: said, advice, isOnTheWay: true }], answers: alive };
}

function refused(subject: string, error: unknown): Result {
  if (!(error instanceof UsageError)) throw error;
  return fail(subject, error.message, error.hint);
}
