// One `assay clean`: the journal of a run read, its target found and held against the run's, and what is left there deleted.

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../../clock/system.ts';
import type { Config } from '../../config/config.ts';
import { invalidOption, unreadableReport } from '../../config/errors.ts';
import { builtinConfig, loadConfig } from '../../config/load.ts';
import { plural } from '../../contract/numbers.ts';
import { terminalText } from '../../reporters/text.ts';

import {
  isToClean,
  JOURNAL_FILE,
  type JournalHead,
  type JournalPart,
  JournalUnreadable,
  openJournal,
  readJournal,
} from '../../run/books/journal.ts';
import { type Cleaned, cleanPart } from '../../run/perform/cleaning.ts';
import { RunEnded } from '../../run/perform/interruption.ts';
import { describedConfig } from '../described/described-config.ts';
import { descriptionCache } from '../process/description-cache.ts';
import { EXIT, NoVerdict } from '../process/failure.ts';
import type { RunFlags } from '../process/options.ts';
import { type DescriptionTexts, loadDescriptions } from './descriptions.ts';
import { interruptible } from './interrupt.ts';

export interface CleanFlags extends Pick<RunFlags, 'config' | 'env' | 'baseUrl' | 'quiet' | 'json'> {
  readonly run: string;
}

/** Exit code: 0 nothing is left, 1 something is. Throws UsageError before anything was sent, NoVerdict where the target is not reached. */
export async function cleanOnce(flags: CleanFlags): Promise<number> {
  const file = journalIn(flags.run);
  // The embedded platform is gone, with all that was made there.
  const parts = partsOf(file).filter((part) => part.head.embedded === undefined && isToClean(part));
  const done = parts.length === 0 ? [] : await cleaned(file, parts, flags);
  const all: Cleaned = {
    deleted: done.reduce((sum, { deleted }) => sum + deleted, 0),
    left: done.flatMap(({ left }) => left),
    unknown: done.flatMap(({ unknown }) => unknown),
    requests: done.reduce((sum, { requests }) => sum + requests, 0),
  };
  tell(all, flags);
  return all.left.length + all.unknown.length === 0 ? EXIT.pass : EXIT.violations;
}

function journalIn(run: string): string {
  const path = resolve(run);
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, JOURNAL_FILE) : path;
  if (existsSync(file) && statSync(file).isFile()) return file;
  throw unreadableReport(
    existsSync(path) ? `${run} is the folder of no run: it holds no ${JOURNAL_FILE}` : `${run} does not exist`,
    'name a run folder, such as reports/<run id>',
  );
}

/** Throws UsageError for what no run wrote. */
export function partsOf(file: string): readonly JournalPart[] {
  const hint = 'name a run folder that this version of assay wrote, or its created.jsonl';
  try {
    const parts = readJournal(file);
    if (parts.length > 0) return parts;
  } catch (error) {
    if (error instanceof JournalUnreadable) throw unreadableReport(error.message, hint);
    throw error;
  }
  throw unreadableReport(`${file} is no journal of a run`, hint);
}

/** The latest part first: what it made may lie below what an earlier one made. */
async function cleaned(file: string, parts: readonly JournalPart[], flags: CleanFlags): Promise<readonly Cleaned[]> {
  const { config, texts } = await configOf(parts[0] as JournalPart, flags);
  for (const { head } of parts) mustBeItsTarget(head, config, flags);
  mustBeAllowed(config);
  const descriptions = await loadDescriptions(config, descriptionCache(process.env), texts);
  const journal = openJournal(file, null);
  const interruption = interruptible((text) => process.stderr.write(text));
  try {
    const done: Cleaned[] = [];
    for (const part of parts.toReversed())
      done.push(
        await cleanPart({ config, descriptions, part, journal, clock: systemClock, stop: interruption.signal }),
      );
    return done;
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    throw new NoVerdict(error.message, 'what was deleted is marked; give the command again for the rest', error);
  } finally {
    interruption.dispose();
    journal.close();
  }
}

/** The configuration named, else that of the run, else that of the folder; without any, the address alone. */
async function configOf(
  { head }: JournalPart,
  { config: named, env, baseUrl }: CleanFlags,
): Promise<{ readonly config: Config; readonly texts?: DescriptionTexts }> {
  if (head.described !== undefined && named === undefined)
    return describedConfig(
      { ...head.described, baseUrl: baseUrl ?? head.described.baseUrl },
      { env: process.env, cwd: process.cwd() },
    );
  const ofRun = head.config !== null && existsSync(head.config) ? head.config : null;
  const config = await loadConfig({
    file: named ?? ofRun,
    baseUrl: baseUrl ?? null,
    environment: env ?? null,
    env: process.env,
    cwd: process.cwd(),
  });
  return { config: config ?? builtinConfig(baseUrl ?? head.baseUrl, process.env) };
}

/** Throws UsageError where the configuration's target is not the run's and nobody says that it is meant. */
function mustBeItsTarget(head: JournalHead, { target }: Config, { baseUrl }: CleanFlags): void {
  if (baseUrl !== undefined || target.baseUrl === head.baseUrl) return;
  throw invalidOption(
    `run ${head.run} created on ${head.baseUrl}, and the configuration names ${target.baseUrl}`,
    `--config and --env name the run's configuration; --base-url ${target.baseUrl} cleans there all the same`,
  );
}

function mustBeAllowed({ mutations, target }: Config): void {
  if (mutations !== 'deny') return;
  throw invalidOption(
    `assay clean deletes, and mutations are denied (${target.environment})`,
    '`mutations: allow` in the configuration allows it',
  );
}

function tell({ deleted, left, unknown, requests }: Cleaned, { quiet, json }: CleanFlags): void {
  if (json) process.stdout.write(`${JSON.stringify({ deleted, left, unknown, requests })}\n`);
  const lines = [
    ...left.map((line) => `left: ${line}`),
    ...unknown.map((line) => `may be left: ${line}: its answer was never seen, and nothing shows what came of it`),
  ];
  if (!json) for (const line of lines) process.stdout.write(`${terminalText(line)}\n`);
  if (quiet) return;
  const counts = [
    ...(left.length === 0 ? [] : [`${plural(left.length, 'object')} left`]),
    ...(unknown.length === 0 ? [] : [`${plural(unknown.length, 'object')} that may be left`]),
  ];
  const rest = counts.length === 0 ? 'nothing is left' : counts.join(', ');
  process.stderr.write(`assay: ${plural(deleted, 'object')} deleted, ${rest}\n`);
}
