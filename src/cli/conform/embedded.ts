// The embedded reference platform as the target of one run, and who may judge it: it never stands in for a target silently.
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../config/errors.ts';
import { loadConfig } from '../../config/load.ts';
import { type StartOptions, startPlatform } from '../../platform/start.ts';
import { NoVerdict } from '../process/failure.ts';

export interface Embedded {
  readonly config: Config;
  end(): Promise<void>;
}

/**
 * How a run uses the embedded platform: it was asked for, or nothing else is configured and somebody watches, or it is
 * refused for the reason `because`.
 */
export type EmbeddedUse =
  | { readonly kind: 'asked' }
  | { readonly kind: 'fallback' }
  | { readonly kind: 'refused'; readonly because: string };

/** Options under which a report is relied on, and so its target must be named. */
const DEMANDING = { profile: '--profile', baseline: '--baseline', waivers: '--waivers', replay: '--replay' } as const;

/** How `assay conform` uses the embedded platform, given its options and where it runs. */
export function embeddedUse(
  flags: { readonly embedded?: boolean } & { readonly [Name in keyof typeof DEMANDING]?: unknown },
  { CI: ci = '' }: NodeJS.ProcessEnv,
  { isTerminal }: { readonly isTerminal: boolean },
): EmbeddedUse {
  if (flags.embedded === true) return { kind: 'asked' };
  const demanding = Object.entries(DEMANDING).find(([name]) => flags[name as keyof typeof DEMANDING] !== undefined);
  if (demanding !== undefined) return { kind: 'refused', because: `${demanding[1]} needs a target` };
  if (ci !== '' && ci !== 'false') return { kind: 'refused', because: 'CI is set' };
  return isTerminal ? { kind: 'fallback' } : { kind: 'refused', because: 'nobody watches at a terminal' };
}

/** How a command uses the embedded platform that judges it on request alone. */
export function embeddedOnRequest(command: string, { embedded }: { readonly embedded?: boolean }): EmbeddedUse {
  return embedded === true ? { kind: 'asked' } : { kind: 'refused', because: `assay ${command} needs a target` };
}

/** Tells whether somebody watches what this process prints. */
export function isWatched(): boolean {
  return process.stdout.isTTY === true || process.stderr.isTTY === true;
}

/** The error where there is no configuration and the embedded platform is not judged in its place. */
export function configurationMissing(because: string): UsageError {
  return new UsageError(
    'ASSAY_CONFIG_MISSING',
    `no configuration: this folder has no assay.config.{ts,json,yaml,yml}, and ${because}`,
    'name one with --config FILE (`assay init` writes one), or judge the embedded reference platform with --embedded',
  );
}

/** Starts the platform on a free port and reads the configuration it offers. Throws NoVerdict when it does not start. */
export async function startEmbedded(options: Pick<StartOptions, 'limits' | 'faults'> = {}): Promise<Embedded> {
  const platform = await startPlatform(options).catch((error: Error) => {
    throw new NoVerdict(error.message, '`assay platform` shows more', error);
  });
  const end = () => platform.stop();
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: process.env, cwd: process.cwd() });
    if (config === null) throw new Error('the embedded platform offers no configuration');
    return { config: { ...config, file: null, target: { ...config.target, embedded: true } }, end };
  } catch (error) {
    await end();
    throw error;
  }
}
