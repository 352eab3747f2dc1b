// One `assay contract init`: the descriptions are read, a few answers too unless --offline, and a first contract file is written.

import { basename } from 'node:path';
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../config/errors.ts';
import { loadConfig } from '../../config/load.ts';
import { plural } from '../../contract/numbers.ts';
import { type FileUnwritable, writeWhole } from '../../disk/whole-file.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { shellWord } from '../../reporters/words.ts';
import { loadDescriptions } from '../conform/descriptions.ts';
import { asker, describedConfig, describedIn } from '../described/described-config.ts';
import { descriptionCache } from '../process/description-cache.ts';
import { NoVerdict } from '../process/failure.ts';
import { type DescribedFlags, placeFor, type RunFlags } from '../process/options.ts';
import { keepSecret, say } from '../process/say.ts';
import { draftedContract } from './drafted.ts';
import { lookAround } from './reads.ts';

export interface DraftFlags extends DescribedFlags, Pick<RunFlags, 'config' | 'env' | 'baseUrl'> {
  readonly out: string;
  readonly force?: boolean;
  readonly offline?: boolean;
}

/** Throws UsageError for wrong options, configuration or descriptions; NoVerdict where nothing answers, or the file cannot be written. */
export async function draftOnce(flags: DraftFlags): Promise<void> {
  const path = placeFor(flags, 'assay contract init');
  const { config, descriptions } = await sourceOf(flags);
  const isOffline = flags.offline === true;
  const seen = isOffline ? [] : await lookAround(config, descriptions);
  if (seen.length === 0 && !isOffline) throw silent(config);
  const { text, questions } = draftedContract(seen, descriptions, { isOffline });
  await writeWhole(path, text).catch((error: FileUnwritable) => {
    throw new NoVerdict(error.message, 'name another file with --out', error);
  });
  const asks = questions === 0 ? '' : `; ${questions} of its comments ask`;
  const next =
    flags.description === undefined
      ? `\`contract: ${basename(path)}\` in the configuration`
      : `\`assay conform ${shellWord(flags.description)} --contract ${shellWord(flags.out)}\``;
  say(
    `${path} is written from ${plural(seen.length, 'answer')}${asks}. Next: \`assay contract show --contract ${shellWord(flags.out)}\`, then ${next}.\n`,
  );
}

/** The base URL of an API of which only the description is known: nothing is asked of it. */
const NOWHERE = 'http://127.0.0.1';

async function sourceOf(
  flags: DraftFlags,
): Promise<{ readonly config: Config; readonly descriptions: readonly Description[] }> {
  const baseUrl = flags.baseUrl ?? (flags.offline === true ? NOWHERE : undefined);
  const typed = describedIn(baseUrl === undefined ? flags : { ...flags, baseUrl });
  const reading = { env: process.env, cwd: process.cwd(), confirm: asker({}) };
  const cache = descriptionCache(process.env);
  if (typed !== null) {
    const { config, texts } = await describedConfig(typed, reading);
    keepSecret(config.secrets);
    return { config, descriptions: await loadDescriptions(config, cache, texts) };
  }
  const config = await loadConfig({
    ...reading,
    file: flags.config ?? null,
    baseUrl: flags.baseUrl ?? null,
    environment: flags.env ?? null,
  });
  if (config === null)
    throw new UsageError(
      'ASSAY_CONFIG_MISSING',
      'no description is given, and this folder has no assay.config.{ts,json,yaml,yml}',
      'assay contract init https://api.example.com/openapi.json',
    );
  keepSecret(config.secrets);
  return { config, descriptions: await loadDescriptions(config, cache) };
}

function silent({ target }: Config): NoVerdict {
  return new NoVerdict(
    `nothing answers at ${target.baseUrl}`,
    'assay contract init --offline reads the descriptions alone',
  );
}
