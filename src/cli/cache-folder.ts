// Where what is known of descriptions is kept between runs.
import { join, resolve } from 'node:path';
import { VERSION } from '../config/package-root.ts';
import { DescriptionCache } from '../openapi/cache.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The cache in the folder that ASSAY_CACHE names, else in the user's cache folder; undefined with ASSAY_CACHE=off, or where there is none. */
export function descriptionCache(env: Env, platform: NodeJS.Platform = process.platform): DescriptionCache | undefined {
  const folder = cacheFolder(env, platform);
  return folder === null ? undefined : new DescriptionCache(folder, VERSION);
}

/** Absolute; null for none. */
export function cacheFolder(env: Env, platform: NodeJS.Platform): string | null {
  if (env.ASSAY_CACHE) return env.ASSAY_CACHE === 'off' ? null : resolve(env.ASSAY_CACHE);
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'assay');
  if (platform === 'win32') return env.LOCALAPPDATA ? join(env.LOCALAPPDATA, 'assay', 'cache') : null;
  if (!env.HOME) return null;
  return platform === 'darwin' ? join(env.HOME, 'Library', 'Caches', 'assay') : join(env.HOME, '.cache', 'assay');
}
