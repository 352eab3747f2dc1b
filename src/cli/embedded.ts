// The embedded reference platform as the target of one run.
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { type StartOptions, startPlatform } from '../platform/start.ts';
import { NoVerdict } from './failure.ts';

export interface Embedded {
  readonly config: Config;
  end(): Promise<void>;
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
    return { config: { ...config, file: null }, end };
  } catch (error) {
    await end();
    throw error;
  }
}
