// Where what makes later runs start faster is kept between runs.
import { join, resolve } from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** The folder that ASSAY_CACHE names, else the user's cache folder; null with ASSAY_CACHE=off, or where there is none. Absolute. */
export function cacheFolder(env: Env, platform: NodeJS.Platform): string | null {
  if (env.ASSAY_CACHE) return env.ASSAY_CACHE === 'off' ? null : resolve(env.ASSAY_CACHE);
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'assay');
  if (platform === 'win32') return env.LOCALAPPDATA ? join(env.LOCALAPPDATA, 'assay', 'cache') : null;
  if (!env.HOME) return null;
  return platform === 'darwin' ? join(env.HOME, 'Library', 'Caches', 'assay') : join(env.HOME, '.cache', 'assay');
}
