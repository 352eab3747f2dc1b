// The configuration that a description and its options stand for, where a command is given one in place of a file.

import type { Config } from '../../config/config.ts';
import { invalidOption } from '../../config/errors.ts';
import type { DescriptionTexts } from '../conform/descriptions.ts';
import type { DescribedFlags, RunFlags } from '../process/options.ts';
import { configOf, type DescribedArguments, draftOf, toldOf } from './draft.ts';
import type { Reading } from './read-description.ts';

type Flags = DescribedFlags & Pick<RunFlags, 'config' | 'env' | 'embedded' | 'baseUrl'>;

/** Options by which something else than the description says what is judged. */
const OTHERS = { config: '--config', env: '--env', embedded: '--embedded' } as const;
/** Options that say something of a target which only a description leaves open. */
const BESIDE = { header: '--header', key: '--key', mutations: '--mutations', contract: '--contract' } as const;

/** The arguments of a run by a description alone; null where none is given. Throws UsageError for options that do not fit. */
export function describedIn(flags: Flags): DescribedArguments | null {
  const { description, baseUrl = null, header = [], key = [], mutations, contract } = flags;
  if (description === undefined) {
    const given = {
      ...{ header: header.length > 0, key: key.length > 0 },
      ...{ mutations: mutations !== undefined, contract: contract !== undefined },
    };
    const stray = (['header', 'key', 'mutations', 'contract'] as const).find((name) => given[name]);
    if (stray === undefined) return null;
    const what = `${BESIDE[stray]} goes with a description, and none is given`;
    throw invalidOption(
      what,
      'assay conform https://api.example.com/openapi.json; a configuration has target.headers, keys, mutations and contract',
    );
  }
  const other = (['config', 'env', 'embedded'] as const).find((name) => flags[name] !== undefined);
  if (other !== undefined) {
    const what = `${OTHERS[other]} and the description ${description} both say what is judged`;
    throw invalidOption(what, `leave one of them out: assay conform ${description}`);
  }
  return {
    ...{ description, baseUrl, headers: header, keys: key },
    ...(mutations === undefined ? {} : { mutations }),
    ...(contract === undefined ? {} : { contract }),
  };
}

/** The configuration, and the texts that it was made of; what is judged is said first. */
export async function describedConfig(
  typed: DescribedArguments,
  reading: Reading,
): Promise<{ readonly config: Config; readonly texts: DescriptionTexts }> {
  const draft = await draftOf(typed, reading);
  const made = configOf(draft, reading);
  reading.say?.(toldOf(draft));
  return made;
}

/** Asks at the terminal; undefined where nobody is there, or the output is for programs. */
export function asker(flags: { readonly quiet?: boolean; readonly json?: boolean }): Reading['confirm'] {
  const isThere = process.stdin.isTTY === true && process.stderr.isTTY === true && !process.env.CI;
  if (!isThere || flags.quiet === true || flags.json === true) return undefined;
  return async (question) => {
    const { allows } = await import('../init/questions.ts');
    return allows(question, { input: process.stdin, output: process.stderr });
  };
}
