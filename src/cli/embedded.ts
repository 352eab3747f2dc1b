// The embedded reference platform as the target of one run.
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import type { Limit } from '../platform/limiter.ts';
import { startPlatform } from '../platform/start.ts';
import { NoVerdict } from './failure.ts';

export interface Embedded {
  readonly config: Config;
  end(): Promise<void>;
}

/** Starts the platform on a free port and reads the configuration it offers. Throws NoVerdict when it does not start. `limits`: by plan, in place of its own. */
export async function startEmbedded(limits: Readonly<Record<string, Limit>> = {}): Promise<Embedded> {
  const platform = await startPlatform({ limits }).catch((error: Error) => {
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
